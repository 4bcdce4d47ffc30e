"""Every body can be moved as a whole: its rates, finite displacements, kinetic energy, and what of its motion was given."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.assembly.system import System
from fmbs.core.vectors import VectorPool
from fmbs.math.rotations import rotation
from fmbs.math.vector_kernels import vector_values
from fmbs.solvers.rigid_motions import RigidMotions

STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850.0)
BAR = fm.Rectangle(0.03, 0.05)
LINE = {"section": BAR, "material": STEEL, "elements": 2}
ROUND = {**LINE, "section": fm.Circle(0.02)}
IN_SPACE = {"start": (1.0, 0.0, 1.0), "end": (2.0, 1.0, 3.0)}
BODIES: dict[str, Callable[..., Any]] = {
    "rigid": partial(fm.RigidBody, "b", mass=2.0, inertia=(0.1, 0.2, 0.25), com=(1.0, 2.0, 3.0)),
    "planar": partial(fm.PlanarBody, "b", mass=2.0, inertia=0.3, com=(1.0, 2.0), angle=0.4),
    "hermite": partial(fm.Beam, "b", interpolation="hermite", **LINE, **IN_SPACE),
    "cubic": partial(fm.Beam, "b", **LINE, **IN_SPACE),
    "cable": partial(fm.Cable, "b", **ROUND, **IN_SPACE),
    "planar beam": partial(fm.PlanarBeam, "b", start=(1.0, 0.0), end=(2.0, 1.0), **LINE),
}


def alone(body: Any) -> fm.Model:
    model = fm.Model("alone")
    model.add(body)
    return model


@pytest.mark.parametrize("kind", BODIES)
def test_rates_are_those_of_displacements(kind: str):
    """Central differences of finite motions about the centre of mass; none of the motion's terms is left out."""
    system = alone(BODIES[kind]()).system()
    q, h = system.initial_position, 1e-5
    motions = RigidMotions(system, q)
    u = np.random.default_rng(3).standard_normal((1, 6))
    if kind.startswith("planar"):
        u[0, 2:5] = 0.0
    difference = (motions.displaced(q, h * u) - motions.displaced(q, -h * u)) / (2.0 * h)
    assert_allclose(motions.rates(u), difference, rtol=0, atol=1e-8)


@pytest.mark.parametrize("kind", BODIES)
def test_displaced_body_has_its_shape(kind: str):
    """No elastic energy, and a marker lands where rotation and shift put it."""
    body = BODIES[kind]()
    system = alone(body).system()
    q, planar = system.initial_position, kind.startswith("planar")
    shift, turn = (np.array([1.0, -2.0, 0.0]), np.array([0.0, 0.0, 2.0])) if planar else (np.array([1.0, -2.0, 0.5]),) * 2
    centre = np.array([0.3, 0.1, 0.0])
    moved = body.displaced(q, centre, shift, turn)
    size = np.abs(system.force(0.0, 1.01 * q, 0.0 * q) + system.weight).max()
    assert np.abs(system.force(0.0, moved, 0.0 * q) + system.weight).max() <= 1e-9 * size
    assert np.abs(system.constraints(0.0, moved)).max(initial=0.0) < 1e-13
    marker = body.com if kind in ("rigid", "planar") else body.at(0.3)
    drawn, put = (place(system, marker, x) for x in (q, moved))
    assert_allclose(put, centre + shift + rotation(turn) @ (drawn - centre), rtol=0, atol=1e-13)


def place(system: System, marker: fm.Marker, q: np.ndarray) -> np.ndarray:
    """Of a marker at q, by the vectors that joints see."""
    pool, out = VectorPool(), np.empty((1, 3))
    pool.vectors = [marker.point]
    vector_values(pool.table(system.dofs), q, out)
    return out[0]


def test_kinetic_energy_of_a_spinning_beam():
    """1/2 J w^2 about the hinge: J = m (L^2 + h^2/4)/3 of a rectangle that turns in its plane, rotary inertia included."""
    beam = fm.Beam(
        "b", start=(1, 0, 0), end=(3, 0, 0), section=BAR, material=STEEL, elements=3, spin=(0, 0, 4.0), about=(1, 0, 0)
    )
    system = alone(beam).system()
    mass = STEEL.density * 0.03 * 0.05 * 2.0
    inertia = mass * (2.0**2 / 3.0 + 0.03**2 / 12.0)  # y = 0.03 lies in the plane of rotation
    assert_allclose(system.kinetic_energy(system.initial_velocity), 0.5 * inertia * 16.0, rtol=1e-12)
    motions = RigidMotions(system, system.initial_position)
    assert_allclose(motions.mass, mass, rtol=1e-12)
    assert_allclose(motions.centre[0], (2, 0, 0), rtol=0, atol=1e-12)
    assert_allclose(motions.nearest(system.initial_velocity)[0], (0, 4, 0, 0, 0, 4), rtol=0, atol=1e-10)


@pytest.mark.parametrize("kind", BODIES)
def test_what_was_given(kind: str):
    """Nothing is another start than rest."""
    flat = kind.startswith("planar")
    velocity, spin = ((0.0, 0.0), 0.0) if flat else ((0.0, 0.0, 0.0),) * 2
    assert BODIES[kind]().given == (False, False)
    assert BODIES[kind](velocity=velocity).given == (True, False)
    assert BODIES[kind](spin=spin).given == (False, True)
    assert not BODIES[kind]().initial_velocity().any()


@pytest.mark.parametrize("kind", BODIES)
def test_a_file_knows_what_was_given(kind: str, tmp_path):
    flat = kind.startswith("planar")
    model = alone(BODIES[kind](spin=2.0 if flat else (0.0, 0.0, 2.0)))
    sol = model.simulate(1e-6, step=1e-6)
    body = fm.load(sol.save(tmp_path / "run.h5")).model["b"]
    assert body.given == (False, True)
    assert_allclose(body.initial_velocity(), model["b"].initial_velocity(), rtol=0, atol=0)
