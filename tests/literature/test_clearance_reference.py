"""Dry clearance joints against reference.json: the same equations, integrated elsewhere with tight tolerances."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.joints.clearance_models import REFERENCE

CRANK, JOURNAL = REFERENCE["slider_crank_planar_dry"], REFERENCE["journal_in_bearing_dry"]


def slider_crank() -> tuple[fm.Model, fm.PlanarBody, fm.PlanarBody]:
    """Flores2006: bearing on the rod, journal on the slider, centres together at t = 0 with ideal velocities."""
    p = CRANK["parameters"]
    m = fm.Model("slider-crank", gravity=(0.0, -p["g"]))
    w, r, rod_length = p["rpm"] * np.pi / 30.0, p["r"], p["l"]
    steel = fm.Material(E=p["E"], nu=p["nu"], density=7800)
    rim = (0.0, w * r / 2)
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-5, com=(r / 2, 0), velocity=rim, spin=w))
    rod = m.add(
        fm.PlanarBody(
            "rod", mass=p["m_rod"], inertia=p["I_rod"], com=(r + rod_length / 2, 0), velocity=rim, spin=-w * r / rod_length
        )
    )
    end = (r + rod_length, 0.0)
    slider = m.add(fm.PlanarBody("slider", mass=p["m_sl"], inertia=1e-4, com=end))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0)))
    m.add(fm.Revolute(crank.at(r, 0), rod.at(r, 0)))
    m.add(fm.Prismatic(m.ground.at(*end), slider.com, axis=(1, 0)))
    m.add(fm.RotationDrive(m.ground.at(0, 0), crank.at(0, 0), speed=w))
    contact = fm.contact.LankaraniNikravesh(restitution=p["ce"], materials=(steel, steel))
    m.add(
        fm.ClearanceRevolute(rod.at(*end), slider.com, bearing_radius=p["R_b"], clearance=p["c"], contact=contact, name="pin")
    )
    return m, rod, slider


def test_slider_crank() -> None:
    """Seven impacts in 2 ms. Times to 1e-7 s, approach speeds to 0.1 %, states to 1e-5."""
    m, rod, slider = slider_crank()
    sol = m.simulate(2e-3, tolerance=1e-7, output_step=5e-4)
    impacts = sol.clearance("pin").impacts
    assert sol.statistics.contacts == len(impacts) == 7
    assert sol.statistics.steps < 500
    assert_allclose([impact.t for impact in impacts], [x["t"] for x in CRANK["impacts"]], rtol=0, atol=1e-7)
    assert_allclose([x.approach_speed for x in impacts], [x["approach_speed"] for x in CRANK["impacts"]], rtol=1e-3)
    assert_allclose(sol.angle(rod)[1:], CRANK["theta_rod"], rtol=1e-5)
    assert_allclose(sol.position(slider.com)[1:, 0], CRANK["x_slider"], rtol=1e-5)
    assert np.abs(sol.energy.balance).max() < 1e-3 * sol.energy.work[-1]
    assert np.abs(sol.energy.balance).max() < 5e-3 * sol.energy.dissipated[-1]


@pytest.mark.slow
def test_slider_crank_with_fixed_steps() -> None:
    """h = 0.2 us, as the papers do: 5500 steps, the same seven impacts, to 1e-6 s."""
    m, _, _ = slider_crank()
    impacts = m.simulate(1.1e-3, step=2e-7, output_step=1e-4).clearance("pin").impacts
    assert_allclose([impact.t for impact in impacts], [x["t"] for x in CRANK["impacts"]], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("integrator", "t_end"),
    [
        (fm.BaumgarteODE(), 3.5e-4),
        pytest.param(fm.BaumgarteODE(), 1.1e-3, marks=pytest.mark.slow),
        pytest.param(fm.CoordinatePartitioning(), 1.1e-3, marks=pytest.mark.slow),
        pytest.param(fm.AugmentedLagrangian(), 1.1e-3, marks=pytest.mark.slow),
    ],
    ids=lambda x: x if isinstance(x, float) else type(x).__name__,
)
def test_slider_crank_as_an_ode(integrator: fm.BaumgarteODE, t_end: float) -> None:
    """Flores2006's own route, Baumgarte with alpha = beta = 5 and a stiff integrator; its sisters besides. 1060 steps for all
    seven impacts: times to 5e-8 s, speeds to 0.1 %."""
    m, _, _ = slider_crank()
    sol = m.simulate(t_end, integrator=integrator, output_step=5e-5)
    impacts = sol.clearance("pin").impacts
    expected = [x for x in CRANK["impacts"] if x["t"] < t_end]
    assert len(impacts) == len(expected) == sol.statistics.contacts
    assert_allclose([impact.t for impact in impacts], [x["t"] for x in expected], rtol=0, atol=5e-8)
    assert_allclose([impact.approach_speed for impact in impacts], [x["approach_speed"] for x in expected], rtol=1e-3)
    assert np.abs(sol.energy.balance).max() < 1e-3 * sol.energy.work[-1]


def test_journal_in_bearing() -> None:
    """A free rigid journal, both ends: impacts to 1e-6 s, ends to 1 % of the clearance at 10 ms."""
    p = JOURNAL["parameters"]
    m = fm.Model("journal in bearing")
    body = m.add(
        fm.RigidBody(
            "journal", mass=p["mass"], inertia=np.diag(p["inertia"]), com=p["com"], velocity=p["velocity"], spin=p["spin"]
        )
    )
    steel = fm.Material(E=p["E"], nu=p["nu"], density=7800)
    joint = m.add(
        fm.ClearanceCylindrical(
            m.ground.at(0, 0, 0), body.com, axis=(0, 0, 1), bearing_radius=p["R_b"], clearance=p["c"], length=p["B"],
            contact=fm.contact.LankaraniNikravesh(restitution=p["ce"], materials=(steel, steel)),
        )
    )  # fmt: skip
    sol = m.simulate(0.01, tolerance=1e-6, output_step=1e-3)
    impacts = sol.clearance(joint).impacts
    assert [impact.end for impact in impacts] == [x["end"] for x in JOURNAL["impacts"]]
    assert_allclose([impact.t for impact in impacts], [x["t"] for x in JOURNAL["impacts"]], rtol=0, atol=1e-6)
    assert_allclose([x.approach_speed for x in impacts], [x["approach_speed"] for x in JOURNAL["impacts"]], rtol=1e-3)
    for row in JOURNAL["rows"]:
        frame = round(row["t"] / 1e-3)
        for end, z in (("A", -p["B"] / 2), ("W", p["B"] / 2)):
            assert_allclose(sol.position(body.at(0, 0, z))[frame], row[end], rtol=0, atol=0.01 * p["c"])
    exchanged = sol.energy.kinetic[0] - sol.energy.kinetic.min()
    assert np.abs(sol.energy.balance).max() < 5e-3 * exchanged
