"""The time loop against the textbook in plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import SliderCrankPlanar
from tests.oracles.plain_loop import textbook
from tests.solvers.loop_models import beams, lines, loaded, shaken, slider_crank, table_driven, top, tuned, twisted, worn


@pytest.mark.parametrize("rho_inf", [0.6, 0.8, 1.0])
@pytest.mark.parametrize(
    ("build", "t_end", "step", "close"),
    [(slider_crank, 4e-3, 1e-5, 1e-11), (table_driven, 0.5, 1e-3, 1e-11), (top, 0.5, 1e-3, 1e-8)],
)
def test_agrees(build, t_end: float, step: float, close: float, rho_inf: float, monkeypatch: pytest.MonkeyPatch):
    """The same steps; numbers to the round-off that differences of q by h^2 carry. The top turns so far in a step that
    velocities are cleaned, with the matrix of the predicted place in the loop and with that of the end in the textbook.
    """
    options = {"step": step, "integrator": fm.GeneralizedAlpha(rho_inf, newton_tolerance=1e-12), "progress": False}
    compiled = [build().simulate(t_end, output_step=pause, **options) for pause in (t_end, 10 * step)]
    textbook(monkeypatch)
    plain = build().simulate(t_end, **options)
    for sol in compiled:
        frames = np.rint(sol.t / step).astype(int)
        scale = sol.system.scale
        assert np.abs((sol.q - plain.q[frames]) / scale).max() < close
        assert np.abs((sol.v - plain.v[frames]) / scale).max() < 100 * close * max(1.0, np.abs(plain.v / scale).max())
        assert np.abs(sol.lam - plain.lam[frames]).max() < 1e-6 * np.abs(plain.lam).max()
        assert sol.energy.work[-1] == pytest.approx(plain.energy.work[-1], rel=1e-6, abs=1e-9)
        assert sol.statistics.steps == plain.statistics.steps
        np.testing.assert_allclose(sol.step_times, plain.step_times, rtol=1e-14)


@pytest.mark.parametrize("friction", ["none", "Ambrosio", "LuGre"])
def test_agrees_in_contact(friction: str, monkeypatch: pytest.MonkeyPatch):
    """A dry wrist pin: the same impacts are found, and steps are cut there."""

    def run() -> fm.Solution:
        model = SliderCrankPlanar(joint="dry", friction=friction).build()
        method = fm.GeneralizedAlpha(newton_tolerance=1e-11)
        return model.simulate(3e-4, step=2e-6, output_step=1e-4, integrator=method, progress=False)

    compiled = run()
    textbook(monkeypatch)
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
def test_agrees_on_films(joint: str, film: str, monkeypatch: pytest.MonkeyPatch):
    """Oil in the wrist pin, with and without contact behind it; the first step grows through the transient of the film."""

    def run() -> fm.Solution:
        model = SliderCrankPlanar(joint=joint, film=film).build()
        method = fm.GeneralizedAlpha(newton_tolerance=1e-12)
        return model.simulate(2e-3, step=1e-5, output_step=2e-4, integrator=method, progress=False)

    compiled = run()
    textbook(monkeypatch)
    plain = run()
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-10)
    lost = plain.energy.dissipated  # round-off / h shakes the velocities of the first, shortest pieces
    np.testing.assert_allclose(compiled.energy.dissipated, lost, rtol=1e-6, atol=1e-6 * lost.max())
    film_forces = [sol.clearance("wrist pin").film.force for sol in (compiled, plain)]
    np.testing.assert_allclose(*film_forces, rtol=0, atol=1e-5 * np.abs(film_forces[1]).max())


@pytest.mark.parametrize("options", [{"step": 1e-5}, {"tolerance": 1e-6}], ids=["step", "tolerance"])
@pytest.mark.filterwarnings("ignore::fmbs.CoarseSteps")
def test_agrees_on_oil_that_warms_up(options: dict[str, float], monkeypatch: pytest.MonkeyPatch):
    """A viscosity that is a function of time, with contact behind the film, which it does not hold off."""

    def run() -> fm.Solution:
        m = fm.Model("bearing", gravity=(0, -9.81))
        rotor = m.add(fm.PlanarBody("rotor", mass=2.0, inertia=1e-3, com=(0, 0), velocity=(0, -0.1), spin=100.0))
        law = fm.contact.HuntCrossley(stiffness=1e9, restitution=0.8)
        oil = fm.film.ShortBearing(lambda t: 2e-5 / (1.0 + 500.0 * t))
        size = {"bearing_radius": 0.01, "clearance": 1e-4, "length": 0.01}
        m.add(fm.ClearanceRevolute(m.ground.at(0, 0), rotor.com, contact=law, film=oil, name="pin", **size))
        method = fm.GeneralizedAlpha(newton_tolerance=1e-12)
        return m.simulate(8e-3, output_step=1e-3, integrator=method, progress=False, **options)

    compiled = run()
    textbook(monkeypatch)
    plain = run()
    assert plain.impacts
    close = 1e-10 if "step" in options else 1e-9  # a step that the loop gives up, the textbook may take
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=close)
    np.testing.assert_allclose(
        compiled.energy.dissipated, plain.energy.dissipated, rtol=1e-6 if "step" in options else 2e-4, atol=1e-12
    )


def test_agrees_on_forces_that_jump(monkeypatch: pytest.MonkeyPatch):
    """A Kelvin-Voigt contact pushes from the first instant: accelerations jump."""

    def run() -> fm.Solution:
        m = fm.Model("drop", gravity=(0, -9.81))
        ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=0.1, com=(0, 0)))
        law = fm.contact.KelvinVoigt(stiffness=1e5, damping=50.0)
        m.add(fm.ClearanceRevolute(m.ground.at(0, 0), ball.com, bearing_radius=0.02, clearance=1e-3, contact=law))
        return m.simulate(0.046, step=1e-4, output_step=1e-3, progress=False)

    compiled = run()
    textbook(monkeypatch)
    plain = run()
    assert len(plain.impacts) == 1
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-11)
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=1e-12)
    assert [i.lost for i in compiled.impacts] == pytest.approx([i.lost for i in plain.impacts], rel=1e-6)


MODELS = {
    "continuum": partial(beams, interpolation="hermite", formulation="continuum"),
    "structural": partial(beams, interpolation="cubic", formulation="structural"),
    "enhanced": partial(beams, interpolation="quadratic", formulation="enhanced"),
    "planar beam": partial(lines, True),
    "cable": partial(lines, False),
    "loads": loaded,
    "loads of time": shaken,
    "spring that changes": tuned,
}


@pytest.mark.parametrize("build", MODELS.values(), ids=MODELS)
def test_agrees_on_elements_and_forces(build, monkeypatch: pytest.MonkeyPatch):
    """Beams, lines, springs and loads: the same steps and the same energy ledger."""
    options = {"step": 1e-3, "output_step": 1e-2, "progress": False}
    compiled = build().simulate(0.2, **options)
    textbook(monkeypatch)
    plain = build().simulate(0.2, **options)
    scale = plain.system.scale
    assert np.abs((compiled.q - plain.q) / scale).max() < 1e-9
    assert np.abs((compiled.v - plain.v) / scale).max() < 1e-7 * np.abs(plain.v / scale).max()
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
        method = fm.GeneralizedAlpha(newton_tolerance=1e-11)
        return m.simulate(0.027, step=1e-5, output_step=1e-3, integrator=method, progress=False)

    compiled = run()
    textbook(monkeypatch)
    plain = run()
    assert len(plain.impacts) >= 2
    assert len(compiled.impacts) == len(plain.impacts)
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=1e-9)
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-8)


def test_agrees_on_loads_of_time_in_contact(monkeypatch: pytest.MonkeyPatch):
    """Loads are those of the instants at which steps are cut, too; power in contact is taken in the middle of steps."""

    def run() -> fm.Solution:
        method = fm.GeneralizedAlpha(newton_tolerance=1e-11)
        return twisted().simulate(3e-4, step=2e-6, output_step=1e-4, integrator=method, progress=False)

    compiled = run()
    textbook(monkeypatch)
    plain = run()
    assert len(plain.impacts) >= 2
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=1e-11)
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(compiled.energy.work, plain.energy.work, rtol=1e-7)
    np.testing.assert_allclose(compiled.energy.balance, plain.energy.balance, rtol=0, atol=1e-7 * plain.energy.kinetic.max())


def test_agrees_on_wear(monkeypatch: pytest.MonkeyPatch):
    """The same profile, sector by sector, and the same impacts in it."""

    def run() -> fm.Solution:
        method = fm.GeneralizedAlpha(newton_tolerance=1e-13)
        return worn().simulate(0.01, step=2e-6, output_step=1e-3, integrator=method, progress=False)

    compiled = run()
    textbook(monkeypatch)
    plain = run()
    assert len(plain.impacts) >= 2
    depth = plain.clearance("bearing").wear
    assert depth[-1].max() > 2e-6
    np.testing.assert_allclose(compiled.clearance("bearing").wear, depth, rtol=0, atol=1e-6 * depth.max())
    np.testing.assert_allclose(compiled.history, plain.history, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-10)
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=2e-10)
    assert [i.lost for i in compiled.impacts[:-1]] == pytest.approx([i.lost for i in plain.impacts[:-1]], rel=1e-6)
    np.testing.assert_allclose(compiled.energy.dissipated, plain.energy.dissipated, rtol=1e-6, atol=1e-12)


class Broken(Exception):
    pass


def breaking(what: Any) -> fm.Model:
    """A pendulum whose load fails after 0.0405 s: raises an exception, or returns something else."""

    def load(t: float) -> Any:
        if t <= 0.0405:
            return 1.0, 0.0
        if isinstance(what, BaseException):
            raise what
        return what

    m = fm.Model("breaking", gravity=(0, -9.81))
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.1, com=(0.5, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), arm.at(0, 0)))
    m.add(fm.PointForce(arm.com, load, name="push"))
    return m


@pytest.mark.parametrize("options", [{"step": 1e-3}, {"step": 1e-3, "output_step": 1e-2}, {"tolerance": 1e-6}])
@pytest.mark.parametrize("what", [Broken("the motor burns"), (float("nan"), 0.0), KeyboardInterrupt()], ids=repr)
def test_a_load_that_fails(what: Any, options: dict[str, float], monkeypatch: pytest.MonkeyPatch):
    """The same error, caused by the same one, with the same frames."""

    def run() -> Any:
        with pytest.raises((fm.ConvergenceError, fm.Interrupted)) as caught:
            breaking(what).simulate(0.1, integrator=fm.GeneralizedAlpha(), progress=False, **options)
        return caught.value

    compiled = run()
    textbook(monkeypatch)
    plain = run()
    assert (type(compiled), str(compiled)) == (type(plain), str(plain))
    assert (type(compiled.__cause__), str(compiled.__cause__)) == (type(plain.__cause__), str(plain.__cause__))
    assert compiled.solution.t[-1] == pytest.approx(0.04, abs=0.005)
    np.testing.assert_allclose(compiled.solution.t, plain.solution.t, rtol=1e-6)
    np.testing.assert_allclose(compiled.solution.q, plain.solution.q, rtol=0, atol=1e-9)


@dataclass(frozen=True, eq=False)
class Wind(fm.UserForce):
    """Air drag on a marker, and a gust that comes and goes."""

    marker: fm.Marker
    fails_at: float = np.inf

    def force(self, t: float, *states: fm.MarkerState) -> list[Any]:
        if t > self.fails_at:
            raise RuntimeError("the wind has gone")
        return [-0.5 * abs(states[0].v[0]) * states[0].v + (0.0, 0.1 * np.sin(100 * t), 0.0)]


class Rubber(fm.contact.ContactLaw):
    def normal_force(self, depth: Any, rate: Any, impact_speed: Any) -> Any:
        return 1e9 * np.asarray(depth) ** 1.5 * (1.0 + 0.2 * np.asarray(rate) / impact_speed)


class Grease(fm.friction.FrictionLaw):
    def mu(self, slip: Any) -> Any:
        return 0.1 * np.tanh(np.asarray(slip) / 0.01)


def windy(**wind: float) -> fm.Model:
    m = slider_crank()
    m.add(Wind(m["slider"].com, name="wind", **wind))
    return m


def rattling(**laws: Any) -> fm.Model:
    m = fm.Model("bearing", gravity=(0, -9.81))
    body = m.add(fm.PlanarBody("journal", mass=1.0, inertia=1e-4, com=(0, 0), velocity=(0.1, -0.2), spin=50.0))
    size = {"bearing_radius": 0.01, "clearance": 1e-4, "length": 0.01}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, name="pin", **size, **laws))
    return m


IN_PYTHON = {
    "force": (windy, {"step": 1e-5}, "wind"),
    "force, error control": (windy, {"tolerance": 1e-6, "integrator": fm.GeneralizedAlpha()}, "wind"),
    "laws": (lambda: rattling(contact=Rubber(), friction=Grease()), {"step": 2e-6}, "laws in Python"),
    "laws, error control": (
        lambda: rattling(contact=Rubber()),
        {"tolerance": 1e-7, "integrator": fm.GeneralizedAlpha()},
        "laws in Python",
    ),
    "film": (lambda: rattling(film=fm.film.FiniteBearing(0.01)), {"step": 1e-4}, "films in Python"),
    "SciPy": (slider_crank, {"step": 1e-5, "linear_solver": "scipy"}, "linear solver scipy"),
    "differences": (slider_crank, {"step": 1e-5, "tangent": "numerical"}, "linear solver dense"),
}


@pytest.mark.filterwarnings("ignore::fmbs.CoarseSteps")
@pytest.mark.parametrize("name", IN_PYTHON)
def test_parts_in_python_are_called_from_the_loop(name: str, monkeypatch: pytest.MonkeyPatch):
    """The same steps and numbers as in the textbook; the statistics tell who was called."""
    build, options, owner = IN_PYTHON[name]
    options = {"output_step": 5e-4, "progress": False, "energy_tolerance": None, **options}
    compiled = build().simulate(2e-3, **options)
    assert owner in [part for part, calls, time in compiled.statistics.in_python if calls > 0 and time > 0.0]
    textbook(monkeypatch)
    plain = build().simulate(2e-3, **options)
    assert plain.statistics.in_python == ()
    assert compiled.statistics.steps == plain.statistics.steps
    np.testing.assert_allclose(compiled.q, plain.q, rtol=0, atol=1e-11)
    np.testing.assert_allclose(compiled.energy.work, plain.energy.work, rtol=1e-6, atol=1e-9)


def test_what_python_takes_is_shown():
    windy().simulate(1e-5, step=1e-5, progress=False)  # compiles where nothing is compiled yet: that would be most of the run
    sol = windy().simulate(1e-2, step=1e-5, output_step=5e-3, progress=False)
    assert "\n  in Python: wind, " in str(sol)


@pytest.mark.parametrize("options", [{"step": 1e-5}, {"tolerance": 1e-6}], ids=str)
def test_errors_in_python_reach_the_user(options: dict[str, float]):
    with pytest.raises(fm.ConvergenceError, match="the wind has gone") as e:
        windy(fails_at=1e-3).simulate(2e-3, progress=False, **options)
    assert isinstance(e.value.__cause__, RuntimeError) and e.value.status is fm.Status.USER_ERROR
    assert 8e-4 < e.value.time <= 1e-3


PACED = {
    "ideal": (slider_crank, 4e-3, 1e-6, 1e-4),
    "driven by a table": (table_driven, 0.5, 1e-5, 0.05),
    "top": (top, 0.5, 1e-4, 0.05),
    "dry": (partial(SliderCrankPlanar(joint="dry").build), 1e-3, 1e-6, 1e-4),
    "beams": (partial(beams, interpolation="hermite", formulation="continuum"), 0.05, 1e-4, 5e-3),
    "loads of time": (shaken, 0.05, 1e-4, 5e-3),
    "spring that changes": (tuned, 0.05, 1e-4, 5e-3),
    "loads of time, dry": (twisted, 1e-3, 1e-6, 1e-4),
    "wear": (worn, 5e-3, 1e-6, 5e-4),
}


@pytest.mark.parametrize(("build", "t_end", "tolerance", "output_step"), PACED.values(), ids=PACED)
def test_agrees_with_error_control(build, t_end, tolerance, output_step, monkeypatch: pytest.MonkeyPatch):
    """The same steps are taken and rejected; frames lie inside steps in both."""
    run: dict[str, Any] = {"integrator": fm.GeneralizedAlpha(), "progress": False}
    options = {"tolerance": tolerance, "output_step": output_step, **run}
    compiled = build().simulate(t_end, **options)
    textbook(monkeypatch)
    plain = build().simulate(t_end, **options)
    for name in ("steps", "rejected", "contacts"):
        assert getattr(compiled.statistics, name) == pytest.approx(getattr(plain.statistics, name), rel=0.02, abs=2)
    scale = plain.system.scale
    np.testing.assert_allclose(compiled.t, plain.t, rtol=1e-14)
    share = 0.05 if build is top else 1e-3  # velocities of the top are cleaned, see test_agrees
    assert np.abs((compiled.q - plain.q) / scale).max() < share * tolerance
    assert compiled.energy.work[-1] == pytest.approx(plain.energy.work[-1], rel=1e-5, abs=1e-5)
    assert [i.t for i in compiled.impacts] == pytest.approx([i.t for i in plain.impacts], abs=1e-10)
    assert [i.lost for i in compiled.impacts[:-1]] == pytest.approx([i.lost for i in plain.impacts[:-1]], rel=1e-5)
