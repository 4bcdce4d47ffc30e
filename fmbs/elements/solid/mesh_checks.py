"""What is wrong with a volume mesh, in one clear line each."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import array, mapping, nearest
from fmbs.core.errors import ModelError
from fmbs.core.words import counted
from fmbs.elements.solid.shapes import VOLUMES
from fmbs.elements.solid.volume_mesh import VolumeMesh

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

FLAT = 1e-6  # least volume of a cell at any of its places, relative to that of a cell of its size that is not distorted
SLIVER = 0.02
BIG = 20.0  # m: a mechanical part that is larger is suspected to be drawn in millimetres
OFF = 0.35  # how far a node may be from the middle of its edge, in lengths of the edge


class PoorMesh(UserWarning):
    """A mesh that can be computed with, but not well."""


def checked_mesh(name: str, points: object, cells: object, sets: object) -> VolumeMesh:
    """A mesh from arrays."""
    x = array(name, "points", points, "give an array (n, 3), m")
    if x.ndim != 2 or x.shape[1] != 3 or not np.isfinite(x).all():
        raise ModelError(f"{name}: points of shape {x.shape} must be finite numbers (n, 3), m.")
    kinds = mapping(name, "cells", cells, "kinds of cells")
    made = {kind: _numbers(name, kind, nodes, len(x)) for kind, nodes in kinds.items()}
    made = {kind: nodes for kind, nodes in made.items() if len(nodes)}
    if not made:
        raise ModelError(f"{name}: the mesh has no volume cells; give some of {', '.join(VOLUMES)}.")
    used = np.zeros(len(x), bool)
    for nodes in made.values():
        used[nodes] = True
    places = {key: _set_numbers(name, key, value, len(x)) for key, value in mapping(name, "sets", sets, "sets").items()}
    if not used.all():
        warnings.warn(
            f"{name}: {counted(int((~used).sum()), 'point')} of the mesh belong to no volume cell, the first is "
            f"{int(np.flatnonzero(~used)[0])}; they are left out.", PoorMesh, stacklevel=2,
        )  # fmt: skip
        x, made, places = _without(used, x, made, places)
    mesh = VolumeMesh(x, made, places)
    _check_shapes(name, mesh)
    _check_pieces(name, mesh)
    return mesh


def warn_of_units(name: str, points: Array) -> None:
    """Of a file in which nobody has said what a unit is."""
    size = float(np.ptp(points, axis=0).max(initial=0.0))
    if size > BIG:
        warnings.warn(
            f"{name}: the mesh is {size:g} m long; if it was drawn in millimetres give scale=1e-3, else scale=1.", PoorMesh,
            stacklevel=3,
        )  # fmt: skip


def _numbers(name: str, kind: str, nodes: object, count: int) -> Integers:
    if kind not in VOLUMES:
        raise ModelError(f"{name}: there are no solid elements for cells {kind!r}.{nearest(kind, VOLUMES)}")
    table = np.asarray(nodes)
    if table.dtype.kind not in "iu" or table.ndim != 2 or table.shape[1] != VOLUMES[kind].size:
        raise ModelError(f"{name}: cells[{kind!r}] of shape {table.shape} must be whole numbers (cells, {VOLUMES[kind].size}).")
    if table.size and (table.min() < 0 or table.max() >= count):
        raise ModelError(f"{name}: cells[{kind!r}] has the point {table.max()}; there are points 0 to {count - 1}.")
    return table.astype(np.int64)


def _set_numbers(name: str, key: str, value: object, count: int) -> Integers:
    table = np.asarray(value)
    good = table.dtype.kind in "iu" and table.size and (table.ndim == 1 or (table.ndim == 2 and table.shape[1] in (3, 4)))
    if not good:
        raise ModelError(
            f"{name}: sets[{key!r}] of shape {table.shape} must be numbers of points (n,) or corners of faces (n, 3 or 4)."
        )
    if table.min() < -1 or table.max() >= count:
        raise ModelError(f"{name}: sets[{key!r}] has the point {table.max()}; there are points 0 to {count - 1}.")
    return table.astype(np.int64)


def _without(
    used: NDArray[np.bool_], x: Array, cells: Mapping[str, Integers], sets: Mapping[str, Integers]
) -> tuple[Array, dict[str, Integers], dict[str, Integers]]:
    """Points that no cell has are left out; of sets too."""
    number = np.append(np.cumsum(used) - 1, -1)
    kept = {}
    for key, nodes in sets.items():
        inside = np.append(used, True)[nodes]
        rest = nodes[inside] if nodes.ndim == 1 else nodes[inside.all(axis=1)]
        if rest.size:
            kept[key] = number[rest]
    return x[used], {kind: number[nodes] for kind, nodes in cells.items()}, kept


def _check_shapes(name: str, mesh: VolumeMesh) -> None:
    """Volumes at all places of the cells, and nodes between corners."""
    poor, worst = 0, 1.0
    for shape, cells in mesh.shaped():
        places = np.concatenate([shape.rule[0], shape.fine_rule[0]])
        for begin in range(0, len(cells), 20_000):
            some = cells[begin : begin + 20_000]
            x = mesh.points[some]
            pairs = some[:, shape.edges]
            edge = np.linalg.norm(mesh.points[pairs[..., 1]] - mesh.points[pairs[..., 0]], axis=2)
            if not shape.linear:
                node = x[:, shape.corners : shape.corners + len(shape.edges)]
                apart = np.linalg.norm(node - mesh.points[pairs].mean(axis=2), axis=2)
                if (apart > OFF * edge).any():
                    e, k = np.argwhere(apart > OFF * edge)[0]
                    raise ModelError(
                        f"{name}: node {some[e, shape.corners + k]} of {shape.name} cell {begin + e} is not between the "
                        f"corners {pairs[e, k].tolist()}; nodes must be in the order of VTK and meshio."
                    )
            slope = np.einsum("pik,eic->epck", shape.slope(places), x)
            volume = np.linalg.det(slope) / np.maximum((edge**2).mean(axis=1) ** 1.5, 1e-300)[:, None]
            quality = volume.min(axis=1) * (np.sqrt(2.0) if shape.corners == 4 else 1.0)  # 1: all edges equal
            bad = np.flatnonzero(quality <= FLAT)
            if bad.size:
                _refuse(name, shape.name, begin + bad, mesh.points[some[bad[0]]], volume[bad[0]], len(cells))
            poor += int((quality < SLIVER).sum())
            worst = min(worst, float(quality.min()))
    if poor:
        warnings.warn(
            f"{name}: {counted(poor, 'cell')} of the mesh are nearly flat (quality {worst:.2g}, 1 is best); their stresses are "
            "poor, and steps may have to be short.", PoorMesh, stacklevel=3,
        )  # fmt: skip


def _refuse(name: str, kind: str, bad: Integers, x: Array, volume: Array, count: int) -> None:
    place = "(" + ", ".join(f"{c:g}" for c in x.mean(axis=0)) + ") m"
    some = f"{counted(bad.size, f'{kind} cell')} of {count}, the first is {int(bad[0])} at {place}"
    if np.abs(volume).max() <= FLAT:
        raise ModelError(f"{name}: the mesh has cells without volume: {some}; remove them, or merge fewer points.")
    if (volume < 0.0).all():
        raise ModelError(f"{name}: the mesh has inverted cells: {some}; order their nodes as VTK and meshio do.")
    raise ModelError(f"{name}: the mesh has cells that are folded, with a negative volume in places: {some}; mesh it anew.")


def _check_pieces(name: str, mesh: VolumeMesh) -> None:
    count, label = mesh.pieces()
    if count == 1:
        return
    sizes = np.sort(np.bincount(label))[::-1]
    low, high = mesh.points[label == 0], mesh.points[label == 1]
    scale = 1e-9 * np.ptp(mesh.points, axis=0).max()
    both = np.concatenate([np.unique(np.round(x / scale), axis=0) for x in (low, high)])
    merged = len(np.unique(both, axis=0)) < len(both)
    remedy = "merge the points that lie at the same places" if merged else "give each part a solid of its own, and join them"
    raise ModelError(
        f"{name}: the mesh has {count} parts that are not connected, of {', '.join(map(str, sizes[:5].tolist()))} points; "
        f"{remedy}."
    )


def warn_of_locking(name: str, mesh: VolumeMesh, modes: bool) -> None:
    """Cells with straight edges that cannot bend."""
    if "tetra" in mesh.cells:
        warnings.warn(
            f"{name}: {len(mesh.cells['tetra'])} tetrahedra of 4 nodes have constant strains: they lock, and bend far too "
            "little. Give order=2 to from_mesh, or mesh with second order (tetra10).", PoorMesh, stacklevel=3,
        )  # fmt: skip
    if "hexahedron" in mesh.cells and not modes:
        warnings.warn(
            f"{name}: hexahedra of 8 nodes without internal modes lock in bending; leave bending='modes', or take "
            "hexahedron20.", PoorMesh, stacklevel=3,
        )  # fmt: skip
