"""Action = reaction: joints and springs between two bodies add no momentum, whichever marker comes first."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.conformance.cases import ELEMENTS, JOINTS, SETTINGS, SIMULATED, Case, Pair, draw, rigid_motions, virtual

Array = np.ndarray
TRIED = ("body-body", "beam-body", "body-beam", "cable-body", "body-cable", "cable-cable", "solid-solid")
SLOW = [(case, sides) for case, sides in SETTINGS if case.kind == "UserForce" and "beam" in sides and not case.planar]
INTERNAL = [x for x in SETTINGS if x[0] in SIMULATED + ELEMENTS and x[1] in TRIED and x not in SLOW]


@pytest.fixture(scope="module")
def runs():
    """A short run of every case, made once."""
    kept: dict[tuple[Case, str], tuple[Pair, fm.Solution]] = {}

    def run(case: Case, sides: str) -> tuple[Pair, fm.Solution]:
        if (case, sides) not in kept:
            pair = draw(case, sides, guided=True)
            step = 1e-3 if "cable" in sides or "solid" in sides else 2e-3  # cables vibrate faster
            undamped = fm.GeneralizedAlpha(rho_inf=1.0)
            kept[case, sides] = pair, pair.model.simulate(0.1, step=step, integrator=undamped, initial_velocities="impulse")
        return kept[case, sides]

    return run


@pytest.mark.parametrize(("case", "sides"), INTERNAL, ids=str)
def test_no_resultant(case: Case, sides: str, runs):
    """The generalized force does no virtual work in any rigid motion of both bodies together."""
    pair, sol = runs(case, sides)
    q = sol.q[-1]
    force = part_force(pair, sol)
    scale = np.abs(force).max()
    assert scale > 1e-3
    for shift, turn in rigid_motions(case.planar):
        assert abs(force @ everything(pair, sol, q, shift, turn)) < 1e-11 * scale


@pytest.mark.parametrize(("case", "sides"), INTERNAL, ids=str)
def test_momentum_is_kept(case: Case, sides: str, runs):
    """Linear momentum to round-off, angular momentum to the method's error, which is of order h^2."""
    pair, sol = runs(case, sides)
    mass = sol.system.mass_matrix
    for shift, turn in rigid_motions(case.planar):
        momentum = [v @ (mass @ everything(pair, sol, q, shift, turn)) for q, v in zip(sol.q, sol.v, strict=True)]
        allowed = 1e-13 if shift.any() else 1e-5
        assert_allclose(momentum, momentum[0], rtol=0, atol=allowed)


@pytest.mark.parametrize(("case", "sides"), [x for x in INTERNAL if x[0] in SIMULATED], ids=str)
def test_reaction_is_the_force_on_b(case: Case, sides: str, runs):
    """F . dr + M . dtheta is the virtual work of the joint on b's body."""
    pair, sol = runs(case, sides)
    body, q, reaction = pair.b.body, sol.q[-1], sol.reaction(pair.part)
    own = sol.system.dofs.coordinates_of(body)
    force, moment, place = np.zeros(3), np.zeros(3), np.zeros(3)
    force[: 2 if case.planar else 3] = reaction.force[-1]
    moment[2 if case.planar else slice(None)] = reaction.moment[-1]
    place[: 2 if case.planar else 3] = sol.position(pair.b)[-1]
    generalized = part_force(pair, sol)[own]
    for shift, turn in rigid_motions(case.planar):
        work = force @ (shift + np.cross(turn, place)) + moment @ turn
        assert_allclose(generalized @ virtual(body, q[own], shift, turn), work, rtol=0, atol=1e-11)


@pytest.mark.parametrize("case", [case for case in SIMULATED + ELEMENTS if case.swapped], ids=str)
def test_swapped_markers(case: Case):
    """The same motion and, for joints, the opposite reaction: F' = -F and M' = -M - (r_b - r_a) x F."""
    pair, twin = draw(case, guided=True), draw(case, guided=True, swap=True)
    sol, other = (x.model.simulate(0.1, step=2e-3, initial_velocities="impulse") for x in (pair, twin))
    bodies = sum(body.size for body in pair.bodies)  # an angle of the part itself has the other sign
    assert_allclose(other.q[:, :bodies], sol.q[:, :bodies], rtol=0, atol=1e-9)
    if case in ELEMENTS:
        return
    on_b, on_a = sol.reaction(pair.part), other.reaction(twin.part)
    scale = max(1.0, np.abs(on_b.force).max(), np.abs(on_b.moment).max())
    arm = sol.position(pair.b) - sol.position(pair.a)
    assert_allclose(on_a.force, -on_b.force, rtol=0, atol=1e-6 * scale)
    assert_allclose(on_a.moment, -on_b.moment - np.cross(arm, on_b.force), rtol=0, atol=1e-6 * scale)


def test_no_case_is_forgotten():
    """A line or a plane, which one body carries, and wheels with a ratio are not the same from the other side."""
    carried = {"PointOnLine", "PointOnPlane", "PointOnBeam"}
    assert {case.kind for case in JOINTS if not case.swapped} == carried | {"Gears", "Rack"}


def part_force(pair: Pair, sol: fm.Solution) -> Array:
    """Generalized force of the case's part on the bodies in the last frame."""
    system, t, q, v = sol.system, float(sol.t[-1]), sol.q[-1], sol.v[-1]
    ideal, own = hasattr(pair.part, "equations"), getattr(pair.part, "own_coordinates", ())
    force = np.zeros(system.size) if ideal else system.force(t, q, v)
    lam = np.zeros(system.multipliers)
    for part in (pair.part, *own) if ideal else own:
        rows = system.dofs.multipliers_of(part)
        lam[rows] = sol.lam[-1, rows]
    system.equations.residual(t, q, lam, force)
    return -force


def everything(pair: Pair, sol: fm.Solution, q: Array, shift: Array, turn: Array) -> Array:
    """Change of all coordinates when both bodies move together."""
    change = np.zeros(sol.system.size)  # what joints count by themselves does not change
    for body in pair.bodies:
        own = sol.system.dofs.coordinates_of(body)
        change[own] = virtual(body, q[own], shift, turn)
    return change
