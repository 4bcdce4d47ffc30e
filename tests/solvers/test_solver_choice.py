"""The same run with every linear solver and both tangents."""

from __future__ import annotations

import pytest

import fmbs as fm
from tests.conftest import require
from tests.literature.mechanisms import DOUBLE, SLOW, double_pendulum, error, slider_crank, slider_crank_spatial

MODELS = {
    "double pendulum": lambda: double_pendulum(**DOUBLE).model,
    "slider-crank": lambda: slider_crank(SLOW).model,
    "spatial slider-crank": lambda: slider_crank_spatial(SLOW, redundant=False).model,
}


def run(name: str, **options) -> fm.Solution:
    """Newton's method to the end, since where it stops may depend on the solver; multipliers carry round-off / h^2."""
    return MODELS[name]().simulate(0.2, step=2e-3, integrator=fm.GeneralizedAlpha(newton_tolerance=1e-13), **options)


@pytest.fixture(scope="module")
def reference() -> dict[str, fm.Solution]:
    return {name: run(name, linear_solver="dense") for name in MODELS}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("solver", ["banded", "scipy", "petsc:klu", "petsc:mumps", "petsc"])
def test_direct_solvers_agree(reference, solver: str, model: str) -> None:
    """q, v and the multipliers to 1e-9 of the dense LAPACK solution, h = 2e-3 s; the statistics name the solver."""
    if solver.startswith("petsc"):
        require("petsc4py.PETSc")
    sol = run(model, linear_solver=solver)
    assert sol.statistics.linear_solver == {"petsc": "petsc:klu"}.get(solver, solver)
    for array in ("q", "v", "lam"):
        assert error(getattr(sol, array), getattr(reference[model], array)) < 1e-9


@pytest.mark.parametrize("model", MODELS)
def test_krylov_solver_agrees(reference, model: str) -> None:
    """It stops at 1e-12 of the right-hand side, not at round-off. What that leaves in accelerations counts for h^2 in q and for
    h in v: 1e-9 and 1e-8; in the multipliers 1e-6.
    """
    require("petsc4py.PETSc")
    sol = run(model, linear_solver="petsc:gmres+ilu")
    assert sol.statistics.linear_solver == "petsc:gmres+ilu"
    for array, tolerance in (("q", 1e-9), ("v", 1e-8), ("lam", 1e-6)):
        assert error(getattr(sol, array), getattr(reference[model], array)) < tolerance


def test_auto_says_what_it_chose(reference) -> None:
    assert run("slider-crank").statistics.linear_solver == "dense"  # 17 unknowns
    assert reference["slider-crank"].statistics.linear_solver == "dense"


def test_auto_takes_the_band_of_a_beam() -> None:
    """12 elements, swinging: the same motion as by KLU's competitor SuperLU, 1e-9 of its size."""

    def swing(solver: str) -> fm.Solution:
        m = fm.Model("beam", gravity=(0.0, 0.0, -9.81))
        rubber = fm.Material(E=1e6, density=1000.0)
        section = fm.Rectangle(0.02, 0.02)
        beam = m.add(fm.Beam("beam", start=(0, 0, 0), end=(1, 0, 0), section=section, material=rubber, elements=12))
        m.add(fm.Revolute(m.ground.at(0, 0, 0), beam.start, axis=(0, 1, 0)))
        return m.simulate(0.05, step=1e-3, integrator=fm.GeneralizedAlpha(newton_tolerance=1e-12), linear_solver=solver)

    band, other = swing("auto"), swing("scipy")
    assert band.statistics.linear_solver == "banded"
    assert error(band.q, other.q) < 1e-9


@pytest.mark.parametrize("model", MODELS)
def test_numerical_tangents_give_the_same_motion(reference, model: str) -> None:
    """To 1e-6, at the same number of Newton iterations (10 % more allowed)."""
    sol, exact = run(model, tangent="numerical"), reference[model]
    for array in ("q", "v", "lam"):
        assert error(getattr(sol, array), getattr(exact, array)) < 1e-6
    assert sol.statistics.iterations <= 1.1 * exact.statistics.iterations
