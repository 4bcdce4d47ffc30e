"""Solids: elements' forces and tangents beside a beam's and beside dgemm, and time steps of a large block.

    python benchmarks/solids.py                       elements
    python benchmarks/solids.py --unknowns 100000     ten time steps of a block of tetra10, a table row

Times are processor times, the least of many repeats; floating-point operations are counted from the kernels' loops, a
multiply-add as two.
"""

from __future__ import annotations

import argparse
import os
import resource
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ.setdefault(variable, "1")  # before numpy is imported

import numpy as np  # noqa: E402
from measure import least  # noqa: E402

import fmbs as fm  # noqa: E402
from fmbs.assembly.system import Coefficients, System  # noqa: E402

STEEL = fm.Material(E=2.07e11, nu=0.3, density=7850.0)
KINDS = {"hexahedron": 10, "tetra10": 6, "hexahedron20": 6, "hexahedron27": 5}  # divisions of a cube


def operations(nodes: int, points: int) -> tuple[int, int]:
    """Of force and tangent of St. Venant-Kirchhoff cells, an element."""
    gradient, stress = 18 * nodes, 6 * 6 + 12 + 9 * 6
    force = gradient + stress + 9 + 18 * nodes
    moduli = 9 * 7 + 81 * 6
    pairs = nodes * (nodes + 1) // 2
    return points * force, points * (gradient + stress + 27 + moduli + 27 * 5 * nodes + 9 * 6 * pairs)


def kernels(system: System) -> tuple[int, float, float]:
    """Elements, and seconds of force and tangent of one."""
    elements = system.elements[0]
    q = system.initial_position + 1e-6 * np.random.default_rng(0).standard_normal(system.size)
    v, out = np.zeros(system.size), np.zeros(system.size)
    newton = Coefficients(mass=1.0, stiffness=1e-6, constraint=system.mass_scale)
    data = system.jacobian(0.0, q, v, np.zeros(system.multipliers), newton).data.copy()
    slots, count = system._pattern.block_slots[0], len(elements.blocks().first)
    force = least(lambda: elements.residual(0.0, q, v, out)) / count
    return count, force, least(lambda: elements.add_tangent(0.0, q, v, 1e-6, 0.0, slots, data)) / count


def elements() -> None:
    a, b, c = np.random.default_rng(1).random((3, 512, 512))
    peak = 2.0 * 512**3 / least(lambda: np.matmul(a, b, out=c)) / 1e9
    print(f"one core: {peak:.1f} Gflop/s by dgemm\n")
    print("| element | coordinates | force, us | share of dgemm | tangent, us | share of dgemm |")
    print("|---|---:|---:|---:|---:|---:|")
    for kind, n in KINDS.items():
        m = fm.Model("cube")
        m.add(fm.Solid.block("cube", size=(1.0, 1.0, 1.0), divisions=(n, n, n), kind=kind, material=STEEL))
        system = m.system()
        table = system.elements[0].table  # type: ignore[attr-defined]
        nodes, points = table.first.shape[1], table.weight.shape[1]
        _, force, tangent = kernels(system)
        shares = [100.0 * count / seconds / 1e9 / peak for count, seconds in zip(operations(nodes, points), (force, tangent))]
        row = f"{3 * nodes} | {1e6 * force:.2f} | {shares[0]:.0f} % | {1e6 * tangent:.2f} | {shares[1]:.0f} %"
        print(f"| {kind} | {row} |")
    m = fm.Model("beam")
    section = fm.Rectangle(0.01, 0.01)
    m.add(fm.Beam("beam", start=(0, 0, 0), end=(10, 0, 0), section=section, material=STEEL, elements=1000))
    _, force, tangent = kernels(m.system())
    print(f"| Beam, default | 36 | {1e6 * force:.2f} | | {1e6 * tangent:.2f} | |")


def large(unknowns: int, solver: str, step: float) -> None:
    """Ten time steps of a free cube of tetra10 that is pushed at one side."""
    n = max(2, round((unknowns / 3.0) ** (1.0 / 3.0) / 2.0))
    clock = time.perf_counter()
    m = fm.Model("cube")
    cube = m.add(fm.Solid.block("cube", size=(1.0, 1.0, 1.0), divisions=(n, n, n), kind="tetra10", material=STEEL))
    m.add(fm.Pressure(cube, "x+", 1e7, follower=False))
    built = time.perf_counter() - clock
    sol = m.simulate(10 * step, step=step, output_step=10 * step, linear_solver=solver, energy_tolerance=None)
    stats, peak = sol.statistics, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        "| unknowns | cells | linear solver | building, s | ten steps with set-up, s | iterations | factorisations | peak, GB |"
    )
    print("|---:|---:|---|---:|---:|---:|---:|---:|")
    cells = 6 * n**3
    numbers = f"{stats.wall:.1f} | {stats.iterations} | {stats.factorizations} | {peak:.1f}"
    print(f"| {sol.system.size + sol.system.multipliers} | {cells} | {stats.linear_solver} | {built:.1f} | {numbers} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unknowns", type=int, help="of a block for ten time steps")
    parser.add_argument("--solver", default="auto", help="linear solver of that block (default: %(default)s)")
    parser.add_argument("--step", type=float, default=1e-5, help="s (default: %(default)s)")
    asked = parser.parse_args()
    if asked.unknowns:
        large(asked.unknowns, asked.solver, asked.step)
    else:
        elements()


if __name__ == "__main__":
    main()
