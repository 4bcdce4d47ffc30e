"""Constructor arguments of the bodies of fmbs, read off the bodies, so that a file can make them again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from fmbs.elements.beam import Beam
from fmbs.elements.cable import Cable
from fmbs.elements.centre_line import CentreLine
from fmbs.elements.planar_beam import PlanarBeam
from fmbs.elements.planar_body import PlanarBody
from fmbs.elements.rigid_body import RigidBody


def _rigid(body: RigidBody) -> dict[str, Any]:
    motion = _given(body.given, velocity=body.velocity, spin=body.spin)
    return {"mass": body.mass, "inertia": body.inertia, "com": body.com.position, **motion}


def _planar(body: PlanarBody) -> dict[str, Any]:
    return {
        "mass": body.mass, "inertia": body.inertia, "com": body.com.position[:2], "angle": body.angle,
        **_given(body.given, velocity=body.velocity, spin=body.spin),
    }  # fmt: skip


def _given(given: tuple[bool, bool], **motion: Any) -> dict[str, Any]:
    """Velocity and spin, None where the user gave none: the start completes these."""
    return {key: value if known else None for (key, value), known in zip(motion.items(), given, strict=True)}


def _flexible(body: Beam | Cable | PlanarBeam) -> dict[str, Any]:
    beta = body.damping - body.material.damping
    return {
        "section": body.section, "material": body.material, "elements": body.elements,
        "rayleigh": (body.mass_damping, beta), **_line(body.line, 2 if body.planar else 3), **_motion(body),
    }  # fmt: skip


def _motion(body: Beam | Cable | PlanarBeam) -> dict[str, Any]:
    motion = body._motion
    size = 2 if body.planar else 3
    spin = float(motion.spin[2]) if body.planar else motion.spin
    return {**_given(motion.given, velocity=motion.velocity[:size], spin=spin), "about": motion.about[:size]}


def _line(line: CentreLine, size: int) -> dict[str, Any]:
    """start and end, or the knots of the curve by arc length, which make the same spline again."""
    if line.straight:
        return {"start": line._a[:size], "end": line._b[:size]}
    return {"curve": line._spline(line._spline.x)[:, :size], "arc": line._spline.x}


def _beam(beam: Beam) -> dict[str, Any]:
    return {
        **_flexible(beam), "up": beam.line._up, "interpolation": beam.interpolation.name, "formulation": beam.formulation,
    }  # fmt: skip


BODIES: dict[type, Callable[[Any], dict[str, Any]]] = {
    RigidBody: _rigid, PlanarBody: _planar, Beam: _beam, Cable: _flexible, PlanarBeam: _flexible,
}  # fmt: skip


def body_arguments(body: Any) -> dict[str, Any]:
    """What the body's constructor takes, and `arc` for curved ones."""
    return {"name": body.name, **BODIES[type(body)](body)}


def make_body(cls: type, arguments: dict[str, Any]) -> Any:
    """The body again. A curve gets its own knots back: a spline through them by new arc lengths differs by round-off."""
    arc = arguments.pop("arc", None)
    body = cls(**arguments)
    if arc is not None:
        points = np.asarray(arguments["curve"])
        padded = np.column_stack([points, np.zeros((len(points), 3 - points.shape[1]))])
        body.line._spline, body.line.length = scipy.interpolate.CubicSpline(arc, padded), float(arc[-1])
    return body
