"""Static equations of a large model without the nodes inside elements: the same equilibria, buckling loads and failures."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.assembly.system import Coefficients
from fmbs.solvers.condensed_solver import CondensedSolver, static_solver
from fmbs.solvers.linear import linear_solver

RUBBER = fm.Material(E=2e8, nu=0.3, density=1000)


def loaded_beam(held: bool = True) -> fm.Model:
    """40 cubic elements with a body at the end, 1,107 unknowns."""
    m = fm.Model("beam", gravity=(0, 0, -9.81))
    place = {"start": (0, 0, 0), "end": (2.0, 0, 0), "elements": 40, "interpolation": "cubic"}
    beam = m.add(fm.Beam("beam", section=fm.Rectangle(0.05, 0.06), material=RUBBER, **place))
    body = m.add(fm.RigidBody("body", mass=0.2, inertia=(1e-4, 1e-4, 1e-4), com=(2.0, 0, 0)))
    m.add(fm.Fixed(beam.end, body.com))
    if held:
        m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start, name="clamp"))
    return m


def test_an_equilibrium_is_the_same() -> None:
    m = loaded_beam()
    condensed, whole = m.equilibrium(), m.equilibrium(linear_solver="scipy")
    assert condensed.statistics.linear_solver == "condensed"
    assert condensed.statistics.factorizations == whole.statistics.factorizations
    assert whole.position(m["body"].com)[-1, 2] < -0.1
    assert_allclose(condensed.q[-1], whole.q[-1], rtol=0, atol=1e-12)
    assert_allclose(condensed.reaction("clamp").moment[-1], whole.reaction("clamp").moment[-1], rtol=1e-9, atol=1e-9)


def test_several_right_hand_sides_and_a_system_of_its_own() -> None:
    system = loaded_beam().system()
    solver = static_solver(system, linear_solver("auto", 2000))
    assert isinstance(solver, CondensedSolver)
    still, none = np.zeros(system.size), np.zeros(system.multipliers)
    matrix = system.jacobian(0.0, system.initial_position, still, none, Coefficients(mass=0.0, stiffness=1.0))
    b = np.random.default_rng(0).normal(size=(matrix.shape[0], 3))
    x = solver.factorize(matrix).solve(b)
    assert_allclose(matrix @ x, b, rtol=0, atol=1e-6 * np.abs(b).max())
    assert_allclose(solver.factorize(matrix).solve(b[:, 1]), x[:, 1], rtol=1e-12)
    with pytest.raises(ValueError, match="another system"):
        solver.factorize(matrix[:100, :100])


def test_only_where_the_choice_is_free_and_the_model_large() -> None:
    system = loaded_beam().system()
    for named in (linear_solver("scipy", 2000), linear_solver("dense", 2000)):
        assert static_solver(system, named) is named


def test_a_beam_that_nothing_holds_fails_as_before() -> None:
    with pytest.raises(fm.ConvergenceError):
        loaded_beam(held=False).equilibrium()
