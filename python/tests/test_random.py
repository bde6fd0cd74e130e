# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest

from trackplex import random


def test_philox_has_the_published_values():
    # kat_vectors of the authors' Random123
    zeros = random.philox4x32_10(np.zeros((1, 4), np.uint32))
    assert [f"{word:08x}" for word in zeros[0]] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]
    ones = random.philox4x32_10(np.full((1, 4), 0xFFFFFFFF, np.uint32), key=0xFFFFFFFFFFFFFFFF)
    assert [f"{word:08x}" for word in ones[0]] == ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]


def test_a_stream_is_blocks_of_counters():
    words = random.Stream(seed=7, stream=(3 << 32) + 2, substream=5).bits(8)
    counters = np.array([[0, 5, 2, 3], [1, 5, 2, 3]], np.uint32)
    assert np.array_equal(words, random.philox4x32_10(counters, 7).ravel())


def test_draws_continue():
    one, two = random.Stream(1), random.Stream(1)
    assert np.array_equal(one.uniform(10), np.concatenate([two.uniform(4), two.uniform(6)]))
    assert np.array_equal(one.normal(5), two.normal(5))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_uniform_numbers_are_uniform(dtype):
    x = random.Stream(3, dtype=dtype).uniform(100000)
    assert x.dtype == dtype
    assert 0 < x.min() and x.max() < 1
    assert abs(x.mean() - 0.5) < 5 / np.sqrt(12 * len(x))


def test_numbers_are_written_in_place():
    out = np.empty(6, np.float32)
    filled = random.Stream(1, dtype=np.float32).uniform(out=out)
    assert filled.ctypes.data == out.ctypes.data
    assert np.array_equal(out, random.Stream(1, dtype=np.float32).uniform(6))


def test_bad_arguments_are_named():
    stream = random.Stream(1)
    with pytest.raises(TypeError, match="out is no contiguous array of float64"):
        stream.uniform(out=np.empty(3, np.float32))
    with pytest.raises(TypeError, match="out is no contiguous"):
        stream.uniform(out=np.empty(6)[::2])
    with pytest.raises(ValueError, match="out has 3 values instead of 2"):
        stream.uniform(2, out=np.empty(3))
    with pytest.raises(ValueError, match="n is negative"):
        stream.uniform(-1)
    with pytest.raises(TypeError, match="dtype is int64"):
        random.Stream(1, dtype=np.int64)
    with pytest.raises(ValueError, match="counters have no 4 words"):
        random.philox4x32_10(np.zeros((2, 3), np.uint32))
    for number in (0.5, -1, 2**32, np.nan):
        with pytest.raises(ValueError, match="counters has numbers that are not of uint32"):
            random.philox4x32_10([[0, 0, 0, number]])
    same = random.philox4x32_10(np.zeros((1, 4), np.uint32))
    for zeros in (np.zeros((1, 4)), np.zeros((1, 4), bool), [[0, 0, 0, 0]]):
        assert np.array_equal(random.philox4x32_10(zeros), same)
