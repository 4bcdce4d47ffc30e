"""Linear solvers on Newton matrices of chains: microseconds to factorise and, in brackets, to solve.

python benchmarks/linear_solvers.py: beams of 2 to 4096 elements, chains of 3 to 10,000 rigid bodies on revolute joints.
Processor times, the least of many repeats, one core; the symbolic part is done before.
"""

from __future__ import annotations

import os
from collections.abc import Callable

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported

import beam  # noqa: E402
import chain  # noqa: E402
import numpy as np  # noqa: E402
from measure import least  # noqa: E402
from scipy.sparse import csc_matrix  # noqa: E402

import fmbs as fm  # noqa: E402
from fmbs.assembly.system import Coefficients  # noqa: E402
from fmbs.solvers.linear import linear_solver  # noqa: E402

SOLVERS = ("dense", "banded", "scipy", "petsc:klu")
DENSE_UP_TO = 1500  # unknowns


CASES: dict[str, tuple[Callable[[int], fm.Model], tuple[int, ...]]] = {
    "beam, hermite continuum": (lambda n: beam.in_fmbs(n, "hermite", "continuum")[0], (2, 4, 8, 16, 64, 512, 4096)),
    "beam, cubic structural": (lambda n: beam.in_fmbs(n, "cubic", "structural")[0], (2, 4, 8, 16, 64, 512, 4096)),
    "chain of rigid bodies": (lambda n: chain.spatial_in_fmbs(n)[0], (3, 5, 10, 30, 100, 1000, 10_000)),
}


def newton_matrix(model: fm.Model) -> csc_matrix:
    system = model.system()
    q = system.initial_position + 1e-6 * np.random.default_rng(0).standard_normal(system.size)
    v, lam = np.zeros(system.size), np.zeros(system.multipliers)
    return system.jacobian(0.0, q, v, lam, Coefficients(mass=1.0, stiffness=1e-6, constraint=system.mass_scale)).copy()


def measure(name: str, matrix: csc_matrix) -> str:
    if name == "dense" and matrix.shape[0] > DENSE_UP_TO:
        return ""
    solver, b = linear_solver(name, matrix.shape[0]), np.ones(matrix.shape[0])
    given = matrix.copy()
    solver.factorize(given)
    factorise = least(lambda: solver.factorize(given))
    factor = solver.factorize(given)
    return f"{1e6 * factorise:.0f} ({1e6 * least(lambda: factor.solve(b), 0.1):.0f})"


if __name__ == "__main__":
    print("| case | N | unknowns | " + " | ".join(SOLVERS) + " | auto |")
    print("|---|---:|---:|" + "---:|" * len(SOLVERS) + "---|", flush=True)
    for case, (build, sizes) in CASES.items():
        for n in sizes:
            matrix = newton_matrix(build(n))
            chosen = linear_solver("auto", matrix.shape[0])
            chosen.factorize(matrix.copy())
            cells = [measure(name, matrix) for name in SOLVERS]
            print(f"| {case} | {n} | {matrix.shape[0]} | " + " | ".join(cells) + f" | {chosen.name} |", flush=True)
