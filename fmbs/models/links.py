"""Straight links of mechanisms, rigid or flexible, in the plane and in space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import fmbs as fm


def planar_link(
    m: fm.Model, name: str, start: ArrayLike, end: ArrayLike, *, mass: float, inertia: float, velocity: ArrayLike,
    spin: float, beam: dict[str, Any] | None = None,
) -> tuple[fm.Marker, fm.Marker]:  # fmt: skip
    """Markers at both ends of a rod with the given velocity of its start, m/s, and spin, rad/s.

    beam: E, thickness (side of a square section) and elements make it flexible, with the same mass; None: rigid
    """
    a, b, v = np.asarray(start, dtype=float), np.asarray(end, dtype=float), np.asarray(velocity, dtype=float)
    if beam is None:
        half = 0.5 * (b - a)
        middle_velocity = v + spin * np.array([-half[1], half[0]])
        body = m.add(fm.PlanarBody(name, mass=mass, inertia=inertia, com=a + half, velocity=middle_velocity, spin=spin))
        return body.at(*a), body.at(*b)
    side = beam["thickness"]
    material = fm.Material(E=beam["E"], nu=0.0, density=mass / (float(np.linalg.norm(b - a)) * side**2))
    link = m.add(
        fm.PlanarBeam(
            name,
            start=a,
            end=b,
            section=fm.Rectangle(side, side),
            material=material,
            elements=beam["elements"],
            velocity=v,
            spin=spin,
            about=a,
        )
    )
    return link.start, link.end


def spatial_link(
    m: fm.Model, name: str, start: ArrayLike, end: ArrayLike, *, thickness: float, density: float,
    velocity: ArrayLike = (0.0, 0.0, 0.0), spin: ArrayLike = (0.0, 0.0, 0.0), beam: dict[str, Any] | None = None,
) -> tuple[fm.Marker, fm.Marker]:  # fmt: skip
    """Markers at both ends of a rod of square section with the given velocity of its start, m/s, and spin, rad/s.

    beam: E, elements, interpolation and formulation make it flexible; None: rigid
    """
    a, b, v, omega = (np.asarray(x, dtype=float) for x in (start, end, velocity, spin))
    if beam is not None:
        arguments = {key: value for key, value in beam.items() if key != "E"}
        link = m.add(
            fm.Beam(
                name,
                start=a,
                end=b,
                section=fm.Rectangle(thickness, thickness),
                velocity=v,
                spin=spin,
                about=a,
                material=fm.Material(E=beam["E"], nu=0.0, density=density),
                **arguments,
            )
        )
        return link.start, link.end
    length = float(np.linalg.norm(b - a))
    mass, axis = density * thickness**2 * length, (b - a) / length
    across, along = mass * (length**2 + thickness**2) / 12.0, mass * thickness**2 / 6.0
    inertia = across * np.eye(3) + (along - across) * np.outer(axis, axis)
    middle_velocity = v + np.cross(omega, 0.5 * (b - a))
    body = m.add(fm.RigidBody(name, mass=mass, inertia=inertia, com=0.5 * (a + b), velocity=middle_velocity, spin=spin))
    return body.at(*a), body.at(*b)


def cylinder_inertia(mass: float, radius: float, length: float, axis: int) -> tuple[float, float, float]:
    """Principal moments of a solid cylinder along a global axis, kg m^2."""
    moments = [mass * (3.0 * radius**2 + length**2) / 12.0] * 3
    moments[axis] = 0.5 * mass * radius**2
    return moments[0], moments[1], moments[2]
