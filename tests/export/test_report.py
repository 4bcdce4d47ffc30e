"""The page works in a browser, needs nothing from outside, and stays small."""

from __future__ import annotations

import base64
import re
import zlib
from html import escape
from pathlib import Path

import numpy as np
import pytest

import fmbs as fm
from fmbs.export.animation import animation
from fmbs.export.journals import Journals, journal_motions
from fmbs.export.scene import scene
from fmbs.plots import Plots
from fmbs.results.energy import Energy
from fmbs.results.solution import Statistics
from tests.conftest import require
from tests.export.chromium import Chromium
from tests.export.scenes import planar, rattling, swinging

PIXELS = """(() => {
  const c = document.getElementById("scene"), g = c.getContext("webgl2"), p = new Uint8Array(4 * c.width * c.height);
  g.readPixels(0, 0, c.width, c.height, g.RGBA, g.UNSIGNED_BYTE, p);
  let painted = 0, sum = 0;
  for (let i = 0; i < p.length; i += 4) if (p[i] + p[i + 1] + p[i + 2] < 740) { painted++; sum += (i / 4) * (p[i] + 1); }
  return [painted, sum, c.width * c.height];
})()"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("matplotlib")
    sol = planar().simulate(0.2, step=1e-3, output_step=5e-3, progress=False)
    return sol.report(tmp_path_factory.mktemp("page") / "report.html", title="Crank & <rod>")


ODD = r"$\frac{1}$", "@VIEWER@", "@DATA@ $", "</script><b>", r"a\$b_$", "%s {0}"


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_names(name: str, tmp_path: Path) -> None:
    """They are no formulas in a figure, and no places to fill in on the page."""
    require("matplotlib")
    m = fm.Model("odd", gravity=(0.0, -9.81))
    ball = m.add(fm.PlanarBody(name, mass=1.0, inertia=1.0, com=(0.0, 0.0)))
    m.add(
        fm.ClearanceRevolute(
            m.ground.at(0.0, 0.0), ball.com, bearing_radius=0.02, clearance=1e-3, contact=fm.contact.Hertz(stiffness=1e9),
            name=f"{name} joint",
        )
    )  # fmt: skip
    sol = m.simulate(0.002, step=1e-4, progress=False)
    text = sol.report(tmp_path / "report.html", title=name).read_text()
    assert text.count("function start") == 1
    assert f"<h1>{escape(name)}</h1>" in text
    assert text.count('<img alt="figure"') == 4
    for figure in (sol.plot.history(ball.com), sol.plot.orbit(f"{name} joint")):
        figure.savefig(tmp_path / "figure.png")
        assert name in figure.get_suptitle().replace(r"\$", "$")


def test_figures_that_cannot_be_drawn_are_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise fm.ModelError("crank: nothing <to> draw.")

    require("matplotlib")
    sol = planar().simulate(0.02, step=1e-3, progress=False)
    usual = sol.report(tmp_path / "report.html").read_text().count('<img alt="figure"')
    monkeypatch.setattr(Plots, "reaction", refuse)
    text = sol.report(tmp_path / "report.html").read_text()
    assert "nothing &lt;to&gt; draw" in text
    assert 0 < text.count('<img alt="figure"') < usual


def test_page_is_self_contained(page: Path) -> None:
    text = page.read_text()
    assert "Crank &amp; &lt;rod&gt;" in text
    assert not re.search(r"https?://", text)
    assert text.count("data:image/png;base64,") == 7  # energy, motor, four reactions, steps
    for words in ("wrist pin", "Rectangle(y=0.01, z=0.02)", "E=1e+08", "largest energy error", "All 41 frames"):
        assert words in text


def test_page_in_a_browser(page: Path, tmp_path: Path) -> None:
    """Something is drawn, play advances, scrubbing, orbiting and colours change the picture, nothing is asked for."""
    with Chromium(tmp_path / "profile") as browser:
        browser.open(page)
        browser.wait("window.viewer && window.viewer.ready")
        painted, first, pixels = browser.evaluate(PIXELS)
        assert 0.005 * pixels < painted < 0.6 * pixels
        browser.evaluate("document.getElementById('play').click()")
        browser.wait("window.viewer.frame > 2")
        browser.evaluate("document.getElementById('play').click()")
        frame = browser.evaluate("window.viewer.frame")
        assert browser.evaluate(PIXELS)[1] != first
        assert browser.evaluate("window.viewer.frame") == frame  # paused
        browser.evaluate("(s => { s.value = 20; s.oninput(); })(document.getElementById('scrub'))")
        assert browser.evaluate("document.getElementById('time').textContent") == "t = 0.1000 s"
        scrubbed = browser.evaluate(PIXELS)[1]
        drag = "document.getElementById('scene').onpointermove({ buttons: 1, movementX: 60, movementY: -80, shiftKey: false })"
        browser.evaluate(drag)
        turned = browser.evaluate(PIXELS)[1]
        assert turned != scrubbed
        browser.evaluate("(s => { s.value = 1; s.onchange(); })(document.getElementById('field'))")
        assert browser.evaluate(PIXELS)[1] != turned
        assert "Pa" in browser.evaluate("document.getElementById('high').textContent")
        assert browser.errors == []
        outside = [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:", "about:"))]
        assert outside == [] and len([url for url in browser.requests if url.startswith("file:")]) == 1


def test_the_gap_in_a_browser(tmp_path: Path) -> None:
    """The pin moves in the joint's own view, more where the gap is larger; the slider and the views change the picture."""
    require("matplotlib")
    sol = rattling().simulate(0.02, step=2e-5, output_step=4e-4, progress=False)
    gap = "(() => { const c = document.getElementById('gap'); return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.reduce((s, x, i) => (s * 31 + x) % 1000003, 0); })()"  # noqa: E501
    with Chromium(tmp_path / "profile") as browser:
        browser.open(sol.report(tmp_path / "report.html", figures=[]))
        browser.wait("window.viewer && window.viewer.ready")
        assert browser.evaluate("window.viewer.magnify") == 20.0  # a fifth of the radius
        assert "×20" in browser.evaluate("document.getElementById('factor').textContent")
        seen = [browser.evaluate(gap)]
        browser.evaluate("(s => { s.value = 25; s.oninput(); })(document.getElementById('scrub'))")
        seen.append(browser.evaluate(gap))
        browser.evaluate("(s => { s.value = 0; s.oninput(); })(document.getElementById('magnify'))")
        seen.append(browser.evaluate(gap))
        assert len(set(seen)) == 3
        before = browser.evaluate(PIXELS)[1]
        browser.evaluate("document.getElementById('view-x').click()")
        assert browser.evaluate(PIXELS)[1] != before
        assert browser.evaluate("document.querySelectorAll('#curves canvas').length") == 3  # eccentricity, force, energy
        assert browser.errors == []


@pytest.mark.parametrize("magnify", [1.0, 20.0, 1e6])
def test_pins_are_drawn_with_a_magnified_gap(magnify: float) -> None:
    """Between the drawn surfaces every gap is k times c - e . n, and no gap is so large that no pin is left."""
    sol = rattling().simulate(0.005, step=2e-5, output_step=5e-4, progress=False)
    (motion,) = journal_motions(sol, list(sol.system.forces))
    factor = min(magnify, 0.6 * 0.01 / 1e-4)
    radius, ends = motion.drawn(magnify)
    assert np.allclose(ends[:, 0, :2], factor * sol.clearance("pin").eccentricity, atol=1e-15)
    assert radius == pytest.approx(0.01 - factor * 1e-4)
    layer = Journals([motion], magnify)
    shot = layer.snapshot(5)
    pin = shot.points[shot.fields["pin"] == 1]
    around = pin[:, :2] - sol.position(motion.joint.bearing)[5]
    local = around @ motion.axes[5][:2, :2]
    assert np.abs(np.hypot(*(local - ends[5, 0, :2]).T) - radius).max() < 1e-12


def test_a_film_shows_its_pressure_around_the_bush() -> None:
    sol = rattling(film=True).simulate(0.01, step=2e-5, output_step=1e-4, progress=False)
    data, _ = animation(sol)
    (joint,) = data["gaps"]["joints"]
    around = np.frombuffer(zlib.decompress(base64.b64decode(joint["pressure"])), np.float32).reshape(len(sol), -1)
    assert joint["peak"] == pytest.approx(sol.clearance("pin").film.peak_pressure.max(), rel=0.02)
    assert around.max() == 1.0 and around.min() >= 0.0


def test_shown_in_a_notebook_or_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    sol = rattling().simulate(0.002, step=1e-4, progress=False)
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", asked.append)
    path = sol.show(figures=[])
    assert asked == [path.as_uri()] and path.exists()
    monkeypatch.setattr("fmbs.export.show.in_notebook", lambda: True)
    frame = sol.show(figures=[])._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and "rattling" not in asked


def test_packed_points_are_the_surfaces(tmp_path: Path) -> None:
    """Unpacked as the viewer does it: within one step of 1/65534 of the motion's box."""
    sol = swinging().simulate(0.1, step=2e-3, output_step=0.01, initial_velocities="impulse", progress=False)
    data, _ = animation(sol, per_element=2)
    bent = data["bent"]
    raw = np.frombuffer(zlib.decompress(base64.b64decode(bent["positions"])), np.int16).reshape(len(sol), -1, 3)
    points = np.cumsum(raw, axis=0, dtype=np.int16) * np.array(bent["unit"]) + bent["origin"]
    layers = {layer.name: layer for layer in scene(sol, per_element=2)}
    for frame in (0, 5, len(sol) - 1):
        assert (np.abs(points[frame] - layers["beams"].snapshot(frame).points) < 0.6 * np.array(bent["unit"]) + 1e-6).all()
    rigid = data["rigid"]
    place = np.frombuffer(zlib.decompress(base64.b64decode(rigid["positions"])), np.float32).reshape(-1, 3)
    matrix = np.frombuffer(zlib.decompress(base64.b64decode(rigid["matrices"])), np.float32).reshape(len(sol), -1, 4, 4)
    body = layers["bodies"].snapshot(7).points
    moved = place[: len(body)] @ matrix[7, 0, :3, :3] + matrix[7, 0, 3, :3]  # columns first, as WebGL reads them
    assert np.abs(moved - body).max() < 1e-6


def test_large_models_stay_small_and_say_so(tmp_path: Path) -> None:
    """500 frames of 1000 elements with noise in every coordinate, which does not deflate: below 15 MB."""
    m = fm.Model("long")
    soft = fm.Material(E=1e9, density=1e3)
    m.add(fm.Beam("rope", start=(0, 0, 0), end=(10, 0, 0), section=fm.Circle(0.02), material=soft, elements=1000))
    system = m.system()
    t = np.linspace(0.0, 1.0, 500)
    q = system.initial_position + 0.1 * np.random.default_rng(1).standard_normal((t.size, system.size))
    energy = Energy(*5 * (np.zeros(t.size),), contacts=np.zeros((t.size, 0)), numerical=np.zeros(t.size))
    sol = fm.Solution(system, t, q, 0 * q, 0 * q, np.zeros((t.size, 0)), energy, Statistics())
    page = sol.report(tmp_path / "report.html", figures=[])
    assert page.stat().st_size < 15e6
    found = re.search(r"One frame in (\d+) is here, (\d+) of 500", page.read_text())
    assert found and int(found[2]) == len(range(0, 500, int(found[1]))) + 1


def test_bad_input(tmp_path: Path) -> None:
    sol = planar().simulate(0.01, step=1e-3, progress=False)
    with pytest.raises(fm.ModelError, match="cannot be written"):
        sol.report(tmp_path / "no" / "report.html", figures=[])
    with pytest.raises(fm.ModelError, match=r"magnify = 0\.5 makes gaps smaller"):
        sol.to_vtk(tmp_path / "run.pvd", magnify=0.5)
    with pytest.raises(fm.ModelError, match="view"):
        sol.render(tmp_path / "run.png", view="above")
