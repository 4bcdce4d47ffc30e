"""Every Python block of README and docs runs as it stands; what the project refers to is in the project."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba import cloudpickle

ROOT = Path(__file__).parents[1]
TUTORIALS = ROOT / "docs" / "tutorials"
PICTURE = re.compile(r"!\[.*?\]\((.*?)\)")
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
FOLDERS = ("fmbs", "tests", "docs", "benchmarks", "scripts")
FILE = re.compile(
    rf"(?<![\w/.<-])((?:{'|'.join(FOLDERS)})/[\w/.-]+\.(?:py|md|json|sh|png)|[A-Z]{{4,}}\.md|\.\./shared\S*|/work/\w+)"
)


def blocks() -> list[tuple[str, int, str]]:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]  # tutorials: blocks of a page go on from each other
    return [(page.name, i, code) for page in pages for i, code in enumerate(BLOCK.findall(page.read_text()))]


def run(page: str, number: int) -> dict[str, Any]:
    """The names that a block leaves behind. Dataclasses look their module up, so the block gets a real one."""
    code = next(code for name, i, code in blocks() if (name, i) == (page, number))
    module = ModuleType(f"{page}_{number}".replace(".", "_"))
    sys.modules[module.__name__] = module
    cloudpickle.register_pickle_by_value(module)  # as a script's functions, which another process cannot import
    exec(compile(code, f"{page} block {number}", "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


@pytest.mark.parametrize(("page", "number"), [(page, i) for page, i, _ in blocks()])
def test_block_runs(page: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "sol" in run(page, number)


@pytest.mark.parametrize("page", sorted(TUTORIALS.glob("*.md")), ids=lambda page: page.stem)
def test_tutorial_runs_and_gives_its_pictures(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    names: dict[str, Any] = {}
    for i, code in enumerate(BLOCK.findall(text)):
        exec(compile(code, f"{page.name} block {i}", "exec", dont_inherit=True), names)
    assert "sol" in names
    shown = PICTURE.findall(text)
    assert all((TUTORIALS / picture).exists() for picture in shown)
    assert {path.name for path in tmp_path.glob("*.png")} <= {Path(picture).name for picture in shown}


def test_tutorial_shows_the_file_that_its_command_runs() -> None:
    code = (TUTORIALS / "cantilever.py").read_text()
    assert code[code.index("def cantilever") :].strip() in (TUTORIALS / "convergence.md").read_text()


def test_readme_example_is_short_and_right(capsys: pytest.CaptureFixture[str]) -> None:
    """Stroke 2 r = 0.1 m; the pull at the pin against slider mass times acceleration, 2718.7 N (see tests/oracles)."""
    names = run("README.md", 0)
    sol, pin, slider = names["sol"], names["pin"], names["slider"]
    assert len([line for line in BLOCK.findall((ROOT / "README.md").read_text())[0].splitlines() if line]) <= 20
    assert np.ptp(sol.position(slider.com)[:, 0]) == pytest.approx(0.1, abs=1e-5)
    assert np.abs(sol.reaction(pin).force[:, 0]).max() == pytest.approx(2718.7, rel=1e-4)
    assert "largest motor moment" in capsys.readouterr().out


def test_leash_keeps_its_length_and_pulls() -> None:
    names = run("extending.md", 0)
    sol, dog = names["sol"], names["dog"]
    length = np.linalg.norm(sol.position(dog.at(1.8, 0, 0)), axis=1)
    assert np.abs(length - 1.8).max() < 1e-10
    pull, r = names["pull"], sol.position(dog.at(1.8, 0, 0))
    assert np.abs(np.cross(pull, r)).max() < 1e-9 * np.abs(pull).max()  # a leash pulls along itself


def test_magnets_follow_an_independent_integration() -> None:
    """DOP853 on the two-body problem with drag; tolerance 1e-5 of the run, plus a margin."""
    from scipy.integrate import solve_ivp

    names = run("extending.md", 1)

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        r, v = y[:3], y[3:]
        return np.concatenate([v, -r / np.linalg.norm(r) ** 3 - 0.05 * v])

    exact = solve_ivp(rate, (0.0, 2.0), [1.0, 0, 0, 0, 1.0, 0], method="DOP853", rtol=1e-11, atol=1e-12).y[:3, -1]
    assert np.abs(names["orbit"][-1] - exact).max() < 1e-4


def test_law_of_ones_own_is_short_and_bounces() -> None:
    """The restitution of any F = f(d) (1 + a d'/d'(-)): a (1 + e) = ln[(1 + a)/(1 - a e)]."""
    from scipy.optimize import brentq

    names = run("extending.md", 2)
    code = next(code for page, i, code in blocks() if (page, i) == ("extending.md", 2))
    law = code[code.index("@dataclass") : code.index("class Arctangent")]
    assert len([line for line in law.splitlines() if line]) < 20
    a = 0.75 * (1 - 0.7**2) * np.exp(0.6)
    exact = brentq(lambda e: a * (1 + e) - np.log((1 + a) / (1 - a * e)), 1e-3, min(0.999, 0.999 / a))
    assert names["first"].restitution == pytest.approx(exact, abs=0.01)


def test_readme_impacts() -> None:
    """The first impact of Flores2006's slider-crank is at 71.77 us with 1.393 m/s (reference.json)."""
    names = run("README.md", 1)
    first = names["sol"].clearance(names["pin"]).impacts[0]
    assert first.t == pytest.approx(7.177e-5, rel=1e-3)
    assert first.approach_speed == pytest.approx(1.393, rel=1e-3)


def texts() -> list[Path]:
    """What people read of the project: code, pages and settings."""
    kinds = (".py", ".md", ".sh", ".toml", ".yml")
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    return sorted([*found, ROOT / "Makefile", *(path for path in ROOT.glob("*.*") if path.suffix in kinds)])


def test_the_project_refers_only_to_files_that_it_contains() -> None:
    known = {path.name for path in texts() if path.suffix == ".md"}
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in texts()
        for name in FILE.findall(path.read_text())
        if not (ROOT / name).exists() and name not in known
    ]
    assert not missing
