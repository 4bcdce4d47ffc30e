"""Microseconds a step: the long run less the run of one step, so that set-up does not count."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from cases import Case, Run, Solver

AT_LEAST, AT_MOST = 3.0, 120.0  # s a case: quick ones are repeated more often than asked for, slow ones less


def least(work: Callable[[], object], budget: float = 0.5) -> float:
    """Processor time of a call, s: the least of as many as the budget of seconds allows, three at least."""
    times: list[float] = []
    start = time.process_time()
    while len(times) < 3 or (time.process_time() - start < budget and len(times) < 1000):
        clock = time.process_time()
        work()
        times.append(time.process_time() - clock)
    return min(times)


@dataclass
class Timing:
    """One program on one case; times in s, the least of all repeats.

    build: model building; one, all: the runs of one and of `steps` steps
    iterations, factorizations: a step; memory: peak of the process, MB (of the program that runs first, else nan)
    """

    steps: int
    build: float = 0.0
    one: float = np.inf
    all: float = np.inf
    iterations: float = 0.0
    factorizations: float = 0.0
    memory: float = np.nan
    repeats: int = 0
    points: list[list[float]] = field(default_factory=list)
    failure: str = ""

    @property
    def us_per_step(self) -> float:
        return (self.all - self.one) / (self.steps - 1) * 1e6

    @property
    def us_whole(self) -> float:
        """The long run with its set-up."""
        return self.all * 1e6

    @property
    def set_up(self) -> float:
        """Everything before the first step."""
        return self.one - self.us_per_step * 1e-6

    def add(self, one: Run, all_: Run) -> None:
        self.one, self.all = min(self.one, one.seconds), min(self.all, all_.seconds)
        self.iterations, self.factorizations = all_.iterations / self.steps, all_.factorizations / self.steps
        self.points = all_.points.tolist()
        self.repeats += 1


@dataclass
class Result:
    """A case and the timings of its programs."""

    name: str
    size: int
    timings: dict[str, Timing]
    exact: list[list[float]] | None = None

    def good(self, program: str) -> Timing | None:
        """What is known of a program; None where it failed, or where a run of one step took longer than one of all."""
        timing = self.timings.get(program)
        return timing if timing and not timing.failure and timing.all > timing.one else None

    def difference(self) -> float | None:
        """Largest difference of the compared points, m: from the formula if there is one, else between the programs."""
        points = [np.array(timing.points) for timing in self.timings.values() if not timing.failure]
        if self.exact is not None:
            points.insert(0, np.array(self.exact))
        return max(float(np.abs(p - points[0]).max()) for p in points[1:]) if len(points) > 1 else None

    def as_json(self) -> dict[str, Any]:
        us = {program: timing.us_per_step for program in self.timings if (timing := self.good(program))}
        return {**asdict(self), "us_per_step": us}


def measure(case: Case, programs: list[str], repeat: int) -> Result:
    """Runs of the programs in turn, after one of each that warms up: compilation, caches, imports."""
    timings = {program: Timing(case.steps) for program in programs if program in case.build}
    solvers: dict[str, Solver] = {}
    for program, timing in timings.items():
        with Noted(timing):
            clock = time.perf_counter()
            solvers[program] = case.build[program]()
            timing.build = time.perf_counter() - clock
            solvers[program](1)
            if len(solvers) == 1:
                timing.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begun, done = time.perf_counter(), 0
    while _again(done, repeat, time.perf_counter() - begun):
        for program, solve in solvers.items():
            if not timings[program].failure:
                with Noted(timings[program]):
                    timings[program].add(solve(1), solve(case.steps))
        done += 1
    return Result(case.name, case.size, timings, None if case.exact is None else case.exact.tolist())


def _again(done: int, repeat: int, spent: float) -> bool:
    if done < min(2, repeat) or repeat == 1:
        return done < repeat
    return spent < (AT_MOST if done < repeat else AT_LEAST)


class Noted:
    """A program that fails loses this case, not the whole benchmark."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, Exception):
            return False
        self._timing.failure = f"{type(error).__name__}: {error}".splitlines()[0]
        return True


def slope(results: list[Result], program: str, smallest: int = 100) -> float | None:
    """d log(time) / d log(N) from N = `smallest` up: 1 is linear growth."""
    pairs = [(r.size, timing.us_per_step) for r in results if r.size >= smallest and (timing := r.good(program))]
    if len(pairs) < 2:
        return None
    size, us = np.log(np.array(pairs)).T
    return float(np.polyfit(size, us, 1)[0])
