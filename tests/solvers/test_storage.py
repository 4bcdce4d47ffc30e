"""Matrices of the compiled driver: full, dense, band and KLU, each against LAPACK on the full matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import fmbs as fm
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.solvers.linear.banded import Band
from fmbs.solvers.linear.base import Sparsity
from fmbs.solvers.storage import Matrix, Storage, klu, suitable
from fmbs.solvers.storage.band import BandStorage
from fmbs.solvers.storage.dense import DenseStorage
from fmbs.solvers.storage.full import FullStorage
from fmbs.solvers.storage.klu import KluStorage
from tests.conftest import missing
from tests.oracles.plain_loop import textbook

KINDS = ["full", "dense", "band", "klu"]


def klu_storage(pattern: Sparsity) -> KluStorage:
    if klu.library() is None:
        missing("libklu")
    return KluStorage(pattern)


@kernel(plain=True)
def factorized(matrix: Matrix) -> bool:
    call(matrix.factorize, matrix.kind)
    return matrix.regular[0] == 1


@kernel(plain=True)
def solved(matrix: Matrix, x: np.ndarray) -> None:
    call(matrix.solve, matrix.kind, x)


def banded(rng: np.random.Generator, n: int, lower: int, upper: int) -> np.ndarray:
    """Random entries with zeros among them, on the diagonal too, so that rows have to be exchanged."""
    a = rng.standard_normal((n, n))
    a[rng.random((n, n)) < 0.4] = 0.0
    a = np.tril(np.triu(a, -lower), upper)
    a[np.arange(n - 1), np.arange(1, n)] += 3.0
    a[n - 1, n - 1] += 3.0
    a[np.arange(1, n), np.arange(n - 1)] += 2.0
    return a


def storage(kind: str, a: np.ndarray) -> tuple[Storage, Any]:
    """A storage for the pattern of a, which is made symmetric, and a function that puts values in."""
    pattern = sparse.csc_matrix(((a != 0) | (a.T != 0) | np.eye(a.shape[0], dtype=bool)).astype(float))
    pattern.sort_indices()
    known = Sparsity(pattern)
    n = a.shape[0]
    made: Storage = {
        "full": lambda: FullStorage(n),
        "dense": lambda: DenseStorage(n),
        "band": lambda: BandStorage(Band(known), n),
    }.get(kind, lambda: klu_storage(known))()
    row, column = known.indices.astype(np.int64), known.columns()
    places = made.places(row, column)

    def put(values: np.ndarray) -> None:
        made.matrix.data[:] = 0.0
        made.matrix.data[places] = values[row, column]

    return made, put


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "lower", "upper"), [(1, 0, 0), (7, 3, 2), (40, 5, 9), (120, 17, 11)])
def test_solutions(kind: str, n: int, lower: int, upper: int):
    rng = np.random.default_rng(n)
    pattern = banded(rng, n, lower, upper)
    made, put = storage(kind, pattern)
    for _ in range(4):  # the same pattern with other values
        a = pattern * (1.0 + rng.random((n, n)))
        put(a)
        assert factorized(made.matrix)
        b = rng.standard_normal(n)
        x = b.copy()
        solved(made.matrix, x)
        np.testing.assert_allclose(x, np.linalg.solve(a, b), rtol=0, atol=1e-11 * np.linalg.cond(a) * abs(x).max())


@pytest.mark.parametrize("kind", KINDS)
def test_singular_matrices_are_found(kind: str):
    a = banded(np.random.default_rng(1), 20, 3, 3)
    made, put = storage(kind, a)
    broken = a.copy()
    broken[:, 7] = 0.0
    for matrix, regular in ((a, True), (broken, False), (a, True)):
        put(matrix)
        assert factorized(made.matrix) == regular
    x = np.ones(20)
    solved(made.matrix, x)
    np.testing.assert_allclose(a @ x, 1.0, rtol=0, atol=1e-10)


def test_klu_looks_for_pivots_again_when_they_fail():
    """Pivots that were the largest of their columns become a billionth of them."""
    rng = np.random.default_rng(2)
    a = np.eye(30) * 5.0 + banded(rng, 30, 4, 4)
    made, put = storage("klu", a)
    put(a)
    assert factorized(made.matrix)
    b = a.copy()
    b[np.arange(0, 30, 2), np.arange(0, 30, 2)] = 1e-13
    put(b)
    assert factorized(made.matrix)
    x = np.ones(30)
    solved(made.matrix, x)
    np.testing.assert_allclose(b @ x, 1.0, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_restored_factors_are_the_same_to_the_last_bit(kind: str):
    rng = np.random.default_rng(3)
    pattern = banded(rng, 50, 6, 6)
    made, put = storage(kind, pattern)
    for changes in (1, 3):  # KLU: with the pivots of this very matrix, and of an earlier one
        for _ in range(changes):
            put(pattern * (1.0 + rng.random((50, 50))))
            assert factorized(made.matrix)
        other, _ = storage(kind, pattern)
        other.restore({name: values.copy() for name, values in made.snapshot().items()})
        x, y = np.ones(50), np.ones(50)
        solved(made.matrix, x)
        solved(other.matrix, y)
        np.testing.assert_array_equal(x, y)


def chain(links: int) -> fm.Model:
    m = fm.Model("chain", gravity=(0, 0, -9.81))
    last: Any = m.ground
    for i in range(links):
        link = m.add(fm.RigidBody(f"link {i}", mass=1.0, inertia=(0.01, 0.02, 0.03), com=(i + 0.5, 0, 0)))
        m.add(fm.Spherical(last.at(i, 0, 0), link.at(i, 0, 0)))
        last = link
    return m


def test_agrees_on_a_long_chain(monkeypatch: pytest.MonkeyPatch):
    """Sparse and long: KLU in the loop, and round-off that adds up along the links."""
    if klu.library() is None:
        missing("libklu")
    options = {"step": 2e-3, "output_step": 0.01, "progress": False}
    made: list[KluStorage] = []
    start = KluStorage.__init__
    monkeypatch.setattr(KluStorage, "__init__", lambda self, *given: made.append(self) or start(self, *given))
    monkeypatch.setattr("fmbs.solvers.storage.groups_of", lambda *_: None)  # the whole matrix, with its bodies
    monkeypatch.setattr("fmbs.solvers.storage.narrow_band", lambda *_: None)  # a band of longer chains would be too long
    compiled = chain(60).simulate(0.03, **options)
    assert any(each.matrix.regular[0] == 1 for each in made)  # a first run makes others to know what to compile
    textbook(monkeypatch)
    plain = chain(60).simulate(0.03, **options)
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-8)
    assert np.abs(compiled.energy.balance).max() < 1e-3 * np.ptp(compiled.energy.kinetic)


def test_dense_only_where_a_band_has_more_to_do() -> None:
    """A narrow band of a small matrix may hold a quarter of all entries; LAPACK's full matrix would take longer."""
    full = Sparsity(sparse.csc_matrix(np.ones((200, 200))))
    band = Sparsity(sparse.csc_matrix(np.triu(np.tril(np.ones((90, 90)), 20), -20)))
    for pattern, kind in ((full, DenseStorage), (band, BandStorage)):
        make = suitable(pattern, [np.arange(pattern.shape[0])], sparse=True)
        assert make is not None
        assert isinstance(make(0), kind)
