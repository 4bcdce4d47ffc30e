"""Cases of a paper, run side by side over the cores."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import fmbs as fm
from fmbs.core.errors import ConvergenceError
from fmbs.models import MODELS
from fmbs.studies.push import Push


@dataclass(frozen=True)
class PaperCase:
    """One run. harvest: a module-level function (model, m, sol) -> what is kept; it crosses a process boundary.

    push, seed, member: of an ensemble, see `Push`; member 0 is not pushed
    """

    label: str
    model: str
    parameters: dict[str, Any]
    t_end: float
    harvest: Callable[..., dict[str, Any]]
    options: dict[str, Any] = field(default_factory=dict)  # of simulate; the model's own if empty
    push: float = 0.0  # N
    seed: int = 0
    member: int = 0
    rule: Callable[[PaperCase], dict[str, Any]] | None = None  # parameters that a run of the case itself decides
    extra: Callable[[fm.Model], None] | None = None  # adds parts to the model

    @property
    def base(self) -> str:
        """Label of the ensemble."""
        return self.label.split(" #")[0]

    def settings(self) -> dict[str, Any]:
        """Of simulate."""
        return self.options or MODELS[self.model](**self.parameters).settings()

    def ensemble(self, runs: int, push: float = 1e-3, seed: int = 0) -> list[PaperCase]:
        """The case itself and runs - 1 members with a push of `push` N on every body."""
        pushed = [replace(self, label=f"{self.label} #{k}", push=push, seed=seed, member=k) for k in range(1, runs)]
        return [self, *pushed]


@dataclass(frozen=True)
class Result:
    """What a case gave. failed: the message of a run that stopped early; its frames up to there are harvested.

    cpu: time of the processor, s, without what other cases on the machine take
    """

    label: str
    data: dict[str, Any]
    wall: float
    steps: int
    failed: str = ""
    cpu: float = 0.0

    def __getitem__(self, key: str) -> Any:
        return self.data[key]


def run_case(case: PaperCase) -> Result:
    start = time.process_time()
    model = MODELS[case.model](**case.parameters, **(case.rule(case) if case.rule else {}))
    m, failed = Push(case.push, case.seed).on(model.build(), case.member), ""
    if case.extra is not None:
        case.extra(m)
    sol: Any
    try:
        sol = m.simulate(case.t_end, **case.settings(), progress=False)
    except ConvergenceError as error:
        sol, failed = error.solution, str(error)
    cpu = time.process_time() - start
    return Result(case.label, case.harvest(model, m, sol), sol.statistics.wall, sol.statistics.steps, failed, cpu)


def members(got: dict[str, Result], label: str) -> list[Result]:
    """Results of an ensemble, the run itself first."""
    return [r for name, r in got.items() if name == label or name.startswith(f"{label} #")]


def run_cases(cases: Sequence[PaperCase], jobs: int | None = None) -> dict[str, Result]:
    """By label."""
    _compile(cases)
    count = min(jobs or os.cpu_count() or 1, len(cases))
    if count > 1:
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # of every process: matrices are small, and cases fill the cores
        with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
            results = [_told(result) for result in pool.map(run_case, cases)]
    else:
        results = [_told(run_case(case)) for case in cases]
    return {result.label: result for result in results}


def _compile(cases: Sequence[PaperCase]) -> None:
    """The first moment of every kind of case: kernels are compiled once, not in every process, and in nobody's time."""
    kinds = {
        (case.model, bool(case.push), *(str(x) for x in case.parameters.values() if isinstance(x, str | bool))): case
        for case in cases
    }
    for case in kinds.values():
        model = MODELS[case.model](**case.parameters)
        options = case.settings()
        moment = max(2.0 * options.get("step", 1e-7), options.get("output_step", 0.0))
        with suppress(ConvergenceError):
            Push(case.push, case.seed).on(model.build(), case.member).simulate(moment, **options, progress=False)


def _told(result: Result) -> Result:
    print(f"{result.label}: {result.wall:.1f} s {result.failed}", flush=True)
    return result
