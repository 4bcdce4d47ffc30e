"""sol.show(): the page of a solution where one is looking, in a notebook or in a browser."""

from __future__ import annotations

import tempfile
import webbrowser
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fmbs.core.notebook import in_notebook

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

HEIGHT = 760  # pixels of the frame in a notebook


class EmbeddedReport:
    """A page within a notebook: a frame that holds the whole text of it, so that the notebook needs no further file."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self._text)}" width="100%" height="{HEIGHT}" style="border: 0"></iframe>'


def show(sol: Solution, **options: Any) -> Any:
    """A `EmbeddedReport` in a notebook; elsewhere the path of a page that a browser has been asked to open."""
    path = Path(tempfile.mkdtemp(prefix="fmbs-")) / "report.html"
    sol.report(path, **options)
    if in_notebook():
        return EmbeddedReport(path.read_text(encoding="utf-8"))
    webbrowser.open(path.as_uri())
    return path
