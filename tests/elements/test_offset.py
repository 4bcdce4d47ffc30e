"""Markers beside the centre line of a beam."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.test_bad_input import refused

STEEL = fm.Material(E=2e11, nu=0.3, density=7800.0)
SIZE = {"start": (0, 0, 0), "end": (1, 0, 0), "section": fm.Rectangle(0.02, 0.01), "material": STEEL, "elements": 2}


@pytest.mark.parametrize("interpolation", ["hermite", "cubic"])
def test_force_beside_the_line_twists_and_bends(interpolation: str, tmp_path):
    """P at (0, y, 0) of a cantilever's tip: deflection P l^3/3EI, twist P y l/GJ, and the point moves by both."""
    m = fm.Model("cantilever")
    beam = m.add(fm.Beam("beam", interpolation=interpolation, **{**SIZE, "elements": 16 if interpolation == "hermite" else 4}))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    beside = beam.at(1.0, offset=(0, 0.1, 0))
    assert_allclose(beside.position, (1, 0.1, 0))
    m.add(fm.PointForce(beside, (0, 0, 1.0), name="push"))
    rest = m.equilibrium()
    section = SIZE["section"]
    lift, twist = 1.0 / (3.0 * 2e11 * section.Iy), 0.1 / (2e11 / 2.6 * section.J)
    moved = rest.position(beside)[-1, 2]
    assert moved == pytest.approx(lift + 0.1 * twist, rel=0.02 if interpolation == "hermite" else 3e-3)
    rest.save(tmp_path / "rest.h5")
    again = fm.load(tmp_path / "rest.h5")
    assert again.position(again.model["push"].marker)[-1, 2] == moved


def test_joints_take_hold_beside_the_line():
    """A beam that hangs on a hinge beside its end swings as a rigid body about that point."""
    m = fm.Model("swing", gravity=(0, 0, -9.81))
    beam = m.add(fm.Beam("beam", **SIZE))
    m.add(fm.Revolute(m.ground.at(0, 0, 0.1), beam.at(0.0, offset=(0, 0, 0.1)), axis=(0, 1, 0)))
    sol = m.simulate(0.05, step=1e-3)
    mass, arm = 7800.0 * 2e-4, np.array([0.5, -0.1])
    inertia = mass / 12.0 + mass * arm @ arm
    rate = mass * 9.81 * 0.5 / inertia
    assert sol.rotation(beam.at(0.5))[-1, 0, 2] == pytest.approx(0.5 * rate * 0.05**2, rel=0.02)


def test_bad_input():
    m = fm.Model("m")
    beam, cable = m.add(fm.Beam("beam", **SIZE)), m.add(fm.Cable("cable", **{**SIZE, "section": fm.Circle(0.01)}))
    refused("beam | offset | goes along the axis | change s", beam.at, 0.5, offset=(1, 0, 0))
    refused("beam | offset = (1, 0) | give 3 numbers", beam.at, 0.5, offset=(1, 0))
    refused("cable | offset | no directors | fm.Beam", cable.at, 0.5, offset=(0, 0, 0.1))
