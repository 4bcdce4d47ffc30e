"""Tian2010 Table 1: nine runs of the double pendulum, 2 s each, to a tip error of 1e-3 of its motion, on one core.

python benchmarks/tian_table.py [--check]: perfect, dry and lubricated bearing, three E, with the coarsest mesh that does, two
quadratic structural elements a link. --check runs each case again with twice the elements and a third of the step, which has a
tenth of the time integration's error, and prints the largest distance of the tips over the motion of 2 m. Processor times,
compilation aside.
"""

from __future__ import annotations

import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported

import numpy as np  # noqa: E402

from fmbs.models import DoublePendulum  # noqa: E402
from fmbs.reproduce.tian2010_page import TIMES  # noqa: E402

STIFFNESS = (6.9e11, 6.9e9, 6.9e8)  # Pa
STEPS = {"ideal": 1e-3, "dry": 1e-5, "lubricated": 1e-3}  # s


def run(joint: str, E: float, elements: int, step: float, t_end: float = 2.0) -> tuple[np.ndarray, float, int]:
    """Path of the tip at every hundredth of a second, processor time, steps."""
    model = DoublePendulum(joint=joint, E=E, elements=elements, interpolation="quadratic", formulation="structural")
    m = model.build()
    clock = time.process_time()
    sol = m.simulate(t_end, step=step, output_step=0.01, progress=False)
    return sol.position(m["CD"].end), time.process_time() - clock, sol.statistics.steps


def main() -> None:
    check = "--check" in sys.argv
    total = 0.0
    print("| bearing | E, Pa | steps | fmbs, s | paper, s |" + (" tip error, m |" if check else ""))
    print("|---|---:|---:|---:|---:|" + ("---:|" if check else ""))
    for joint, step in STEPS.items():
        run(joint, STIFFNESS[0], 2, step, 20 * step)  # compiles
        for E, paper in zip(STIFFNESS, TIMES[joint], strict=True):
            tip, seconds, steps = run(joint, E, 2, step)
            total += seconds
            line = f"| {joint} | {E:.1e} | {steps} | {seconds:.1f} | {paper} |"
            if check:
                fine, _, _ = run(joint, E, 4, step / 3.0)
                line += f" {np.linalg.norm(tip - fine, axis=1).max():.1e} |"
            print(line, flush=True)
    print(f"\nTogether {total:.0f} s; the paper's PC of 2010: {sum(map(sum, TIMES.values()))} s.")


if __name__ == "__main__":
    main()
