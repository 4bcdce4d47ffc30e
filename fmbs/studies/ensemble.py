"""Ensembles: the same run many times with small pushes, for statements about motions that are sensitive to everything."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import choice, listed, mapping, not_negative, number, whole
from fmbs.core.errors import ModelError
from fmbs.core.files import replace_text
from fmbs.models.parameter import parameters as parameters_of
from fmbs.studies.agreement import Agreement, Holds, Spread, Statement
from fmbs.studies.measure import Asked, labels
from fmbs.studies.push import MEMBER, Push
from fmbs.studies.subject import Build, Subject
from fmbs.studies.sweep import CURVES, Sweep, sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fmbs.models import Mechanism

Array = NDArray[np.float64]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Ensemble:
    """Members of one run, in their order; member 0 is the run itself.

    sweep: their table; push, vary: what tells them apart; signals: quantities whose curves were kept
    """

    sweep: Sweep
    push: Push
    vary: Mapping[str, float]
    measures: tuple[str, ...]
    statements: tuple[Statement, ...]
    signals: tuple[str, ...]

    @property
    def members(self) -> int:
        return len(self.sweep.rows)

    def spread(self, measure: str) -> Spread:
        """Of the members that ended."""
        choice("ensemble", "measure", measure, self.measures)
        ended = [row.values[measure] for row in self.sweep.done]
        if not ended:
            raise ModelError(f"ensemble: none of the {self.members} runs ended; {self.sweep.rows[0].reason}")
        return Spread.over(ended)

    def verdict(self, statement: str | Holds) -> Agreement:
        """In how many members a statement holds: "impacts(pin) > 10", or a function of {measure: value} -> bool."""
        holds: Holds = Statement.parse(statement) if isinstance(statement, str) else statement
        if isinstance(holds, Statement):
            for measure in holds.measures:
                choice("ensemble", "measure", measure, self.measures)
        return Agreement.over(row.status == "done" and holds(row.values) for row in self.sweep.rows)

    def above(self, other: Ensemble, measure: str) -> Agreement:
        """In how many pairs, each member here with each of the other's, the measure is larger here."""
        mine, others = self.spread(measure).values, other.spread(measure).values
        return Agreement.over((mine[:, None] > others[None, :]).ravel())

    def curves(self, quantity: str) -> tuple[Array, Array]:
        """Times and values of every member that ended  # (frames,), (members, frames)."""
        choice("ensemble", "quantity", quantity, self.signals)
        found = []
        for row in self.sweep.done:
            with np.load(self.sweep.folder / row.folder / CURVES) as kept:
                found.append((kept["t"], kept[quantity]))
        if not found:
            raise ModelError(f"ensemble: none of the {self.members} runs ended; {self.sweep.rows[0].reason}")
        t = found[0][0]
        return t, np.array([x if len(times) == len(t) else np.interp(t, times, x) for times, x in found])

    def figure(self, *quantities: str) -> Figure:
        """Bands over time: half and nine tenths of the runs, their median, and the run itself."""
        from fmbs.studies.figures import band_figure

        return band_figure(self, quantities or self.signals)

    def summary(self) -> dict[str, Any]:
        """Numbers for a file: of every measure mean, deviation and quantiles; of every statement in how many runs it holds."""
        spreads = {measure: self.spread(measure) for measure in self.measures} if self.sweep.done else {}
        return {
            "members": self.members, "ended": len(self.sweep.done), "push": self.push.size, "seed": self.push.seed,
            "vary": dict(self.vary),
            "measures": {
                measure: {"mean": each.mean, "deviation": each.deviation,
                          "quantiles": {f"{share:g}": each.quantile(share) for share in QUANTILES}}
                for measure, each in spreads.items()
            },
            "statements": {each.text: str(self.verdict(each)) for each in self.statements},
        }  # fmt: skip


def ensemble(
    model: str | type[Mechanism] | Build, measures: Sequence[Asked] = (), *, folder: str | Path, runs: int = 20,
    push: float = 1e-3, vary: Mapping[str, float] | None = None, seed: int = 0, parameters: Mapping[str, Any] | None = None,
    statements: Sequence[str] = (), signals: Sequence[str] = (), **options: Any,
) -> Ensemble:  # fmt: skip
    """Run a model again and again with small pushes. What is in the folder already is not run again, as in a sweep.

    model, folder: as of `sweep`; measures: such as "peak(force(wrist pin))", or functions of the solution
    runs: members; member 0 is not pushed; push: N, on every body, in a random direction of its own (see `Push`)
    vary: parameter -> relative change; member k has it times 1 + change u, u uniform in [-1, 1], for shifted starts
    seed: of all of it; with the number of a member it gives the same run again
    parameters: of the model, the same for all members
    statements: such as "impacts(wrist pin) > 10", counted by `verdict`; signals: quantities whose curves are kept
    options: of `sweep`: jobs, skip, skip_turns, timeout, keep_runs, retry_failed, progress, and t_end, turns, step, ...
    """
    runs, seed = whole("ensemble", "runs", runs), whole("ensemble", "seed", seed, 0)
    given = mapping("ensemble", "parameters", parameters or {}, "parameters")
    change = {key: number("ensemble", key, x) for key, x in mapping("ensemble", "vary", vary or {}, "parameters").items()}
    pushed = Push(not_negative("ensemble", "push", push), seed)
    if pushed.size == 0.0 and not change and runs > 1:
        raise ModelError("ensemble: push = 0 and nothing in vary, so that all runs are the same; give one of them.")
    said = tuple(Statement.parse(each) for each in listed("ensemble", "statements", statements, "statements"))
    kept = tuple(dict.fromkeys([*listed("ensemble", "measures", measures, "measures"), *(m for s in said for m in s.measures)]))
    shown = tuple(listed("ensemble", "signals", signals, "quantities"))
    if not kept and not shown:
        raise ModelError("ensemble: nothing is asked for; give measures, statements or signals.")
    settings = {key: options.pop(key) for key in list(options) if key not in SWEEP_OPTIONS}
    subject = replace(Subject.of(model, settings), push=pushed)
    base = _numbers(subject, given, change)
    cases = [{**given, **_varied(base, change, seed, k), MEMBER: k} for k in range(runs)]
    found = sweep(subject, cases, kept, folder=folder, signals=shown, **options)
    result = Ensemble(found, pushed, change, labels("ensemble", kept), said, shown)
    replace_text(found.folder / "ensemble.json", json.dumps(result.summary(), indent=1))
    return result


SWEEP_OPTIONS = ("skip", "skip_turns", "keep_runs", "jobs", "dask", "timeout", "retry_failed", "progress")


def _numbers(subject: Subject, given: Mapping[str, Any], change: Mapping[str, float]) -> dict[str, float]:
    """Values of the parameters that vary, given or the model's own."""
    mechanism = subject.mechanism(given)
    own = {} if mechanism is None else {item.name: getattr(mechanism, item.name) for item in parameters_of(mechanism)}
    known = {**own, **given}
    for key in change:
        if key not in known:
            raise ModelError(f"ensemble: vary names {key!r}, whose value is not known; give it in parameters.")
    return {key: number("ensemble", key, known[key]) for key in change}


def _varied(base: Mapping[str, float], change: Mapping[str, float], seed: int, member: int) -> dict[str, float]:
    if member == 0:
        return {}
    random = np.random.default_rng([seed, member, 1])
    return {key: base[key] * (1.0 + change[key] * float(random.uniform(-1.0, 1.0))) for key in change}
