"""A block in a guide in space: closed forms of its first touch, its bounce and its rest, and what it keeps."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import fmbs as fm
from tests.test_bad_input import refused

L, W, H = 0.1, 0.06, 0.04  # m
GAP, SIDE = 2e-4, 5e-4
MASS = 0.5
INERTIA = MASS / 12.0 * np.array([W**2 + H**2, L**2 + H**2, L**2 + W**2])  # about x (the axis), y (across), z (up)
ELASTIC = fm.contact.Hertz(stiffness=1e9)


def guided(spin=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), gravity=(0.0, 0.0, 0.0), turn=None, carrier=False, **options):
    """A block along x with z up, all of it turned by `turn`; in a free carrier in place of the ground if wanted."""
    turn = Rotation.identity() if turn is None else turn
    R = turn.as_matrix()
    m = fm.Model("guide", gravity=R @ gravity)
    place = {"com": (0, 0, 0), "velocity": R @ velocity, "spin": R @ spin}
    body = m.add(fm.RigidBody("block", mass=MASS, inertia=R @ np.diag(INERTIA) @ R.T, **place))
    frame = m.add(fm.RigidBody("frame", mass=0.8, inertia=(2e-3, 3e-3, 4e-3), com=(0, 0, 0))) if carrier else m.ground
    shape = {"length": L, "width": W, "height": H, "clearance": GAP, "side_clearance": SIDE}
    axes = {"axis": R[:, 0], "up": R[:, 2]}
    laws = {"contact": ELASTIC} | options
    joint = m.add(fm.ClearanceGuide(frame.at(0, 0, 0), body.at(0, 0, 0), name="guide", **shape, **axes, **laws))
    return SimpleNamespace(m=m, body=body, joint=joint, frame=frame)


@pytest.mark.parametrize(("across", "reach", "gap", "walls"), [(1, H, GAP, ("bottom", "top")), (2, W, SIDE, ("left", "right"))])
def test_a_turning_block_touches_with_four_corners(across, reach, gap, walls):
    """(L/2) sin a - (reach/2)(1 - cos a) = gap: time and speed of the first touch; an elastic wall turns the spin back."""
    speed = 3.0
    spin = np.zeros(3)
    spin[across] = speed
    case = guided(spin=spin, turn=Rotation.from_rotvec([0.4, -0.7, 1.1]))
    angle = brentq(lambda a: 0.5 * L * np.sin(a) - 0.5 * reach * (1.0 - np.cos(a)) - gap, 0.0, 0.1, xtol=1e-16)
    sol = case.m.simulate(angle / speed + 1e-3, tolerance=1e-8, output_step=1e-5)
    closing = speed * 0.5 * (L * np.cos(angle) - reach * np.sin(angle))
    first = sol.clearance("guide").impacts[:4]
    assert len({impact.end for impact in first}) == 4 and all(impact.end.split()[-1] in walls for impact in first)
    assert_allclose([impact.t for impact in first], angle / speed, rtol=1e-3)  # located to 1/200 of a long step in free flight
    assert_allclose([impact.approach_speed for impact in first], closing, rtol=1e-5)
    later = np.max([impact.t_end for impact in first])
    after = sol.t > later
    end = sol.rotation(case.body.com)[after]
    turned = Rotation.from_matrix(end[1] @ end[0].T).as_rotvec() / (sol.t[after][1] - sol.t[after][0])
    assert_allclose(np.linalg.norm(turned), speed, rtol=2e-4)
    assert_allclose(sol.position(case.body.com), 0.0, atol=1e-12)  # opposite corners push alike


def test_a_block_rests_on_four_corners():
    """m g = 4 K d^n on the bottom; a turned model gives the same."""
    law = fm.contact.LankaraniNikravesh(restitution=0.3, stiffness=1e9)
    case = guided(gravity=(0.0, 0.0, -9.81), contact=law, turn=Rotation.from_rotvec([0.3, 0.2, -0.5]))
    case.m.add(fm.SpringDamper(case.m.ground.at(0, 0, 0), case.body.at(0, 0, 0), stiffness=0.0, damping=2e3, length=0.0))
    sol = case.m.simulate(0.3, step=1e-4)
    found = sol.clearance("guide")
    low = [k for k, end in enumerate(found.ends) if end.endswith("on bottom")]
    assert len(low) == 4
    assert_allclose(found.penetration[-1, low], (MASS * 9.81 / (4.0 * 1e9)) ** (2.0 / 3.0), rtol=1e-3)
    others = np.delete(found.normal_force[-1], low)
    assert not others.any()


def test_momentum_and_energy_between_two_free_bodies():
    """A tumbling block in a free carrier: linear and angular momentum of both to round-off, energy lost as the ledger says."""
    case = guided(
        spin=(20.0, 6.0, -9.0), velocity=(0.3, 0.4, -0.5), carrier=True, turn=Rotation.from_rotvec([0.1, 0.9, 0.4]),
        contact=fm.contact.Flores(restitution=0.7, stiffness=1e8),
        friction=fm.friction.Stribeck(static=0.3, kinetic=0.2, stribeck_speed=0.05),
    )  # fmt: skip
    sol = case.m.simulate(4e-3, tolerance=1e-6)
    assert len(sol.clearance("guide").impacts) > 8
    system = case.m.system()
    p, spin = [], []
    for q, v in zip(sol.q[[0, -1]], sol.v[[0, -1]], strict=True):
        momentum = system.mass_matrix @ v
        total, about = np.zeros(3), np.zeros(3)
        for first in (0, 12):  # r_A, r_W, U, V of natural coordinates
            x, y = q[first : first + 12].reshape(4, 3), momentum[first : first + 12].reshape(4, 3)
            total += y[:2].sum(axis=0)
            about += np.cross(x, y).sum(axis=0)
        p.append(total)
        spin.append(about)
    assert_allclose(p[1], p[0], atol=1e-10)
    assert_allclose(spin[1], spin[0], atol=1e-8)
    energy = sol.energy
    assert energy.dissipated[-1] > 0.01 * energy.kinetic[0]
    assert abs(energy.balance[-1]) < 1e-3 * energy.kinetic[0]


def test_bad_guides_are_refused():
    m = fm.Model("m")
    body = m.add(fm.RigidBody("arm", mass=1.0, inertia=(1, 1, 1), com=(0, 0, 0)))
    good = {"axis": (1, 0, 0), "up": (0, 0, 1), "length": L, "width": W, "height": H, "clearance": GAP, "contact": ELASTIC}
    ends = m.ground.at(0, 0, 0), body.com
    refused("width = -1 | must be positive", fm.ClearanceGuide, *ends, **(good | {"width": -1.0}))
    refused("side_clearance = 0 | must be positive", fm.ClearanceGuide, *ends, **good, side_clearance=0.0)
    refused("up | along the axis", fm.ClearanceGuide, *ends, **(good | {"up": (2, 0, 0)}))
    refused("outside", fm.ClearanceGuide, m.ground.at(0, 0, 0), body.at(0, 0, 3e-4), **good)
    refused("film and wear", fm.ClearanceGuide, *ends, film=fm.film.ShortBearing(0.1), **good)
    flat = fm.Model("flat", gravity=(0, 0))
    disc = flat.add(fm.PlanarBody("disc", mass=1.0, inertia=1.0, com=(0, 0)))
    refused("joins spatial bodies", fm.ClearanceGuide, flat.ground.at(0, 0), disc.com, **good)


def test_a_block_has_no_orbit(tmp_path):
    case = guided(velocity=(0.0, 0.0, 0.1))
    sol = case.m.simulate(1e-4, step=1e-4)
    refused("no orbit", sol.plot.orbit, "guide")
    sol.save(tmp_path / "guide.h5")
    assert fm.load(tmp_path / "guide.h5").clearance("guide").ends == sol.clearance("guide").ends
