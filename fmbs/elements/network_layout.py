"""Nodes of a beam network: which of them need three directors, where their coordinates are, how elements see them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

PARALLEL = 1e-3  # sine of an angle: axes that differ by less share one section


@dataclass(frozen=True)
class NetworkLayout:
    """Vectors of a network: those of the mesh's nodes and of the nodes inside of struts.

    start: first coordinate of each node, those of the mesh before all others  # (all nodes,)
    solid: has a node three directors, which were the global axes? else two, in its section  # (mesh nodes,)
    frames: axes of a mesh node's directors at t = 0: d_1, d_2, d_3, or section y, z and the tangent  # (mesh nodes, 3, 3)
    first, mix: of elements, as in a NetworkTable; joined (elements, 2): is an end a node of three directors?
    vectors: at t = 0, with what is a point  # (vectors, 3), (vectors,)
    inner: numbers of the nodes along each strut, its ends included  # (struts, nodes)
    """

    start: Integers
    solid: Flags
    frames: Array
    first: Integers
    mix: Array
    joined: Flags
    vectors: Array
    points: Flags
    inner: Integers


def axes_of(points: Array, struts: Integers, up: Array) -> tuple[Array, Array]:
    """Lengths, and rows t, y, z of every strut; up (struts, 3): made perpendicular to the axis it is z  # (struts, 3, 3)."""
    along = points[struts[:, 1]] - points[struts[:, 0]]
    length = np.linalg.norm(along, axis=1)
    t = along / length[:, None]
    across = up - np.einsum("si,si->s", up, t)[:, None] * t
    size = np.linalg.norm(across, axis=1)
    z = across / np.where(size > 1e-6 * np.linalg.norm(up, axis=1), size, np.nan)[:, None]  # NaN: parallel to the axis
    return length, np.stack([t, np.cross(z, t), z], axis=1)


def layout_of(points: Array, struts: Integers, axes: Array, elements: int, order: int) -> NetworkLayout:
    """order: of the interpolation; elements: of each strut."""
    count, steps = len(points), elements * order
    number, which = np.arange(len(struts)), np.empty(count, np.int64)
    which[struts[::-1].ravel()] = np.repeat(number[::-1], 2)  # the first strut at each node
    ends = struts.ravel()
    turned = np.linalg.norm(np.cross(axes[which[ends], 0], np.repeat(axes[:, 0], 2, axis=0)), axis=1) > PARALLEL
    solid = np.bincount(ends[turned], minlength=count) > 0
    frames = np.where(solid[:, None, None], np.eye(3), axes[which][:, (1, 2, 0)])
    inside = count + np.arange(len(struts) * (steps - 1)).reshape(len(struts), -1)
    along = np.column_stack([struts[:, :1], inside, struts[:, 1:]])  # (struts, steps + 1)
    width = np.concatenate([np.where(solid, 12, 9), np.full(inside.size, 9)])
    lower = np.repeat(struts.min(axis=1), steps - 1)
    sequence = np.lexsort((np.arange(width.size), np.concatenate([np.arange(count), lower])))  # with the first of their nodes
    start = np.empty(width.size, np.int64)
    start[sequence] = np.cumsum(width[sequence]) - width[sequence]
    vectors, is_point = _vectors(points, struts, axes, solid, frames, start, inside, width)
    row = order * np.arange(elements)[:, None] + np.arange(order + 1)
    nodes = along[:, row].reshape(-1, order + 1)  # (elements, nodes)
    strut = np.repeat(number, elements)
    joined = np.concatenate([solid, np.zeros(inside.size, bool)])[nodes[:, (0, -1)]]
    first = np.concatenate(
        [
            _end(start, nodes[:, 0], joined[:, 0]),
            (start[nodes[:, 1:-1], None] + 3 * np.arange(3)).reshape(len(nodes), -1),
            _end(start, nodes[:, -1], joined[:, 1]),
        ],
        axis=1,
    )
    mix = np.stack([_mix(nodes[:, k], joined[:, k], frames, axes[strut], count) for k in (0, -1)], axis=1)
    return NetworkLayout(start, solid, frames, first, mix.reshape(len(nodes), 12), joined, vectors, is_point, along)


def _end(start: Integers, node: Integers, joined: Flags) -> Integers:
    """First coordinates of r and the directors; the second of two stands for a third."""
    starts: Integers = start[node, None] + np.where(joined[:, None], [0, 3, 6, 9], [0, 3, 6, 6])
    return starts


def _mix(node: Integers, joined: Flags, frames: Array, axes: Array, count: int) -> Array:  # (elements, 2, 3)
    """Shares of the directors in the section's y and z."""
    mesh = node < count
    own = np.where(mesh[:, None, None], frames[np.where(mesh, node, 0)], axes[:, (1, 2, 0)])
    mix: Array = axes[:, 1:] @ np.swapaxes(own, 1, 2)
    mix[~joined, :, 2] = 0.0
    return mix


def _vectors(
    points: Array, struts: Integers, axes: Array, solid: Flags, frames: Array, start: Integers, inside: Integers,
    width: Integers,
) -> tuple[Array, Flags]:  # fmt: skip
    count, steps = len(points), inside.shape[1] + 1
    share = (np.arange(1, steps) / steps)[:, None]
    along = points[struts[:, 0], None] + share * (points[struts[:, 1]] - points[struts[:, 0]])[:, None]
    place = start // 3
    vectors, is_point = np.empty((int(width.sum()) // 3, 3)), np.zeros(int(width.sum()) // 3, bool)
    is_point[place] = True
    vectors[place] = np.concatenate([points, along.reshape(-1, 3)])
    for k in range(3):
        every = np.flatnonzero(solid) if k == 2 else np.arange(count)
        vectors[place[every] + 1 + k] = frames[every, k]
    for k in range(2):
        vectors[place[inside] + 1 + k] = axes[:, None, 1 + k]
    return vectors, is_point
