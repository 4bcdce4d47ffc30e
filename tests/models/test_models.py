"""Every model runs with every kind of joint, and does what mechanics says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.cli import main
from fmbs.models import MODELS, Mechanism
from fmbs.models.laws import CONTACTS, FRICTIONS, RIGID

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


@pytest.mark.parametrize("name", ["slider_crank_planar", "press", "slider_crank_lugre", "four_bar"])
def test_stiff_beams_move_as_rigid_links(name: str) -> None:
    """Links of E = 1e14 Pa: the point that the model is about follows the rigid mechanism to a thousandth of the crank."""
    beams = {"flexible": True, "flexible_crank": True, "elements": 1, "E": 1e14}
    models: list[Any] = [MODELS[name](**beams), MODELS[name]()]
    paths = [place(model, *run(model, 0.05 * 60.0 / model.rpm)) for model in models]
    assert np.ptp(paths[1]) > 1e-4
    assert np.abs(paths[0] - paths[1]).max() < 1e-3 * models[0].crank_length


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("slider_crank_planar", {"imperfect": ("main bearing", "crank pin", "wrist pin", "guide")}),
        ("slider_crank_planar", {"imperfect": ("guide",)}),
        ("press", {"imperfect": ("main bearing", "crank pin", "wrist pin", "guide")}),
        ("slider_crank_lugre", {"imperfect": ("wrist pin", "guide")}),
        ("slider_crank_spatial", {"imperfect": ("main bearing", "crank pin", "wrist pin", "guide"), "elements": 2}),
        ("slider_crank_spatial", {"imperfect": ("guide",), "flexible": False}),
        ("four_bar", {"imperfect": ("joint A", "joint B", "joint C", "joint D")}),
        ("double_pendulum", {"imperfect": ("bearing Q", "bearing B"), "elements": 2}),
        ("four_bar", {"imperfect": ("joint B",), "flexible": True, "elements": 2}),
        ("four_bar", {"flexible": True, "flexible_crank": True, "elements": 2}),
        ("slider_crank_planar", {"flexible": True, "elements": 2}),
        ("slider_crank_planar", {"flexible": True, "flexible_crank": True, "elements": 2}),
        ("press", {"flexible_crank": True, "elements": 1}),
        ("slider_crank_lugre", {"flexible_crank": True, "elements": 1}),
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


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("joint", ["ideal", "dry", "lubricated", "mixed"])
def test_every_model_runs_with_every_joint_from_the_command_line(
    name: str, joint: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What `fmbs run` prints for machines says that the run is complete and what the joints did."""
    t_end, cheap = SHORT[name]
    words = [f"{key}={value}" for key, value in cheap.items()]
    short = ["--t-end", str(0.1 * t_end), "--out", str(tmp_path), "--json", "--no-files"]
    assert main(["run", name, f"joint={joint}", *words, *short]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["complete"] and found["parameters"]["joint"] == joint
    assert any(key.startswith(("eccentricity", "friction_force")) for key in found["quantities"]) == (joint != "ideal")


def test_slider_in_a_guide_with_clearance() -> None:
    """It moves to a wall and no further than its edges give in; friction on the wall tilts it, nothing else does."""
    for friction in ("none", "Ambrosio"):
        model: Any = MODELS["slider_crank_planar"](joint="dry", imperfect=("guide",), friction=friction)
        m, sol = run(model, 0.25 * model.turn)
        tilt = np.abs(sol.angle(m["slider"])).max() * model.slider_length / model.clearance
        assert 1.0 < np.abs(sol.position(m["slider"].com)[:, 1]).max() / model.clearance < 2.0
        assert 1e-3 < tilt < 3.0 if friction == "Ambrosio" else tilt < 1e-9


@pytest.mark.parametrize("contact", ["KelvinVoigt", "Maxwell", "StandardLinearSolid"])
def test_linear_laws_return_the_restitution(contact: str) -> None:
    """A mass thrown at the wall comes back with e = 0.9 of its speed: Maxwell exactly, the others to second order in 1 - e."""
    model = MODELS["slider_crank_planar"](contact=contact, joint="dry")
    m = fm.Model("thrown")
    ball = m.add(fm.PlanarBody("ball", mass=model.contact_mass, inertia=1.0, com=(0, 0), velocity=(1.0, 0)))
    m.add(model.revolute("wrist pin", m.ground.at(0, 0), ball.com))
    sol = m.simulate(1.8e-4, step=1e-7, output_step=1e-6, progress=False)
    assert len(sol.clearance("wrist pin").impacts) == 1
    back = -sol.velocity(ball.com)[-1, 0]
    assert back == pytest.approx(model.restitution, abs=1e-3 if contact == "Maxwell" else 0.02)


@pytest.mark.parametrize("contact", [name for name in CONTACTS if name not in RIGID])
def test_contact_laws_by_name(contact: str) -> None:
    """All of them stop the slider of Flores2006 within a clearance; Chen2020's stiffness, 20 times softer, within three."""
    model = MODELS["slider_crank_planar"](joint="dry", contact=contact)
    _, sol = run(model, 2e-4)
    found = sol.clearance("wrist pin")
    assert found.penetration.max() < (3.0 if contact == "Chen2020" else 1.0) * model.clearance
    assert len(found.impacts) >= 1  # against a stiff liner it may lie between two frames


@pytest.mark.parametrize("contact", RIGID)
def test_impact_laws_by_name(contact: str) -> None:
    """Rigid surfaces stay outside each other, with steps of the ideal mechanism, and part with the restitution."""
    model = MODELS["slider_crank_planar"](joint="dry", contact=contact)
    assert model.settings() == MODELS["slider_crank_planar"]().settings()
    _, sol = run(model, 4e-4)
    found = sol.clearance("wrist pin")
    assert found.penetration.max() < 1e-12 and len(found.impacts) >= 2
    assert [impact.restitution for impact in found.impacts[:2]] == pytest.approx([0.9, 0.9], rel=1e-9)


@pytest.mark.parametrize("friction", FRICTIONS)
def test_friction_laws_by_name(friction: str) -> None:
    """The largest coefficient in the first impacts is the one given: it slides."""
    model = MODELS["slider_crank_planar"](joint="dry", friction=friction)
    _, sol = run(model, 2e-4)
    found = sol.clearance("wrist pin")
    touching = found.normal_force > 1.0
    mu = np.linalg.norm(found.friction_force, axis=1)[touching] / found.normal_force[touching]
    if friction in ("none", "Ambrosio", "Stribeck", "LuGre", "LuGre steady", "Dahl"):
        assert mu.max() == pytest.approx(0.0 if friction == "none" else 0.1, abs=0.01)
    else:  # they may start from static friction, and bristles scatter
        assert 0.09 < mu.max() < 0.2
