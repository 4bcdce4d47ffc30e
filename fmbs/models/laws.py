"""Laws by name, for models whose joints are chosen with a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import fmbs as fm

if TYPE_CHECKING:
    from fmbs.laws.contact_law import ContactLaw
    from fmbs.laws.film.base import Film
    from fmbs.laws.friction import FrictionLaw
    from fmbs.models.mechanism import Mechanism

JOINTS = ("ideal", "dry", "lubricated", "mixed")
CONTACTS = ("LankaraniNikravesh", "HuntCrossley", "Flores", "Hertz", "DubowskyFreudenstein", "ESDU78035", "Chen2020")
FRICTIONS = ("none", "Ambrosio", "Stribeck", "LuGre", "LuGre steady")
FILMS = ("ShortBearing", "LongBearing", "FiniteBearing")


def contact_law(p: Mechanism) -> ContactLaw:
    """The contact law that a mechanism's parameters name."""
    pair = 2 * (fm.Material(E=p.contact_E, nu=p.contact_nu, density=p.contact_density),)
    if p.contact == "Hertz":
        return fm.contact.Hertz(materials=pair)
    if p.contact == "Chen2020":
        stiffness = fm.contact.chen2020_stiffness(p.bearing_radius, p.bearing_radius - p.clearance, *pair)
        return fm.contact.LankaraniNikravesh(restitution=p.restitution, stiffness=stiffness, materials=pair)
    return getattr(fm.contact, p.contact)(restitution=p.restitution, materials=pair)  # type: ignore[no-any-return]


def friction_law(p: Mechanism) -> FrictionLaw | None:
    """The friction law that a mechanism's parameters name."""
    curve: dict[str, Any] = {"static": p.static_friction, "kinetic": p.kinetic_friction, "stribeck_speed": p.stribeck_speed}
    laws: dict[str, Callable[[], FrictionLaw | None]] = {
        "none": lambda: None,
        "Ambrosio": lambda: fm.friction.Ambrosio(p.kinetic_friction, v0=0.1 * p.stribeck_speed, v1=p.stribeck_speed),
        "Stribeck": lambda: fm.friction.Stribeck(**curve),
        "LuGre": lambda: fm.friction.LuGre(**curve),
        "LuGre steady": lambda: fm.friction.LuGre(**curve, steady_state=True),
    }
    return laws[p.friction]()


def film(p: Mechanism) -> Film:
    """The film that a mechanism's parameters name."""
    return getattr(fm.film, p.film)(p.viscosity)  # type: ignore[no-any-return]
