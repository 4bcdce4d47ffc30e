"""What holds two bodies in the place that they have."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fmbs.core.equations import Equation, along, dot, planar
from fmbs.joints.base import Joint


@dataclass(frozen=True, eq=False)
class Locked(Joint):
    """The frame of b keeps a place and a rotation in the frame of a that it does not have at t = 0: a brake, a latch.

    a_i . (r_b - r_a) = place_i;   b_j . a_k = 0 of directions of b that lie along the axes of a

    place: components along the axes of a, m
    turn: directions of b, by their global components at t = 0, that lie along the axes of a  # (3, 3) rows
    """

    place: tuple[float, ...] = field(kw_only=True)
    turn: tuple[tuple[float, ...], ...] = field(kw_only=True)

    def equations(self) -> list[Equation]:
        flat = planar(self.a, self.b)
        axes, own = self.a.frame, [self.b.direction(np.array(n)) for n in self.turn]
        names = "xyz"[: 2 if flat else 3]
        held = [
            along(f"{name} of the place", axis, self.a, self.b, value)
            for name, axis, value in zip(names, axes, self.place, strict=False)
        ]
        if flat:
            return [*held, dot("rotation", own[0], axes[1])]
        pairs = (("z", own[0], axes[1]), ("x", own[1], axes[2]), ("y", own[2], axes[0]))
        return [*held, *(dot(f"rotation about {name}", u, w) for name, u, w in pairs)]
