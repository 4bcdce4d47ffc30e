"""Reduced bodies with equally many vectors as a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fmbs.core.element_batch import CompiledElements
from fmbs.core.protocols import Offsets
from fmbs.elements.reduced._reduced_kernels import ReducedTable, reduced_energy, reduced_force
from fmbs.elements.reduced._reduced_tangents import reduced_tangent

if TYPE_CHECKING:
    from fmbs.elements.reduced.reduced_body import ReducedBody


class ReducedElements(CompiledElements):
    """One element a body: all its coordinates see each other."""

    force, tangent, stored = staticmethod(reduced_force), staticmethod(reduced_tangent), staticmethod(reduced_energy)
    rows = ("first", "stiffness", "retardation", "damping", "drawn", "constant", "guides", "axes")

    def viscous(self) -> ReducedElements:
        count = len(self.table.first)
        return self.with_table(retardation=np.ones(count), damping=np.zeros((count, 0, 0)))


@dataclass(frozen=True)
class ReducedKind:
    """Bodies that can share a table."""

    vectors: int
    directions: int
    damped: bool
    by_modes: bool  # with a damping matrix of its own?

    def build(self, bodies: Sequence[ReducedBody], offsets: Offsets) -> ReducedElements:
        spaces = [body.space for body in bodies]
        first = np.array([offsets[body] for body in bodies])[:, None] + 3 * np.arange(self.vectors)
        damping = np.stack([body.damping_matrix for body in bodies]) if self.by_modes else np.zeros((len(bodies), 0, 0))
        constant, drawn = np.stack([space.constant for space in spaces]), np.stack([space.drawn for space in spaces])
        table = ReducedTable(
            first, np.stack([space.stiffness for space in spaces]),
            np.array([body.damping for body in bodies]), damping, drawn - constant[:, :, None] * drawn[:, :1], constant,
            np.stack([body.guides for body in bodies]), np.stack([body.guide_axes for body in bodies]),
        )  # fmt: skip
        return ReducedElements(table, width=3, damped=self.damped)
