"""Pictures and films without a screen, and a clear word where they cannot be made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fmbs as fm
from fmbs.export.film import ffmpeg
from fmbs.export.graphics import require_graphics
from tests.conftest import require
from tests.export.scenes import planar

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def sol() -> fm.Solution:
    require("pyvista")
    return planar().simulate(0.1, step=1e-3, output_step=0.01, progress=False)


@pytest.fixture(scope="module")
def graphics() -> None:
    try:
        require_graphics()
    except fm.ModelError as error:
        pytest.skip(str(error))


def test_picture_shows_the_frame(sol: fm.Solution, graphics: None, tmp_path: Path) -> None:
    """Painted, not full, and different at another time."""
    from PIL import Image

    images = [np.asarray(Image.open(sol.render(tmp_path / f"{t}.png", t=t, size=(400, 300)))) for t in (0.0, 0.05)]
    for image in images:
        assert image.shape == (300, 400, 3)
        painted = (image.min(axis=2) < 200).mean()
        assert 0.005 < painted < 0.6
    assert (images[0] != images[1]).any(axis=2).mean() > 0.005


def test_films(sol: fm.Solution, graphics: None, tmp_path: Path) -> None:
    from PIL import Image

    with Image.open(sol.animate(tmp_path / "run.gif", duration=1.0, fps=5, size=(200, 150))) as film:
        assert film.n_frames == 5
    try:
        ffmpeg()
    except fm.ModelError as error:
        pytest.skip(str(error))
    path = sol.animate(tmp_path / "run.mp4", duration=1.0, fps=5, size=(201, 151), field="speed")
    assert path.read_bytes()[4:8] == b"ftyp"


def test_without_graphics_there_is_an_error_not_a_crash(tmp_path: Path) -> None:
    """A window that VTK cannot make stands for a machine without OpenGL libraries."""
    require("pyvista")
    code = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import fmbs as fm
m = fm.Model("ball")
m.add(fm.RigidBody("ball", mass=1.0, inertia=(1.0, 1.0, 1.0)))
sol = m.simulate(0.01, step=0.005, progress=False)
try:
    sol.render("frame.png")
except fm.ModelError as error:
    print("said:", error)
"""
    environment = {**os.environ, "VTK_DEFAULT_OPENGL_WINDOW": "vtkXOpenGLRenderWindow", "DISPLAY": ":987"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "said: render: no OpenGL library" in done.stdout


def test_bad_input(sol: fm.Solution, graphics: None, tmp_path: Path) -> None:
    for call, words in (
        (lambda: sol.render(tmp_path / "a.png", field="strain"), "field = 'strain' is unknown"),
        (lambda: sol.render(tmp_path / "a.png", t=9.0), "outside the run"),
        (lambda: sol.render(tmp_path / "picture"), "no ending"),
        (lambda: sol.render(tmp_path / "no" / "a.png", size=(64, 64)), "cannot be written"),
    ):
        with pytest.raises(fm.ModelError, match=words):
            call()
