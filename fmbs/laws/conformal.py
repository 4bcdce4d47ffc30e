"""Contact laws for a journal that nearly fills its bearing, where Hertz's small contact no longer holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.checks import positive
from fmbs.core.errors import ModelError
from fmbs.laws import restitution as factors
from fmbs.laws._conformal_kernels import liu_contact, winkler_contact
from fmbs.laws._contact_kernels import power_contact
from fmbs.laws.contact_law import DepthRange
from fmbs.laws.journal_law import JournalLaw
from fmbs.laws.law import Array

MM = 1e3  # millimetres in a metre
TIGHTEST, LOOSEST = 5e-6, 1e-2  # clearances that Pereira's fit covers, m


@dataclass(frozen=True, kw_only=True)
class Pereira(JournalLaw, kernel=power_contact):
    """F = (0.965 c + 0.0965) L E*/c d^n, n = Y c^-0.005, in N and mm: a fit for internal contact, explicit in the depth.

    Y = 1.51 [ln(1000 c)]^-0.151 for clearances from 0.005 to 0.34954 mm, 0.0151 c + 1.151 up to 10 mm; 1/E* = s_1 + s_2.
    Pereira, Ramalho & Ambrosio 2015, "An enhanced cylindrical contact force model". Arguments as in JournalLaw.
    """

    def bound(
        self, part: str, bearing_radius: float | None = None, journal_radius: float | None = None, length: float | None = None
    ) -> Self:
        law = super().bound(part, bearing_radius, journal_radius, length)
        if not TIGHTEST <= law.measures[0] * (1.0 + 1e-9) <= LOOSEST * (1.0 + 2e-9):
            raise ModelError(
                f"{part}: contact = {type(self).__name__} is a fit for clearances from {TIGHTEST:g} to {LOOSEST:g} m; this one "
                f"is {law.measures[0]:g} m. Take fm.contact.Johnson or fm.contact.Liu."
            )
        return law

    def parameters(self) -> Sequence[float]:
        c, _, L, s = self.bound(type(self).__name__).measures
        gap = MM * c
        Y = 1.51 * math.log(1000.0 * gap) ** -0.151 if gap < 0.34954 else 0.0151 * gap + 1.151
        n = Y * gap**-0.005
        stiffness = (0.965 * gap + 0.0965) * L * MM / (s * MM**2) / gap  # N/mm^n
        return stiffness * MM**n, n, factors.calibrated(self.restitution)

    @property
    def depths(self) -> DepthRange:
        return DepthRange(0.0, 1.5 * self.measures[0], "beyond it the contact spans more than 60 degrees to either side")


@dataclass(frozen=True, kw_only=True)
class Liu(JournalLaw, kernel=liu_contact):
    """F = pi/2 E* L d sqrt(d / (2 (c + d))), the arc in contact being that of two circles: cos(half angle) = c/(c + d).

    For contacts that wrap around the journal; small ones it makes too soft. Liu, Zhang & Yang 2007, "The FEM analysis and
    approximate model for cylindrical joints with clearances". 1/E* = s_1 + s_2. Arguments as in JournalLaw.
    """

    def parameters(self) -> Sequence[float]:
        c, _, L, s = self.measures
        return 0.5 * math.pi * L / s, c, factors.calibrated(self.restitution)

    @property
    def depths(self) -> DepthRange:
        return DepthRange(
            0.8 * self.measures[0],
            math.inf,
            "below it the contact spans less than 45 degrees to either side, and the law is too soft",
        )

    def half_angle(self, depth: ArrayLike) -> Array:
        return circles(self.measures[0], depth)

    def _profile(self, angles: Array, width: float) -> Array:
        """Elliptic in the height above the ends of the arc, sqrt(cos(phi) - cos(width))."""
        return _normalised(np.sqrt(np.maximum(np.cos(angles) - math.cos(width), 0.0)), width, 0.5)


@dataclass(frozen=True, kw_only=True)
class Winkler(JournalLaw, kernel=winkler_contact, units={"foundation": "N/m^3", "layer": "m"}):
    """Elastic foundation: each point of a liner yields for itself, p = k u, u = (c + d) cos(phi) - c, so that

    F = k R L c (g/cos(g) - sin(g)), cos(g) = c/(c + d). Johnson 1985, sect. 4.3 and 5.8.

    foundation: k, N/m^3; (1 - nu) E / ((1 + nu) (1 - 2 nu) h) of a liner of thickness h bonded to the bearing if absent
    layer: h, m, of a liner of materials[0]; the journal is much harder
    """

    foundation: float | None = None
    layer: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for argument in ("foundation", "layer"):
            if getattr(self, argument) is not None:
                positive("Winkler", argument, getattr(self, argument))
        if self.foundation is None and self.layer is None:
            raise ModelError("Winkler: there is no foundation; give foundation= in N/m^3, or layer= in m of materials[0].")
        if self.foundation is None and self.materials[0].nu > 0.45:
            raise ModelError(
                f"Winkler: a liner with nu = {self.materials[0].nu:g}, above 0.45, yields sideways and not in thickness; give "
                "foundation= in N/m^3."
            )

    @property
    def modulus(self) -> float:
        """k, N/m^3."""
        if self.foundation is not None:
            return self.foundation
        E, nu = self.materials[0].E, self.materials[0].nu
        return (1.0 - nu) * E / ((1.0 + nu) * (1.0 - 2.0 * nu) * (self.layer or math.nan))

    def parameters(self) -> Sequence[float]:
        c, R_j, L, _ = self.measures
        return self.modulus * R_j * L * c, c, factors.calibrated(self.restitution)

    @property
    def depths(self) -> DepthRange:
        """A liner is thin beside the contact, and yields a tenth of its thickness at most."""
        if self.layer is None:
            return DepthRange(0.0, math.inf, "")
        c, R_j, _, _ = self.measures
        thin = 2.0 if self.materials[0].nu <= 0.35 else 4.0  # half-widths in liners from which elasticity says the same
        narrow = math.asin(min(thin * self.layer / R_j, 1.0 - 1e-9))
        least = c * (1.0 / math.cos(narrow) - 1.0)
        words = f"the contact must be {2 * thin:g} liners wide at least, and the liner yield by a tenth at most"
        return DepthRange(least, 0.1 * self.layer, words)

    def half_angle(self, depth: ArrayLike) -> Array:
        return circles(self.measures[0], depth)

    def _profile(self, angles: Array, width: float) -> Array:
        return _normalised(np.maximum(np.cos(angles) - math.cos(width), 0.0), width, 1.0)


def circles(c: float, depth: ArrayLike) -> Array:
    """Half angle of the overlap of two circles, cos = c/(c + d), without cancellation."""
    d = np.maximum(np.asarray(depth, dtype=float), 0.0)
    angle: Array = np.arctan2(np.sqrt(d * (2.0 * c + d)), c)[()]
    return angle


def _normalised(shape: Array, width: float, power: float) -> Array:
    """So that int p cos(phi) dphi = 1: midpoints in x, phi = width sin(x), which takes away the root at the ends."""
    x = (np.arange(400) + 0.5) / 400.0 * np.pi - 0.5 * np.pi
    phi, dphi = width * np.sin(x), width * np.cos(x) * np.pi / 400.0
    total = (np.maximum(np.cos(phi) - math.cos(width), 0.0) ** power * np.cos(phi) * dphi).sum()
    scaled: Array = shape / total
    return scaled
