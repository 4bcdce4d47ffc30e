"""Linear solvers: every name gives the same answer, says what is wrong, and survives what goes wrong."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.sparse import csc_matrix

from fmbs.core.errors import ModelError
from fmbs.solvers.linear import (
    DENSE_BELOW,
    LinearSolveError,
    LinearSolver,
    MassSolver,
    SingularMatrixError,
    linear_solver,
    petsc_methods,
)
from tests.conftest import require

DIRECT = ["dense", "banded", "scipy", "petsc", "petsc:klu", "petsc:umfpack", "petsc:mumps", "petsc:superlu"]
ITERATIVE = ["petsc:petsc", "petsc:gmres+ilu", "petsc:bcgs+ilu", "petsc:fgmres+ilu", "petsc:bcgs+jacobi"]


def solver(name: str) -> LinearSolver:
    if name.startswith("petsc"):
        require("petsc4py.PETSc")
    return linear_solver(name, 0)


def saddle_point(bodies: int, seed: int = 0, stored_diagonal: bool = True) -> csc_matrix:
    """Newton matrix [[S, C^T], [C, 0]] of a chain: 6 coordinates and 3 equations a body, S unsymmetric."""
    rng = np.random.default_rng(seed)
    n, m = 6 * bodies, 3 * bodies
    blocks = [10.0 * np.eye(6) + rng.standard_normal((6, 6)) for _ in range(bodies)]
    C = np.zeros((m, n))
    for b in range(bodies):
        C[3 * b : 3 * b + 3, 6 * b : 6 * b + 6] = rng.standard_normal((3, 6))
        if b:
            C[3 * b : 3 * b + 3, 6 * b - 6 : 6 * b] = rng.standard_normal((3, 6))
    A = sp.bmat([[sp.block_diag(blocks), C.T], [sp.csr_matrix(C), None]]).tocoo()
    extra = np.arange(n, n + m) if stored_diagonal else np.arange(0)
    rows, columns = np.append(A.row, extra), np.append(A.col, extra)
    return csc_matrix((np.append(A.data, 0.0 * extra), (rows, columns)), shape=A.shape)


def filled(A: csc_matrix, value: float) -> csc_matrix:
    return csc_matrix((np.full(A.nnz, value), A.indices, A.indptr), shape=A.shape)


def without_column(A: csc_matrix, column: int) -> csc_matrix:
    """The same pattern, but singular: one column is zero."""
    B = A.copy()
    B.data[B.indptr[column] : B.indptr[column + 1]] = 0.0
    return B


@pytest.mark.parametrize("stored_diagonal", [True, False])
@pytest.mark.parametrize("bodies", [2, 60])
@pytest.mark.parametrize("name", DIRECT + ITERATIVE)
def test_solves_saddle_points_again_and_again(name: str, bodies: int, stored_diagonal: bool) -> None:
    """A run factorizes one pattern with ever new values; answers agree with LAPACK."""
    s = solver(name)
    tolerance = 1e-9 if name in DIRECT else 1e-7  # condition number about 1e3; Krylov stops at 1e-12 of |b|
    for seed in range(4):
        A = saddle_point(bodies, seed, stored_diagonal)
        b = np.random.default_rng(seed).standard_normal(A.shape[0])
        factor = s.factorize(A)
        for rhs in (b, 1e6 * b[::-1], 0.0 * b):
            assert_allclose(factor.solve(rhs), np.linalg.solve(A.toarray(), rhs), rtol=0, atol=tolerance * abs(rhs).max())


@pytest.mark.parametrize("name", DIRECT + ITERATIVE)
def test_several_right_hand_sides(name: str) -> None:
    A = saddle_point(4)
    B = np.random.default_rng(1).standard_normal((A.shape[0], 3))
    X = solver(name).factorize(A).solve(B)
    assert X.shape == B.shape
    assert_allclose(A @ X, B, atol=1e-9)


@pytest.mark.parametrize("name", DIRECT)
def test_keeps_its_hands_off_the_arguments(name: str) -> None:
    A = saddle_point(4)
    b = np.ones(A.shape[0])
    data = A.data.copy()
    factor = solver(name).factorize(A)
    first = factor.solve(b)
    kept = first.copy()
    factor.solve(2.0 * b)
    assert_allclose(A.data, data, rtol=0)
    assert_allclose(b, 1.0, rtol=0)
    assert_allclose(first, kept, rtol=0)


@pytest.mark.parametrize("name", DIRECT)
def test_another_pattern_is_only_slower(name: str) -> None:
    s = solver(name)
    for A in (saddle_point(3), saddle_point(5), saddle_point(5, stored_diagonal=False)):
        b = np.ones(A.shape[0])
        assert_allclose(A @ s.factorize(A).solve(b), b, atol=1e-10)


@pytest.mark.parametrize("name", DIRECT)
def test_singular_matrix_raises_and_the_next_one_works(name: str) -> None:
    """Step control retries with a smaller step: the solver must survive."""
    s = solver(name)
    A = saddle_point(6)
    b = np.ones(A.shape[0])
    for bad in (without_column(A, 3), filled(A, np.nan), filled(A, np.inf)):
        with pytest.raises(SingularMatrixError, match=r"singular|NaN"):
            s.factorize(bad).solve(b)
        assert_allclose(A @ s.factorize(A).solve(b), b, atol=1e-10)


@pytest.mark.parametrize("name", ITERATIVE)
def test_iterations_that_fail_say_so(name: str) -> None:
    s = solver(name)
    A = saddle_point(6)
    b = np.ones(A.shape[0])
    with pytest.raises(LinearSolveError, match=r"found no solution: .*petsc:klu|singular"):
        s.factorize(without_column(A, 3)).solve(b)
    assert_allclose(A @ s.factorize(A).solve(b), b, atol=1e-7)


def test_a_wrong_preconditioner_cannot_give_a_wrong_answer() -> None:
    """BoomerAMG's answer on a saddle point is garbage, which PETSc calls converged if preconditioned from the left."""
    s = solver("petsc:gcr+hypre")
    with pytest.raises(LinearSolveError, match=r"petsc:gcr\+hypre found no solution"):
        s.factorize(saddle_point(6)).solve(np.ones(54))


@pytest.mark.parametrize("name", DIRECT)
def test_right_hand_side_that_is_not_finite(name: str) -> None:
    A = saddle_point(2)
    with pytest.raises(LinearSolveError, match="not finite"):
        solver(name).factorize(A).solve(np.full(A.shape[0], np.nan))


def chosen(A: csc_matrix) -> str:
    """The name of "auto" after a matrix, whose answer is right."""
    s, b = linear_solver("auto", A.shape[0]), np.ones(A.shape[0])
    assert_allclose(A @ s.factorize(A).solve(b), b, atol=1e-9)
    return s.name


def beam_like(elements: int) -> csc_matrix:
    """Blocks of 24 that overlap by 12."""
    rng, n = np.random.default_rng(0), 12 * (elements + 1)
    A = sp.lil_matrix((n, n))
    for e in range(elements):
        A[12 * e : 12 * e + 24, 12 * e : 12 * e + 24] = rng.standard_normal((24, 24))
    return csc_matrix(A + 30.0 * sp.eye(n))


def grid(side: int) -> csc_matrix:
    """Each unknown coupled with its four neighbours in a square: a wide band, nearly empty."""
    line = mass_matrix(side)
    return csc_matrix(sp.kron(line, sp.eye(side)) + sp.kron(sp.eye(side), line))


SPARSE = "petsc:klu" if petsc_methods.available() else "scipy"


def test_automatic_choice() -> None:
    """By size, then by how full the band is, whatever the numbering; too large a band does not fit the cache."""
    assert linear_solver("auto", DENSE_BELOW - 1).name == "dense"
    assert linear_solver("auto", DENSE_BELOW).name == "auto"
    beam = beam_like(20)
    shuffled = np.random.default_rng(1).permutation(beam.shape[0])
    assert chosen(beam) == chosen(beam[shuffled][:, shuffled].sorted_indices()) == "banded"
    assert chosen(grid(20)) == SPARSE
    for n, name in ((150_000, "banded"), (250_000, SPARSE)):  # 4 diagonals of 8 bytes: 4.8 and 8 MB
        assert chosen(csc_matrix(mass_matrix(n))) == name


def test_automatic_choice_is_made_anew_for_another_pattern() -> None:
    s = linear_solver("auto", 252)
    for A, name in ((beam_like(20), "banded"), (grid(16), SPARSE), (beam_like(20), "banded")):
        b = np.ones(A.shape[0])
        assert_allclose(A @ s.factorize(A).solve(b), b, atol=1e-9)
        assert s.name == name


def test_automatic_choice_without_petsc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "petsc4py", None)
    assert chosen(grid(11)) == "dense"  # 121 unknowns
    assert chosen(grid(20)) == "scipy"
    assert chosen(beam_like(20)) == "banded"
    with pytest.raises(ModelError, match=r"apt install .*conda install .*pip install .*linear_solver='scipy'"):
        linear_solver("petsc:mumps", 10)


def test_petsc_prefers_klu() -> None:
    assert solver("petsc").name == "petsc:klu"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sipy", "Did you mean 'scipy'"),
        ("petsc:", "is unknown"),
        ("", "Known: auto, banded, dense"),
        (None, "None is not a text; give its name"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        linear_solver(name, 10)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("petsc:mump", r"no LU package 'mump' .*Did you mean 'mumps'.*klu"),
        ("petsc:gmres", r"no LU package 'gmres'.*'petsc:gmres\+ilu'"),
        ("petsc:gmers+ilu", "no Krylov method 'gmers'. Did you mean .*'gmres'"),
        ("petsc:gmres+jacoby", "no preconditioner 'jacoby'. Did you mean .*'jacobi'"),
        ("petsc:preonly+lu", "no Krylov method 'preonly'"),
    ],
)
def test_what_this_petsc_does_not_have(name: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        solver(name)


def test_petsc_options_are_honoured() -> None:
    require("petsc4py.PETSc")
    program = (
        "import numpy as np, scipy.sparse as sp; from fmbs.solvers.linear import linear_solver;"
        "linear_solver('petsc:klu', 2).factorize(sp.csc_matrix([[2.0, 1.0], [1.0, 0.0]])).solve(np.ones(2))"
    )
    options = {"PETSC_OPTIONS": "-fmbs_ksp_view -fmbs_ksp_type gmres"}
    run = subprocess.run([sys.executable, "-c", program], env=os.environ | options, capture_output=True, text=True, check=True)
    assert "(fmbs_)" in run.stdout
    assert "gmres" in run.stdout
    assert "klu" in run.stdout


@pytest.fixture(params=["cholmod", "scipy"])
def mass_backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "cholmod":
        require("sksparse.cholmod")
    else:
        monkeypatch.setitem(sys.modules, "sksparse", None)
    return str(request.param)


def mass_matrix(n: int) -> sp.csr_matrix:
    return sp.csr_matrix(sp.diags([np.ones(n - 1), np.full(n, 4.0), np.ones(n - 1)], [-1, 0, 1]))


@pytest.mark.parametrize("n", [3, 500])
def test_mass_solver(mass_backend: str, n: int) -> None:
    M = mass_matrix(n)
    s = MassSolver(M)
    assert s.name == mass_backend
    for shape in ((n,), (n, 4)):
        b = np.random.default_rng(0).standard_normal(shape)
        assert_allclose(M @ s.solve(b), b, atol=1e-13)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((1, 1, 0.0), "no mass on coordinates 1"),
        ((0, 1, 9.0), "not symmetric"),
        ((2, 2, 0.1), "give it a positive mass"),
        ((0, 0, np.nan), "NaN"),
    ],
)
def test_mass_matrix_that_is_none(mass_backend: str, change: tuple[int, int, float], message: str) -> None:
    M = mass_matrix(3).tolil()
    M[change[0], change[1]] = change[2]
    with pytest.raises(SingularMatrixError, match=message):
        MassSolver(M.tocsr())


def test_indefinite_mass_matrix_with_positive_diagonal(mass_backend: str) -> None:
    with pytest.raises(SingularMatrixError, match="not positive definite"):
        MassSolver(csc_matrix([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(SingularMatrixError, match="not positive definite"):
        MassSolver(csc_matrix([[1.0, 1.0], [1.0, 1.0]]))
