"""Cubic lattices of beams: time to build, assemble, find the equilibrium, take a step and find modes, over the struts.

python benchmarks/lattice.py [N ...]: N x N x N nodes 0.1 m apart, struts of one cubic element each, round bars of 10 mm of
aluminium, the lowest layer clamped, gravity. Each N in a process of its own. Times: processor times of one thread, after a run
of each kind to compile and load kernels and libraries. Build is fm.BeamNetwork with its joints; assemble is m.system(), one
residual and one Newton matrix; equilibrium is m.equilibrium() of the whole load from the drawn shape, with all that it does
before; a step is the difference of runs of two and of twelve steps of 0.1 ms by ten; modes are ten. Peak: of the process.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported

import numpy as np  # noqa: E402

import fmbs as fm  # noqa: E402
from fmbs.assembly.system import Coefficients  # noqa: E402

SIZES = (4, 6, 8, 12, 16, 20)
STEP, STEPS, MODES = 1e-4, 10, 10
HEADER = (
    "N", "struts", "coordinates", "build, s", "assemble, s", "equilibrium, s", "factorisations", "s a step", "ten modes, s",
    "peak, GB", "solver",
)  # fmt: skip


def lattice(n: int) -> fm.Model:
    place = 0.1 * np.arange(n)
    nodes = np.stack(np.meshgrid(place, place, place, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(n**3).reshape(n, n, n)
    along = [np.stack([number.take(range(n - 1), k).ravel(), number.take(range(1, n), k).ravel()], axis=1) for k in range(3)]
    bar, aluminium = fm.Circle(0.005), fm.Material(E=70e9, nu=0.3, density=2700.0)
    body = fm.BeamNetwork("lattice", nodes=nodes, struts=np.concatenate(along), section=bar, material=aluminium)
    m = fm.Model("lattice", gravity=(0.0, 0.0, -9.81))
    m.add(body)
    for k in np.flatnonzero(nodes[:, 2] == 0.0):
        m.add(fm.Fixed(m.ground.at(*nodes[k]), body.node(int(k))))
    return m


def assembled(m: fm.Model) -> int:
    """One residual and one matrix; how many coordinates."""
    system = m.system()
    q, none = system.initial_position, np.zeros(system.multipliers)
    system.residual(0.0, q, 0.0 * q, 0.0 * q, none)
    system.jacobian(0.0, q, 0.0 * q, none, Coefficients(stiffness=1.0))
    return system.size


def moving(m: fm.Model, steps: int) -> None:
    m.simulate(steps * STEP, step=STEP, output_step=steps * STEP, integrator=fm.GeneralizedAlpha(), progress=False)


def warmed() -> None:
    """A lattice of the size from which on MUMPS is taken."""
    m = lattice(7)
    assembled(m)
    m.equilibrium()
    moving(m, 1)
    m.modes(1)


def measure(n: int) -> None:
    """Print one row."""
    warmed()

    def clocked(work: object) -> tuple[float, object]:
        begin = time.process_time()
        result = work()  # type: ignore[operator]
        return time.process_time() - begin, result

    build, m = clocked(lambda: lattice(n))
    assemble, size = clocked(lambda: assembled(m))
    rest, sol = clocked(m.equilibrium)
    done = sol.statistics
    del sol
    few, _ = clocked(lambda: moving(m, 2))
    many, _ = clocked(lambda: moving(m, 2 + STEPS))
    modes, _ = clocked(lambda: m.modes(MODES))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    spent = (
        f"{build:.2f}",
        f"{assemble:.2f}",
        f"{rest:.2f}",
        done.factorizations,
        f"{(many - few) / STEPS:.3f}",
        f"{modes:.2f}",
    )
    row = (n, 3 * n * n * (n - 1), size, *spent, f"{peak:.2f}", done.linear_solver)
    print("|", " | ".join(map(str, row)), "|", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]))
        return
    print("|", " | ".join(HEADER), "|")
    print("|---" * len(HEADER) + "|", flush=True)
    for n in map(int, sys.argv[1:] or SIZES):
        subprocess.run([sys.executable, __file__, "--one", str(n)], check=True)


if __name__ == "__main__":
    main()
