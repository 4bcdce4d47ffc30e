"""Convergence studies: one quantity under refinement, for several kinds of the model."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import asked, listed, mapping, number, series, shown
from fmbs.core.errors import ModelError
from fmbs.studies.measure import Asked, Measure, OwnMeasure, measure_of
from fmbs.studies.richardson import Extrapolation, richardson
from fmbs.studies.subject import Build, Subject

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fmbs.models import Mechanism

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Refined:
    """One run. setting: of the refined parameter; coordinates: of the system; cpu: processor time, s, so that others on the
    machine do not count."""

    setting: float
    value: float
    coordinates: int
    cpu: float


@dataclass(frozen=True)
class Curve:
    """Runs of one kind of the model, from coarse to fine. reference: None for the extrapolated value."""

    label: str
    runs: tuple[Refined, ...]
    limit: Extrapolation
    reference: float | None = None

    @property
    def errors(self) -> Array:
        """|f - reference|, or to the extrapolated value  # (runs,)."""
        exact = self.limit.value if self.reference is None else self.reference
        errors: Array = np.abs(np.array([run.value for run in self.runs]) - exact)
        return errors

    @property
    def doubt(self) -> float:
        """How far the errors themselves may be wrong."""
        return self.limit.uncertainty if self.reference is None else 0.0


@dataclass(frozen=True)
class Cheapest:
    """label: of its curve; error: of it, without the doubt of the extrapolated value."""

    label: str
    run: Refined
    error: float


@dataclass(frozen=True)
class Convergence:
    """Result of a study. refined: name of the parameter; measure: what was looked at."""

    refined: str
    measure: Measure | OwnMeasure
    curves: tuple[Curve, ...]

    def cheapest(self, error: float) -> Cheapest:
        """The run of least processor time whose error, in the quantity's unit and with its doubt, is small enough."""
        found = [
            Cheapest(curve.label, run, float(size))
            for curve in self.curves
            for run, size in zip(curve.runs, curve.errors, strict=True)
        ]
        doubts = {curve.label: curve.doubt for curve in self.curves}
        # The finest run of a curve defines its own limit: only its doubt says how good it is.
        good = [each for each in found if max(each.error, doubts[each.label]) <= error]
        if not good:
            best = min(found, key=lambda each: max(each.error, doubts[each.label]))
            reached = max(best.error, doubts[best.label])
            raise ModelError(
                f"convergence: no run of {self.measure} has an error of {error:g} {self.measure.unit} or less; the best is "
                f"{self.refined} = {best.run.setting:g} of {best.label} with {reached:.3g}: refine more."
            )
        return min(good, key=lambda each: each.run.cpu)

    def table(self) -> str:
        """For people."""
        lines = []
        for curve in self.curves:
            limit = curve.limit
            lines.append(f"{curve.label}: {self.measure} -> {limit.value:.10g} +- {limit.uncertainty:.2g} {self.measure.unit}")
            lines.append(f"  {self.refined:>12} {'coordinates':>12} {'value':>18} {'error':>10} {'order':>6} {'cpu [s]':>9}")
            for run, size, order in zip(curve.runs, curve.errors, limit.orders, strict=True):
                shown = "" if np.isnan(order) else f"{order:.2f}"
                lines.append(
                    f"  {run.setting:>12g} {run.coordinates:>12} {run.value:>18.12g} {size:>10.2e} {shown:>6} {run.cpu:>9.3f}"
                )
        return "\n".join(lines)

    def figure(self, slopes: Sequence[float] = ()) -> Figure:
        """Error over coordinates (over the setting where they stay the same), and over processor time.

        slopes: orders to draw as dashed lines, to compare with
        """
        from fmbs.studies.figures import convergence_figure

        return convergence_figure(self, slopes)


def convergence(
    model: str | type[Mechanism] | Build, refine: Mapping[str, Sequence[Any]], quantity: Asked, *,
    curves: Mapping[str, Sequence[Any]] | None = None, parameters: Mapping[str, Any] | None = None,
    reference: float | None = None, skip: float = 0.0, report: Any = None, **settings: Any,
) -> Convergence:  # fmt: skip
    """Run a model under refinement; one run after the other, so that their times can be compared.

    model: name of a ready-made model, a function build(**parameters) -> Model or Solution, or "file.py:function"
    refine: one parameter with its values from coarse to fine, {"elements": (2, 4, 8)} or {"step": (1e-3, 5e-4)}
    quantity: a measure, see fmbs.studies.measure; "position(tip).y" is its last value; or a function of the solution
    curves: parameters that make curves of their own, {"formulation": ("continuum", "structural")}; several are combined
    parameters: of the model, for all runs
    reference: the exact value, if it is known; else errors are to each curve's extrapolated value
    report: called with a line of text after every run
    settings: of `simulate`: t_end, and step or tolerance
    """
    name, h, values = _refinement(refine)
    subject, measure = Subject.of(model, settings), measure_of(quantity, skip)
    kinds = {} if curves is None else mapping("convergence", "curves", curves, "parameters")
    kinds = {key: listed("convergence", key, values) for key, values in kinds.items()}
    common = {} if parameters is None else mapping("convergence", "parameters", parameters, "parameters")
    if reference is not None:
        number("convergence", "reference", reference)
    if report is not None and not callable(report):
        raise ModelError(f"convergence: report = {shown(report)} is not a function; give print, for example.")
    found = []
    for count, kind in enumerate(itertools.product(*kinds.values())):
        own = dict(zip(kinds, kind, strict=True))
        words = {key: f"{value:g}" if isinstance(value, float) else value for key, value in own.items()}
        label = ", ".join(f"{key} = {value}" for key, value in words.items()) or subject.name
        runs = []
        for place, value in enumerate(values):
            given = {**common, **own, name: value}
            if count == place == 0:
                asked(subject.name, "build", subject.run, given)  # kernels are loaded or compiled now, in no run's time
            runs.append(_run(subject, given, measure, value))
            if report is not None:
                told = f"{label}, {name} = {value}: {runs[-1].value:.10g} {measure.unit}, {runs[-1].cpu:.2f} s"
                asked("convergence", "report", report, told)
        limit = richardson(h, [run.value for run in runs])
        found.append(Curve(label, tuple(runs), limit, reference))
    return Convergence(name, measure, tuple(found))


def _run(subject: Subject, given: Mapping[str, Any], measure: Measure | OwnMeasure, setting: float) -> Refined:
    start = time.process_time()
    solution = asked(subject.name, "build", subject.run, given)
    cpu = time.process_time() - start
    value = measure.of(solution, subject.points(solution, given))
    return Refined(float(setting), value, solution.system.size, cpu)


def _refinement(refine: Mapping[str, Sequence[Any]]) -> tuple[str, Array, list[Any]]:
    """Name, h and values; counts such as elements grow and h = 1/value, steps and tolerances shrink and are h themselves."""
    found = mapping("convergence", "refine", refine, "a parameter")
    if len(found) != 1:
        raise ModelError(f"convergence: refine = {shown(found)}; give one parameter, as elements=2,4,8,16.")
    (name, values), *_ = found.items()
    x = series("convergence", name, values, 2)
    rising, falling = (np.diff(x) > 0.0).all(), (np.diff(x) < 0.0).all()
    if not ((x > 0.0).all() and (rising or falling)):
        raise ModelError(f"convergence: {name} = {values!r} must be two or more positive numbers from coarse to fine.")
    return name, 1.0 / x if rising else x, list(values)
