"""The cell of a mesh that holds a point, and the shares of its nodes in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.elements.solid.shapes import CellShape
from fmbs.elements.solid.volume_mesh import VolumeMesh

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

NEAR = 40  # cells that are tried, the nearest
OUTSIDE = 1e-6  # how far beyond its cell a point may lie, in lengths of the cell


def located(name: str, mesh: VolumeMesh, place: Array) -> tuple[Integers, Array]:
    """Nodes and their weights; a node itself where the point is one."""
    apart = np.linalg.norm(mesh.points - place, axis=1)
    k = int(apart.argmin())
    if apart[k] < 1e-9 * float(np.ptp(mesh.points, axis=0).max()):
        return np.array([k]), np.ones(1)
    best: tuple[float, Integers, Array] | None = None
    for shape, cells in mesh.shaped():
        distance = np.linalg.norm(mesh.points[cells[:, : shape.corners]].mean(axis=1) - place, axis=1)
        for e in np.argsort(distance)[:NEAR]:
            xi = _inside(shape, mesh.points[cells[e]], place)
            beyond = _beyond(shape, xi)
            if best is None or beyond < best[0]:
                best = beyond, cells[e], shape.value(xi[None])[0]
    assert best is not None
    if best[0] > OUTSIDE:
        raise ModelError(
            f"{name}: ({', '.join(f'{x:g}' for x in place)}) m is outside the solid; the nearest point of its mesh is "
            f"({', '.join(f'{x:g}' for x in mesh.points[k])}) m."
        )
    return best[1], best[2]


def _inside(shape: CellShape, x: Array, place: Array) -> Array:
    """Place in the unit cell, by Newton steps."""
    xi = np.full(3, 0.25 if shape.corners == 4 else 0.5)
    for _ in range(20):
        gap = place - shape.value(xi[None])[0] @ x
        step = np.linalg.lstsq(x.T @ shape.slope(xi[None])[0], gap, rcond=None)[0]
        xi = np.clip(xi + step, -2.0, 3.0)
        if np.abs(step).max() < 1e-13:
            break
    return xi


def _beyond(shape: CellShape, xi: Array) -> float:
    most = xi.sum() - 1.0 if shape.corners == 4 else xi.max() - 1.0
    return float(max(-xi.min(), most))
