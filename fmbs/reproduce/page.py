"""The page of a reproduction: what the paper states beside what fmbs got, and figures numbered as in the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fmbs.reproduce.claim import VERDICTS, Claim
from fmbs.reproduce.record import Record

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")  # Okabe and Ito: safe for colour-blind readers
DPI = 75  # small files: pages are committed
TESTS = "tests/literature/"


@dataclass
class Page:
    """Collects pieces of Markdown, from a record alone."""

    title: str
    record: Record
    claims: tuple[Claim, ...]
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text(f"# {self.title}")

    @property
    def numbers(self) -> dict[str, Any]:
        return self.record.numbers

    def text(self, text: str) -> None:
        """Braces name numbers of the record: {dry[force]:.2f}."""
        self.lines += [text.format(**self.numbers), ""]

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.lines += ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
        self.lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
        self.lines.append("")

    def statements(self) -> None:
        """The table of all statements, and how many of each verdict."""
        self.text("## What the paper states, and what fmbs got")
        found = [(claim, claim.judged(self.numbers)) for claim in self.claims]
        rows = [
            (k, f"{claim.where}: {claim.words}", claim.found(self.numbers), f"**{said}**", _test(claim))
            for k, (claim, said) in enumerate(found, 1)
        ]
        self.table(("", "the paper", "fmbs", "verdict", f"test, in {TESTS}"), rows)
        counts = ", ".join(f"{sum(said == each for _, said in found)} {each}" for each in VERDICTS)
        self.text(f"{len(found)} statements: {counts}.")

    def figure(self, name: str) -> None:
        caption = self.record.figures[name]["caption"]
        self.lines += [f"![{caption}]({name}.png)", "", f"*{caption}*", ""]

    def figures(self) -> None:
        """All of them, in their order."""
        for name in self.record.figures:
            self.figure(name)

    def runs(self) -> None:
        """Settings and costs of every run."""
        self.text("## Runs")
        rows = []
        for run in self.record.runs:
            values = ", ".join(f"{key}={_short(x)}" for key, x in run["parameters"].items()) or "defaults"
            options = ", ".join(f"{key} {_short(x)}" for key, x in run["options"].items())
            many = f"{run['members']}, push {run['push']:g} N, seed {run['seed']}" if run["push"] else str(run["members"])
            state = run["failed"][0].splitlines()[0] if run["failed"] else "complete"
            cells = (run["label"], f"`{run['model']}` {values}", f"{run['t_end']:.6g} s, {options}", many)
            rows.append((*cells, run["steps"], f"{run['cpu']:.1f}", state))
        self.table(("run", "model", "duration and steps", "runs", "steps", "processor [s]", ""), rows)

    def finished(self) -> str:
        r = self.record
        how = "`--quick`: shorter runs and smaller ensembles." if r.quick else "Full length."
        total = sum(run["cpu"] for run in r.runs) / 60.0
        self.text(
            f"Written by `fmbs reproduce {r.paper}` of fmbs {r.version}, commit `{r.commit or 'unknown'}`, in {r.minutes:.1f} "
            f"minutes ({total:.1f} of the processor). {how} All numbers are in [results.json](results.json)."
        )
        return "\n".join(self.lines).rstrip() + "\n"


def _test(claim: Claim) -> str:
    return f"`{claim.test.removeprefix('test_')}`".replace("::", " ") if claim.test else claim.reason


def _short(x: Any) -> str:
    return f"{x:.6g}" if isinstance(x, float) else " and ".join(map(str, x)) if isinstance(x, list | tuple) else str(x)


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
