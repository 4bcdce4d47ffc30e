"""Physics does not know where the axes point: a model drawn turned and shifted moves the same way, turned and shifted."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from tests.conformance.cases import BEAM_LOADS, FORCES, SETTINGS, SIMULATED, Body, Case, Drawing, Pair, draw

GRAVITY = np.array([1.0, -9.0, 0.0])


TRIED = ("body-body", "ground-body", "beam-body", "body-beam", "body-cable", "cable-body", "solid-solid")


@pytest.mark.parametrize(
    ("case", "sides"), [x for x in SETTINGS if x[0] in SIMULATED + FORCES + BEAM_LOADS and x[1] in TRIED], ids=str
)
def test_turned_model_moves_the_same_way(case: Case, sides: str):
    """With gravity, a spring to the ground and a load."""
    vector = [0.0, 0.0, 2.1] if case.planar else [0.9, -1.3, 0.6]
    turned = Drawing(Rotation.from_rotvec(vector).as_matrix(), np.array([0.3, -0.8, 0.0 if case.planar else 0.5]))
    here, there = loaded(case, sides, Drawing()), loaded(case, sides, turned)
    exact = fm.GeneralizedAlpha(newton_tolerance=1e-11)  # differences of 1e-9 m are looked at
    options = {"step": 2e-3, "integrator": exact, "initial_velocities": "impulse", "energy_tolerance": None}
    sol, other = (pair.model.simulate(0.03, **options) for pair in (here, there))
    size = 2 if case.planar else 3
    for body, twin in zip(here.bodies, there.bodies, strict=True):
        for point in (np.array([0.1, 0.2, 0.0]), np.array([-0.3, 0.5, 0.0])):
            path = sol.position(marker(body, point, Drawing()))
            expected = path @ turned.rotation[:size, :size].T + turned.shift[:size]
            assert_allclose(other.position(marker(twin, point, turned)), expected, rtol=0, atol=1e-9)


def loaded(case: Case, sides: str, drawing: Drawing) -> Pair:
    pair = draw(case, sides, drawing, gravity=GRAVITY, guided=True)
    anchor, grip = drawing.point(np.array([1.5, 0.5, 0.0])), np.array([0.9, 0.3, 0.0])
    push = drawing.vector(np.array([2.0, 1.0, 0.0]))[: 2 if case.planar else 3]
    held, pushed = marker(pair.bodies[-1], grip, drawing), marker(pair.bodies[0], grip, drawing)
    pair.model.add(fm.SpringDamper(held, pair.model.ground.at(*anchor), stiffness=200.0, damping=1.0))
    pair.model.add(fm.PointForce(pushed, push))
    return pair


def marker(body: Body, place: np.ndarray, drawing: Drawing) -> fm.Marker:
    """At a drawn place of a rigid body; on a link, somewhere that depends on it."""
    if isinstance(body, fm.RigidBody | fm.PlanarBody):
        return body.at(*drawing.point(place)[: 2 if body.planar else 3])
    if isinstance(body, fm.Solid):
        return body.node(round(7.0 * abs(place[0])))
    return body.at(float(0.5 + 0.5 * place[0]))
