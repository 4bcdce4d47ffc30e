"""What a beam network is made of, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, nearest, shown
from fmbs.core.errors import ModelError
from fmbs.core.words import counted
from fmbs.elements._checks import check_flexible
from fmbs.elements.material import Material
from fmbs.elements.mesh import check_lines
from fmbs.elements.section import Section

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def checked_network(name: str, nodes: ArrayLike, struts: ArrayLike) -> tuple[Array, Integers]:
    """Points (n, 3) and pairs of them (m, 2), each used, in one piece."""
    points = array(name, "nodes", nodes, "give an array (n, 3), m")
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2 or not np.isfinite(points).all():
        raise ModelError(f"{name}: nodes of shape {points.shape} must be 2 or more finite points (n, 3), m.")
    pairs = np.asarray(struts)
    if pairs.dtype.kind not in "iu" or pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs):
        raise ModelError(f"{name}: struts = {shown(struts)} must be pairs of whole numbers (m, 2), the nodes at their ends.")
    if pairs.min() < 0 or pairs.max() >= len(points):
        wrong = int(pairs.max()) if pairs.max() >= len(points) else int(pairs.min())
        raise ModelError(f"{name}: struts has the node {wrong}; there are nodes 0 to {len(points) - 1}.")
    pairs = pairs.astype(np.int64)
    unused = np.flatnonzero(np.bincount(pairs.ravel(), minlength=len(points)) == 0)
    if unused.size:
        raise ModelError(
            f"{name}: {counted(unused.size, 'node')} belong to no strut, the first is {unused[0]}; leave them out of nodes."
        )
    check_lines(name, points, pairs, "strut", "node")
    return points, pairs


def kinds_of(
    name: str, section: Section | Mapping[Any, Section], material: Material | Mapping[Any, Material],
    tags: Sequence[Any] | NDArray[Any] | None, count: int,
) -> tuple[NDArray[np.str_], list[tuple[Section, Material]], Integers]:  # fmt: skip
    """Tags of the struts as text, pairs of section and material, and which of them each strut has."""
    if tags is None and (isinstance(section, Mapping) or isinstance(material, Mapping)):
        raise ModelError(f"{name}: section or material is given by tag, but tags are not; give tags=, one for each strut.")
    names = np.full(count, "") if tags is None else np.array([str(tag) for tag in tags])
    if names.shape != (count,):
        raise ModelError(f"{name}: {len(names)} tags for {count} struts; give one for each.")
    known, kind = np.unique(names, return_inverse=True)
    pairs = [(_of(name, "section", section, str(tag)), _of(name, "material", material, str(tag))) for tag in known]
    for pair in pairs:
        check_flexible(name, *pair, 1)
    return names, pairs, kind


def _of(name: str, argument: str, given: Any, tag: str) -> Any:
    if not isinstance(given, Mapping):
        return given
    by_name = {str(key): value for key, value in given.items()}
    if tag not in by_name:
        raise ModelError(f"{name}: {argument} has nothing for the tag {tag!r}.{nearest(tag, by_name)}")
    return by_name[tag]


def upright(name: str, points: Array, struts: Integers, up: ArrayLike | None) -> Array:  # (struts, 3)
    """The direction of each section's z axis, as it is given or by default."""
    if up is None:
        along = points[struts[:, 1]] - points[struts[:, 0]]
        vertical = np.abs(along[:, 2]) > 0.9 * np.linalg.norm(along, axis=1)
        usual: Array = np.eye(3)[np.where(vertical, 0, 2)]
        return usual
    given = array(name, "up", up, "give 3 numbers, or 3 for each strut")
    if given.shape not in ((3,), (len(struts), 3)) or not np.isfinite(given).all():
        raise ModelError(f"{name}: up of shape {given.shape} must be one direction (x, y, z), or one for each strut (m, 3).")
    return np.broadcast_to(given, (len(struts), 3))
