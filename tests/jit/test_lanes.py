"""Arithmetic of eight numbers at a time, against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import LANES, load, root, same, store

Array = np.ndarray


@kernel
def _operations(x: Array, y: Array, factor: float, out: Array) -> None:
    for i in range(x.shape[0]):
        a, b = load(x, i, 1), load(y, i)
        store(out, i, 0, a + b)
        store(out, i, 1, a - b)
        store(out, i, 2, a * b)
        store(out, i, 3, a / b)
        store(out, i, 4, factor * a - b * factor + factor)
        store(out, i, 5, factor - a / factor)


@kernel
def _sum(x: Array, out: Array) -> None:
    total = same(0.0)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += load(x, i, j)
    store(out, 0, total)


@kernel
def _roots(x: Array, out: Array) -> None:
    for i in range(x.shape[0]):
        store(out, i, root(load(x, i)))


def test_operations_of_lanes_and_numbers() -> None:
    rng = np.random.default_rng(0)
    x, y, f, out = rng.random((3, 2, LANES)), 1.0 + rng.random((3, LANES)), 0.7, np.zeros((3, 6, LANES))
    _operations(x, y, f, out)
    a = x[:, 1]
    expected = np.stack([a + y, a - y, a * y, a / y, f * a - y * f + f, f - a / f], axis=1)
    assert_allclose(out, expected, rtol=0, atol=4e-16)  # fused multiply-adds round once where NumPy rounds twice


@pytest.mark.parametrize("shape", [(1, 1), (4, 3)])
def test_sums_stay_in_their_lane(shape: tuple[int, int]) -> None:
    x, out = np.random.default_rng(1).random((*shape, LANES)), np.full((2, LANES), -1.0)
    _sum(x, out)
    assert_allclose(out[0], x.sum(axis=(0, 1)), rtol=1e-15)
    assert (out[1] == -1.0).all()


def test_square_roots() -> None:
    x, out = np.random.default_rng(2).random((3, LANES)), np.empty((3, LANES))
    x[0, 0], x[1, 1] = 0.0, -1.0  # NaN stays NaN: a run stops on it
    _roots(x, out)
    with np.errstate(invalid="ignore"):
        assert_allclose(out, np.sqrt(x), rtol=3e-16)
