"""Coordinates of parts that own a point and a triad on each of two bodies."""

from __future__ import annotations

import numpy as np

from fmbs.gaps.contact_kernels import VECTORS
from fmbs.gaps.joint_tables import CALLS, LIFT, LIFT_VECTOR, Layout
from fmbs.gaps.tangent_kernels import lift_flexible
from fmbs.math.vector_table import FIXED, LINEAR, PLANAR, VectorTable, columns, dof_of


def layout_of(table: VectorTable, count: int) -> Layout:
    """Of so many parts, each with VECTORS vectors of the table."""
    coordinates: list[int] = []
    local: list[int] = []
    starts, local_starts = [0], [0]
    for part in range(count):
        vectors = range(VECTORS * part, VECTORS * (part + 1))
        dofs = [dof_of(table, i, j) for i in vectors for j in range(columns(table, i))]
        own = sorted(set(dofs))
        place = {dof: k for k, dof in enumerate(own)}
        coordinates += own
        local += [place[dof] for dof in dofs]
        starts.append(len(coordinates))
        local_starts.append(len(local))
    layout = Layout(*(np.array(x, np.int64) for x in (coordinates, starts, local, local_starts, [0] * CALLS)))
    if (~np.isin(table.kind, (FIXED, LINEAR, PLANAR))).any():
        layout.calls[LIFT] = LIFT_VECTOR.address(lift_flexible, table)
    return layout
