"""Laws by name, for models whose joints are chosen with a word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log, pi, sqrt
from typing import TYPE_CHECKING, Any

import fmbs as fm

if TYPE_CHECKING:
    from fmbs.laws.contact_law import ContactLaw
    from fmbs.laws.film.base import Film
    from fmbs.laws.friction import FrictionLaw
    from fmbs.models.mechanism import Mechanism

JOINTS = {
    "ideal": "no clearance",
    "dry": "clearance, contact, friction if named",
    "lubricated": "clearance filled with oil",
    "mixed": "oil, and contact where its film is squeezed out",
}
LINEAR = ("KelvinVoigt", "Maxwell", "StandardLinearSolid", "TwoBranch")
OF_CYLINDERS = (  # their stiffness is that of a journal in a bearing
    "DubowskyFreudenstein", "ESDU78035", "Johnson", "Pereira", "Liu", "Winkler", "Chen2020",
)  # fmt: skip
RIGID = ("Newton", "Poisson", "Stronge")  # impacts: no stiffness
CONTACTS = ("LankaraniNikravesh", "HuntCrossley", "Flores", "Hertz", "ImpactFunction", *OF_CYLINDERS, *LINEAR, *RIGID)
FRICTIONS = (
    "none", "Ambrosio", "Stribeck", "LuGre", "LuGre steady", "Karnopp", "Dahl", "ResetIntegrator", "Bristles", "Leuven",
    "BlimanSorine",
)  # fmt: skip
FILMS = ("ShortBearing", "LongBearing", "FiniteBearing", "Impedance")


def contact_law(p: Mechanism) -> ContactLaw:
    """The contact law that a mechanism's parameters name."""
    if p.contact in RIGID:
        return getattr(fm.impact, p.contact)(restitution=p.restitution)  # type: ignore[no-any-return]
    pair = 2 * (fm.Material(E=p.contact_E, nu=p.contact_nu, density=p.contact_density),)
    if p.contact in LINEAR:
        return linear_law(p)
    if p.contact == "Hertz":
        return fm.contact.Hertz(materials=pair)
    if p.contact == "ImpactFunction":
        damping = linear_law(replace(p, contact="KelvinVoigt")).damping  # type: ignore[attr-defined]
        return fm.contact.ImpactFunction(materials=pair, damping=damping, full_depth=0.01 * p.clearance)
    if p.contact == "Winkler":  # a liner of a tenth of the radius
        return fm.contact.Winkler(restitution=p.restitution, materials=pair, layer=0.1 * p.bearing_radius)
    if p.contact == "Chen2020":
        stiffness = fm.contact.chen2020_stiffness(p.bearing_radius, p.bearing_radius - p.clearance, *pair)
        return fm.contact.LankaraniNikravesh(restitution=p.restitution, stiffness=stiffness, materials=pair)
    return getattr(fm.contact, p.contact)(restitution=p.restitution, materials=pair)  # type: ignore[no-any-return]


def guide_law(p: Mechanism) -> ContactLaw:
    """Of a slider's edges on a plane wall: as the bearings have, Lankarani and Nikravesh's in place of laws of cylinders."""
    if p.contact not in OF_CYLINDERS:
        return contact_law(p)
    pair = 2 * (fm.Material(E=p.contact_E, nu=p.contact_nu, density=p.contact_density),)
    return fm.contact.LankaraniNikravesh(restitution=p.restitution, materials=pair)


def linear_law(p: Mechanism) -> ContactLaw:
    """Spring and damper for a restitution e of the mass m: Muvengi2011 eqs 1-3; it names no way to choose them, so

    K = K_Hertz sqrt(d), the secant of Hertz's law at a tenth of the clearance, d = c / 10, and the damping ratio z of
    ln e = -pi z / sqrt(1 - z^2). In parallel (Kelvin, Voigt): c = 2 z sqrt(K m). In series (Maxwell): c = sqrt(K m) / (2 z).
    Standard linear solid: K in halves, the loss per cycle of the other two, c = sqrt(K m) / (8 z). Exact for Maxwell, to first
    order in 1 - e for the others. Two branches: e as the paper prints it, which returns the square root of e.
    """
    material = fm.Material(E=p.contact_E, nu=p.contact_nu, density=p.contact_density)
    hertz = fm.contact.hertz_stiffness(p.bearing_radius, p.bearing_radius - p.clearance, material, material)
    K, decay = hertz * sqrt(0.1 * p.clearance), -log(min(p.restitution, 0.999)) / pi  # elastic: no damper in series exists
    z = decay / sqrt(1.0 + decay**2)
    scale = sqrt(K * p.contact_mass)
    if p.contact == "TwoBranch":
        return fm.contact.TwoBranch(stiffness=K, restitution=p.restitution)
    if p.contact == "KelvinVoigt":
        return fm.contact.KelvinVoigt(stiffness=K, damping=2.0 * z * scale)
    if p.contact == "Maxwell":
        return fm.contact.Maxwell(stiffness=K, damping=scale / (2.0 * z))
    return fm.contact.StandardLinearSolid(stiffness=0.5 * K, parallel_stiffness=0.5 * K, damping=scale / (8.0 * z))


def friction_law(p: Mechanism) -> FrictionLaw | None:
    """The friction law that a mechanism's parameters name."""
    fall: dict[str, Any] = {"static": p.static_friction, "kinetic": p.kinetic_friction}
    curve: dict[str, Any] = {**fall, "stribeck_speed": p.stribeck_speed}
    laws: dict[str, Callable[[], FrictionLaw | None]] = {
        "none": lambda: None,
        "Ambrosio": lambda: fm.friction.Ambrosio(p.kinetic_friction, v0=0.1 * p.stribeck_speed, v1=p.stribeck_speed),
        "Stribeck": lambda: fm.friction.Stribeck(**curve),
        "LuGre": lambda: fm.friction.LuGre(**curve),
        "LuGre steady": lambda: fm.friction.LuGre(**curve, steady_state=True),
        "Karnopp": lambda: fm.friction.Karnopp(**fall, band=0.1 * p.stribeck_speed),
        "Dahl": lambda: fm.friction.Dahl(p.kinetic_friction),
        "ResetIntegrator": lambda: fm.friction.ResetIntegrator(**fall),
        "Bristles": lambda: fm.friction.Bristles(kinetic=p.kinetic_friction),
        "Leuven": lambda: fm.friction.Leuven(**curve),
        "BlimanSorine": lambda: fm.friction.BlimanSorine(**fall),
    }
    return laws[p.friction]()


def film(p: Mechanism) -> Film:
    """The film that a mechanism's parameters name."""
    return getattr(fm.film, p.film)(p.viscosity)  # type: ignore[no-any-return]
