"""The papers that can be reproduced."""

from __future__ import annotations

import importlib
from pathlib import Path

from fmbs.core.checks import nearest
from fmbs.core.errors import ModelError

PAPERS = ("tian2010", "flores2006", "muvengi2011", "chen2020", "muvengei2012")


def reproduce(paper: str, folder: Path, *, quick: bool = False, jobs: int | None = None) -> Path:
    """Run every case of a paper, `jobs` at a time, and write figures and a page into the folder. Returns the page.

    quick: shorter runs, under two minutes
    """
    if paper not in PAPERS:
        raise ModelError(f"reproduce: there is no paper {paper!r}.{nearest(paper, PAPERS)}")
    page: Path = importlib.import_module(f"fmbs.reproduce.{paper}").reproduce(folder, quick=quick, jobs=jobs)
    print(f"wrote {page}")
    return page
