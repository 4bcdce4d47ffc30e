"""The comparison that fmbs is held to: a few works, the time of both programs, the ratio and what it should be.

Chrono (C++, -O3 and AVX2, KLU, Jacobian kept) was measured once, on another machine, beside Exudyn. Its times there are
scaled by what Exudyn takes here, in the same run, for the works of SCALE; without Exudyn they are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from measure import Result


@dataclass(frozen=True)
class Work:
    """A case of the benchmarks and the ratio of times, peer / fmbs, that it should reach.

    whole: of runs, not a step
    chrono: us a step on the other machine, for the same work; ahead: the ratio of Chrono's scaled time that fmbs should reach
    """

    title: str
    case: str
    size: int
    target: float
    whole: bool = False
    chrono: float | None = None
    ahead: float | None = None


SCALE = {("slider-crank", 3): 37.0, ("chain", 1000): 20_900.0}  # Exudyn there, us a step
SIZES = (8, 64, 512, 4096)
PAPERS = (193.0, 1307.0, 9048.0, 83_842.0)  # Chrono's 3243
CUBIC = (302.0, 2331.0, 15_276.0, 103_481.0)  # Chrono's 3333


WORKS = [
    Work("planar slider-crank, ideal, a step", "slider-crank", 3, 5.0, chrono=27.0),
    Work("planar slider-crank, dry joint, a step (peer: law in Python)", "slider-crank-dry", 3, 5.0),
    Work("planar slider-crank, dry joint, a step (peer: native sphere)", "slider-crank-native", 3, 5.0),
    *(
        Work(f"clamped ANCF beam, {n} elements, a step", "beam-papers", n, 5.0, chrono=us, ahead=5.0)
        for n, us in zip(SIZES, PAPERS, strict=True)
    ),
    *(
        Work(f"clamped default beam, {n} elements, a step", "beam", n, 4.0, chrono=us, ahead=4.0)
        for n, us in zip(SIZES, CUBIC, strict=True)
    ),
    Work("clamped ANCF beam, whole run to a tip error of 1e-3", "tip-error", 1, 10.0, whole=True),
    Work("chain of 1000 rigid bodies, a step", "chain", 1000, 6.9, chrono=6084.0, ahead=2.0),
]


def scale(results: list[Result]) -> float | None:
    """How much longer Exudyn takes here than on the machine of Chrono's times: the geometric mean of the works of SCALE."""
    found = [
        timing.us_per_step / SCALE[result.name, result.size]
        for result in results
        if (result.name, result.size) in SCALE and (timing := result.good("exudyn"))
    ]
    return float(np.exp(np.mean(np.log(found)))) if found else None


def row(work: Work, result: Result, scale: float | None = None) -> dict[str, Any]:
    """Times in microseconds, None where a program is not there or failed. scale: of Chrono's times."""
    ours, theirs = (
        None if (timing := result.good(program)) is None else timing.us_whole if work.whole else timing.us_per_step
        for program in ("fmbs", "exudyn")
    )
    chrono = work.chrono * scale if work.chrono and scale else None
    return {
        "work": work.title, "fmbs_us": ours, "peer_us": theirs, "ratio": _ratio(theirs, ours), "target": work.target,
        "chrono_us": chrono, "chrono_ratio": _ratio(chrono, ours), "chrono_target": work.ahead,
    }  # fmt: skip


COLUMNS = {
    "fmbs_us": "fmbs, us", "peer_us": "Exudyn, us", "ratio": "Exudyn / fmbs", "target": "target",
    "chrono_us": "Chrono, scaled, us", "chrono_ratio": "Chrono / fmbs", "chrono_target": "target",
}  # fmt: skip


def table(rows: list[dict[str, Any]]) -> str:
    """For people, as Markdown too."""
    lines = [f"| work | {' | '.join(COLUMNS.values())} |", "|---|" + "---:|" * len(COLUMNS)]
    lines += [f"| {item['work']} | {' | '.join(_number(item[name]) for name in COLUMNS)} |" for item in rows]
    return "\n".join(lines)


def _ratio(theirs: float | None, ours: float | None) -> float | None:
    return theirs / ours if ours and theirs else None


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 1000.0 else f"{value:.0f}"
