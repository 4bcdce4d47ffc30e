"""Every example runs, its numbers agree with their references, and it has its picture and its place in the gallery."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "examples"
NAMES = sorted(path.stem for path in ROOT.glob("*.py") if not path.stem.startswith("_"))


@pytest.mark.parametrize("name", NAMES)
def test_example(name: str) -> None:
    _, numbers, _ = import_module(f"examples.{name}").run()
    assert numbers
    for what, (found, reference, tolerance) in numbers.items():
        assert found == pytest.approx(reference, rel=tolerance), what


def test_gallery_shows_them_all() -> None:
    page = (ROOT / "README.md").read_text()
    assert len(NAMES) >= 20
    for name in NAMES:
        lines = (ROOT / f"{name}.py").read_text().splitlines()
        assert f"]({name}.py)" in page and (ROOT / f"{name}.png").stat().st_size < 60_000
        assert len(lines) <= 60, name
