"""One decorator, four options."""

from __future__ import annotations

import numpy as np
import pytest
from numba import prange
from numba.core.errors import TypingError

import fmbs as fm


@fm.jit.kernel
def doubled(x: np.ndarray) -> np.ndarray:
    return 2.0 * x


@fm.jit.kernel(plain=True, part=True)
def half(x: float) -> float:
    return 0.5 * x


@fm.jit.kernel(inline=True)
def added(x: float) -> float:
    return x + 1.0


@fm.jit.kernel(plain=True)
def changed(x: np.ndarray) -> None:
    for i in range(x.size):
        x[i] = added(half(x[i]))


@fm.jit.kernel(plain=True)
def making(n: int) -> float:
    return np.zeros(n).sum()


@fm.jit.kernel(threads=True)
def counted(x: np.ndarray) -> None:
    for i in prange(x.size):
        x[i] = i


def test_kernels_of_all_kinds():
    x = np.array([2.0, 4.0])
    changed(x)
    np.testing.assert_array_equal(x, [2.0, 3.0])
    np.testing.assert_array_equal(doubled(x), [4.0, 6.0])
    counted(x)
    np.testing.assert_array_equal(x, [0.0, 1.0])


def test_python_does_not_call_parts():
    with pytest.raises(TypeError, match="half is a part of kernels"):
        half(1.0)


def test_a_plain_kernel_makes_no_arrays():
    with pytest.raises(TypingError, match="zeros"):
        making(2)


@pytest.mark.parametrize(
    "options", [{"threads": True, "inline": True}, {"part": True, "inline": True}, {"plain": True, "threads": True}]
)
def test_options_that_contradict_each_other(options: dict[str, bool]):
    with pytest.raises(TypeError, match="a kernel has threads, or"):
        fm.jit.kernel(**options)
