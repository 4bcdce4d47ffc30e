"""Matrices that fill in: what a factorisation will cost, MUMPS in dense fronts, unknowns eliminated before."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from numpy.testing import assert_allclose
from scipy.sparse import csc_matrix

import fmbs as fm
from fmbs.assembly.system import Coefficients, System
from fmbs.solvers.linear import linear_solver
from fmbs.solvers.linear.automatic import AutomaticSolver, suits_fronts
from fmbs.solvers.linear.base import SingularMatrixError, Sparsity
from fmbs.solvers.linear.condensing import PartedSolver, groups_alike
from fmbs.solvers.linear.dense import DenseSolver
from fmbs.solvers.linear.fill import Fill, compressed, fill_of
from fmbs.solvers.linear.klu_library import library
from tests.conftest import missing, require

Array = np.ndarray


def lattice(n: int, *, load: float = 0.0, interpolation: str = "cubic") -> fm.Model:
    """n x n x n nodes 0.1 m apart on clamped feet."""
    place = 0.1 * np.arange(n)
    nodes = np.stack(np.meshgrid(place, place, place, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(n**3).reshape(n, n, n)
    along = [np.stack([number.take(range(n - 1), k).ravel(), number.take(range(1, n), k).ravel()], axis=1) for k in range(3)]
    body = fm.BeamNetwork(
        "lattice", nodes=nodes, struts=np.concatenate(along), section=fm.Circle(0.005), interpolation=interpolation,
        material=fm.Material(E=70e9, nu=0.3, density=2700.0),
    )  # fmt: skip
    m = fm.Model("lattice", gravity=(0.0, 0.0, -9.81))
    m.add(body)
    for k in np.flatnonzero(nodes[:, 2] == 0.0):
        m.add(fm.Fixed(m.ground.at(*nodes[k]), body.node(int(k))))
    if load:
        m.add(fm.PointForce(body.node(n**3 - 1), (load, 0.0, 0.0)))
    return m


def stiffness(system: System, mass: float = 0.0) -> csc_matrix:
    q = system.initial_position
    return system.jacobian(0.0, q, 0.0 * q, np.zeros(system.multipliers), Coefficients(mass=mass, stiffness=1.0))


def relative(matrix: csc_matrix, x: Array, b: Array) -> float:
    return float(np.abs(matrix @ x - b).max() / (abs(matrix) @ np.abs(x)).max())


def test_inner_nodes_are_eliminated_before() -> None:
    """By any other solver for the rest, as the whole matrix is solved; negative eigenvalues are counted in both parts."""
    system = lattice(3).system()
    matrix = stiffness(system)
    pattern = Sparsity(matrix)
    found = compressed(pattern)
    classes = groups_alike(found, matrix.diagonal())
    solver = PartedSolver(classes, pattern, DenseSolver())
    assert pattern.shape[0] - solver.rest.size == 54 * 18  # two nodes of each strut
    factor = solver.factorize(matrix)
    b = np.random.default_rng(0).standard_normal((pattern.shape[0], 2))
    assert relative(matrix, factor.solve(b), b) < 1e-14
    assert factor.negative is None
    broken = matrix.copy()
    broken.data[:] = 0.0
    with pytest.raises(SingularMatrixError, match="inside of an element"):
        solver.factorize(broken)


def test_symbolic_analysis() -> None:
    """Cubes of the number of nodes along an edge: operations grow with its sixth power, entries with its fourth."""
    if library() is None:
        missing("libklu")
    fills = []
    for n in (6, 12):
        grid = scipy.sparse.diags_array([np.ones(n - 1), np.ones(n), np.ones(n - 1)], offsets=[-1, 0, 1])
        one = scipy.sparse.identity(n)
        graph = sum(
            scipy.sparse.kron(scipy.sparse.kron(*a), b) for a, b in (((grid, one), one), ((one, grid), one), ((one, one), grid))
        )
        matrix = csc_matrix(scipy.sparse.kron(graph, np.ones((4, 4))))
        matrix.sort_indices()
        found = compressed(Sparsity(matrix))
        assert found.first.size == n**3 and set(found.size) == {4}
        fills.append(fill_of(found))
    few, many = fills
    assert few is not None and many is not None
    assert 3.5 < np.log2(many.entries / few.entries) < 5.0
    assert 5.5 < np.log2(many.operations / few.operations) < 7.5


def test_a_chain_does_not_fill_in() -> None:
    """However long it is: its fronts are small."""
    if library() is None:
        missing("libklu")
    n = 2_000
    line = scipy.sparse.diags_array([np.ones(n - 1), np.ones(n), np.ones(n - 1)], offsets=[-1, 0, 1])
    matrix = csc_matrix(scipy.sparse.kron(line, np.ones((9, 9))))
    matrix.sort_indices()
    fill = fill_of(compressed(Sparsity(matrix)))
    assert fill is not None
    assert not suits_fronts(Fill(1e3 * fill.entries, 1e3 * fill.operations))


def test_a_lattice_goes_to_mumps() -> None:
    """6 x 6 x 6 nodes: what and why is told; the solution is that of SuperLU, symmetric or not; inertia tells of stability."""
    require("petsc4py.PETSc")
    system = lattice(6, interpolation="quadratic").system()
    matrix = stiffness(system)
    solver = linear_solver("auto", matrix.shape[0])
    factor = solver.factorize(matrix)
    assert isinstance(solver, AutomaticSolver) and solver.name == "petsc:mumps"
    assert "operations" in solver.why and "eliminated before" in solver.why
    b = np.random.default_rng(0).standard_normal(matrix.shape[0])
    assert relative(matrix, factor.solve(b), b) < 1e-13
    assert factor.negative == system.multipliers
    skew = matrix.copy()
    skew.data = matrix.data * (1.0 + 1e-3 * np.random.default_rng(1).standard_normal(matrix.nnz))
    factor = solver.factorize(skew)
    assert relative(skew, factor.solve(b), b) < 1e-13
    assert factor.negative is None


@pytest.mark.slow
def test_lattice_at_rest_in_motion_and_its_modes() -> None:
    """Equilibrium, time steps and modes by MUMPS are those by SuperLU or the direct shift."""
    require("petsc4py.PETSc")
    m = lattice(6, load=20.0, interpolation="quadratic")
    auto = m.equilibrium()
    other = m.equilibrium(linear_solver="scipy")
    assert auto.statistics.linear_solver == "petsc:mumps" and auto.statistics.linear_chosen
    assert_allclose(auto.q[-1], other.q[-1], atol=1e-9)
    steps = {"step": 1e-4, "integrator": fm.GeneralizedAlpha(newton_tolerance=1e-12), "progress": False}
    runs = [m.simulate(3e-4, linear_solver=name, **steps) for name in ("auto", "scipy")]
    assert_allclose(runs[0].q, runs[1].q, atol=1e-10)
    found = m.modes(3)
    k, mass = stiffness(found.system), found.system.mass_matrix
    for omega, x in zip(found.omega, found.shapes.T, strict=True):
        n = x.size
        force = k[:n, :n] @ x - omega**2 * (mass @ x)
        rows = k[n:, :n]
        force -= rows.T @ scipy.sparse.linalg.lsqr(rows.T, force, atol=1e-14, btol=1e-14)[0]
        assert np.abs(force).max() < 1e-4 * np.abs(omega**2 * (mass @ x)).max()
