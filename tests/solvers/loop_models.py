"""Models on which the time loop is compared with the textbook."""

from __future__ import annotations

from typing import Any

import numpy as np

import fmbs as fm
from fmbs.models import SliderCrankPlanar


def slider_crank() -> fm.Model:
    return SliderCrankPlanar().build()


def table_driven() -> fm.Model:
    """A drive by a function of time and one by a table."""
    m = fm.Model("two drives", gravity=(0, -9.81))
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.1, com=(0.5, 0)))
    hand = m.add(fm.PlanarBody("hand", mass=0.5, inertia=0.02, com=(1.2, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), arm.at(0, 0)))
    m.add(fm.Revolute(arm.at(1, 0), hand.at(1, 0)))
    m.add(fm.RotationDrive(m.ground.at(0, 0), arm.at(0, 0), angle=lambda t: 0.3 * np.sin(5.0 * t)))
    m.add(fm.RotationDrive(arm.at(1, 0), hand.at(1, 0), speed=(np.linspace(0, 1, 6), np.array([0, 1, 0.5, 0, -1, 0.0]))))
    return m


def top() -> fm.Model:
    """Nothing is driven; natural coordinates."""
    m = fm.Model("top", gravity=(0, 0, -9.81))
    body = m.add(fm.RigidBody("top", mass=2.0, inertia=(0.02, 0.02, 0.01), com=(0, 0.1, 0.1), spin=(0, 30.0, 30.0)))
    m.add(fm.Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)))
    return m


def beams(**kind: Any) -> fm.Model:
    """Two links, the first damped by its material, the second by mass and stiffness: a band with multipliers in it."""
    m = fm.Model("double pendulum", gravity=(0, 0, -9.81))
    rubber = fm.Material(E=6.9e7, nu=0.0, density=2700, damping=1e-3)
    section = fm.Rectangle(0.02, 0.02)
    one = m.add(fm.Beam("one", start=(0, 0, 0), end=(0.5, 0, 0), section=section, material=rubber, elements=2, **kind))
    other = fm.Material(E=6.9e7, nu=0.0, density=2700)
    two = m.add(
        fm.Beam(
            "two", start=(0.5, 0, 0), end=(1, 0, 0), section=section, material=other, elements=2, rayleigh=(0.1, 1e-4), **kind
        )
    )
    m.add(fm.Revolute(m.ground.at(0, 0, 0), one.start, axis=(0, 1, 0)))
    m.add(fm.Revolute(one.end, two.start, axis=(0, 1, 0)))
    m.add(fm.PointForce(two.end, (0.2, 0.1, 0)))
    return m


def lines(planar: bool) -> fm.Model:
    """A line with a weight that hangs from a spring."""
    m = fm.Model("line", gravity=(0, -9.81) if planar else (0, 0, -9.81))
    material, section = fm.Material(E=1e7, nu=0.3, density=1000, damping=1e-3), fm.Rectangle(0.02, 0.02)
    kind, start, end = (fm.PlanarBeam, (0, 0), (1, 0)) if planar else (fm.Cable, (0, 0, 0), (1, 0, 0))
    line = m.add(kind("line", start=start, end=end, section=section, material=material, elements=4))
    m.add((fm.Revolute if planar else fm.Spherical)(m.ground.at(*start), line.start))
    place = (1, 0.5) if planar else (1, 0, 0.5)
    m.add(fm.SpringDamper(m.ground.at(*place), line.end, stiffness=50.0, damping=0.5))
    return m


def loaded() -> fm.Model:
    """All loads on rigid bodies, more equations than the full matrix takes."""
    m = fm.Model("loads", gravity=(0, 0, -9.81))
    at, last = m.ground.at(0, 0, 0), None
    for i in range(4):
        body = m.add(fm.RigidBody(f"body {i}", mass=1.0, inertia=(0.02, 0.03, 0.01), com=(0.5 + i, 0, 0)))
        m.add(fm.Spherical(at, body.at(i, 0, 0)))
        at, last = body.at(i + 1, 0, 0), body
    m.add(fm.Torque(last.com, (0.1, 0.2, 0.3)))
    m.add(fm.FollowerForce(at, (0.0, 0.5, 0.0)))
    m.add(fm.PointForce(last.com, (0.0, 0.0, 1.0)))
    m.add(fm.SpringDamper(m.ground.at(0, 0, 1), at, stiffness=3.0, damping=0.1))
    return m


def shaken() -> fm.Model:
    """A beam under loads that are functions of time: at its tip, along it, turning with it, a moment."""
    m = fm.Model("shaken", gravity=(0, 0, -9.81))
    rubber = fm.Material(E=6.9e7, nu=0.0, density=2700, damping=1e-3)
    beam = m.add(fm.Beam("beam", start=(0, 0, 0), end=(1, 0, 0), section=fm.Rectangle(0.04, 0.04), material=rubber, elements=4))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    m.add(fm.PointForce(beam.end, lambda t: (0.0, np.sin(40.0 * t), 2.0 * np.cos(30.0 * t))))
    m.add(fm.DistributedForce(beam, lambda t: (0.0, 0.0, 5.0 * t)))
    m.add(fm.FollowerForce(beam.at(0.5), lambda t: (0.0, 10.0 * t, 0.5)))
    m.add(fm.Torque(beam.end, lambda t: (0.1 * np.sin(20.0 * t), 0.0, 0.0)))
    m.add(fm.Torque(beam.at(0.5), (0.0, 0.0, 0.05)))
    return m


def tuned() -> fm.Model:
    """A spring all of whose parameters change, beside one of constant ones."""
    m = lines(True)
    options = {"stiffness": lambda t: 30.0 + 100.0 * t, "length": lambda t: 0.4 - 0.5 * t, "damping": lambda t: 2.0 * t}
    m.add(fm.SpringDamper(m.ground.at(0.5, 0.5), m["line"].at(0.5), **options))
    return m


def twisted() -> fm.Model:
    """A dry joint that rattles under a moment and a force that are functions of time: steps are cut where it touches."""
    m = SliderCrankPlanar(joint="dry").build()
    m.add(fm.Torque(m["rod"].com, lambda t: 2.0 * np.sin(3e3 * t)))
    m.add(fm.PointForce(m["slider"].com, lambda t: (50.0 * np.cos(2e3 * t), 0.0)))
    return m


def worn() -> fm.Model:
    """A pin that wears so fast that its clearance grows by a twentieth within some impacts."""
    m = fm.Model("worn", gravity=(0, -9.81))
    pin = m.add(fm.PlanarBody("pin", mass=1.0, inertia=2e-4, com=(0, 0), velocity=(0.02, 0), spin=200.0))
    options = {
        "bearing_radius": 0.01, "clearance": 5e-5, "length": 0.02,
        "contact": fm.contact.LankaraniNikravesh(stiffness=1e10, restitution=0.7),
        "friction": fm.friction.Ambrosio(0.1, v0=1e-3, v1=1e-2),
        "wear": fm.wear.Archard(coefficient=1e-4, hardness=2e9, acceleration=5e4, sectors=24),
    }  # fmt: skip
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), pin.com, name="bearing", **options))
    return m
