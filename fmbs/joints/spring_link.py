"""Clearance as a massless link that yields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import not_negative, positive
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.forces.load import check_marker
from fmbs.forces.spring_damper import SpringDampers, pull_of
from fmbs.joints.massless_link import check_drawn, difference, length_of, lost_contact

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SpringLink(Described, units={"damping": "N s/m"}):
    """The gap of a joint as a spring and a damper along the line of centres: F = K (L - c) + C L' pulls the journal back to the
    bearing's centre, L = |r_b - r_a|. Planar or spatial.

    As `MasslessLink`, with surfaces that yield: journal and bearing count as always in contact. A joint that opens has
    contact=fm.contact.KelvinVoigt(...), Dubowsky & Freudenstein's impact pair (Muvengi2011 II.A).

    a, b: centres of bearing and journal
    clearance: c = R_b - R_j, m
    stiffness: K, N/m
    damping: C, N s/m
    """

    a: Marker
    b: Marker
    clearance: float = field(kw_only=True)
    stiffness: float = field(kw_only=True)
    damping: float = field(default=0.0, kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        for argument, marker in (("a", self.a), ("b", self.b)):
            check_marker(self.label, argument, marker)
        if self.a.body is self.b.body:
            raise ModelError(f"{self.label}: a and b are both on {self.a.body.name!r}; a joint connects two bodies.")
        positive(self.label, "clearance", self.clearance)
        positive(self.label, "stiffness", self.stiffness)
        not_negative(self.label, "damping", self.damping)
        check_drawn(self.label, float(np.linalg.norm(self.b.position - self.a.position)), self.clearance)

    @property
    def label(self) -> str:
        return self.name or type(self).__name__

    @property
    def varies(self) -> bool:
        return False

    def parameters(self, t: float) -> tuple[float, float, float]:
        """Stiffness, free length and damping, as the batch of spring-dampers wants them."""
        return self.stiffness, self.clearance, self.damping

    @property
    def batch(self) -> type[SpringDampers]:
        return SpringDampers

    @property
    def markers(self) -> tuple[Marker, Marker]:
        return self.a, self.b

    def acting(self, sol: Any) -> tuple[Array, Array]:
        """Force on b's body, and no moment about b  # (frames, 3) each."""
        return pull_of(self, sol)

    def limits(self, sol: Any) -> tuple[str, ...]:
        """Where a joint with clearance would have lost contact, in words."""
        apart = difference(sol.position(self.a), sol.position(self.b))
        length = length_of(apart)
        rate = np.einsum("fk,fk->f", difference(sol.velocity(self.a), sol.velocity(self.b)), apart / length)
        force = self.stiffness * (length[:, 0] - self.clearance) + self.damping * rate
        return lost_contact(self.label, sol.t, -force)
