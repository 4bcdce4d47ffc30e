"""How the rates of gaps and slips depend on velocities: rows for the equations of impacts and of resting contacts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import VECTORS, triple
from fmbs.gaps.joint_tables import Gaps, Work
from fmbs.gaps.kinematics import push, times
from fmbs.jit.compiled import kernel
from fmbs.math.vector_kernels import pull
from fmbs.math.vector_table import FIXED

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel(plain=True)
def contact_rows(gaps: Gaps, work: Work, q: Array, chosen: Integers, still: Array, out: Array) -> None:
    """d(rate, slip along t, slip along e)/dv of chosen stations, which have been moved to q.

    still: zeros, as many as coordinates; out: (chosen, 3, widest) in the order of the coordinates of each joint
    """
    stations, layout, g = gaps.stations, gaps.layout, work.g
    for c in range(chosen.size):
        i = chosen[c]
        j = stations.joint[i]
        first, begin, end = VECTORS * j, layout.starts[j], layout.starts[j + 1]
        for d in range(3):
            g[first : first + VECTORS, :] = 0.0
            push(times(1.0, triple(work.frames, i, 3 * d)), triple(work.frames, i, 9), triple(work.frames, i, 12), g, first)
            for k in range(first, first + VECTORS):
                if gaps.vectors.kind[k] != FIXED:
                    pull(gaps.vectors, k, q, work.u, g[k, 0], g[k, 1], g[k, 2], still)
            for a in range(begin, end):
                out[c, d, a - begin] = still[layout.coordinates[a]]
                still[layout.coordinates[a]] = 0.0
        g[first : first + VECTORS, :] = 0.0
