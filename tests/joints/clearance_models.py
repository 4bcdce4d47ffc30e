"""Small models with one clearance joint."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import fmbs as fm

REFERENCE = json.loads((Path(__file__).parents[1] / "literature" / "reference.json").read_text())
STEEL = fm.Material(E=207e9, nu=0.3, density=7850)
RADIUS, GAP = 0.01, 5e-5  # m


def lankarani(restitution: float = 0.9, **options: object) -> fm.contact.LankaraniNikravesh:
    return fm.contact.LankaraniNikravesh(restitution=restitution, materials=(STEEL, STEEL), **options)


def dropped(contact: fm.contact.ContactLaw, *, speed: float = 0.04, mass: float = 0.14, gap: float = GAP) -> SimpleNamespace:
    """A journal on a straight guide flies from the middle of its bearing against the wall: one freedom."""
    m = fm.Model("drop", gravity=(0.0, 0.0))
    body = m.add(fm.PlanarBody("journal", mass=mass, inertia=1e-4, com=(0.0, 0.0), velocity=(speed, 0.0)))
    m.add(fm.Prismatic(m.ground.at(0.0, 0.0), body.com, axis=(1.0, 0.0)))
    joint = m.add(
        fm.ClearanceRevolute(
            m.ground.at(0.0, 0.0), body.com, bearing_radius=RADIUS, clearance=gap, length=0.02, contact=contact, name="pin"
        )
    )
    return SimpleNamespace(m=m, body=body, joint=joint, mass=mass)


def lying(friction: fm.friction.FrictionLaw | None = None, *, velocity: float = 0.0, spin: float = 0.0, **options: object):
    """A journal that lies on the bottom of its bearing under gravity, in the plane."""
    m = fm.Model("lying", gravity=(0.0, -9.81))
    body = m.add(fm.PlanarBody("journal", mass=1.0, inertia=5e-5, com=(0.0, -GAP), velocity=(velocity, 0.0), spin=spin))
    joint = m.add(
        fm.ClearanceRevolute(
            m.ground.at(0.0, 0.0), body.com, bearing_radius=RADIUS, clearance=GAP, length=0.02, friction=friction, name="pin",
            **({"contact": fm.contact.LankaraniNikravesh(restitution=0.5, stiffness=1e8)} | options),
        )
    )  # fmt: skip
    return SimpleNamespace(m=m, body=body, joint=joint)


def block(friction: fm.friction.FrictionLaw, speed: float, mass: float = 2.0) -> SimpleNamespace:
    """A block that slides in a horizontal guide under gravity, all four corners free to touch."""
    m = fm.Model("block", gravity=(0.0, -9.81))
    gap = 1e-4
    body = m.add(fm.PlanarBody("block", mass=mass, inertia=1e-3, com=(0.0, -gap), velocity=(speed, 0.0)))
    joint = m.add(
        fm.ClearancePrismatic(
            m.ground.at(0.0, 0.0), body.com, axis=(1.0, 0.0), clearance=gap, length=0.1, height=0.001, friction=friction,
            contact=fm.contact.HuntCrossley(restitution=0.5, stiffness=1e9), name="guide",
        )
    )  # fmt: skip
    return SimpleNamespace(m=m, body=body, joint=joint)
