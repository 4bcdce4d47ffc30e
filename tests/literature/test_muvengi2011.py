"""Muvengi, Kihiu, Ikua 2011, a review: what it says of laws, flexibility and constraints, on the slider-crank of Flores2006.

The page has the statements one by one. Here are those behind them:

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

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import MODELS, DoublePendulum, FourBar, SliderCrankPlanar
from fmbs.reproduce.period import Period
from fmbs.studies.push import Push

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
        "lost": float(np.asarray(joint.dissipated)[-1]), "impacts": joint.impacts, "x": sol.position(m["slider"].com)[:, 0],
    }  # fmt: skip


@cache
def rigid_surfaces(turns: float = 0.1, **values: Any) -> dict[str, Any]:
    """The same by impacts that take no time."""
    model = SliderCrankPlanar(joint="dry", **values)
    m = model.build()
    sol = m.simulate(turns * model.turn, step=model.turn / 1200, progress=False)
    joint = sol.clearance("wrist pin")
    return {
        "force": np.linalg.norm(sol.reaction("wrist pin").force, axis=1).max(), "impacts": joint.impacts,
        "lost": float(np.asarray(joint.dissipated)[-1]), "x": sol.position(m["slider"].com)[:, 0],
        "balance": sol.statistics.energy_error,
    }  # fmt: skip


def test_three_modes_of_motion() -> None:
    """Sect. II.A: the journal flies, hits the wall several times and stays there."""
    run = first_impacts(turns=0.5)
    assert (run["depth"] < 0.0).mean() > 0.01
    assert len(run["impacts"]) >= 3
    assert (run["depth"][-600:] > 0.0).all()


def test_flexible_links_and_the_peaks() -> None:
    """Sect. II.A (Dubowsky and Moening; Chunmei et al.; Khemili and Romdhane): force and acceleration are lower with a rod,
    stiff or soft, the moment only with the soft one, and only until it rings, undamped, and shakes the crank."""
    rigid, stiff, soft = first_impacts(), first_impacts(flexible=True), first_impacts(flexible=True, E=5e9)
    for key in ("force", "a"):
        assert soft[key] < 0.6 * rigid[key] and stiff[key] < 0.9 * rigid[key]
    assert soft["moment"] < 0.9 * rigid["moment"] < 0.6 * stiff["moment"]
    assert first_impacts(turns=0.25, flexible=True, E=5e9)["moment"] > 1.2 * rigid["moment"]


def test_larger_clearance_larger_force() -> None:
    """Sect. II.A (Shiau et al.)."""
    for key in ("force", "a"):
        small, middle, large = (first_impacts(**values)[key] for values in ({"clearance": 2.5e-5}, {}, {"clearance": 1e-4}))
        assert small < 0.9 * middle < 0.8 * large


def test_friction_raises_the_force() -> None:
    """Sect. II.A (Shiau et al.): a little, at the first impacts."""
    assert first_impacts()["force"] < first_impacts(friction="Ambrosio", kinetic_friction=0.2)["force"]


def test_clearance_makes_a_mechanism_sensitive() -> None:
    """Sect. II.A (Chunmei et al.): 1 mN on every body, in a tenth of a turn."""
    apart = {}
    for joint, steps in (("ideal", 1200), ("dry", 24000)):
        model = SliderCrankPlanar(joint=joint)
        found = []
        for member in (0, 1):
            m = Push(1e-3).on(model.build(), member)
            sol = m.simulate(0.1 * model.turn, step=model.turn / steps, output_step=model.turn / 1200, progress=False)
            found.append(sol.position(m["slider"].com)[:, 0])
        apart[joint] = np.abs(found[0] - found[1]).max()
    assert apart["ideal"] < 1e-15 and apart["dry"] > 1e-12


def turns_of_the_linkage(count: int, member: int, **values: Any) -> np.ndarray:
    model = FourBar(joint="dry", **values)
    m, turn = Push(1e-3).on(model.build(), member), 60.0 / model.rpm
    sol = m.simulate(count * turn, step=turn / 24000, output_step=turn / 1200, progress=False)
    return np.asarray(sol.acceleration(model.points(m)["C"])[1:, 0]).reshape(count, -1)


@pytest.mark.slow
def test_four_bar_repeats_or_not() -> None:
    """Sect. II.A (Chang): no turn of twenty is the one before nor the one before that, with and without friction, and runs that
    differ by a push of 1 mN end apart; see the page for which of the four have a period."""
    runs = [turns_of_the_linkage(8, member, clearance=5e-4) for member in (0, 1)]
    assert Period.of(runs[0]).turns == 0
    assert np.abs(runs[0][-1] - runs[1][-1]).max() > 0.01 * np.ptp(runs[0][-1])


def test_four_bar_repeats_or_not_in_short() -> None:
    runs = [turns_of_the_linkage(1, member, clearance=5e-4)[0] for member in (0, 1)]
    assert np.abs(runs[0] - runs[1])[-300:].max() > 1e3 * max(np.abs(runs[0] - runs[1])[:100].max(), 1e-9)


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


def test_first_impact() -> None:
    """Sect. II.B: short, but not beside the flight after it, and the crank presses on meanwhile: the journal comes back slower,
    the impulse is larger than that of an impact which takes no time, and rigid surfaces know no force of it."""
    soft, rigid = first_impacts()["impacts"], rigid_surfaces(contact="Newton")["impacts"]
    assert soft[0].t_end - soft[0].t < 1e-2 * 0.012
    assert soft[0].t_end - soft[0].t > 0.1 * (soft[1].t - soft[0].t)
    assert soft[0].t == pytest.approx(rigid[0].t, rel=1e-6)
    assert soft[0].separation_speed / soft[0].approach_speed < 0.88
    assert rigid[0].separation_speed / rigid[0].approach_speed == pytest.approx(0.9, rel=1e-9)
    assert rigid_surfaces(contact="Newton")["force"] < 0.8 * first_impacts()["force"]


def test_impact_laws_without_friction_are_one() -> None:
    """Sect. II.B.2."""
    newton, poisson, stronge = (rigid_surfaces(contact=law) for law in ("Newton", "Poisson", "Stronge"))
    for other in (poisson, stronge):
        np.testing.assert_allclose(other["x"], newton["x"], atol=1e-9)
        assert other["lost"] == pytest.approx(newton["lost"], rel=1e-6)


def test_impact_laws_with_friction() -> None:
    """Sect. II.B.2: all three run with Coulomb's law, none of their impacts creates energy here, and what they lose differs by
    less than a hundredth."""
    found = [rigid_surfaces(contact=law, friction="Ambrosio") for law in ("Newton", "Poisson", "Stronge")]
    for run in found:
        assert run["balance"] < 5e-3
        assert not any(hit.lost < -1e-9 for hit in run["impacts"] if hit.t_end == hit.t)
        assert run["lost"] == pytest.approx(found[0]["lost"], rel=0.01)


def test_rigid_impacts_of_a_flexible_rod() -> None:
    """Sect. II.B.2: only the rod's end is stopped, so its first impulse is a small part of the rigid rod's."""
    soft, rigid = rigid_surfaces(contact="Newton", flexible=True, E=5e9), rigid_surfaces(contact="Newton")
    assert soft["impacts"][0].impulse < 0.1 * rigid["impacts"][0].impulse
    assert len(soft["impacts"]) > 20 and soft["balance"] < 5e-3


def test_two_branches_return_the_root_of_the_restitution() -> None:
    """Sect. II.B.3, below eq. 3: a slider thrown at the wall comes back with 0.949 of its speed for 0.9."""
    model = SliderCrankPlanar(contact="TwoBranch", joint="dry")
    m = fm.Model("thrown")
    ball = m.add(fm.PlanarBody("ball", mass=model.contact_mass, inertia=1.0, com=(0, 0), velocity=(1.0, 0)))
    m.add(model.revolute("wrist pin", m.ground.at(0, 0), ball.com))
    sol = m.simulate(1.8e-4, step=1e-7, output_step=1e-6, progress=False)
    assert sol.clearance("wrist pin").impacts[0].restitution == pytest.approx(np.sqrt(0.9), rel=1e-3)


@pytest.mark.parametrize("law", ["TwoBranch", "KelvinVoigt", "StandardLinearSolid"])
def test_linear_laws_are_rough(law: str) -> None:
    """Sect. II.B.3: with the secant of Hertz's law for a spring the first force is a third too small."""
    assert first_impacts(contact=law)["force"] < 0.8 * first_impacts()["force"]


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


def test_elements_converge() -> None:
    """Sect. II.C: the force at the wrist pin of a rod of 5 GPa between ideal joints, in a quarter of a turn."""
    force = {}
    for k in (1, 4, 8, 16):
        model = SliderCrankPlanar(flexible=True, E=5e9, elements=k)
        sol = model.build().simulate(0.25 * model.turn, step=model.turn / 6000, output_step=model.turn / 600, progress=False)
        force[k] = np.linalg.norm(sol.reaction("wrist pin").force, axis=1)
    off = [np.abs(force[k] - force[16]).max() / force[16].max() for k in (1, 4, 8)]
    assert off[0] > 2.0 * off[1] > 4.0 * off[2]


def test_ambrosio_has_no_stiction() -> None:
    """Sect. II.D: a body pressed on a wall and pushed along it below the limit of friction: LuGre's bristles hold it but for
    a creep, eq. 11 lets it go at the speed v0 below which it has no friction."""
    speeds = {}
    for name, law in {
        "eq. 11": fm.friction.Ambrosio(0.2, v0=1e-3, v1=1e-2),
        "LuGre": fm.friction.LuGre(static=0.2, kinetic=0.2, stribeck_speed=1e-2),
    }.items():
        m = fm.Model("pressed", gravity=(0.5, -9.81))
        body = m.add(fm.PlanarBody("body", mass=1.0, inertia=1e-3, com=(0, -5e-5)))
        contact = fm.contact.KelvinVoigt(stiffness=1e7, damping=1e3)
        guide = {"length": 0.05, "height": 0.03, "clearance": 5e-5, "corner_radius": 0.01}
        m.add(fm.ClearancePrismatic(m.ground.at(0, 0), body.com, axis=(1, 0), contact=contact, friction=law, **guide))
        sol = m.simulate(0.1, step=1e-5, output_step=1e-3, progress=False)
        speeds[name] = np.abs(sol.velocity(body.com)[-20:, 0]).mean()
    assert speeds["eq. 11"] > 1e-3 and speeds["LuGre"] < 1e-5


def test_imperfect_joints_act_on_each_other() -> None:
    """Sect. IV (c): clearance at B as well changes the largest force at C in the first quarter of a turn by more than
    pushes do."""
    found = {}
    for label, joints in (("C", ("joint C",)), ("B and C", ("joint B", "joint C"))):
        model = FourBar(joint="dry", imperfect=joints)
        turn = 60.0 / model.rpm
        forces = []
        for member in (0, 1, 2):
            m = Push(1e-3).on(model.build(), member)
            sol = m.simulate(0.25 * turn, step=turn / 60000, output_step=turn / 2400, progress=False)
            forces.append(float(np.linalg.norm(sol.reaction("joint C").force, axis=1).max()))
        found[label] = np.array(forces)
    apart = abs(found["C"].mean() - found["B and C"].mean())
    assert apart > 3.0 * (np.ptp(found["C"]) + np.ptp(found["B and C"]))


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


@cache
def fallen(integrator: Any, t_end: float = 4.0) -> Any:
    """A double pendulum of rigid links, released."""
    model = DoublePendulum(flexible=False)
    return model.build().simulate(t_end, tolerance=1e-6, output_step=0.05, integrator=integrator, progress=False)


def test_accelerations_alone_drift() -> None:
    """Sect. III.C: more and more; with Baumgarte's method the drift stays."""
    alone = np.abs(fallen(fm.BaumgarteODE(method="DOP853", alpha=1e-6, beta=1e-6), 10.0).drift).reshape(201, -1).max(axis=1)
    held = np.abs(fallen(fm.BaumgarteODE(method="DOP853"), 10.0).drift).reshape(201, -1).max(axis=1)
    assert alone[-20:].max() > 5.0 * alone[1:21].max()
    assert held[-20:].max() < 2.0 * held[1:21].max() and held.max() < 0.2 * alone.max()


def test_partitioning_factorises_more() -> None:
    """Sect. III.C: it iterates at every evaluation."""
    parts, held = fallen(fm.CoordinatePartitioning(method="DOP853")), fallen(fm.BaumgarteODE(method="DOP853"))
    a, b = parts.statistics, held.statistics
    assert a.factorizations > 2 * b.factorizations
    assert a.factorizations / a.iterations > 2.0 * b.factorizations / b.iterations


def test_baumgarte_fails_at_a_singular_position() -> None:
    """Sect. III.C: a rod as long as the crank may fold; the mechanism goes on in the wrong one of two ways."""
    off = []
    for longer in (1e-2, 1e-8):
        model = SliderCrankPlanar(rod_length=0.05 * (1.0 + longer))
        m = model.build()
        options = {"tolerance": 1e-6, "output_step": model.turn / 200, "integrator": fm.BaumgarteODE(method="DOP853")}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", fm.UnbalancedEnergy)
            sol = m.simulate(model.turn, **options, progress=False)
        angle = 2.0 * np.pi * sol.t / model.turn
        exact = 0.05 * np.cos(angle) + np.sqrt(model.rod_length**2 - (0.05 * np.sin(angle)) ** 2)
        off.append(np.abs(sol.position(m["slider"].com)[:, 0] - exact).max())
    assert off[0] < 1e-5 and off[1] > 0.05


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
