"""How summary quantities depend on parameters: central differences with a step that is chosen, in parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fmbs.core.checks import listed, mapping, not_negative, number
from fmbs.core.errors import ModelError
from fmbs.studies.case import Case, run_case
from fmbs.studies.measure import Asked, labels
from fmbs.studies.pool import Outcome, checked_jobs, run_pool
from fmbs.studies.subject import Build, Subject

if TYPE_CHECKING:
    from fmbs.models import Mechanism

STEPS = tuple(10.0**k for k in (-1, -1.5, -2, -2.5, -3, -3.5, -4))  # relative, from coarse to fine


@dataclass(frozen=True)
class Sensitivity:
    """d measure / d parameter. uncertainty: the same unit; step: of the parameter, the one that was chosen."""

    measure: str
    parameter: str
    value: float
    uncertainty: float
    step: float
    base: float  # value of the measure itself
    at: float  # value of the parameter

    @property
    def elasticity(self) -> float:
        """Relative change per relative change: (p / f) df/dp."""
        return self.value * self.at / self.base if self.base else float("nan")


def sensitivities(
    model: str | type[Mechanism] | Build, parameters: Mapping[str, float], measures: Sequence[Asked], *,
    fixed: Mapping[str, Any] | None = None, jobs: int | None = None, skip: float = 0.0, **settings: Any,
) -> list[Sensitivity]:  # fmt: skip
    """Derivatives of all measures by all parameters.

    Central differences D(h) = (f(p + h) - f(p - h)) / 2h at seven steps h / p = 0.1 ... 1e-4. Truncation (coarse) and noise of
    the time integration (fine) both show as differences between neighbouring D: the step whose D differs least from its
    neighbours is chosen, and that difference is the uncertainty. It is large where the measure is not smooth, as after impacts.

    parameters: values about which to differentiate, not zero; fixed: other parameters; settings: of `simulate`
    """
    subject = Subject.of(model, settings)
    given = mapping("sensitivities", "parameters", parameters, "parameters")
    others = {} if fixed is None else mapping("sensitivities", "fixed", fixed, "parameters")
    measures = listed("sensitivities", "measures", measures, "measures")
    names, skip = labels("sensitivities", measures), not_negative("sensitivities", "skip", skip)
    processes = checked_jobs("sensitivities", jobs)
    base = {name: number("sensitivities", name, value) for name, value in given.items()}
    if not all(base.values()):
        raise ModelError("sensitivities: a parameter is zero, so its step has no scale; shift or rescale it.")
    cases: list[dict[str, Any]] = [base]
    cases += [{**base, name: base[name] * (1.0 + side * h)} for name in base for h in STEPS for side in (1.0, -1.0)]
    items = [Case(subject, {**others, **case}, tuple(measures), skip=skip) for case in cases]
    found: dict[int, Outcome] = {}
    run_pool(run_case, items, processes, found.__setitem__)
    failed = [outcome for outcome in found.values() if outcome.status != "done"]
    if failed:
        raise ModelError(f"sensitivities: {len(failed)} of {len(items)} runs failed, the first with: {failed[0].reason}")
    return [_chosen(measure, name, i, base, found) for i, name in enumerate(base) for measure in names]


def _chosen(measure: str, name: str, place: int, base: Mapping[str, float], found: Mapping[int, Outcome]) -> Sensitivity:
    f = np.array([found[i].values[measure] for i in range(len(found))])
    pairs = f[1 + 2 * len(STEPS) * place :][: 2 * len(STEPS)].reshape(-1, 2)  # (steps, 2): f(p + h), f(p - h)
    h = np.array(STEPS) * base[name]
    slope = (pairs[:, 0] - pairs[:, 1]) / (2.0 * h)
    between = np.abs(np.diff(slope))
    differing = np.maximum(np.append(np.inf, between), np.append(between, np.inf))  # the ends have one neighbour only
    best = int(np.argmin(differing))
    return Sensitivity(measure, name, float(slope[best]), float(differing[best]), float(abs(h[best])), float(f[0]), base[name])
