"""Elastic pairs of materials: what the stiffness of a contact is made of."""

from __future__ import annotations

import math
from typing import Protocol

from fmbs.core.checks import number, shown
from fmbs.core.errors import ModelError


class Elastic(Protocol):
    """A material as contact sees it: Young's modulus, Pa, Poisson's ratio, density, kg/m^3. `fm.Material` is one."""

    @property
    def E(self) -> float: ...

    @property
    def nu(self) -> float: ...

    @property
    def density(self) -> float: ...


def compliance(m1: Elastic, m2: Elastic) -> float:
    """s1 + s2 with s = (1 - nu^2) / E, 1/Pa."""
    return sum((1.0 - m.nu**2) / m.E for m in (m1, m2))


def hertz_stiffness(bearing_radius: float, journal_radius: float, m1: Elastic, m2: Elastic) -> float:
    """K = 4 / (3 (s1 + s2)) sqrt(R_b R_j / (R_b - R_j)), N/m^1.5: a journal inside a bearing (Tian2010 eq 23).

    Flores2006 eq 17 and Muvengei2012 eq 19 print a plus sign and count a concave radius negative: the same.
    """
    check_radii("hertz_stiffness", bearing_radius, journal_radius)
    check_materials("hertz_stiffness", (m1, m2))
    flat = math.isinf(bearing_radius)  # the wall of a guide
    curvature = journal_radius if flat else bearing_radius * journal_radius / (bearing_radius - journal_radius)
    return 4.0 / (3.0 * compliance(m1, m2)) * math.sqrt(curvature)


def chen2020_stiffness(bearing_radius: float, journal_radius: float, m1: Elastic, m2: Elastic) -> float:
    """K with R_b + R_j in place of R_b - R_j, as if both were convex: Chen2020 eqs 14-15 (pi cancels). To repeat that paper."""
    check_radii("chen2020_stiffness", bearing_radius, journal_radius)
    check_materials("chen2020_stiffness", (m1, m2))
    curvature = bearing_radius * journal_radius / (bearing_radius + journal_radius)
    return 4.0 / (3.0 * compliance(m1, m2)) * math.sqrt(curvature)


def wave_limit(materials: tuple[Elastic, Elastic] | None) -> float:
    """1e-5 times the slower of the two wave speeds sqrt(E/rho), m/s; no limit is known without materials."""
    if materials is None:
        return math.inf
    return 1e-5 * min(math.sqrt(m.E / m.density) for m in materials)


def check_restitution(part: str, value: float) -> None:
    if not 0.0 < number(part, "restitution", value) <= 1.0:
        raise ModelError(f"{part}: restitution = {value:g} is outside (0, 1]; 1 is elastic, steel on steel about 0.9.")


def check_materials(part: str, materials: tuple[Elastic, Elastic] | None) -> None:
    if materials is None:
        return
    pair = isinstance(materials, tuple) and len(materials) == 2
    if not pair or not all(hasattr(m, name) for m in materials for name in ("E", "nu", "density")):
        raise ModelError(
            f"{part}: materials = {shown(materials)} is not a pair; give (material of the bearing, of the journal), "
            "two of fm.Material."
        )


def check_radii(part: str, bearing_radius: float, journal_radius: float) -> None:
    flat = isinstance(bearing_radius, float) and bearing_radius == math.inf  # the wall of a guide
    if not flat:
        number(part, "bearing_radius", bearing_radius)
    if not 0.0 < number(part, "journal_radius", journal_radius) < bearing_radius:
        raise ModelError(
            f"{part}: bearing_radius = {bearing_radius:g}, journal_radius = {journal_radius:g}; "
            "the journal must be smaller than the bearing, and both positive."
        )
