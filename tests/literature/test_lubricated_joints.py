"""Lubricated clearance joints in models: the reference slider-crank, and a journal pushed through its film onto the wall."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

REFERENCE = json.loads((Path(__file__).parent / "reference.json").read_text())["slider_crank_planar_lubricated"]
P = REFERENCE["parameters"]
STEEL = fm.Material(E=2.07e11, nu=0.3, density=7800)


def slider_crank() -> fm.Model:
    r, l, speed = P["r"], P["l"], P["rpm"] * np.pi / 30.0
    m = fm.Model("slider-crank", gravity=(0, -P["g"]))
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-5, com=(r / 2, 0), spin=speed))
    started = {"velocity": (0, speed * r / 2), "spin": -speed * r / l}  # as with an ideal pin
    rod = m.add(fm.PlanarBody("rod", mass=P["m_rod"], inertia=P["I_rod"], com=(r + l / 2, 0), **started))
    slider = m.add(fm.PlanarBody("slider", mass=P["m_sl"], inertia=1e-4, com=(r + l, 0)))
    centre = m.ground.at(0, 0)
    m.add(fm.Revolute(centre, crank.at(0, 0)))
    m.add(fm.Revolute(crank.at(r, 0), rod.at(r, 0)))
    m.add(fm.Prismatic(m.ground.at(r + l, 0), slider.com, axis=(1, 0)))
    m.add(fm.RotationDrive(centre, crank.at(0, 0), speed=speed))
    oil = fm.film.ShortBearing(P["mu"])
    size = {"bearing_radius": P["R_b"], "clearance": P["c"], "length": P["L"]}
    m.add(fm.ClearanceRevolute(rod.at(r + l, 0), slider.com, film=oil, name="pin", **size))
    return m


def test_slider_crank():
    """Angles and positions to 1e-6, eccentricity ratio to 1 %, film force to 0.5 % (h = 1e-5 s)."""
    m = slider_crank()
    sol = m.simulate(0.024, step=1e-5, output_step=1e-3, progress=False)
    joint, force = sol.clearance("pin"), sol.reaction("pin").force
    for row in REFERENCE["rows"]:
        k = int(np.argmin(np.abs(sol.t - row["t"])))
        assert abs(sol.angle(m["rod"])[k] - row["theta_rod"]) < 1e-6
        assert abs(sol.position(m["slider"].com)[k, 0] - row["x_slider"]) < 1e-6
        assert_allclose(np.linalg.norm(joint.eccentricity[k]) / P["c"], row["eccentricity_ratio"], rtol=1e-2)
        expected = np.array(row["force_on_slider"])
        assert np.linalg.norm(force[k] - expected) < 5e-3 * np.linalg.norm(expected)
    assert joint.limits == ()
    assert joint.film is not None and joint.film.min_thickness.min() > 0.5 * P["c"]
    assert abs(sol.energy.balance[-1]) < 0.02 * sol.energy.dissipated[-1]


def test_large_steps_are_stable():
    """h = 1e-4 s, fifty times the papers' step: the motion to 1e-5, the force to 1 % at the dead points."""
    m = slider_crank()
    sol = m.simulate(0.024, step=1e-4, progress=False)
    force = sol.reaction("pin").force
    for row in REFERENCE["rows"]:
        k = int(np.argmin(np.abs(sol.t - row["t"])))
        assert abs(sol.angle(m["rod"])[k] - row["theta_rod"]) < 1e-5
        assert np.linalg.norm(force[k] - row["force_on_slider"]) < 1e-2 * np.linalg.norm(row["force_on_slider"])


def pushed(**laws: object) -> tuple[fm.Model, fm.ClearanceCylindrical]:
    """Thin oil, a force that pushes the tilted journal onto the wall and back."""
    m = fm.Model("pushed")
    body = m.add(fm.RigidBody("journal", mass=1.0, inertia=(1e-3, 1e-3, 5e-4), com=(0, 0, 0), spin=(0, 0, 5.0)))
    size = {"bearing_radius": 0.015, "clearance": 5e-5, "length": 0.02, "axis": (0, 0, 1)}
    joint = m.add(fm.ClearanceCylindrical(m.ground.at(0, 0, 0), body.com, film=fm.film.ShortBearing(2e-4), **size, **laws))
    m.add(fm.PointForce(body.at(0, 0, 0.003), lambda t: (4e4 * np.sin(100.0 * np.pi * t) ** 3, 6e3 * np.sin(157.0 * t), 0.0)))
    return m, joint


@pytest.mark.parametrize("friction", [None, fm.friction.Ambrosio(0.1, v0=1e-3, v1=1e-2)], ids=["smooth", "rubbing"])
def test_film_hands_over_to_contact(friction: fm.friction.FrictionLaw | None):
    """The force stays continuous, the ledger balanced, and no step fails."""
    contact = fm.contact.LankaraniNikravesh(restitution=0.9, materials=(STEEL, STEEL))
    m, joint = pushed(contact=contact, friction=friction)
    sol = m.simulate(0.02, tolerance=1e-5, progress=False)
    record = sol.clearance(joint)
    assert record.penetration.max() > 0.0  # it does reach the wall
    assert record.film is not None and record.film.min_thickness.min() < 0.0
    assert any("theory ends" in text for text in record.limits)
    force = np.linalg.norm(sol.reaction(joint).force, axis=1)
    assert np.isfinite(force).all()
    gap = np.abs(np.diff(force)).max()
    assert gap < 0.3 * force.max()  # no jump between neighbouring steps
    exchanged = max(sol.energy.dissipated[-1], np.abs(np.diff(sol.energy.work)).sum())
    assert abs(sol.energy.balance[-1]) < 1e-3 * exchanged


def test_bad_input():
    m = fm.Model("bad")
    body = m.add(fm.PlanarBody("b", mass=1.0, inertia=1.0, com=(0, 0)))
    size = {"bearing_radius": 0.01, "clearance": 1e-4}
    with pytest.raises(fm.ModelError, match="length"):
        fm.ClearanceRevolute(m.ground.at(0, 0), body.com, film=fm.film.ShortBearing(0.1), **size)
    with pytest.raises(fm.ModelError, match="clearance"):
        fm.ClearanceRevolute(
            m.ground.at(0, 0), body.com, film=fm.film.ShortBearing(0.1), bearing_radius=0.01, clearance=0.0, length=0.02
        )
    with pytest.raises(fm.ModelError, match="viscosity"):
        fm.film.ShortBearing(0.0)
    with pytest.raises(fm.ModelError, match=r"fm\.film"):
        fm.ClearanceRevolute(m.ground.at(0, 0), body.com, film="oil", length=0.02, **size)
