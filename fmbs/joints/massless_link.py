"""Clearance as a rigid massless link."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import positive
from fmbs.core.equations import Equation, distance
from fmbs.core.errors import ModelError
from fmbs.joints.base import Joint

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MasslessLink(Joint):
    """The gap of a joint as a rigid link without mass: |r_b - r_a| = c. Planar or spatial (Earles & Wu 1973; Muvengi2011 II.A).

    Journal and bearing count as always in contact: no flight, no impact, no penetration and no friction. Where the link
    would have to push the journal onto the wall a real joint loses contact; sol.notes says so.

    a, b: centres of bearing and journal, drawn in contact: c apart
    clearance: c = R_b - R_j, m
    """

    clearance: float = field(kw_only=True)

    def equations(self) -> list[Equation]:
        c = positive(self.label, "clearance", self.clearance)
        check_drawn(self.label, float(np.linalg.norm(self.b.position - self.a.position)), c)
        return [distance("gap", self.a, self.b, c)]

    def limits(self, sol: Any) -> tuple[str, ...]:
        """Where a joint with clearance would have lost contact, in words."""
        apart = difference(sol.position(self.a), sol.position(self.b))
        return lost_contact(self.label, sol.t, np.einsum("fk,fk->f", sol.reaction(self).force, apart / length_of(apart)))


def check_drawn(label: str, apart: float, clearance: float) -> None:
    """A link without a direction cannot start."""
    if apart < 1e-3 * clearance:
        raise ModelError(
            f"{label}: bearing and journal are {apart:.4g} m apart, and a link of clearance = {clearance:.4g} m has no "
            "direction there; draw the journal in contact, c away from the bearing's centre towards the wall that it rests on."
        )


def difference(a: Array, b: Array) -> Array:
    """b - a  # (frames, 2) where either is on a planar body."""
    flat = min(a.shape[1], b.shape[1])
    found: Array = b[:, :flat] - a[:, :flat]
    return found


def length_of(apart: Array) -> Array:
    """(frames, k) -> (frames, 1)."""
    length: Array = np.linalg.norm(apart, axis=1, keepdims=True)
    return length


def lost_contact(label: str, t: Array, outwards: Array) -> tuple[str, ...]:
    """A wall pushes the journal back to the centre, and nothing else. outwards: force on the journal away from it, N."""
    holding = np.flatnonzero(outwards > 1e-9 * np.abs(outwards).max(initial=0.0))
    if not holding.size:
        return ()
    text = (
        f"{label}: the link holds the journal at the wall with up to {outwards.max():.3g} N in {holding.size} of {t.size} "
        f"frames, first at t = {t[holding[0]]:.6g} s; no wall pulls, so a joint with clearance would lose contact there: "
        "compare with one that has contact=."
    )
    return (text,)
