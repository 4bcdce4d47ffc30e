"""Balls, cams and stops against closed forms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.export.scene import scene
from tests.test_bad_input import refused

STIFF = fm.contact.KelvinVoigt(stiffness=1e6, damping=2e3)
COULOMB = fm.friction.Ambrosio(0.3, v0=1e-4, v1=1e-3)
ANGLE = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
OFF, RADIUS = 0.01, 0.03
ROUND = np.column_stack(
    [OFF + RADIUS * np.cos(ANGLE), RADIUS * np.sin(ANGLE)]
)  # a disc that turns about a point beside its centre


@pytest.mark.parametrize("planar", [True, False])
def test_a_ball_that_slides_begins_to_roll(planar: bool, tmp_path):
    """A ball ends at 5/7 of its speed, a disc at 2/3, after sliding with mu g (Coriolis 1835)."""
    m, radius, share = fm.Model("ball", gravity=(0, -9.81) if planar else (0, 0, -9.81)), 0.1, 0.5 if planar else 0.4
    spin = share * 2.0 * radius**2
    if planar:
        ball = m.add(fm.PlanarBody("ball", mass=2.0, inertia=spin, com=(0, radius), velocity=(3, 0)))
        floor, normal = m.ground.at(0, 0), (0, 1)
    else:
        ball = m.add(fm.RigidBody("ball", mass=2.0, inertia=(spin,) * 3, com=(0, 0, radius), velocity=(3, 0, 0)))
        floor, normal = m.ground.at(0, 0, 0), (0, 0, 1)
    m.add(fm.SphereOnPlane(floor, ball.com, normal=normal, radius=radius, contact=STIFF, friction=COULOMB, name="floor"))
    sol = m.simulate(0.5, step=1e-3)
    speed, rolls = sol.velocity(ball.com)[:, 0], 3.0 * (1.0 - 1.0 / (1.0 + share)) / (0.3 * 9.81)
    slides = (sol.t > 0.02) & (sol.t < 0.95 * rolls)
    assert_allclose(speed[slides], 3.0 - 0.3 * 9.81 * sol.t[slides], rtol=2e-4)
    assert speed[-1] == pytest.approx(3.0 / (1.0 + share), rel=1e-4)
    assert abs(sol.reaction("floor").force[-1][1 if planar else 2]) == pytest.approx(2.0 * 9.81, rel=1e-6)
    sol.save(tmp_path / "run.h5")
    assert_allclose(fm.load(tmp_path / "run.h5").reaction("floor").force, sol.reaction("floor").force, rtol=0, atol=0)
    drawn = next(layer for layer in scene(sol) if layer.name == "bodies").snapshot(len(sol) - 1).points
    assert_allclose(np.linalg.norm(drawn[:, :2] - sol.position(ball.com)[-1, :2], axis=1).max(), radius, rtol=1e-9)


def test_balls_change_their_speeds():
    """Three equal balls in a row: the last one takes it all, whatever the step."""
    m = fm.Model("cradle")
    balls = [m.add(fm.PlanarBody(f"{k}", mass=1.0, inertia=1.0, com=(0.21 * k, 0), velocity=(k == 0, 0))) for k in range(3)]
    for a, b in pairwise(balls):
        m.add(fm.SphereOnSphere(a.com, b.com, bearing_radius=0.1, journal_radius=0.1, contact=fm.contact.Hertz(stiffness=1e7)))
    sol = m.simulate(0.04, tolerance=1e-6)
    assert_allclose([sol.velocity(ball.com)[-1, 0] for ball in balls], (0.0, 0.0, 1.0), rtol=0, atol=1e-3)


def test_a_ball_bounces_off_a_ball():
    """Rigid surfaces: it falls 0.1 m onto a ball that stands still and leaves it with e times its speed."""
    m = fm.Model("bounce", gravity=(0, 0, -9.81))
    ball = m.add(fm.RigidBody("ball", mass=1.0, inertia=(0.01, 0.01, 0.01), com=(0, 0, 0.3)))
    m.add(
        fm.SphereOnSphere(
            m.ground.at(0, 0, 0),
            ball.com,
            bearing_radius=0.1,
            journal_radius=0.1,
            contact=fm.impact.Newton(restitution=0.8),
            name="hit",
        )
    )
    sol = m.simulate(0.2, step=1e-3)
    first = sol.clearance("hit").impacts[0]
    assert first.t == pytest.approx(np.sqrt(0.2 / 9.81), abs=1e-6)
    assert first.approach_speed == pytest.approx(np.sqrt(2.0 * 9.81 * 0.1), rel=1e-5)
    assert first.separation_speed == pytest.approx(0.8 * first.approach_speed, rel=1e-5)


@pytest.mark.parametrize("kind", ["flat", "roller"])
def test_eccentric_cam(kind: str):
    """Lifts of a disc about a point beside its centre: e sin(phi) under a flat face, a slider-crank's under a roller."""
    m = fm.Model("cam", gravity=(0, -9.81))
    cam = m.add(fm.PlanarBody("cam", mass=1.0, inertia=1e-3, com=(0, 0)))
    top = RADIUS if kind == "flat" else np.sqrt((RADIUS + 0.01) ** 2 - OFF**2)
    follower = m.add(fm.PlanarBody("follower", mass=0.5, inertia=1e-3, com=(0, top)))
    m.add(fm.Revolute(m.ground.at(0, 0), cam.com))
    m.add(fm.RotationDrive(m.ground.at(0, 0), cam.com, speed=20.0))
    m.add(fm.Prismatic(m.ground.at(0, 0), follower.com, axis=(0, 1)))
    m.add(fm.SpringDamper(follower.com, m.ground.at(0, 0.3), stiffness=500.0, length=0.4))
    law = fm.contact.KelvinVoigt(stiffness=1e7, damping=1e3)
    if kind == "flat":
        m.add(fm.CamFlat(follower.com, cam.com, profile=ROUND, normal=(0, -1), contact=law, name="cam and follower"))
    else:
        m.add(fm.CamRoller(cam.com, follower.com, profile=ROUND, radius=0.01, contact=law, name="cam and follower"))
    sol = m.simulate(0.36, step=3e-5, output_step=3e-4)
    phi = 20.0 * sol.t
    flat, roller = RADIUS + OFF * np.sin(phi), OFF * np.sin(phi) + np.sqrt((RADIUS + 0.01) ** 2 - (OFF * np.cos(phi)) ** 2)
    lift = flat if kind == "flat" else roller
    assert_allclose(sol.position(follower.com)[20:, 1], lift[20:], rtol=0, atol=2e-5)
    inward = sol.reaction("cam and follower").force[60:-5, 1]
    force = 0.5 * (np.gradient(np.gradient(lift, sol.t), sol.t) + 9.81) + 500.0 * (0.4 - (0.3 - lift))
    assert_allclose(np.abs(inward), force[60:-5], rtol=0.02)


def test_a_door_meets_its_stops():
    """A door with e = 1 between stops at -0.4 and 0.7 rad swings between them with the same speed."""
    m = fm.Model("door")
    door = m.add(fm.PlanarBody("door", mass=2.0, inertia=0.5, com=(0, 0), spin=3.0))
    m.add(fm.Revolute(m.ground.at(0, 0), door.com))
    law = fm.contact.Hertz(stiffness=1e8)
    stop = m.add(fm.RotationStop(m.ground.at(0, 0), door.com, lower=-0.4, upper=0.7, radius=0.3, contact=law))
    sol = m.simulate(1.0, tolerance=1e-5)
    angle = sol.angle(door)
    assert angle.max() == pytest.approx(0.7, abs=5e-3) and angle.min() == pytest.approx(-0.4, abs=5e-3)
    first, second = sol.clearance(stop).impacts[:2]
    assert (first.end, second.end) == ("upper", "lower")
    assert first.t == pytest.approx(0.7 / 3.0, abs=1e-4)
    assert second.separation_speed == pytest.approx(0.9, rel=1e-3)  # at the peg


def test_a_rod_leans_on_its_ring():
    """A rod on a ball joint falls until it tilts by 0.3 rad, and comes to rest there."""
    m = fm.Model("rod", gravity=(1.0, 0, -9.81))
    rod = m.add(fm.RigidBody("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), com=(0, 0, 0.5)))
    m.add(fm.Spherical(m.ground.at(0, 0, 0), rod.at(0, 0, 0)))
    law = fm.contact.KelvinVoigt(stiffness=1e5, damping=1e3)
    ring = m.add(fm.TiltStop(m.ground.at(0, 0, 0), rod.at(0, 0, 0), axis=(0, 0, 1), limit=0.3, length=0.2, contact=law))
    sol = m.simulate(1.6, step=1e-4, output_step=1e-2)
    up = sol.rotation(rod.com)[-1][:, 2]
    assert np.arccos(up[2]) == pytest.approx(0.3, abs=2e-3)
    moment = 0.5 * (9.81 * np.sin(0.3) + np.cos(0.3))
    assert np.linalg.norm(sol.reaction(ring).force[-1]) == pytest.approx(moment / (0.2 * np.cos(0.3)), rel=0.01)


def test_bad_input():
    m = fm.Model("m")
    one, two = (m.add(fm.PlanarBody(name, mass=1.0, inertia=1.0, com=(x, 0))) for name, x in (("one", 0.0), ("two", 1.0)))
    floor = m.ground.at(0, -1)
    plane = {"normal": (0, 1), "contact": STIFF}
    refused("SphereOnPlane | radius = -1 | must be positive", fm.SphereOnPlane, floor, one.com, radius=-1.0, **plane)
    refused("ball | 0.5 m in each other | draw them apart", fm.SphereOnPlane, floor, one.com, radius=1.5, name="ball", **plane)
    refused("SphereOnPlane | there is no law", fm.SphereOnPlane, floor, one.com, radius=0.5, normal=(0, 1))
    refused("CamRoller | profile | four or more", fm.CamRoller, one.com, two.com, profile=[(0, 1)], radius=0.1, contact=STIFF)
    dent = np.column_stack([(1.0 + 0.3 * np.cos(3 * ANGLE)) * np.cos(ANGLE), (1.0 + 0.3 * np.cos(3 * ANGLE)) * np.sin(ANGLE)])
    far = m.ground.at(5, 0)
    refused("CamRoller | does not fit into the hollow", fm.CamRoller, one.com, far, profile=dent, radius=2.0, contact=STIFF)
    refused("CamFlat | not convex", fm.CamFlat, far, one.com, profile=dent, normal=(-1, 0), contact=STIFF)
    stop = {"radius": 0.1, "contact": STIFF}
    refused("RotationStop | the drawn position", fm.RotationStop, one.com, two.com, lower=0.1, upper=0.5, **stop)
    refused(
        "TiltStop | planar bodies do not tilt",
        fm.TiltStop,
        one.com,
        two.com,
        axis=(0, 0, 1),
        limit=0.1,
        length=2.0,
        contact=STIFF,
    )
