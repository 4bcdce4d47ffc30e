"""What a release needs: one version everywhere, and files that say what they should."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import fmbs

ROOT = Path(__file__).parents[1]


def test_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    citation = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    newest = re.search(r"^## \[(.*?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert citation and newest
    assert project == fmbs.__version__ == citation[1] == newest[1]


def test_recipes_ask_for_what_the_project_asks_for() -> None:
    """The conda recipe lists the same packages as pyproject.toml."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    recipe = (ROOT / "conda" / "meta.yaml").read_text().replace(" >=", ">=")
    assert [package for package in wanted if package not in recipe] == []


def test_types_are_shipped() -> None:
    assert (Path(fmbs.__file__).parent / "py.typed").exists()
