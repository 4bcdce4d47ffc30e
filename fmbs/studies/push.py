"""Small constant forces that make runs of one model differ: the members of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import CentredBody, LineBody
from fmbs.forces import PointForce
from fmbs.model import Model

MEMBER = "member"  # of an ensemble, among the parameters of a case


@dataclass(frozen=True)
class Push:
    """Forces of `size`, N, in random directions on the centre of mass of every rigid body and the end of every flexible link.

    Member 0 has none. Member k draws from numpy's default_rng([seed, k]), so that every member can be run again by itself.
    """

    size: float
    seed: int = 0

    def on(self, m: Model, member: int) -> Model:
        """The same model, pushed."""
        if member == 0 or self.size == 0.0:
            return m
        random = np.random.default_rng([self.seed, member])
        places = [(body.name, _place(body)) for body in m.bodies]
        found = [(name, place) for name, place in places if place is not None]
        if not found:
            raise ModelError(f"ensemble: no body of {m.name!r} can be pushed; vary a parameter instead.")
        for name, place in found:
            direction = random.standard_normal(2 if place.planar else 3)
            force = self.size * direction / np.linalg.norm(direction)
            m.add(PointForce(place, tuple(float(x) for x in force), name=f"push of {name}"))
        return m


def _place(body: object) -> Marker | None:
    if isinstance(body, CentredBody):
        return body.com
    return body.end if isinstance(body, LineBody) else None
