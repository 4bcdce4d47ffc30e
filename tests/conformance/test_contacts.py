"""Clearance joints in contact: exact tangents, action = reaction, and forces that turn with the model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from fmbs.assembly.system import Coefficients, System
from tests.conformance.cases import Body, Case, Drawing, Pair, draw, moved, rigid_motions, virtual
from tests.conformance.contact_cases import CONTACT_SETTINGS, CONTACTS, bent_history, joint_force, pressed
from tests.conformance.test_tangents import differenced

Array = np.ndarray
BETWEEN = [(case, sides) for case, sides in CONTACT_SETTINGS if "ground" not in sides]


@pytest.mark.parametrize(("case", "sides"), CONTACT_SETTINGS, ids=str)
def test_newton_matrix_in_contact(case: Case, sides: str):
    """Stations pressed in, sliding, with bent bristles and a worn wall; also within films."""
    system = draw(case, sides).model.system()
    q, v = pressed(system)
    lam, c = np.ones(system.multipliers), Coefficients(mass=0.7, damping=1.3, stiffness=0.9, constraint=1.1)
    exact = system.jacobian(0.37, q, v, lam, c).toarray()
    allowed = (1e-5 if "user" in case.name else 2e-6) * np.abs(exact).max()
    assert_allclose(exact, differenced(system, 0.37, q, v, lam, c, 1e-6), rtol=0, atol=allowed)


@pytest.mark.parametrize("case", CONTACTS, ids=str)
def test_newton_matrix_out_of_contact(case: Case):
    """Free stations exert no force wherever they are."""
    system = draw(case).model.system()
    q, v = pressed(system)
    system.contacts.begin(0.36, q, v, system.contacts.initial_history(), 0.01)
    force = joint_force(system, q, v)
    assert ("film" in case.name or "mixed" in case.name) == bool(force.any())


@pytest.mark.parametrize(("case", "sides"), BETWEEN, ids=str)
def test_no_resultant(case: Case, sides: str):
    """Force and moment on journal and bearing are equal and opposite about every point: no work in a rigid motion of both."""
    pair = draw(case, sides)
    system = pair.model.system()
    states = touching(pair, system)
    force, q = contact_force(system, *states), states[1][0]
    for shift, turn in rigid_motions(case.planar):
        together = each(pair, system, lambda body, own, shift=shift, turn=turn: virtual(body, q[own], shift, turn))
        assert abs(force @ together) < 2e-12 * np.abs(force).max()


@pytest.mark.parametrize(("case", "sides"), BETWEEN, ids=str)
def test_forces_turn_with_the_model(case: Case, sides: str):
    """Both bodies turned and shifted together, and carried along by a turning space: the forces turn, and do not change."""
    pair = draw(case, sides)
    system = pair.model.system()
    states = touching(pair, system)
    spin = np.array([0.0, 0.0, 3.0]) if case.planar else np.array([3.0, -2.0, 5.0])
    turned = Drawing(Rotation.from_rotvec(0.4 * spin).as_matrix(), np.array([0.3, -0.8, 0.0 if case.planar else 0.5]))
    force = contact_force(system, *states)
    carried = [carry(pair, system, q, v, turned, spin) for q, v in states]
    force_1 = contact_force(system, *carried)
    for body in pair.bodies:
        own = system.dofs.coordinates_of(body)
        for shift, turn in rigid_motions(case.planar):
            work = force[own] @ virtual(body, states[1][0][own], shift, turn)
            there = turned.vector(shift) - np.cross(turned.vector(turn), turned.shift)
            work_1 = force_1[own] @ virtual(body, carried[1][0][own], there, turned.vector(turn))
            assert work_1 == pytest.approx(work, abs=1e-9 * np.abs(force).max())


def each(pair: Pair, system: System, change: Callable[..., Array]) -> Array:
    """Coordinates of all bodies from those of each: change(body, its coordinates' places)."""
    out = np.zeros(system.size)
    for body in pair.bodies:
        own = system.dofs.coordinates_of(body)
        out[own] = change(body, own)
    return out


def touching(pair: Pair, system: System) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Start and end of a step after which the joint pushes: balls and cams often miss each other."""
    for seed in range(3, 60):
        states = scattered(pair, system, 3), scattered(pair, system, seed)
        if seed > 3 and np.abs(contact_force(system, *states)).max() > 1e-3:
            return states
    raise AssertionError("the joint never pushes")


def scattered(pair: Pair, system: System, seed: int) -> tuple[Array, Array]:
    """Every body moved a little from where it was drawn, as a rigid body, with random velocities."""
    rng, planar = np.random.default_rng(seed), pair.bodies[0].planar
    flat = np.array([1.0, 1.0, 0.0]) if planar else np.ones(3)
    q_0, place = system.initial_position, np.array([0.4, 0.1, 0.0 if planar else 0.2])

    def move(body: Body, own: Array) -> Array:
        turn = Rotation.from_rotvec(0.1 * rng.standard_normal(3) * (1.0 - flat if planar else flat)).as_matrix()
        return moved(body, q_0[own], turn, place, 0.02 * rng.standard_normal(3) * flat)

    def fly(body: Body, own: Array) -> Array:
        return virtual(body, q[own], rng.standard_normal(3) * flat, rng.standard_normal(3) * (1.0 - flat if planar else flat))

    q = each(pair, system, move)
    return q, each(pair, system, fly)


def carry(pair: Pair, system: System, q: Array, v: Array, drawing: Drawing, spin: Array) -> tuple[Array, Array]:
    """All bodies turned and shifted, in a space that turns."""
    q_1 = each(pair, system, lambda body, own: moved(body, q[own], drawing.rotation, np.zeros(3), drawing.shift))
    flight = each(pair, system, lambda body, own: rotated(body, v[own], drawing))
    return q_1, flight + each(pair, system, lambda body, own: virtual(body, q_1[own], 0.1 * spin, spin))


def rotated(body: Body, v: Array, drawing: Drawing) -> Array:
    """Velocities after a rotation of the model."""
    if isinstance(body, fm.PlanarBody):
        return np.append(drawing.vector(np.append(v[:2], 0.0))[:2], v[2])
    return moved(body, v, drawing.rotation, np.zeros(3), np.zeros(3))


def contact_force(system: System, start: tuple[Array, Array], now: tuple[Array, Array]) -> Array:
    """What the joint does to the bodies at the end of a step."""
    system.contacts.begin(0.36, *start, bent_history(system), 0.01)
    return joint_force(system, *now)
