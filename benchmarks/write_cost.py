"""What writing a run costs: a beam of 1000 elements, 1000 frames, as a share of the time of the run.

    python benchmarks/write_cost.py                      prints the table of README.md, "Files"
    python benchmarks/write_cost.py --elements 50 --frames 20 --no-export

The clamped beam of beam.py under a sudden acceleration, a frame every millisecond of it, one and five steps a frame, written
while it goes (`m.simulate(checkpoint=...)`). Every call into the file is timed inside the run, in processor time and in wall
time: making the file, frames, flushes, checkpoints, reading back for the Solution, closing. Then the files for ParaView of the
same run.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported

import beam  # noqa: E402
import numpy as np  # noqa: E402

import fmbs as fm  # noqa: E402
from fmbs.results.run_file import RunFile  # noqa: E402
from fmbs.results.store.writer import RunWriter  # noqa: E402

KINDS = {"hermite continuum": ("hermite", "continuum"), "cubic structural": ("cubic", "structural")}
WATCHED = (
    (RunFile, "__init__"), (RunFile, "checkpoint"), (RunFile, "finish"),
    (RunWriter, "append"), (RunWriter, "flush"), (RunWriter, "read_back"),
)  # fmt: skip


class Clock:
    """Time spent in calls, processor and wall; calls inside calls count once."""

    def __init__(self) -> None:
        self.spent, self.inside = np.zeros(2), False
        self.parts: dict[str, float] = {}

    def watch(self, owner: type, name: str) -> None:
        original = getattr(owner, name)
        setattr(owner, name, self.timed(f"{owner.__name__}.{name}", original))

    def timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            if self.inside:
                return call(*arguments, **options)
            self.inside, begin = True, now()
            try:
                return call(*arguments, **options)
            finally:
                self.inside = False
                self.spent += now() - begin
                self.parts[name] = self.parts.get(name, 0.0) + float((now() - begin)[0])

        return wrapped


def now() -> np.ndarray:
    return np.array([time.process_time(), time.perf_counter()])  # s, s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--steps", type=int, nargs="+", default=[1, 5], metavar="N", help="a frame")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--no-export", action="store_true", help="leave the ParaView files out")
    parser.add_argument("--parts", action="store_true", help="where the time goes")
    options = parser.parse_args()
    clock = Clock()
    for watched in WATCHED:
        clock.watch(*watched)
    print("| element | steps a frame | run, s | writing, s | share | share of wall time | run.h5, MB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.kinds:
            model, _ = beam.in_fmbs(options.elements, *KINDS[kind])
            model.simulate(beam.STEP, step=beam.STEP, progress=False)  # compiles
            for steps in options.steps:
                solution = run(model, kind, steps, options.frames, Path(folder), clock, options.parts)
            if not options.no_export:
                export(solution, Path(folder))


def run(model: fm.Model, kind: str, steps: int, frames: int, folder: Path, clock: Clock, parts: bool) -> fm.Solution:
    """One row: frames - 1 times so many steps, after the frame at t = 0."""
    clock.spent, clock.parts = np.zeros(2), {}
    file, begin = folder / "run.h5", now()
    times = {"step": beam.STEP / steps, "output_step": beam.STEP}
    solution = model.simulate((frames - 1) * beam.STEP, **times, progress=False, checkpoint=file)
    total = now() - begin
    share = clock.spent / total
    print(f"| {kind} | {steps} | {total[0]:.1f} | {clock.spent[0]:.2f} | {share[0]:.1%} | {share[1]:.1%} | {megabytes(file)} |")
    assert len(solution) == frames
    for name, seconds in clock.parts.items() if parts else ():
        print(f"    {name}: {seconds:.3f} s")
    return solution


def export(solution: fm.Solution, folder: Path) -> None:
    for name in ("run.pvd", "run.vtkhdf"):
        begin = now()
        files = solution.to_vtk(folder / name)
        seconds = (now() - begin)[0]
        print(f"    {name}: {seconds:.1f} s, {1e3 * seconds / len(solution):.1f} ms a frame, {megabytes(*files)} MB")


def megabytes(*files: Path) -> str:
    return f"{sum(file.stat().st_size for file in files) / 1e6:.0f}"


if __name__ == "__main__":
    main()
