"""docs/trust.md and its figure, from all runs of the sweep: `python -m tests.robustness.trust_page`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path

from fmbs.plots.style import panels
from tests.robustness.trust_cases import FAMILIES, Outcome, cases, judged

FOLDER = Path(__file__).parents[2] / "docs"
TEXT = Path(__file__).with_suffix(".md")  # the page without its numbers
SAID = {"quiet": ("o", "0.6"), "warned": ("^", "tab:orange"), "refused": ("x", "tab:red")}


def run_all() -> list[Outcome]:
    """On all cores."""
    with Pool() as pool:
        return pool.map(_judged, range(len(cases())), chunksize=1)


def _judged(place: int) -> Outcome:
    return judged(cases()[place])


def table(outcomes: Sequence[Outcome]) -> str:
    """Counts by family."""
    lines = ["| | runs | quiet | warned | stopped | silent |", "|---|---|---|---|---|---|"]
    for family, text in [*FAMILIES.items(), ("", "all")]:
        own = [each for each in outcomes if family in ("", each.family)]
        said, silent = Counter(each.said for each in own), sum(each.silent for each in own)
        lines.append(f"| {text} | {len(own)} | {said['quiet']} | {said['warned']} | {said['refused']} | {silent} |")
    return "\n".join(lines)


def draw(outcomes: Sequence[Outcome], path: Path) -> None:
    """Energy error over the step, a panel a family."""
    figure, axes = panels(2, 3, size=(10.0, 6.0))
    for place, family in zip(axes.flat, FAMILIES, strict=False):
        for said, (marker, colour) in SAID.items():
            own = [each for each in outcomes if each.family == family and each.said == said]
            turns = family in ("spin", "slider-crank")
            x = [each.size if turns else each.step for each in own]
            y = [min(max(each.gain, each.loss, 1e-10), 1e10) for each in own]
            place.plot(x, y, marker, color=colour, markersize=4, alpha=0.6, label=said)
        place.axhline(0.01, color="k", linestyle="--", linewidth=0.8)
        place.axhline(0.11, color="k", linestyle=":", linewidth=0.8)
        place.set(xscale="log", yscale="log", title=family, ylim=(3e-11, 3e10))
        place.set_xlabel("steps a turn" if family in ("spin", "slider-crank") else "step [s]")
    axes.flat[0].set_ylabel("energy wrong, of that exchanged")
    axes.flat[0].legend()
    axes.flat[-1].axis("off")
    figure.savefig(path)


def main() -> None:
    outcomes = run_all()
    draw(outcomes, FOLDER / "figures" / "trust.png")
    (FOLDER / "trust.md").write_text(TEXT.read_text().format(total=len(outcomes), table=table(outcomes)))
    print(table(outcomes))


if __name__ == "__main__":
    main()
