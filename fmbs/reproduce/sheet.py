"""The page of a reproduction: what the paper states beside what fmbs got, and figures numbered as in the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fmbs as fm
from fmbs.reproduce.cases import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")  # Okabe and Ito: safe for colour-blind readers
DPI = 75  # small files: pages are committed


@dataclass
class Sheet:
    """Collects pieces of Markdown; figures are written at once."""

    folder: Path
    title: str
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.text(f"# {self.title}")

    def text(self, text: str) -> None:
        self.lines += [text, ""]

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.lines += ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
        self.lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
        self.lines.append("")

    def figure(self, name: str, caption: str, figure: Figure) -> None:
        """name: fig6; caption: the number and words of the paper."""
        figure.savefig(self.folder / f"{name}.png", dpi=DPI)
        self.lines += [f"![{caption}]({name}.png)", "", f"*{caption}*", ""]

    def costs(self, results: dict[str, Result]) -> None:
        """Steps and wall times; what failed."""
        self.text("## Cost")
        rows = [(r.label, r.steps, f"{r.wall:.1f}", f"{r.cpu:.1f}", r.failed or "complete") for r in results.values()]
        self.table(("run", "steps", "wall time [s]", "processor [s]", ""), rows)

    def write(self, quick: bool) -> Path:
        how = "`--quick`: shorter runs than the paper's." if quick else "Full length."
        path = self.folder / "README.md"
        path.write_text("\n".join([*self.lines, f"Written by `fmbs reproduce`, fmbs {fm.__version__}. {how}"]) + "\n")
        return path


def panels(rows: int, columns: int = 1, size: tuple[float, float] = (8.0, 2.6), **options: Any) -> tuple[Figure, Any]:
    """A figure and its axes (rows, columns); size: of one row of panels, inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(size[0], size[1] * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    for each in axes.ravel():
        each.grid(alpha=0.3)
    return figure, axes


def circle(axes: Any, radius: float) -> None:
    """The clearance circle around an orbit."""
    from matplotlib.patches import Circle

    axes.add_patch(Circle((0, 0), radius, fill=False, color="0.4", linestyle="--"))
    axes.set_aspect("equal")
