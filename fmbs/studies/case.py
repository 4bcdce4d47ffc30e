"""One case of a sweep: parameters in, numbers out. It can be pickled, for other machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fmbs.studies.dynamics import strobe
from fmbs.studies.measure import Asked, label, measure_of, signal
from fmbs.studies.subject import Subject


@dataclass(frozen=True)
class Case:
    """What to run and what to keep of it.

    measures: texts or functions, see fmbs.studies.measure
    section: a quantity to sample once a period, for Poincare and bifurcation figures
    skip: s at the start that do not count; skip_turns: the same in periods
    store: HDF5 file for the whole run, None to keep the numbers only
    signals: quantities whose values at all frames are kept in the file `curves` (numpy's npz)
    """

    subject: Subject
    parameters: Mapping[str, Any]
    measures: tuple[Asked, ...]
    section: str = ""
    skip: float = 0.0
    skip_turns: float = 0.0
    store: Path | None = None
    signals: tuple[str, ...] = ()
    curves: Path | None = None


def run_case(case: Case) -> dict[str, Any]:
    """Values of the measures by their text, and the samples of the section."""
    solution = case.subject.run(case.parameters)
    points = case.subject.points(solution, case.parameters)
    if case.store is not None:
        case.store.parent.mkdir(parents=True, exist_ok=True)
        solution.save(case.store)
    if case.curves is not None:
        case.curves.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(case.curves, t=solution.t, **{q: signal(solution, q, points) for q in case.signals})
    period = case.subject.period(case.parameters) if case.section or case.skip_turns else 0.0
    skip = max(case.skip, case.skip_turns * period)
    found: dict[str, Any] = {label(each): measure_of(each, skip).of(solution, points) for each in case.measures}
    if case.section:
        x = strobe(solution.t, signal(solution, case.section, points), period, skip)
        found["samples"] = np.asarray(x).tolist()
    return found
