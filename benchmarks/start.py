"""From the start of Python to the end of a run of one step, kernels on the disk: what a later process waits for.

    python benchmarks/start.py                prints the table of README.md, "First run: the compiler"
    python benchmarks/start.py --repeat 30
    python benchmarks/start.py --first        with an empty folder of kernels, once each: what the first process waits for

Every run is a process of its own, from its start to its end, by the clock and of the processor; the least of all repeats after
one that compiles. The command writes run.h5 and its summary too. Python keeps its bytecode here, as it does by default.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEP = "[0].simulate(step := 1e-5, step=step, progress=False)"
WORKS = {
    "`import numba`, for comparison": ["-c", "import numba"],
    "`import fmbs`": ["-c", "import fmbs"],
    "slider-crank, ideal joints": ["-c", f"import slider_crank; slider_crank.in_fmbs(){STEP}"],
    "with a dry joint": ["-c", f"import slider_crank_dry; slider_crank_dry.in_fmbs(){STEP}"],
    "beam of 8 elements, hermite continuum": ["-c", f"import beam; beam.in_fmbs(8, 'hermite', 'continuum'){STEP}"],
    "beam of 8 elements, cubic structural": ["-c", f"import beam; beam.in_fmbs(8, 'cubic', 'structural'){STEP}"],
    "`fmbs run slider_crank_planar --no-files`": [
        "-m", "fmbs", "run", "slider_crank_planar", "--t-end", "1e-5", "--step", "1e-5", "--no-files", "--quiet",
    ],
}  # fmt: skip
MODEL = "from fmbs.models.double_pendulum import DoublePendulum; DoublePendulum(joint={!r}).build()"
FIRST = {
    **{name: words[1] for name, words in WORKS.items() if STEP in words[1]},
    "with a dry joint and error control, as in `make demo`": (
        "import slider_crank_dry; slider_crank_dry.in_fmbs()[0].simulate(1e-5, tolerance=1e-5, progress=False)"
    ),
    "double pendulum of beams, dry joint": f"{MODEL.format('dry')}.simulate(1e-5, step=1e-5)",
    "double pendulum of beams, lubricated joint": f"{MODEL.format('lubricated')}.simulate(1e-4, step=1e-4)",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=9, metavar="N")
    parser.add_argument("--first", action="store_true")
    arguments = parser.parse_args()
    here = Path(__file__).parent
    paths = os.pathsep.join([str(here.parent), str(here)])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "", "OMP_NUM_THREADS": "1"}
    if arguments.first:
        first_runs(environment)
    else:
        later_runs(environment, arguments.repeat)


def first_runs(environment: dict[str, str]) -> None:
    print("| model | clock, s | processors, s |\n|---|---:|---:|")
    for name, code in FIRST.items():
        with tempfile.TemporaryDirectory() as folder:
            clock, processors = measured([sys.executable, "-c", code], {**environment, "FMBS_KERNELS": folder}, folder)
        print(f"| {name} | {clock:.1f} | {processors:.1f} |", flush=True)


def later_runs(environment: dict[str, str], repeat: int) -> None:
    print("| process | clock, s | median | processor, s |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in WORKS.items():
            runs = [measured([sys.executable, *words], environment, folder) for _ in range(repeat + 1)][1:]
            clock, processor = zip(*runs, strict=True)
            print(f"| {name} | {min(clock):.2f} | {sorted(clock)[repeat // 2]:.2f} | {min(processor):.2f} |", flush=True)


def measured(command: list[str], environment: dict[str, str], folder: str) -> tuple[float, float]:
    """Seconds of a process, by the clock and of the processor."""
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=environment, cwd=folder, check=True)
    clock, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
