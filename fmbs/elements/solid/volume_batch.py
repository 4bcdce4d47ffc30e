"""All volume cells of a model, in batches of those that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.element_batch import CompiledElements
from fmbs.core.protocols import Offsets
from fmbs.elements.solid._volume_kernels import VolumeTable, volume_energy, volume_force, volume_tangent
from fmbs.jit.lanes import LANES

if TYPE_CHECKING:
    from fmbs.elements.solid.pieces import Piece
    from fmbs.elements.solid.solid import Solid

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

AT_ONCE = 512 * LANES  # cells whose gradients are made together


@dataclass(frozen=True)
class VolumeKind:
    """What solids must share to have batches in common."""

    neo: bool  # neo-Hookean

    def build(self, parts: Sequence[Solid], offsets: Offsets) -> tuple[Volumes, ...]:
        groups: dict[tuple[int, int], list[tuple[Solid, Piece]]] = {}
        for solid in parts:
            for piece in solid.pieces:
                groups.setdefault((piece.blocks.shape[1], piece.shape.rule[1].size), []).append((solid, piece))
        return tuple(Volumes.of(self.neo, group, offsets) for group in groups.values())


class Volumes(CompiledElements):
    """Cells with the same number of blocks and points."""

    force, tangent, stored = staticmethod(volume_force), staticmethod(volume_tangent), staticmethod(volume_energy)

    @classmethod
    def of(cls, neo: bool, group: Sequence[tuple[Solid, Piece]], offsets: Offsets) -> Self:
        first = np.concatenate([offsets[solid] + 3 * piece.blocks for solid, piece in group])
        material = np.concatenate([np.tile(solid.moduli, (len(piece), 1)) for solid, piece in group])
        points, blocks = group[0][1].shape.rule[1].size, first.shape[1]
        count = -(-len(first) // LANES)
        gradient, weight = np.zeros((count, points, blocks, 3, LANES)), np.zeros((count, points, LANES))
        start = 0
        for _, piece in group:
            for begin in range(0, len(piece), AT_ONCE):
                g, w = piece.gradient(slice(begin, begin + AT_ONCE))
                to = start + begin + np.arange(len(w))
                gradient[to // LANES, :, :, :, to % LANES] = g
                weight[to // LANES, :, to % LANES] = w
            start += len(piece)
        return cls.packed(first, gradient, weight, _in_lanes(material), neo)

    @classmethod
    def packed(cls, first: Integers, gradient: Array, weight: Array, material: Array, neo: bool | int) -> Self:
        damped = material[:, 2].any(axis=1).astype(np.int64)
        _fill(first, gradient, weight, material)
        return cls(VolumeTable(first, gradient, weight, material, damped, int(neo)), 3, damped=bool(damped.any()))

    def subset(self, elements: Integers) -> Self:
        old, numbers = self.table, np.asarray(elements, np.int64)
        count = -(-numbers.size // LANES)
        group, lane = np.divmod(numbers, LANES)
        to, at = np.divmod(np.arange(numbers.size), LANES)

        def chosen(x: Array) -> Array:
            made = np.zeros((count, *x.shape[1:]))
            made[to, ..., at] = x[group, ..., lane]
            return made

        return self.packed(old.first[numbers], chosen(old.gradient), chosen(old.weight), chosen(old.material), old.neo)

    def viscous(self) -> Self:
        material = self.table.material.copy()
        material[:, 2] = 1.0
        return self.with_table(material=material, damped=np.ones_like(self.table.damped))


def _in_lanes(rows: Array) -> Array:
    """(elements, n) -> (groups, n, LANES)."""
    groups = np.zeros((-(-len(rows) // LANES), rows.shape[1], LANES))
    to, at = np.divmod(np.arange(len(rows)), LANES)
    groups[to, :, at] = rows
    return groups


def _fill(first: Integers, *tables: Array) -> None:
    """Lanes after the last element repeat it."""
    used = len(first) % LANES
    for x in tables if used else ():
        x[-1, ..., used:] = x[-1, ..., used - 1 : used]
