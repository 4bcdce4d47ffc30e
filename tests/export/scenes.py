"""Models for the tests of output."""

from __future__ import annotations

import numpy as np

import fmbs as fm

STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850.0)
SOFT = fm.Material(E=1e8, nu=0.3, density=1000.0)


def swinging() -> fm.Model:
    """A beam of every interpolation, a cable, and a rigid body, all bent and moving."""
    m = fm.Model("swinging", gravity=(0.0, 0.0, -9.81))
    for k, (kind, section) in enumerate(
        [("hermite", fm.Rectangle(0.04, 0.02)), ("quadratic", fm.Circle(0.015)), ("cubic", fm.Pipe(0.02, 0.015))]
    ):
        rod = m.add(
            fm.Beam(
                kind, start=(0, 0.2 * k, 0), end=(0.6, 0.2 * k, 0), section=section, material=SOFT, elements=3,
                interpolation=kind, formulation=("enhanced", "structural", "structural")[k], spin=(2.0, 0, 0),
                about=(0, 0.2 * k, 0),
            )
        )  # fmt: skip
        m.add(fm.Fixed(m.ground.at(0, 0.2 * k, 0), rod.start, name=f"clamp {kind}"))
    rope = m.add(fm.Cable("rope", start=(0, -0.2, 0), end=(0.5, -0.2, 0), section=fm.Circle(0.004), material=SOFT, elements=4))
    ball = m.add(fm.RigidBody("ball", mass=0.05, inertia=(1e-5, 1e-5, 1e-5), com=(0.6, -0.2, 0)))
    m.add(fm.Spherical(m.ground.at(0, -0.2, 0), rope.start, name="hook"))
    m.add(fm.Spherical(rope.end, ball.at(0.5, -0.2, 0), name="knot"))
    return m


def rattling(film: bool = False) -> fm.Model:
    """A ring that falls onto its pin, in the plane: a gap of 0.1 mm at a radius of 10 mm."""
    m = fm.Model("rattling", gravity=(0.0, -9.81))
    ring = m.add(fm.PlanarBody("ring", mass=0.2, inertia=1e-5, com=(0.1, 0.0), velocity=(0.02, 0.0)))
    contact = fm.contact.LankaraniNikravesh(restitution=0.6, stiffness=1e9)
    oil = fm.film.ShortBearing(0.1) if film else None
    m.add(
        fm.ClearanceRevolute(
            ring.com, m.ground.at(0.1, 0.0), bearing_radius=0.01, clearance=1e-4, length=0.01, name="pin", film=oil,
            contact=None if film else contact,
        )
    )  # fmt: skip
    return m


def planar() -> fm.Model:
    """A driven crank with a flexible planar rod."""
    m = fm.Model("planar", gravity=(0.0, -9.81))
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-4, com=(0.05, 0.0)))
    rod = m.add(
        fm.PlanarBeam("rod", start=(0.1, 0.0), end=(0.4, 0.0), section=fm.Rectangle(0.01, 0.02), material=SOFT, elements=4)
    )
    slider = m.add(fm.PlanarBody("slider", mass=0.1, inertia=1e-4, com=(0.4, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0), name="main bearing"))
    m.add(fm.Revolute(crank.at(0.1, 0), rod.start, name="crank pin"))
    m.add(fm.Revolute(rod.end, slider.com, name="wrist pin"))
    m.add(fm.Prismatic(m.ground.at(0, 0), slider.com, axis=(1, 0), name="guide"))
    m.add(fm.RotationDrive(m.ground.at(0, 0), crank.at(0, 0), speed=6.0 * np.pi, name="motor"))
    return m
