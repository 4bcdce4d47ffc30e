"""Mechanisms of the papers with clearance: two joints at once, and flexible links."""

from __future__ import annotations

import numpy as np
import pytest

import fmbs as fm

STEEL = fm.Material(E=210e9, nu=0.3, density=7850)


def press(clearance: float) -> tuple[fm.Model, fm.PlanarBody]:
    """Chen2020: crank 25 mm, rod 1.02 m, slider 21.6 t, clearance at both ends of the rod, 100 rpm; starts at mid-stroke."""
    r, length, w = 0.025, 1.02, 100.0 * np.pi / 30.0
    m = fm.Model("press", gravity=(0.0, -9.81))
    crank = m.add(fm.PlanarBody("crank", mass=453.87, inertia=453.87 * r * r, com=(0, 0), spin=w))
    lift = (0.0, w * r)
    rod = m.add(fm.PlanarBody("rod", mass=2000.55, inertia=2000.55 * length**2 / 12, com=(r, -length / 2), velocity=lift))
    slider = m.add(fm.PlanarBody("slider", mass=21594.71, inertia=1e3, com=(r, -length), velocity=lift))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0)))
    m.add(fm.RotationDrive(m.ground.at(0, 0), crank.at(0, 0), speed=w))
    m.add(fm.Prismatic(m.ground.at(r, -length), slider.com, axis=(0, 1)))
    laws = {
        "contact": fm.contact.LankaraniNikravesh(restitution=0.95, materials=(STEEL, STEEL)),
        "friction": fm.friction.Ambrosio(0.01, 1e-4, 1e-3),
        "bearing_radius": 0.1,
        "clearance": clearance,
    }
    m.add(fm.ClearanceRevolute(crank.at(r, 0), rod.at(r, 0), name="crank pin", **laws))
    m.add(fm.ClearanceRevolute(rod.at(r, -length), slider.com, name="wrist pin", **laws))
    return m, slider


@pytest.mark.slow
def test_press_with_two_clearance_joints() -> None:
    """docs/figures/clearance_press.png. The slider falls through both gaps, bounces, and is carried along in following contact:
    then its acceleration is that of the ideal press, r w^2 (1 + r/l) = 2.81 m/s^2 at most (Chen2020). How fast the rattling
    dies out depends on the speed of the last impact: tolerance = 5e-6, 5 um, leaves 2.93 m/s^2, 1e-6 2.84 and 2e-7 2.82."""
    m, slider = press(5e-4)
    sol = m.simulate(0.6, tolerance=2e-7, output_step=1e-3)
    for name in ("crank pin", "wrist pin"):
        c = sol.clearance(name)
        assert len(c.impacts) >= 5
        assert (c.mode[sol.t > 0.4] != "free flight").all()
        assert np.linalg.norm(c.eccentricity, axis=1).max() < 5e-4 + 3e-4
    acceleration = sol.acceleration(slider.com)[:, 1]
    assert np.abs(acceleration[sol.t < 0.1]).max() > 20.0
    assert np.abs(acceleration[sol.t > 0.4]).max() == pytest.approx(2.81, rel=0.02)
    assert np.abs(sol.energy.balance).max() < 1e-3 * sol.energy.dissipated[-1]


@pytest.mark.slow
def test_double_pendulum_on_flexible_links() -> None:
    """Tian2010 5.1, two elements a link, first 0.05 s: the journal falls, strikes the bottom of the bearing at sqrt(2 c/g') and
    stays below; both ends together, as gravity acts in the plane of motion."""
    links = fm.Material(E=6.9e9, nu=0.0, density=2700)
    m = fm.Model("double pendulum", gravity=(0, 0, -9.81))
    given = {"section": fm.Rectangle(0.01, 0.01), "material": links, "elements": 2}
    upper = m.add(fm.Beam("upper", start=(0, 0, 0), end=(0.5, 0, 0), **given))
    lower = m.add(fm.Beam("lower", start=(0.5, 0, 0), end=(1.0, 0, 0), **given))
    radius, length = 0.03, 0.04
    mass = 7800 * np.pi * radius**2 * length
    side = mass * (3 * radius**2 + length**2) / 12
    journal = m.add(fm.RigidBody("journal", mass=mass, inertia=(side, mass * radius**2 / 2, side), com=(0, 0, 0)))
    m.add(fm.Fixed(journal.com, upper.start))
    m.add(fm.Revolute(upper.end, lower.start, axis=(0, 1, 0)))
    joint = m.add(
        fm.ClearanceCylindrical(
            m.ground.at(0, 0, 0), journal.com, axis=(0, 1, 0), bearing_radius=0.0302, clearance=2e-4, length=length,
            axial_clearance=2e-4, contact=fm.contact.LankaraniNikravesh(restitution=0.9, materials=(STEEL, STEEL)),
        )
    )  # fmt: skip
    sol = m.simulate(0.05, tolerance=3e-5, output_step=5e-4)
    c = sol.clearance(joint)
    assert c.impacts[0].t == pytest.approx(np.sqrt(2 * 2e-4 / 9.81), rel=0.05)
    assert c.impacts[0].t == pytest.approx(c.impacts[1].t, rel=1e-6)
    assert (c.eccentricity[sol.t > 0.01][:, :2, 0] < 0.0).all()  # first axis of a bearing along y is z: below
    assert np.linalg.norm(c.eccentricity[:, :2], axis=2).max() < 2.2e-4
    assert np.abs(sol.energy.balance).max() < 2e-2 * sol.energy.kinetic[-1]
