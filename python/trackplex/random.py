# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counter-based random numbers (Philox4x32-10), the same as those of the kernels.

A number depends only on seed, stream, substream and the words that were drawn before.
"""

from __future__ import annotations as _annotations

import numpy as _numpy
from numpy.typing import ArrayLike as _ArrayLike, DTypeLike as _DTypeLike, NDArray as _NDArray

from ._trackplex import random as _core

__all__ = ["Stream", "philox4x32_10"]


class Stream:
    """A stream of random numbers, of `numpy.float64` or `numpy.float32`.

    Each function returns a new array of n numbers, or fills the array `out` in place and returns it.
    """

    def __init__(self, seed: int, stream: int = 0, substream: int = 0, dtype: _DTypeLike = _numpy.float64) -> None:
        dtype = _numpy.dtype(dtype)
        if dtype == _numpy.float64:
            self._stream = _core.Stream64(seed, stream, substream)
        elif dtype == _numpy.float32:
            self._stream = _core.Stream32(seed, stream, substream)
        else:
            raise TypeError(f"dtype is {dtype}, not float64 or float32")

    def uniform(self, n: int = 0, out: _NDArray | None = None) -> _NDArray:
        """Draws numbers uniformly in the open interval (0, 1)."""
        return self._stream.uniform(n, out)

    def normal(self, n: int = 0, out: _NDArray | None = None) -> _NDArray:
        """Draws numbers of the normal distribution with mean 0 and variance 1."""
        return self._stream.normal(n, out)

    def exponential(self, n: int = 0, out: _NDArray | None = None) -> _NDArray:
        """Draws numbers of the exponential distribution with mean 1."""
        return self._stream.exponential(n, out)

    def bits(self, n: int = 0, out: _NDArray | None = None) -> _NDArray:
        """Draws words of 32 random bits, `numpy.uint32`."""
        return self._stream.bits(n, out)


def philox4x32_10(counters: _ArrayLike, key: int = 0) -> _NDArray:
    """Returns the blocks of counters of four words each, both of the shape (n, 4), for a key of 64 bits."""
    return _core.philox4x32_10(counters, key)
