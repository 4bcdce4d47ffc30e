"""How a reduced body is drawn: faces of its mesh, which move as its nodes do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Cells, Snapshot
from fmbs.core.checks import shown
from fmbs.core.errors import ModelError

if TYPE_CHECKING:
    from fmbs.elements.reduced.reduced_body import ReducedBody

Array = NDArray[np.float64]


def faces_of(part: str, faces: Sequence[Sequence[int]] | None, nodes: int) -> tuple[tuple[int, ...], ...]:
    """Checked: polygons of nodes that exist."""
    if faces is None:
        return ()
    try:
        found = tuple(tuple(int(k) for k in face) for face in faces)
        good = all(len(face) >= 3 and min(face) >= 0 and max(face) < nodes for face in found)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ModelError(f"{part}: faces = {shown(faces)}; give lists of three or more of the node numbers 0 to {nodes - 1}.")
    return found


class Skin:
    """All nodes, and faces between them; without any, its nodes alone.

    Fields: velocity, and `deflection`, the displacement in axes that turn with the body, m.
    """

    def __init__(self, body: ReducedBody) -> None:
        self._body = body
        self.cells = Cells.of(body.faces or [(k,) for k in range(len(body.space.nodes))])

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        fields = {"velocity": self._body.positions(v), "deflection": self._body.relative(q)[: len(self._body.space.nodes)]}
        return Snapshot(self._body.positions(q), fields)
