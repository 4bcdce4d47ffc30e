"""Kernels and linear algebra of long beams: microseconds an element and peak memory, N = 1000 to 100,000.

python benchmarks/beam_scaling.py [N ...]: each N and element in a process of its own; the papers' element (hermite continuum,
4 x 2 x 2 points) and the default one (cubic structural). Processor times, the least of many repeats. Force and tangent together
is what an iteration with a new matrix costs: both kernels, one after the other.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported

import beam  # noqa: E402
import numpy as np  # noqa: E402
from measure import least  # noqa: E402

from fmbs.assembly.system import Coefficients  # noqa: E402
from fmbs.solvers.linear import linear_solver  # noqa: E402

SIZES = {"papers": (1000, 10_000, 100_000), "default": (1000, 10_000)}  # KLU fails on the default one's 2.7 million unknowns
ELEMENTS = {"papers": ("hermite", "continuum"), "default": ("cubic", "structural")}


def measure(n: int, element: str) -> None:
    clock = time.process_time()
    m, _ = beam.in_fmbs(n, *ELEMENTS[element])
    system = m.system()
    set_up = time.process_time() - clock
    q = system.initial_position + 1e-4 * np.random.default_rng(0).standard_normal(system.size)
    v, lam, force = np.zeros(system.size), np.zeros(system.multipliers), np.zeros(system.size)
    newton = Coefficients(mass=1.0, stiffness=1e-6, constraint=system.mass_scale)
    elements = system.elements[0]
    solver = linear_solver("auto", system.size + system.multipliers)
    rhs = np.ones(system.size + system.multipliers)
    force_time = least(lambda: elements.residual(0.0, q, v, force))
    matrix = system.jacobian(0.0, q, v, lam, newton)
    slots, data = system._pattern.block_slots[0], matrix.data.copy()
    tangent_time = least(lambda: elements.add_tangent(0.0, q, v, 1e-6, 0.0, slots, data))

    def both() -> None:
        elements.residual(0.0, q, v, force)
        elements.add_tangent(0.0, q, v, 1e-6, 0.0, slots, data)

    both_time = least(both)
    matrix_time = least(lambda: system.jacobian(0.0, q, v, lam, newton))
    factor = solver.factorize(matrix)  # with the symbolic part
    factor_time = least(lambda: solver.factorize(matrix))
    factor = solver.factorize(matrix)
    solve_time = least(lambda: factor.solve(rhs))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    columns = (1e6 / n * x for x in (force_time, tangent_time, both_time, matrix_time, factor_time, solve_time))
    print(
        f"| {element} | {n} | {set_up:.2f} | " + " | ".join(f"{x:.2f}" for x in columns) + f" | {peak:.0f} | {solver.name} |",
        flush=True,
    )


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] in ELEMENTS:
        measure(int(sys.argv[1]), sys.argv[2])
    else:
        print(
            "| element | N | set-up, s | force | exact tangent | force and tangent | Newton matrix | factorise "
            "| solve, us an element | peak, MB | solver |"
        )
        print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|", flush=True)
        for element in ELEMENTS:
            for n in map(int, sys.argv[1:] or SIZES[element]):
                subprocess.run([sys.executable, __file__, str(n), element], check=True)
