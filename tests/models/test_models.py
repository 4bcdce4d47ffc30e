"""Every model runs with every kind of joint, and does what mechanics says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import MODELS, Mechanism

# a part of t_end that brings the first impacts, and parameters that keep it cheap
SHORT: dict[str, tuple[float, dict[str, Any]]] = {
    "double_pendulum": (0.008, {"elements": 2}),
    "slider_crank_spatial": (4e-4, {"elements": 2}),
    "slider_crank_planar": (1e-3, {}),
    "press": (0.02, {}),
    "slider_crank_lugre": (1.2e-3, {}),
    "four_bar": (2e-3, {}),
    "flexible_pendulum": (0.006, {"elements": 2}),
}


def run(model: Mechanism, t_end: float) -> tuple[fm.Model, fm.Solution]:
    m = model.build()
    return m, m.simulate(t_end, **model.settings(), progress=False)


def place(model: Mechanism, m: fm.Model, sol: fm.Solution) -> Any:
    """The path of the point that the model is about  # (frames,)."""
    return model.outputs()[0].of(sol, m, model.points(m))


@pytest.mark.parametrize("joint", ["ideal", "dry", "lubricated", "mixed"])
@pytest.mark.parametrize("name", MODELS)
def test_every_model_runs_with_every_joint(name: str, joint: str) -> None:
    """Energy is accounted for, and the path stays within the clearances of the ideal one."""
    t_end, cheap = SHORT[name]
    model, ideal = MODELS[name](joint=joint, **cheap), MODELS[name](**cheap)
    m, sol = run(model, t_end)
    e = sol.energy
    turned_over = float(np.abs(e.kinetic - e.kinetic[0]).max() + np.abs(e.work).max() + np.abs(e.dissipated).max())
    assert sol.t[-1] == pytest.approx(t_end)
    assert np.abs(e.balance).max() < 0.05 * turned_over
    play = 2.0 * model.clearance * len(model.imperfect) if joint != "ideal" else 0.0
    reference = place(ideal, *run(ideal, t_end))[-1]
    assert abs(place(model, m, sol)[-1] - reference) < play + 1e-6
    for pin in model.imperfect if joint != "ideal" else ():
        assert sol.clearance(pin).penetration.max() < 0.6 * model.clearance


@pytest.mark.parametrize("name", [name for name in MODELS if name not in ("slider_crank_lugre",)])
def test_oil_keeps_the_surfaces_apart(name: str) -> None:
    """Tian2010 Figs 16 and 23, Flores2006 Fig 8c: the lubricated journal never touches (Muvengei2012's gap is too wide)."""
    t_end, cheap = SHORT[name]
    model = MODELS[name](joint="lubricated", **cheap)
    _, sol = run(model, t_end)
    assert all(sol.clearance(pin).penetration.max() < -0.2 * model.clearance for pin in model.imperfect)
    assert all(sol.clearance(pin).limits == () for pin in model.imperfect)


@pytest.mark.parametrize("name", ["slider_crank_planar", "press", "slider_crank_lugre", "slider_crank_spatial"])
def test_rigid_slider_crank_follows_closed_form(name: str) -> None:
    """x = r cos(a) + sqrt(l^2 - r^2 sin(a)^2) over half a turn, to the second order of the step."""
    model: Any = MODELS[name](flexible=False)
    m, sol = run(model, 0.5 * model.turn)
    angle = 2.0 * np.pi * sol.t / model.turn
    exact = model.crank_length * np.cos(angle) + np.sqrt(model.rod_length**2 - (model.crank_length * np.sin(angle)) ** 2)
    assert np.abs(place(model, m, sol) - exact).max() < 1e-6 * model.rod_length


def test_ideal_press_accelerates_as_the_paper_says() -> None:
    """Chen2020: 2.81 m/s^2 = r w^2 (1 + r/l) at 100 rpm; the first step carries the method's start."""
    model = MODELS["press"]()
    m, sol = run(model, 0.3)
    assert np.abs(sol.acceleration(m["slider"].com)[:, 0]).max() == pytest.approx(2.81, abs=0.005)


def test_four_bar_starts_with_the_velocities_of_its_loop() -> None:
    """The assembly has nothing to correct."""
    model = MODELS["four_bar"]()
    _, sol = run(model, 1e-3)
    assert sol.statistics.moved_velocity < 1e-9


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("slider_crank_planar", {"imperfect": ("main bearing", "crank pin", "wrist pin")}),
        ("slider_crank_spatial", {"imperfect": ("main bearing", "crank pin", "wrist pin"), "elements": 2}),
        ("four_bar", {"imperfect": ("joint A", "joint B", "joint C", "joint D")}),
        ("double_pendulum", {"imperfect": ("bearing Q", "bearing B"), "elements": 2}),
        ("four_bar", {"imperfect": ("joint B",), "flexible": True, "elements": 2}),
        ("slider_crank_planar", {"flexible": True, "elements": 2}),
        ("double_pendulum", {"flexible": False}),
        ("flexible_pendulum", {"flexible": False}),
    ],
)
@pytest.mark.parametrize("joint", ["dry", "lubricated"])
def test_every_joint_can_be_imperfect_and_links_rigid_or_flexible(name: str, options: dict[str, Any], joint: str) -> None:
    model = MODELS[name](joint=joint, **options)
    _, sol = run(model, 0.5 * SHORT[name][0])
    for pin in model.imperfect:
        assert np.abs(sol.clearance(pin).eccentricity).max() > 0.0
        assert sol.clearance(pin).penetration.max() < model.clearance


@pytest.mark.parametrize(
    "contact", ["LankaraniNikravesh", "HuntCrossley", "Flores", "Hertz", "DubowskyFreudenstein", "ESDU78035"]
)
def test_contact_laws_by_name(contact: str) -> None:
    """All of them stop the slider of Flores2006 within a clearance."""
    model = MODELS["slider_crank_planar"](joint="dry", contact=contact)
    _, sol = run(model, 2e-4)
    found = sol.clearance("wrist pin")
    assert 0.0 < found.penetration.max() < model.clearance and len(found.impacts) >= 1


@pytest.mark.parametrize("friction", ["none", "Ambrosio", "Stribeck", "LuGre", "LuGre steady"])
def test_friction_laws_by_name(friction: str) -> None:
    """The largest coefficient in the first impacts is the one given: it slides."""
    model = MODELS["slider_crank_planar"](joint="dry", friction=friction)
    _, sol = run(model, 2e-4)
    found = sol.clearance("wrist pin")
    touching = found.normal_force > 1.0
    mu = np.linalg.norm(found.friction_force, axis=1)[touching] / found.normal_force[touching]
    assert mu.max() == pytest.approx(0.0 if friction == "none" else 0.1, abs=0.01)
