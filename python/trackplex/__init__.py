# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trackplex: kernels that follow particles, on NumPy arrays.

Kokkos starts at the first use and ends with the interpreter. Arrays of the caller are used in place where their type and layout
fit; arrays that are returned are views that keep their owner alive. Kernels run without the interpreter's lock.
"""

from __future__ import annotations as _annotations

import atexit as _atexit

from . import _trackplex as _core
from ._trackplex import Fingerprint
from . import beam, detector, io, kalman, lhcb, montecarlo, random

__all__ = [
    "Fingerprint", "backend", "backends", "beam", "detector", "io", "is_running", "kalman", "lhcb", "montecarlo", "random", "set_backend",
    "start", "threads",
]
__version__ = _core.version

Fingerprint.__module__ = __name__
Fingerprint.__doc__ = """64-bit FNV-1a hash of the bytes of values: the same as that of the C++ programs.

`add(*arrays)` adds arrays with their length, and numbers of NumPy (arrays of no dimensions) as they are; `add_values(*arrays)` adds
arrays without their length; `hex()` returns 16 hexadecimal digits."""


def start(threads: int = 0, backend: str = "") -> None:
    """Starts Kokkos, before anything else needs it.

    With a number of threads (0: OMP_NUM_THREADS or KOKKOS_NUM_THREADS, else all cores) and a default backend, "serial" or "openmp"
    (else TRACKPLEX_BACKEND, else that of Kokkos).
    """
    _core.start(threads, backend)


def is_running() -> bool:
    """Tells whether Kokkos has been started."""
    return _core.is_running()


def backends() -> list[str]:
    """Returns the names of the backends."""
    return _core.backends()


def backend() -> str:
    """Returns the name of the default backend."""
    return _core.backend()


def set_backend(name: str) -> None:
    """Makes a backend the default of what is made from now on: "serial" or "openmp"."""
    _core.set_backend(name)


def threads() -> int:
    """Returns the number of threads of the default backend. Starts Kokkos."""
    return _core.threads()


_atexit.register(_core.end)
