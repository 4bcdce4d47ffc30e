"""Constraint equations as data: weighted sums of dot products of body vectors.

    Phi = sum_i w_i(t) u_i . z_i - c(t) = 0,     w_i(t) = w_i, w_i cos(phi(t)) or w_i sin(phi(t))

or w_i f(x) with a function of one coordinate x of the model: a counted angle, a place along a beam. Every ideal joint and
drive is a handful of these, so one kernel gives the value, the gradient, the curvature and the time derivatives of them all,
and a new joint needs no derivative by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.vectors import FIXED, Vector
from fmbs.math.coordinate_weights import COSINE, ITSELF, SINE, weight_values
from fmbs.math.rotations import perpendicular
from fmbs.math.signals import Signal

if TYPE_CHECKING:
    from fmbs.core.protocols import Body

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ByCoordinate:
    """f(x) of coordinate x of a body: cos x, sin x, x itself, or the numbers `shape` of a function in pieces.

    kind: COSINE, SINE, ITSELF or PIECES of `fmbs.math.coordinate_weights`
    """

    body: Body
    kind: int
    index: int = 0
    shape: tuple[float, ...] = ()

    def values(self, x: Array) -> Array:
        """f of many x."""
        return weight_values(self.kind, np.array(self.shape, float), np.ascontiguousarray(x))


@dataclass(frozen=True)
class Term:
    """weight * u . z, or times cos / sin of a signal of time, or times a function of a coordinate."""

    weight: float
    u: Vector
    z: Vector
    phase: Signal | None = None
    sine: bool = False
    by: ByCoordinate | None = None


@dataclass(frozen=True)
class Equation:
    """sum of terms - value(t) = 0. `label` says in words what it holds, for messages."""

    label: str
    terms: tuple[Term, ...]
    value: float | Signal = 0.0


def planar(a: Marker, b: Marker) -> bool:
    """A joint is planar if either body is; the other one is then planar as well, or the ground."""
    return a.planar or b.planar


def dot(label: str, u: Vector, z: Vector, value: float | Signal = 0.0) -> Equation:
    """u . z = value."""
    return Equation(label, (Term(1.0, u, z),), value)


def along(label: str, n: Vector, a: Marker, b: Marker, value: float | Signal = 0.0) -> Equation:
    """n . (r_b - r_a) = value. The multiplier is minus the force on b along n."""
    return Equation(label, (Term(1.0, n, b.point), Term(-1.0, n, a.point)), value)


def coincide(a: Marker, b: Marker) -> list[Equation]:
    """r_b - r_a = 0, in the plane for planar markers."""
    axes = zip("xyz", np.eye(3), strict=True)
    equations = [along(f"{name} of the point", fixed(axis), a, b) for name, axis in axes]
    return equations[:2] if planar(a, b) else equations


def parallel(axis: str, n: Vector, u: Vector, w: Vector) -> list[Equation]:
    """n stays perpendicular to u and w: two equations, n . u = n . w = 0."""
    return [dot(f"first tilt of the {axis}", n, u), dot(f"second tilt of the {axis}", n, w)]


def same_orientation(a: Marker, b: Marker) -> list[Equation]:
    """The frame of b keeps its rotation relative to that of a: x_b . y_a = y_b . z_a = z_b . x_a = 0.

    A cable has only its tangent, which keeps its direction in the frame of the other marker: two equations.
    """
    for cable, other in ((a, b), (b, a)):
        if cable.axis is not None:
            if other.axis is not None:
                raise ModelError(
                    f"{a} and {b}: two cables have no frame to hold each other's tangent; draw one cable through both, join "
                    "their ends with Spherical, or clamp both to a small RigidBody."
                )
            u, w = perpendicular(cable.axis)
            return parallel("tangent", cable.direction(cable.axis), other.direction(u), other.direction(w))
    (xa, ya, za), (xb, yb, zb) = a.frame, b.frame
    if planar(a, b):
        return [dot("rotation", xb, ya)]
    return [dot("rotation about z", xb, ya), dot("rotation about x", yb, za), dot("rotation about y", zb, xa)]


def distance(label: str, a: Marker, b: Marker, length: float) -> Equation:
    """(|r_b - r_a|^2 - L^2) / (2 L) = 0: the multiplier is the compressive force in a bar of length L."""
    half = 0.5 / length
    ra, rb = a.point, b.point
    terms = (Term(half, rb, rb), Term(half, ra, ra), Term(-2.0 * half, ra, rb))
    return Equation(label, terms, 0.5 * length)


def turn(label: str, x_b: Vector, x_a: Vector, y_a: Vector, angle: Signal) -> Equation:
    """x_b . y_a cos(phi) - x_b . x_a sin(phi) = 0, that is sin(psi - phi) = 0 for the angle psi of x_b in (x_a, y_a).

    The multiplier is minus the moment on b about x_a x y_a.
    """
    return Equation(label, (Term(1.0, x_b, y_a, angle), Term(-1.0, x_b, x_a, angle, sine=True)))


def turn_by(label: str, b: tuple[Vector, Vector], a: tuple[Vector, Vector], angle: Body) -> Equation:
    """1/2 (x_b . y_a - y_b . x_a) cos x - 1/2 (x_b . x_a + y_b . y_a) sin x = 0 with the coordinate x of `angle`.

    That is sin(psi - x) = 0 for the twist psi of b against a about x_a x y_a, whichever pair (x, y) stands for the plane; as a
    coordinate it counts on over full turns. The multiplier is minus the moment on b where both axes agree.
    """
    (x_b, y_b), (x_a, y_a) = b, a
    cosine, sine = ByCoordinate(angle, COSINE), ByCoordinate(angle, SINE)
    terms = (
        Term(0.5, x_b, y_a, by=cosine), Term(-0.5, y_b, x_a, by=cosine),
        Term(-0.5, x_b, x_a, by=sine), Term(-0.5, y_b, y_a, by=sine),
    )  # fmt: skip
    return Equation(label, terms)


def coordinate(weight: float, of: Body) -> Term:
    """weight * x, the coordinate of a body that has one."""
    e = fixed(np.array([1.0, 0.0, 0.0]))
    return Term(weight, e, e, by=ByCoordinate(of, ITSELF))


def fixed(components: Array) -> Vector:
    """A vector of the ground."""
    return Vector(None, FIXED, (float(components[0]), float(components[1]), float(components[2])))


def named(prefix: str, equations: list[Equation]) -> list[Equation]:
    """The same equations with the part's name in front of every label."""
    return [replace(equation, label=f"{prefix}: {equation.label}") for equation in equations]
