"""Clearance as a link: a journal that swings in its bearing is a pendulum of the length of the clearance."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

import fmbs as fm
from tests.test_bad_input import refused

G, GAP = 9.81, 2e-3


def journal(kind, angle=0.5, speed=0.0, spatial=False, **options):
    """A body that hangs in its bearing's centre by the gap, `angle` away from the bottom."""
    place, along = GAP * np.array([np.sin(angle), -np.cos(angle)]), speed * np.array([np.cos(angle), np.sin(angle)])
    if spatial:
        m = fm.Model("journal", gravity=(0, -G, 0))
        body = m.add(fm.RigidBody("pin", mass=0.3, inertia=(1e-4,) * 3, com=(*place, 0.0), velocity=(*along, 0.0)))
        centre = m.ground.at(0, 0, 0)
    else:
        m = fm.Model("journal", gravity=(0, -G))
        body = m.add(fm.PlanarBody("pin", mass=0.3, inertia=1e-4, com=place, velocity=along))
        centre = m.ground.at(0, 0)
    joint = m.add(kind(centre, body.com, clearance=GAP, name="gap", **options))
    return m, body, joint


@pytest.mark.parametrize("spatial", [False, True])
def test_a_journal_swings_as_a_pendulum(spatial):
    """Period 4 sqrt(c/g) K(sin^2(angle/2)), and the link's force m (g cos + v^2/c), which never lets go here."""
    m, body, joint = journal(fm.MasslessLink, spatial=spatial)
    period = 4.0 * np.sqrt(GAP / G) * ellipk(np.sin(0.25) ** 2)
    sol = m.simulate(period, step=period / 2000)
    path, v = sol.position(body.com), sol.velocity(body.com)
    assert_allclose(path[-1], path[0], atol=2e-5 * GAP)
    assert_allclose(np.linalg.norm(path, axis=1), GAP, rtol=1e-9)
    pull = np.einsum("fk,fk->f", sol.reaction(joint).force, -path) / GAP
    assert_allclose(pull, 0.3 * (-G * path[:, 1] / GAP + (v**2).sum(axis=1) / GAP), rtol=2e-4)
    assert sol.notes == ()


def test_contact_that_would_be_lost_is_told(tmp_path):
    """Thrown up the wall with v^2 = 4 g c it leaves where N = m (g cos + (v^2 - 2 g c (1 - cos))/c) = 0: at cos = -2/3."""
    m, _, _ = journal(fm.MasslessLink, angle=0.0, speed=np.sqrt(4.0 * G * GAP) * (1 - 1e-9))
    sol = m.simulate(0.05, step=2e-5)
    (note,) = sol.notes
    assert note.startswith("gap: the link holds the journal at the wall") and "contact=" in note
    first = float(note.split("t = ")[1].split(" s")[0])
    cos = -sol.position(m["pin"].com)[np.searchsorted(sol.t, first), 1] / GAP
    assert_allclose(cos, -2.0 / 3.0, atol=5e-3)
    sol.save(tmp_path / "link.h5")
    assert fm.load(tmp_path / "link.h5").notes == sol.notes
    turning = journal(fm.MasslessLink, angle=0.0, speed=np.sqrt(5.0 * G * GAP) * 1.001)[0]  # fast enough all round
    assert turning.simulate(0.05, step=2e-5).notes == ()


def test_a_spring_link_tends_to_the_rigid_one():
    """Its first-order difference is the static one: L - c = N/K, with N the rigid link's force."""
    rigid = journal(fm.MasslessLink)[0].simulate(0.02, step=2e-5)
    force = np.linalg.norm(rigid.reaction("gap").force, axis=1)
    error = []
    for K in (1e7, 1e8):
        m, body, _ = journal(fm.SpringLink, stiffness=K, damping=2.0 * np.sqrt(K * 0.3))
        sol = m.simulate(0.02, step=2e-5)
        late = sol.t > 2e-3  # the first oscillation of the spring is damped out
        stretch = np.linalg.norm(sol.position(body.com), axis=1) - GAP
        assert_allclose(stretch[late], force[late] / K, rtol=0.02)
        error.append(np.abs(sol.position(body.com) - rigid.position(rigid.model["pin"].com)).max())
    assert error[1] < 0.2 * error[0] < 0.01 * GAP
    assert sol.notes == ()


def test_a_spring_link_tells_of_lost_contact_too():
    m, _, _ = journal(fm.SpringLink, angle=0.0, speed=np.sqrt(4.0 * G * GAP) * (1 - 1e-9), stiffness=1e7, damping=2e3)
    (note,) = m.simulate(0.05, step=2e-5).notes
    assert "would lose contact" in note


def test_the_link_is_what_a_hard_wall_does_without_flight():
    """A frictionless clearance joint with a stiff wall follows the link while nothing leaves."""
    link, pin, _ = journal(fm.MasslessLink)
    law = fm.contact.LankaraniNikravesh(restitution=0.5, stiffness=1e12)
    wall, disc, _ = journal(fm.ClearanceRevolute, contact=law, bearing_radius=0.02)
    a, b = (m.simulate(0.03, step=2e-5) for m in (link, wall))
    assert_allclose(b.position(disc.com), a.position(pin.com), atol=2e-3 * GAP)


@pytest.mark.parametrize(("kind", "more"), [(fm.MasslessLink, {}), (fm.SpringLink, {"stiffness": 1e6})])
def test_bad_links_are_refused(kind, more):
    m = fm.Model("m", gravity=(0, 0))
    body = m.add(fm.PlanarBody("arm", mass=1.0, inertia=1.0, com=(0.0, 0.0)))
    refused("clearance = 0 | must be positive", kind, m.ground.at(0, 0), body.at(1e-3, 0), clearance=0.0, **more)
    refused("has no direction | draw the journal in contact", kind, m.ground.at(0, 0), body.com, clearance=1e-3, **more)
    refused("both on 'arm'", kind, body.at(1, 0), body.com, clearance=1e-3, **more)
    if more:
        refused("stiffness = -1", kind, m.ground.at(0, 0), body.at(1e-3, 0), clearance=1e-3, stiffness=-1.0)
