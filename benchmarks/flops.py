"""Element kernels against one core's limit: floating-point operations of force and tangent beside what dgemm reaches.

python benchmarks/flops.py: the papers' element (hermite continuum, 4 axial points), 1000 of them, undamped. Operations are
counted from the kernels' loops (`operations`), a multiply-add as two; times are processor times, the least of many repeats.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported

import beam  # noqa: E402
import numpy as np  # noqa: E402
from measure import least  # noqa: E402

from fmbs.assembly.system import Coefficients  # noqa: E402
from fmbs.elements._solid_kernels import PAIR, Solids  # noqa: E402

N = 1000


def operations(solids: Solids) -> tuple[int, int]:
    """Of force and tangent, an element."""
    _, stations, _, vectors = solids.shape.shape
    per = solids.per
    line, directors = vectors // per * (per - 2), vectors // per * 2  # vectors that enter one field and two fields
    entries = solids.column.size
    mixed = int((PAIR[solids.column, 0] != PAIR[solids.column, 1]).sum())
    fields = spread = 6 * line + 12 * directors
    products = 15 * 6 + 5  # of three components, less the reference's; halves of the squares
    stress = fields + products + 2 * entries
    force = stress + 3 * 5 * 9 + spread
    gradients = 15 + 6 * (entries + mixed)
    blocks = 15 * (1 + 5 * 18)  # 3 x 3 blocks of the five fields, the symmetric half
    pairs = ((line + 2 * directors) ** 2 + line + 4 * directors) // 2  # of fields of two vectors, the symmetric half
    tangent = stress + gradients + blocks + 19 * pairs
    return stations * force, stations * tangent


def main() -> None:
    m, _ = beam.in_fmbs(N, "hermite", "continuum")
    system = m.system()
    elements = system.elements[0]
    q = system.initial_position + 1e-4 * np.random.default_rng(0).standard_normal(system.size)
    v, out = np.zeros(system.size), np.zeros(system.size)
    newton = Coefficients(mass=1.0, stiffness=1e-6, constraint=system.mass_scale)
    data = system.jacobian(0.0, q, v, np.zeros(system.multipliers), newton).data.copy()
    slots = system._pattern.block_slots[0]
    a, b, c = np.random.default_rng(1).random((3, 512, 512))
    peak = 2.0 * 512**3 / least(lambda: np.matmul(a, b, out=c)) / 1e9
    times = (
        least(lambda: elements.residual(0.0, q, v, out)),
        least(lambda: elements.add_tangent(0.0, q, v, 1e-6, 0.0, slots, data)),
    )
    print(f"one core: {peak:.1f} Gflop/s by dgemm\n")
    print("| kernel | flops an element | us an element | Gflop/s | share of dgemm |")
    print("|---|---:|---:|---:|---:|")
    for name, count, seconds in zip(("force", "exact tangent"), operations(elements.table), times, strict=True):
        speed = N * count / seconds / 1e9
        print(f"| {name} | {count} | {1e6 * seconds / N:.2f} | {speed:.2f} | {100 * speed / peak:.1f} % |")


if __name__ == "__main__":
    main()
