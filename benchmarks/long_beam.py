"""Whole steps of long beams: time a step, its slope over the size, peak memory; up to a million elements, on one rank or more.

python benchmarks/long_beam.py [N ...]: the clamped beam of beam.py (the papers' element, hermite continuum, 12 coordinates a
node) takes steps of 1 ms through `m.simulate` with the automatic solver, each N in a process of its own, one thread. Processor
times: a step is the difference of runs of one step and of eleven (up to 1001 for small N), each the least of three, divided by
ten; set-up is the run of one step less a step: assembly, initial values and their factorisations. The far end falls freely
until the wave from the clamp arrives; its error against a t^2 / 2 is relative.

OMPI_MCA_mpi_yield_when_idle=1 mpirun -n 2 python benchmarks/long_beam.py --one N petsc: one row, with the processor time of the
busiest rank (those that wait leave their core to others) and the memory of all.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported

import beam  # noqa: E402
import numpy as np  # noqa: E402

from fmbs.core.ranks import world  # noqa: E402
from fmbs.results.solution import Solution  # noqa: E402

SIZES = (10, 100, 1000, 10_000, 100_000, 1_000_000)
LINEAR = 100_000  # the slope is that of the sizes up to here
STEPS = 10
HEADER = (
    "N", "unknowns", "ranks", "set-up, s", "s a step", "us a step and element", "iterations a step", "factorisations",
    "peak, GB", "error of the end", "solver",
)  # fmt: skip


def run(n: int, steps: int, solver: str) -> tuple[float, str, Solution]:
    """Seconds, relative error of the far end, and the solution, of which only the ends are kept."""
    gc.collect()  # what is left of the last run
    t_end = steps * beam.STEP
    m, (end,) = beam.in_fmbs(n, "hermite", "continuum")
    begin = time.process_time()
    solution = m.simulate(t_end, step=beam.STEP, output_step=t_end, linear_solver=solver, progress=False)
    seconds = longest(time.process_time() - begin)
    fall = 0.5 * np.array(beam.ACCELERATION) * t_end**2
    path = solution.position(end)[-1] - solution.position(end)[0]
    free = n * beam.LENGTH > 2.0 * t_end * np.sqrt(beam.E / beam.RHO)  # no wave has come so far
    return seconds, f"{np.linalg.norm(path - fall) / np.linalg.norm(fall):.0e}" if free else "", solution


def longest(seconds: float) -> float:
    """Of all ranks."""
    ranks = world()
    return seconds if ranks.comm is None else max(ranks.comm.allgather(seconds))


def measure(n: int, solver: str) -> None:
    """Print a row."""
    ranks = world()
    steps, repeats = STEPS * max(1, min(100, 10_000 // n)), 3 if n <= LINEAR else 1
    run(min(n, 1000), 2, solver)  # loads the kernels
    short = min(run(n, 1, solver)[0] for _ in range(repeats))
    runs = [run(n, 1 + steps, solver) for _ in range(repeats)]
    step, (_, error, solution) = (min(seconds for seconds, _, _ in runs) - short) / steps, runs[0]
    done = solution.statistics
    peak = ranks.sum(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2)
    row = (n, solution.q.shape[1] + solution.lam.shape[1], ranks.count, f"{short - step:.3g}", f"{step:.3g}",
           f"{1e6 * step / n:.1f}", f"{done.iterations / done.steps:.2f}", done.factorizations, f"{peak:.2f}", error,
           done.linear_solver)  # fmt: skip
    if ranks.first:
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


def slope(rows: list[str]) -> float:
    """d log(time) / d log(N) by least squares, up to LINEAR."""
    table = [row.split("|") for row in rows]
    kept = [(float(cells[1]), float(cells[5])) for cells in table if float(cells[1]) <= LINEAR]
    n, step = np.log(np.array(kept)).T
    return float(np.polyfit(n, step, 1)[0])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]), *(sys.argv[3:] or ["auto"]))
    else:
        print("| " + " | ".join(HEADER) + " |\n|" + "---:|" * (len(HEADER) - 1) + "---|", flush=True)
        rows = []
        for n in map(int, sys.argv[1:] or SIZES):
            row = subprocess.run([sys.executable, __file__, "--one", str(n)], check=True, stdout=subprocess.PIPE, text=True)
            rows.append(row.stdout)
            print(row.stdout, end="", flush=True)
        if len(rows) > 1:
            print(f"\nd log(time) / d log(N) up to N = {LINEAR}: {slope(rows):.2f}")
