"""Linear solvers on Newton matrices of chains: microseconds to factorise and, in brackets, to solve.

python benchmarks/linear_solvers.py: beams of 2 to 4096 elements, chains of 3 to 10,000 rigid bodies on revolute joints.
Processor times, the least of many repeats, one core; the symbolic part is done before.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import numpy as np  # noqa: E402
from scipy.sparse import csc_matrix  # noqa: E402

import fmbs as fm  # noqa: E402
from fmbs.assembly.system import Coefficients  # noqa: E402
from fmbs.solvers.linear import linear_solver  # noqa: E402

SOLVERS = ("dense", "banded", "scipy", "petsc:klu")
DENSE_UP_TO = 1500  # unknowns
ALLOY = fm.Material(E=6.9e9, density=2700)


def beam(elements: int, interpolation: str, formulation: str) -> fm.Model:
    m = fm.Model("beam")
    part = m.add(
        fm.Beam(
            "beam",
            start=(0, 0, 0),
            end=(0.02 * elements, 0, 0),
            section=fm.Rectangle(0.01, 0.01),
            material=ALLOY,
            elements=elements,
            interpolation=interpolation,
            formulation=formulation,
        )
    )
    m.add(fm.Fixed(m.ground.at(0, 0, 0), part.start))
    return m


def chain(bodies: int) -> fm.Model:
    m = fm.Model("chain")
    last = m.ground
    for k in range(bodies):
        link = m.add(fm.RigidBody(f"link {k}", mass=0.3, inertia=np.diag([2e-5, 2.6e-4, 2.6e-4]), com=(0.1 * k + 0.05, 0, 0)))
        m.add(fm.Revolute(last.at(0.1 * k, 0, 0), link.at(0.1 * k, 0, 0), axis=(0, 1, 0), name=f"pin {k}"))
        last = link
    return m


CASES: dict[str, tuple[Callable[[int], fm.Model], tuple[int, ...]]] = {
    "beam, hermite continuum": (lambda n: beam(n, "hermite", "continuum"), (2, 4, 8, 16, 64, 512, 4096)),
    "beam, cubic structural": (lambda n: beam(n, "cubic", "structural"), (2, 4, 8, 16, 64, 512, 4096)),
    "chain of rigid bodies": (chain, (3, 5, 10, 30, 100, 1000, 10_000)),
}


def newton_matrix(model: fm.Model) -> csc_matrix:
    system = model.system()
    q = system.initial_position + 1e-6 * np.random.default_rng(0).standard_normal(system.size)
    v, lam = np.zeros(system.size), np.zeros(system.multipliers)
    return system.jacobian(0.0, q, v, lam, Coefficients(mass=1.0, stiffness=1e-6, constraint=system.mass_scale)).copy()


def least(work: Callable[[], object], budget: float = 0.5) -> float:
    times, start = [], time.process_time()
    while len(times) < 3 or (time.process_time() - start < budget and len(times) < 1000):
        clock = time.process_time()
        work()
        times.append(time.process_time() - clock)
    return 1e6 * min(times)


def measure(name: str, matrix: csc_matrix) -> str:
    if name == "dense" and matrix.shape[0] > DENSE_UP_TO:
        return ""
    solver, b = linear_solver(name, matrix.shape[0]), np.ones(matrix.shape[0])
    given = matrix.copy()
    solver.factorize(given)
    factorise = least(lambda: solver.factorize(given))
    factor = solver.factorize(given)
    return f"{factorise:.0f} ({least(lambda: factor.solve(b), 0.1):.0f})"


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
