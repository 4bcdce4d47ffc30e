"""The papers that can be reproduced."""

from __future__ import annotations

import importlib
from pathlib import Path

from fmbs.core.checks import nearest
from fmbs.core.errors import ModelError
from fmbs.reproduce.paper import Paper

PAPERS = ("tian2010", "flores2006", "muvengi2011", "chen2020", "muvengei2012")


def paper(name: str) -> Paper:
    """By name."""
    if name not in PAPERS:
        raise ModelError(f"reproduce: there is no paper {name!r}.{nearest(name, PAPERS)}")
    found: Paper = importlib.import_module(f"fmbs.reproduce.{name}").PAPER
    return found


def reproduce(name: str, folder: Path, *, quick: bool = False, jobs: int | None = None) -> Path:
    """Run every case of a paper, `jobs` at a time, and write figures, results.json and a page into the folder: its path.

    quick: shorter runs, under two minutes
    """
    page = paper(name).reproduce(folder, quick=quick, jobs=jobs)
    print(f"wrote {page}")
    return page
