"""Whole steps of long beams: time a step, its slope over the size, peak memory; up to a million elements.

python benchmarks/long_beam.py [N ...]: the clamped beam of beam.py (the papers' element, hermite continuum, 12 coordinates a
node) takes ten steps of 1 ms through `m.simulate` with the automatic solver (a hundred up to N = 1000), each N in a process of
its own, one thread. Processor times. Set-up is everything before the second step, less a step: assembly, initial values and the
first factorisations. The far end falls freely until the wave from the clamp arrives; its error against a t^2 / 2 is relative.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import beam  # noqa: E402
import numpy as np  # noqa: E402

from fmbs.core.state import State  # noqa: E402
from fmbs.results.recorder import Recorder  # noqa: E402

SIZES = (10, 100, 1000, 10_000, 100_000, 1_000_000)
LINEAR = 100_000  # the slope is that of the sizes up to here
STEPS = 10
HEADER = (
    "N", "unknowns", "set-up, s", "s a step", "us a step and element", "iterations a step", "factorisations", "peak, GB",
    "error of the end", "solver",
)  # fmt: skip


def measure(n: int) -> None:
    """Run and print a row."""
    ends: list[float] = []
    accept = Recorder.accept

    def noted(self: Recorder, old: State, new: State) -> None:
        accept(self, old, new)
        ends.append(time.process_time())

    Recorder.accept = noted  # type: ignore[method-assign]
    steps = STEPS if n > 1000 else 10 * STEPS
    small, _ = beam.in_fmbs(min(n, 1000), "hermite", "continuum")
    small.simulate(2 * beam.STEP, step=beam.STEP, progress=False)  # loads the kernels
    ends[:] = [time.process_time()]
    m, (end,) = beam.in_fmbs(n, "hermite", "continuum")
    t_end = steps * beam.STEP
    solution = m.simulate(t_end, step=beam.STEP, output_step=t_end, progress=False)
    each, done = np.diff(ends), solution.statistics
    step = float(each[1:].mean())
    fall = 0.5 * np.array(beam.ACCELERATION) * t_end**2
    path = solution.position(end)[-1] - solution.position(end)[0]
    free = n * beam.LENGTH > 2.0 * t_end * np.sqrt(beam.E / beam.RHO)  # no wave has come so far
    error = f"{np.linalg.norm(path - fall) / np.linalg.norm(fall):.0e}" if free else ""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    row = (n, solution.q.shape[1] + solution.lam.shape[1], f"{each[0] - step:.3g}", f"{step:.3g}", f"{1e6 * step / n:.1f}",
           f"{done.iterations / done.steps:.2f}", done.factorizations, f"{peak:.2f}", error, done.linear_solver)  # fmt: skip
    print("| " + " | ".join(map(str, row)) + " |", flush=True)


def slope(rows: list[str]) -> float:
    """d log(time) / d log(N) by least squares, up to LINEAR."""
    table = [row.split("|") for row in rows]
    kept = [(float(cells[1]), float(cells[4])) for cells in table if float(cells[1]) <= LINEAR]
    n, step = np.log(np.array(kept)).T
    return float(np.polyfit(n, step, 1)[0])


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        measure(int(sys.argv[2]))
    else:
        print("| " + " | ".join(HEADER) + " |\n|" + "---:|" * (len(HEADER) - 1) + "---|", flush=True)
        rows = []
        for n in map(int, sys.argv[1:] or SIZES):
            run = subprocess.run([sys.executable, __file__, "--one", str(n)], check=True, stdout=subprocess.PIPE, text=True)
            rows.append(run.stdout)
            print(run.stdout, end="", flush=True)
        if len(rows) > 1:
            print(f"\nd log(time) / d log(N) up to N = {LINEAR}: {slope(rows):.2f}")
