"""The comparison that fmbs is held to: a few works, the time of both programs, the ratio and what it should be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from measure import Result


@dataclass(frozen=True)
class Work:
    """A case of the benchmarks and the ratio of times, peer / fmbs, that it should reach; whole: of runs, not a step."""

    title: str
    case: str
    size: int
    target: float
    whole: bool = False


WORKS = [
    Work("planar slider-crank, ideal, a step", "slider-crank", 3, 5.0),
    Work("planar slider-crank, dry joint, a step (peer: law in Python)", "slider-crank-dry", 3, 5.0),
    Work("planar slider-crank, dry joint, a step (peer: native sphere)", "slider-crank-native", 3, 5.0),
    *(Work(f"clamped ANCF beam, {n} elements, a step", "beam-papers", n, 3.0) for n in (8, 64, 512, 4096)),
    Work("clamped ANCF beam, whole run to a tip error of 1e-3", "tip-error", 1, 10.0, whole=True),
    Work("chain of 1000 rigid bodies, a step", "chain", 1000, 2.0),
]


def row(work: Work, result: Result) -> dict[str, Any]:
    """Times in microseconds, None where a program is not there or failed."""
    ours, theirs = (
        None if (timing := result.good(program)) is None else timing.us_whole if work.whole else timing.us_per_step
        for program in ("fmbs", "exudyn")
    )
    ratio = theirs / ours if ours and theirs else None
    return {"work": work.title, "fmbs_us": ours, "peer_us": theirs, "ratio": ratio, "target": work.target}


def table(rows: list[dict[str, Any]]) -> str:
    """For people, as Markdown too."""
    lines = ["| work | fmbs, us | Exudyn, us | Exudyn / fmbs | target |", "|---|---:|---:|---:|---:|"]
    for item in rows:
        times = (_number(item["fmbs_us"]), _number(item["peer_us"]), _number(item["ratio"]))
        lines.append(f"| {item['work']} | {' | '.join(times)} | {item['target']:g} |")
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 1000.0 else f"{value:.0f}"
