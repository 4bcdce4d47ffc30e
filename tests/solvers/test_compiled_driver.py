"""One algorithm, two drivers: the compiled one against steps from Python."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import SliderCrankPlanar
from fmbs.solvers.generalized_alpha import AlphaStepper
from fmbs.solvers.stretch import CompiledDriver


def slider_crank() -> fm.Model:
    return SliderCrankPlanar().build()


def table_driven() -> fm.Model:
    """A drive by a function of time and one by a table."""
    m = fm.Model("two drives", gravity=(0, -9.81))
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.1, com=(0.5, 0)))
    hand = m.add(fm.PlanarBody("hand", mass=0.5, inertia=0.02, com=(1.2, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), arm.at(0, 0)))
    m.add(fm.Revolute(arm.at(1, 0), hand.at(1, 0)))
    m.add(fm.RotationDrive(m.ground.at(0, 0), arm.at(0, 0), angle=lambda t: 0.3 * np.sin(5.0 * t)))
    m.add(fm.RotationDrive(arm.at(1, 0), hand.at(1, 0), speed=(np.linspace(0, 1, 6), np.array([0, 1, 0.5, 0, -1, 0.0]))))
    return m


def top() -> fm.Model:
    """Nothing is driven; natural coordinates."""
    m = fm.Model("top", gravity=(0, 0, -9.81))
    body = m.add(fm.RigidBody("top", mass=2.0, inertia=(0.02, 0.02, 0.01), com=(0, 0.1, 0.1), spin=(0, 30.0, 30.0)))
    m.add(fm.Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)))
    return m


@pytest.mark.parametrize("rho_inf", [0.6, 0.8, 1.0])
@pytest.mark.parametrize(("build", "t_end", "step"), [(slider_crank, 4e-3, 1e-5), (table_driven, 0.5, 1e-3), (top, 0.5, 1e-3)])
def test_drivers_agree(build, t_end: float, step: float, rho_inf: float, monkeypatch: pytest.MonkeyPatch):
    """The same steps, iterations and factorisations; numbers to the round-off that differences of q by h^2 carry."""
    options = {"step": step, "integrator": fm.GeneralizedAlpha(rho_inf), "progress": False}
    compiled = [build().simulate(t_end, output_step=pause, **options) for pause in (t_end, 10 * step)]
    monkeypatch.setattr(AlphaStepper, "_compiled_driver", lambda self: None)
    plain = build().simulate(t_end, **options)
    for sol in compiled:
        frames = np.rint(sol.t / step).astype(int)
        scale = sol.system.scale
        assert np.abs((sol.q - plain.q[frames]) / scale).max() < 1e-11
        assert np.abs((sol.v - plain.v[frames]) / scale).max() < 1e-9 * max(1.0, np.abs(plain.v / scale).max())
        assert np.abs(sol.lam - plain.lam[frames]).max() < 1e-6 * np.abs(plain.lam).max()
        assert sol.energy.work[-1] == pytest.approx(plain.energy.work[-1], rel=1e-6, abs=1e-9)
        assert sol.statistics.steps == plain.statistics.steps
        assert abs(sol.statistics.iterations - plain.statistics.iterations) <= 0.01 * plain.statistics.iterations
        np.testing.assert_allclose(sol.step_times, plain.step_times, rtol=1e-14)


@pytest.mark.parametrize("friction", ["none", "Ambrosio", "LuGre"])
def test_drivers_agree_in_contact(friction: str, monkeypatch: pytest.MonkeyPatch):
    """A dry wrist pin: the drivers find the same impacts and cut their steps there."""

    def run() -> fm.Solution:
        model = SliderCrankPlanar(joint="dry", friction=friction).build()
        method = fm.GeneralizedAlpha(newton_tolerance=1e-11)  # the drivers factorise at other times around an impact
        return model.simulate(3e-4, step=2e-6, output_step=1e-4, integrator=method, progress=False)

    compiled = run()
    monkeypatch.setattr(AlphaStepper, "_compiled_driver", lambda self: None)
    plain = run()
    assert len(plain.impacts) >= 2
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=1e-11)
    assert [i.lost for i in compiled.impacts[:-1]] == pytest.approx([i.lost for i in plain.impacts[:-1]], rel=1e-6)
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(compiled.history, plain.history, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(compiled.energy.dissipated, plain.energy.dissipated, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(
    ("joint", "film"), [("lubricated", "LongBearing"), ("lubricated", "ShortBearing"), ("mixed", "LongBearing")]
)
def test_drivers_agree_on_films(joint: str, film: str, monkeypatch: pytest.MonkeyPatch):
    """Oil in the wrist pin, with and without contact behind it; the first step is the open path's in both."""

    def run() -> fm.Solution:
        model = SliderCrankPlanar(joint=joint, film=film).build()
        return model.simulate(2e-3, step=1e-5, output_step=2e-4, progress=False)

    compiled = run()
    monkeypatch.setattr(AlphaStepper, "_compiled_driver", lambda self: None)
    plain = run()
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(compiled.energy.dissipated, plain.energy.dissipated, rtol=1e-6, atol=1e-12)
    film_forces = [sol.clearance("wrist pin").film.force for sol in (compiled, plain)]
    np.testing.assert_allclose(*film_forces, rtol=0, atol=1e-5 * np.abs(film_forces[1]).max())


def test_forces_that_jump_are_left_to_the_open_path(monkeypatch: pytest.MonkeyPatch):
    """A Kelvin-Voigt contact pushes from the first instant: accelerations jump, which the compiled driver cannot do."""

    def run() -> fm.Solution:
        m = fm.Model("drop", gravity=(0, -9.81))
        ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=0.1, com=(0, 0)))
        law = fm.contact.KelvinVoigt(stiffness=1e5, damping=50.0)
        m.add(fm.ClearanceRevolute(m.ground.at(0, 0), ball.com, bearing_radius=0.02, clearance=1e-3, contact=law))
        return m.simulate(0.05, step=1e-4, output_step=1e-3, progress=False)

    compiled = run()
    monkeypatch.setattr(AlphaStepper, "_compiled_driver", lambda self: None)
    plain = run()
    assert len(plain.impacts) >= 1
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-11)
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=1e-12)
    assert [i.lost for i in compiled.impacts[:-1]] == pytest.approx([i.lost for i in plain.impacts[:-1]], rel=1e-6)


def beams(**kind: Any) -> fm.Model:
    """Two links, the first damped by its material, the second by mass and stiffness: a band with multipliers in it."""
    m = fm.Model("double pendulum", gravity=(0, 0, -9.81))
    rubber = fm.Material(E=6.9e7, nu=0.0, density=2700, damping=1e-3)
    section = fm.Rectangle(0.02, 0.02)
    one = m.add(fm.Beam("one", start=(0, 0, 0), end=(0.5, 0, 0), section=section, material=rubber, elements=2, **kind))
    other = fm.Material(E=6.9e7, nu=0.0, density=2700)
    two = m.add(
        fm.Beam(
            "two", start=(0.5, 0, 0), end=(1, 0, 0), section=section, material=other, elements=2, rayleigh=(0.1, 1e-4), **kind
        )
    )
    m.add(fm.Revolute(m.ground.at(0, 0, 0), one.start, axis=(0, 1, 0)))
    m.add(fm.Revolute(one.end, two.start, axis=(0, 1, 0)))
    m.add(fm.PointForce(two.end, (0.2, 0.1, 0)))
    return m


def lines(planar: bool) -> fm.Model:
    """A line with a weight that hangs from a spring."""
    m = fm.Model("line", gravity=(0, -9.81) if planar else (0, 0, -9.81))
    material, section = fm.Material(E=1e7, nu=0.3, density=1000, damping=1e-3), fm.Rectangle(0.02, 0.02)
    kind, start, end = (fm.PlanarBeam, (0, 0), (1, 0)) if planar else (fm.Cable, (0, 0, 0), (1, 0, 0))
    line = m.add(kind("line", start=start, end=end, section=section, material=material, elements=4))
    m.add((fm.Revolute if planar else fm.Spherical)(m.ground.at(*start), line.start))
    place = (1, 0.5) if planar else (1, 0, 0.5)
    m.add(fm.SpringDamper(m.ground.at(*place), line.end, stiffness=50.0, damping=0.5))
    return m


def loaded() -> fm.Model:
    """All loads on rigid bodies, more equations than the full matrix takes."""
    m = fm.Model("loads", gravity=(0, 0, -9.81))
    at, last = m.ground.at(0, 0, 0), None
    for i in range(4):
        body = m.add(fm.RigidBody(f"body {i}", mass=1.0, inertia=(0.02, 0.03, 0.01), com=(0.5 + i, 0, 0)))
        m.add(fm.Spherical(at, body.at(i, 0, 0)))
        at, last = body.at(i + 1, 0, 0), body
    m.add(fm.Torque(last.com, (0.1, 0.2, 0.3)))
    m.add(fm.FollowerForce(at, (0.0, 0.5, 0.0)))
    m.add(fm.PointForce(last.com, (0.0, 0.0, 1.0)))
    m.add(fm.SpringDamper(m.ground.at(0, 0, 1), at, stiffness=3.0, damping=0.1))
    return m


MODELS = {
    "continuum": partial(beams, interpolation="hermite", formulation="continuum"),
    "structural": partial(beams, interpolation="cubic", formulation="structural"),
    "enhanced": partial(beams, interpolation="quadratic", formulation="enhanced"),
    "planar beam": partial(lines, True),
    "cable": partial(lines, False),
    "loads": loaded,
}


@pytest.mark.parametrize("build", MODELS.values(), ids=MODELS)
def test_drivers_agree_on_elements_and_forces(build, monkeypatch: pytest.MonkeyPatch):
    """Beams, lines, springs and loads: the same steps and the same energy ledger."""
    taken = []
    kept = CompiledDriver.run
    monkeypatch.setattr(CompiledDriver, "run", lambda self, *given: taken.append(given) or kept(self, *given))
    options = {"step": 1e-3, "output_step": 1e-2, "progress": False}
    compiled = build().simulate(0.2, **options)
    assert taken
    monkeypatch.setattr(AlphaStepper, "_compiled_driver", lambda self: None)
    plain = build().simulate(0.2, **options)
    scale = plain.system.scale
    assert np.abs((compiled.q - plain.q) / scale).max() < 1e-9
    assert np.abs((compiled.v - plain.v) / scale).max() < 1e-7 * np.abs(plain.v / scale).max()
    assert abs(compiled.statistics.iterations - plain.statistics.iterations) <= 0.02 * plain.statistics.iterations + 2
    for name in ("work", "dissipated"):
        ours, theirs = getattr(compiled.energy, name), getattr(plain.energy, name)
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7 * np.abs(plain.energy.kinetic).max())


def test_flexible_mechanism_in_contact(monkeypatch: pytest.MonkeyPatch):
    """A beam whose dry joint rattles: the same impacts."""

    def run() -> fm.Solution:
        m = fm.Model("rattle", gravity=(0, 0, -9.81))
        steel = fm.Material(E=2e10, nu=0.0, density=2700)
        section = fm.Rectangle(0.02, 0.02)
        rod = m.add(fm.Beam("rod", start=(0, 0, 0), end=(0.3, 0, 0), section=section, material=steel, elements=2))
        law = fm.contact.LankaraniNikravesh(stiffness=1e9, restitution=0.8)
        m.add(fm.ClearanceSpherical(m.ground.at(0, 0, 0), rod.start, bearing_radius=0.01, clearance=1e-4, contact=law))
        return m.simulate(0.03, step=1e-5, output_step=1e-3, progress=False)

    compiled = run()
    monkeypatch.setattr(AlphaStepper, "_compiled_driver", lambda self: None)
    plain = run()
    assert len(plain.impacts) >= 2
    assert len(compiled.impacts) == len(plain.impacts)
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=1e-9)
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-8)


def test_it_is_used():
    """Else the tests above compare a driver with itself."""
    stepper = fm.GeneralizedAlpha().start(*_parts(slider_crank()), "exact", 1e-5, None, 1.0)
    assert stepper._driver is not None


@pytest.mark.parametrize("force", [lambda t: (t, 0.0), (1.0, 0.0)], ids=["function", "constant"])
def test_parts_that_need_python_take_the_open_path(force):
    m = slider_crank()
    m.add(fm.PointForce(m["slider"].com, force))
    stepper = fm.GeneralizedAlpha().start(*_parts(m), "exact", 1e-5, None, 1.0)
    assert (stepper._driver is None) == callable(force)


def _parts(m: fm.Model):
    from fmbs.solvers.linear import linear_solver

    system = m.system()
    return system, linear_solver("dense", system.size)


PACED = {
    "ideal": (slider_crank, 4e-3, 1e-6, 1e-4),
    "driven by a table": (table_driven, 0.5, 1e-5, 0.05),
    "top": (top, 0.5, 1e-4, 0.05),
    "dry": (partial(SliderCrankPlanar(joint="dry").build), 1e-3, 1e-6, 1e-4),
    "beams": (partial(beams, interpolation="hermite", formulation="continuum"), 0.05, 1e-4, 5e-3),
}


@pytest.mark.parametrize(("build", "t_end", "tolerance", "output_step"), PACED.values(), ids=PACED)
def test_drivers_agree_with_error_control(build, t_end, tolerance, output_step, monkeypatch: pytest.MonkeyPatch):
    """The same steps are taken and rejected; frames lie inside steps in both."""
    options = {"tolerance": tolerance, "output_step": output_step, "progress": False}
    steps = []
    take = AlphaStepper.step
    monkeypatch.setattr(AlphaStepper, "step", lambda self, state, h: steps.append(h) or take(self, state, h))
    compiled = build().simulate(t_end, **options)
    assert not steps  # none in Python
    monkeypatch.setattr(AlphaStepper, "_compiled_driver", lambda self: None)
    plain = build().simulate(t_end, **options)
    assert len(steps) >= plain.statistics.steps
    for name in ("steps", "rejected", "contacts"):
        assert getattr(compiled.statistics, name) == pytest.approx(getattr(plain.statistics, name), rel=0.02, abs=2)
    scale = plain.system.scale
    np.testing.assert_allclose(compiled.t, plain.t, rtol=1e-14)
    assert np.abs((compiled.q - plain.q) / scale).max() < 1e-3 * tolerance
    assert compiled.energy.work[-1] == pytest.approx(plain.energy.work[-1], rel=1e-5, abs=1e-5)
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=1e-10)
    assert [i.lost for i in compiled.impacts[:-1]] == pytest.approx([i.lost for i in plain.impacts[:-1]], rel=1e-5)
