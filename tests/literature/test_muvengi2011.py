"""Muvengi, Kihiu, Ikua 2011, a review: what it says of laws, flexibility and constraints, on the slider-crank of Flores2006.

Sect. II.A  three modes of motion: free flight, impact, continuous contact; flexible links lower impact forces, slider
            accelerations and the driving moment; the force grows with the clearance; wear is not uniform over the bearing
Eqs 1-3     linear models; Hunt and Crossley: they do not represent the impact (Kelvin and Voigt's force jumps at first touch)
Eqs 4-8     Hertz: no loss of energy; Lankarani and Nikravesh: loss by restitution; valid below 1e-5 sqrt(E/rho)
Eqs 9, 10   cylinder laws: implicit in the force; softer than spheres
Sect. II.B  restitution: 1 elastic; 0 plastic
Sect. III.A natural coordinates are slightly fewer than Cartesian ones (not in space: fmbs has 12 a body)
Eqs 17-23   kinematic analysis: position, velocity, acceleration by Newton's iteration and two linear systems
Sect. III.C coordinate partitioning has no drift; Baumgarte's method bounds it, alpha = beta from 1 to 20; the augmented
            Lagrangian handles redundant constraints
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import MODELS, FourBar, SliderCrankPlanar

ARCHARD = fm.wear.Archard(coefficient=1e-4, hardness=2e9)
STEEL = fm.Material(E=207e9, nu=0.3, density=7800)


@cache
def first_impacts(turns: float = 0.1, **values: Any) -> dict[str, Any]:
    model = SliderCrankPlanar(joint="dry", **values)
    m = model.build()
    sol = m.simulate(turns * model.turn, step=model.turn / 24000, output_step=model.turn / 2400, progress=False)
    joint = sol.clearance("wrist pin")
    return {
        "force": np.linalg.norm(sol.reaction("wrist pin").force, axis=1).max(), "depth": joint.penetration,
        "a": np.abs(sol.acceleration(m["slider"].com)[:, 0]).max(), "moment": np.abs(sol.reaction("motor").moment).max(),
        "lost": float(np.asarray(joint.dissipated)[-1]), "impacts": joint.impacts,
    }  # fmt: skip


def test_three_modes_of_motion() -> None:
    """Sect. II.A: the journal flies, hits the wall several times and stays there."""
    run = first_impacts(turns=0.5)
    assert (run["depth"] < 0.0).mean() > 0.01
    assert len(run["impacts"]) >= 3
    assert (run["depth"][-600:] > 0.0).all()


@pytest.mark.parametrize("key", ["force", "a", "moment"])
def test_flexible_links_lower_the_peaks(key: str) -> None:
    """Sect. II.A (Dubowsky and Moening; Chunmei et al.; Khemili and Romdhane): a rod of 5 GPa against a rigid one, in
    the first tenth of a turn with the hardest impacts; later the undamped rod rings and shakes the crank."""
    assert first_impacts(flexible=True, E=5e9)[key] < 0.9 * first_impacts()[key]


def test_larger_clearance_larger_force() -> None:
    """Sect. II.A (Shiau et al.)."""
    forces = [first_impacts(clearance=c)["force"] for c in (2.5e-5, 5e-5, 1e-4)]
    assert forces[0] < forces[1] < forces[2]


def test_wear_is_not_uniform() -> None:
    """Sect. II.A (Flores 2009): a heavy journal turns in its bearing; some sectors wear, most do not."""
    model = FourBar()
    m = fm.Model("worn", gravity=(0, -9.81))
    rotor = m.add(fm.PlanarBody("rotor", mass=1.0, inertia=1e-3, com=(0, 0), spin=50.0))
    law = fm.contact.LankaraniNikravesh(restitution=0.9, materials=(STEEL, STEEL))
    size = {"bearing_radius": model.bearing_radius, "clearance": model.clearance, "length": model.bearing_length}
    rub = fm.friction.Ambrosio(0.05, v0=1e-4, v1=1e-3)
    joint = fm.ClearanceRevolute(m.ground.at(0, 0), rotor.com, contact=law, friction=rub, wear=ARCHARD, name="pin", **size)
    m.add(joint)
    sol = m.simulate(0.05, step=1e-5, output_step=1e-3, progress=False)
    depth = np.asarray(sol.clearance("pin").wear)[-1]
    assert depth.max() > 0.0
    assert (depth < 0.1 * depth.max()).mean() > 0.5


def test_kelvin_voigt_jumps_at_first_touch() -> None:
    """Eq. 1 against eq. 8: with no penetration yet there is a force already."""
    linear = fm.contact.KelvinVoigt(stiffness=1e8, damping=1e3)
    hertz = fm.contact.LankaraniNikravesh(restitution=0.9, stiffness=1e11)
    assert linear.normal_force(1e-15, 1.0, 1.0) == pytest.approx(1e3, rel=1e-3)
    assert hertz.normal_force(1e-15, 1.0, 1.0) < 1e-9


@pytest.mark.parametrize("law", ["Maxwell", "StandardLinearSolid"])
def test_linear_models_under_a_constant_rate(law: str) -> None:
    """Eqs 2, 3 solved for d = v t: F = c v (1 - exp(-K t / c)), and K_0 d beside it."""
    K, c, v, t = 1e8, 1e3, 0.5, 7e-6
    parallel = {"parallel_stiffness": 4e7} if law == "StandardLinearSolid" else {}
    found = getattr(fm.contact, law)(stiffness=K, damping=c, **parallel).normal_force(v * t, v, v)
    branch = c * v * (1.0 - np.exp(-K * t / c))
    assert found == pytest.approx(branch + parallel.get("parallel_stiffness", 0.0) * v * t, rel=1e-9)


def test_hertz_loses_no_energy() -> None:
    """Eq. 4 against eq. 8."""
    hertz, damped = first_impacts(contact="Hertz")["lost"], first_impacts()["lost"]
    assert abs(hertz) < 0.02 * damped


@pytest.mark.parametrize("restitution", [1.0, 0.9, 0.7])
def test_loss_of_an_impact_follows_the_restitution(restitution: float) -> None:
    """Eq. 8, sect. II.B: elastic for 1; the kinetic energy lost is 1 - e^2 to first order in 1 - e."""
    m = fm.Model("thrown")
    ball = m.add(fm.PlanarBody("ball", mass=0.1, inertia=1.0, com=(0, 0), velocity=(0.5, 0)))
    law = fm.contact.LankaraniNikravesh(restitution=restitution, materials=(STEEL, STEEL))
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), ball.com, contact=law, bearing_radius=0.01, clearance=5e-5))
    sol = m.simulate(3e-4, step=1e-7, output_step=1e-6, progress=False)
    back = -sol.velocity(ball.com)[-1, 0] / 0.5
    assert back == pytest.approx(restitution, abs=1.5 * (1.0 - restitution) ** 2 + 1e-3)


def test_speed_limit_of_elastic_contact() -> None:
    """Below eq. 8: 1e-5 sqrt(E/rho), 0.0515 m/s for steel; the slider-crank exceeds it and is told so."""
    law = fm.contact.LankaraniNikravesh(restitution=0.9, materials=(STEEL, STEEL))
    assert law.speed_limit == pytest.approx(0.0515, abs=1e-4)
    assert all(impact.approach_speed > law.speed_limit for impact in first_impacts()["impacts"][:1])


@pytest.mark.parametrize("name", ["DubowskyFreudenstein", "ESDU78035"])
def test_cylinder_laws_are_solved_for_the_force(name: str) -> None:
    """Eqs 9 (its misprints corrected) and 10: the force put back gives the depth."""
    R, r, L = 0.01, 0.00995, 0.02
    law = getattr(fm.contact, name)(materials=(STEEL, STEEL)).bound("joint", R, r, L)
    s = 2.0 * (1.0 - 0.3**2) / 207e9
    for depth in (1e-7, 1e-6, 5e-6):
        F = float(law.normal_force(depth, 0.0, 1.0))
        size = L**3 * (R - r) / (F * R * r * s) if name == "DubowskyFreudenstein" else 4.0 * L * (R - r) / (F * s)
        assert F * s / L * (np.log(size) + 1.0) == pytest.approx(depth, rel=1e-9)


def test_cylinder_laws_are_softer() -> None:
    """Eqs 9, 10 against 8: less force at the first impact, and they agree with each other."""
    spheres, dubowsky, esdu = (
        first_impacts(contact=law)["force"] for law in ("LankaraniNikravesh", "DubowskyFreudenstein", "ESDU78035")
    )
    assert dubowsky < 0.85 * spheres
    assert dubowsky == pytest.approx(esdu, rel=0.02)


def test_natural_coordinates_are_more_in_space() -> None:
    """Sect. III.A, not confirmed in space: fmbs has 12 natural coordinates a body, for a constant mass matrix."""
    sizes = {
        name: MODELS[name](flexible=False).build().system().size for name in ("slider_crank_planar", "slider_crank_spatial")
    }
    assert sizes == {"slider_crank_planar": 9, "slider_crank_spatial": 36}


def test_kinematic_analysis() -> None:
    """Eqs 17-23: position, velocity and acceleration of the slider at given times, against the closed form."""
    model = SliderCrankPlanar()
    m = model.build()
    t = np.linspace(0.0, model.turn, 13)
    sol = m.kinematics(t)
    r, l, w = model.crank_length, model.rod_length, model.rpm * np.pi / 30.0
    c, s = np.cos(w * t), np.sin(w * t)
    root = np.sqrt(l**2 - (r * s) ** 2)
    slider = m["slider"].com
    np.testing.assert_allclose(sol.position(slider)[:, 0], r * c + root, rtol=1e-10)
    np.testing.assert_allclose(sol.velocity(slider)[:, 0], -r * w * s * (1.0 + r * c / root), atol=1e-8 * r * w)
    exact = -r * w**2 * (c + r * (c * c - s * s) / root + r**3 * (s * c) ** 2 / root**3)
    np.testing.assert_allclose(sol.acceleration(slider)[:, 0], exact, atol=1e-8 * r * w**2)


@cache
def drift(integrator: Any, turns: float = 0.5) -> float:
    """Largest violation of a constraint, m or rad, at a tolerance of 1e-6."""
    model = SliderCrankPlanar()
    sol = model.build().simulate(
        turns * model.turn, tolerance=1e-6, output_step=model.turn / 50, integrator=integrator, progress=False
    )
    return float(np.abs(sol.drift).max())


def test_coordinate_partitioning_has_no_drift() -> None:
    """Sect. III.C."""
    assert drift(fm.CoordinatePartitioning()) < 1e-14


@pytest.mark.parametrize("gain", [1.0, 5.0, 20.0])
def test_baumgarte_bounds_the_drift(gain: float) -> None:
    """Sect. III.C: alpha = beta from 1 to 20; never zero."""
    assert 1e-12 < drift(fm.BaumgarteODE(alpha=gain, beta=gain)) < 1e-5


def test_augmented_lagrangian_handles_redundant_constraints() -> None:
    """Sect. III.C: a pin given twice."""
    m = fm.Model("pendulum", gravity=(0, -9.81))
    body = m.add(fm.PlanarBody("body", mass=1.0, inertia=0.1, com=(0.5, 0)))
    for name in ("pin", "again"):
        m.add(fm.Revolute(m.ground.at(0, 0), body.at(0, 0), name=name))
    with pytest.warns(UserWarning, match="redundant"):
        sol = m.simulate(0.2, tolerance=1e-7, integrator=fm.AugmentedLagrangian(), progress=False)
    energy = np.asarray(sol.energy.kinetic) + np.asarray(sol.energy.potential)
    assert np.abs(energy - energy[0]).max() < 1e-4 * np.max(sol.energy.kinetic)
