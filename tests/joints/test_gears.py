"""Gears and racks against closed forms, over many turns."""

from __future__ import annotations

import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.test_bad_input import refused


def wheels(planar: bool) -> tuple[fm.Model, fm.Gears]:
    """A wheel of 0.1 kg m^2 that 2 N m turn, in mesh with one of 0.8 kg m^2 and twice the teeth."""
    m = fm.Model("gears")
    if planar:
        first = m.add(fm.PlanarBody("first", mass=1.0, inertia=0.1, com=(0, 0)))
        second = m.add(fm.PlanarBody("second", mass=2.0, inertia=0.8, com=(0.3, 0)))
        pins = [m.add(fm.Revolute(m.ground.at(*x.com.position[:2]), x.com)) for x in (first, second)]
        m.add(fm.Torque(first.com, 2.0))
    else:
        first = m.add(fm.RigidBody("first", mass=1.0, inertia=(0.1, 0.1, 0.1)))
        second = m.add(fm.RigidBody("second", mass=2.0, inertia=(0.8, 0.8, 0.8), com=(0.3, 0, 0)))
        pins = [m.add(fm.Revolute(m.ground.at(*x.com.position), x.com)) for x in (first, second)]
        m.add(fm.Torque(first.com, (0, 0, 2.0)))
    return m, m.add(fm.Gears(*pins, ratio=-0.5, name="gears"))


@pytest.mark.parametrize("planar", [True, False])
def test_gear_pair(planar: bool, tmp_path):
    """phi_1'' = M / (J_1 + ratio^2 J_2); the second wheel gets ratio J_2 phi_1''."""
    m, gears = wheels(planar)
    sol = m.simulate(2.0, step=4e-3)
    rate = 2.0 / (0.1 + 0.25 * 0.8)
    angles, moment = sol.coordinate("gears"), sol.reaction(gears).moment
    assert_allclose(angles[:, 0], 0.5 * rate * sol.t**2, rtol=0, atol=5e-3)  # 13 rad; order 2 in space
    assert_allclose(angles[:, 1], -0.5 * angles[:, 0], rtol=0, atol=1e-12)
    assert_allclose(moment if planar else moment[:, 2], -0.5 * 0.8 * rate, rtol=2e-3)
    sol.save(tmp_path / "run.h5")
    assert_allclose(fm.load(tmp_path / "run.h5").coordinate("gears"), angles, rtol=0, atol=0)


def test_planetary_gear():
    """Willis: with the ring held the arm turns with 1/(1 + z_ring/z_sun) of the sun."""
    m = fm.Model("planetary")
    sun = m.add(fm.PlanarBody("sun", mass=1.0, inertia=0.01, com=(0, 0)))
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.02, com=(0, 0)))
    planet = m.add(fm.PlanarBody("planet", mass=0.5, inertia=0.001, com=(0.06, 0)))
    drive = m.add(fm.RotationDrive(m.ground.at(0, 0), sun.com, speed=10.0))
    m.add(fm.Revolute(m.ground.at(0, 0), sun.com))
    m.add(fm.Revolute(m.ground.at(0, 0), arm.com))
    pin = m.add(fm.Revolute(arm.at(0.06, 0), planet.com))
    m.add(fm.Gears(fm.Revolute(arm.com, sun.com), pin, ratio=-24 / 12))
    m.add(fm.Gears(pin, fm.Revolute(arm.com, m.ground.at(0, 0)), ratio=12 / 48))
    m.add(fm.Torque(arm.com, -1.0))
    sol = m.kinematics([0.0, 0.5, 1.0])
    assert_allclose(sol.angle(arm), 10.0 * sol.t / 3.0, rtol=0, atol=1e-12)
    assert_allclose(sol.angle(planet), 10.0 * sol.t / 3.0 - 2.0 * (10.0 - 10.0 / 3.0) * sol.t, rtol=0, atol=1e-12)
    assert_allclose(sol.reaction(drive).moment, 1.0 / 3.0, rtol=1e-9)  # the power of the load


def test_rack_lifts_and_a_screw_advances():
    """A rack of 3 kg on a pinion of 0.02 kg m^2: x'' = -g m/(m + J/r^2), tooth force m (x'' + g)."""
    m = fm.Model("rack", gravity=(0, -9.81))
    pinion = m.add(fm.PlanarBody("pinion", mass=1.0, inertia=0.02, com=(0, 0)))
    bar = m.add(fm.PlanarBody("bar", mass=3.0, inertia=0.1, com=(0.1, 0)))
    pin = m.add(fm.Revolute(m.ground.at(0, 0), pinion.com))
    slide = m.add(fm.Prismatic(m.ground.at(0.1, 0), bar.com, axis=(0, 1)))
    rack = m.add(fm.Rack(pin, slide, radius=0.1))
    sol = m.simulate(1.0, step=4e-3)
    rate = -9.81 * 3.0 / (3.0 + 0.02 / 0.1**2)
    assert_allclose(sol.position(bar.com)[:, 1], 0.5 * rate * sol.t**2, rtol=0, atol=1e-9)
    assert_allclose(sol.reaction(rack).force[1:, 1], 3.0 * (rate + 9.81), rtol=1e-9)

    m = fm.Model("screw")
    nut = m.add(fm.RigidBody("nut", mass=1.0, inertia=(0.01, 0.01, 0.01), spin=(0, 0, 30.0), velocity=(0, 0, 30.0 * 0.01)))
    joint = m.add(fm.Cylindrical(m.ground.at(0, 0, 0), nut.com, axis=(0, 0, 1)))
    screw = m.add(fm.Rack(joint, joint, radius=0.01))
    sol = m.simulate(1.0, step=4e-3)
    assert_allclose(sol.position(nut.com)[:, 2], 0.01 * sol.coordinate(screw), rtol=0, atol=1e-12)
    assert sol.coordinate(screw)[-1] == pytest.approx(30.0, rel=2e-3)  # five turns


def test_bad_input():
    m, gears = wheels(True)
    pin = gears.first
    refused("Gears | first = 3 | joint with an axis", fm.Gears, 3, pin, ratio=1.0)
    refused("Gears | same joint", fm.Gears, pin, pin, ratio=1.0)
    refused("mesh | ratio = 0", fm.Gears, pin, gears.second, ratio=0.0, name="mesh")
    refused("Gears | ratio = 'a' | not a number", fm.Gears, pin, gears.second, ratio="a")
    refused("Rack | radius = 0", fm.Rack, pin, pin, radius=0.0)
    refused("coordinate | 'x' | no coordinate of its own | gears", m.simulate(0.01, step=5e-3).coordinate, "x")
