"""Rigid body in natural coordinates."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import positive, vector
from fmbs.core.described import Described
from fmbs.core.equations import Equation, Term, dot
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.rigid_motion import displaced_vectors, vector_rates
from fmbs.core.vectors import LINEAR, Vector
from fmbs.core.words import given

Array = NDArray[np.float64]

R_A, R_W, U, V = 0, 3, 6, 9  # first coordinate of each of the four vectors
POINTS = np.array([True, True, False, False])  # which of them are points


class RigidBody(Described):
    """Rigid body with q = [r_A, r_W, U, V]: two points and two unit vectors (Garcia de Jalon & Bayo 1994; Tian2010 sect. 2.1).

    A is the centre of mass, W = A + l e_1, U = e_2, V = e_3 with the principal axes e_i and the radius of gyration l. A body
    point is r = (1 - x/l) r_A + x/l r_W + y U + z V: linear in q, so M = int rho c c^T dV (x) I is constant. Six equations
    keep |r_W - r_A|, U.U, V.V, U.V, (r_W - r_A).U and (r_W - r_A).V.

    mass: kg
    inertia: (3, 3) about the centre of mass in global axes at t = 0, kg m^2; three numbers are taken as a diagonal
    com: global coordinates of the centre of mass at t = 0, m; the attribute `com` is the marker there
    velocity, spin: of the centre of mass, m/s, and angular velocity in global axes, rad/s, at t = 0; what is not given is
                    completed from the joints and drives, and is zero where they ask for nothing
    """

    planar: Final = False
    size: Final = 12
    batch: Final = None
    mass_damping: Final = 0.0

    def __init__(
        self, name: str, *, mass: float, inertia: ArrayLike, com: ArrayLike = (0.0, 0.0, 0.0),
        velocity: ArrayLike | None = None, spin: ArrayLike | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.mass = positive(name, "mass", mass)
        self.inertia = _inertia_tensor(name, inertia)
        self.given = velocity is not None, spin is not None
        self.velocity = vector(name, "velocity", (0.0, 0.0, 0.0) if velocity is None else velocity)
        self.spin = vector(name, "spin", (0.0, 0.0, 0.0) if spin is None else spin)
        self._centre = vector(name, "com", com)
        moments, axes = np.linalg.eigh(self.inertia)
        if np.linalg.det(axes) < 0.0:
            axes[:, 2] *= -1.0
        self._axes = axes  # columns e_1, e_2, e_3
        self._second_moments = np.maximum(0.5 * moments.sum() - moments, 0.0)  # int rho x_i^2 dV
        self._length = float(np.sqrt(moments.sum() / (2.0 * self.mass)))

    def _facts(self) -> dict[str, Any]:
        diagonal = np.diag(self.inertia)
        inertia = diagonal if (self.inertia == np.diag(diagonal)).all() else self.inertia
        moving = {"velocity": self.velocity, "spin": self.spin}
        return {"mass": self.mass, "inertia": inertia, "com": self._centre, **given(moving, self.given)}

    def arguments(self) -> dict[str, Any]:
        return {"name": self.name, **self._facts()}

    @property
    def com(self) -> Marker:
        """The marker at the centre of mass."""
        return self.at(*self._centre)

    def at(self, *position: float) -> Marker:
        """The marker at the body point that has these global coordinates at t = 0, m."""
        return Marker(self, vector(self.name, "at", position))

    def initial_position(self) -> Array:
        e = self._axes
        return np.concatenate([self._centre, self._centre + self._length * e[:, 0], e[:, 1], e[:, 2]])

    def initial_velocity(self) -> Array:
        turning = np.cross(self.spin, self._axes.T)  # (3, 3) rows: velocities of e_1, e_2, e_3
        return np.concatenate([self.velocity, self.velocity + self._length * turning[0], turning[1], turning[2]])

    def rigid_rates(self, q: Array) -> Array:
        return vector_rates(q.reshape(4, 3), POINTS).reshape(12, 6)

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        return displaced_vectors(q.reshape(4, 3), POINTS, centre, shift, turn).ravel()

    def directors(self) -> list[tuple[tuple[int, int], ...]]:
        return [((R_W, R_A), (U, -1), (V, -1))]

    def is_length(self) -> NDArray[np.bool_]:
        return np.repeat([True, False], 6)

    def mass_matrix(self) -> Triplets:
        jx, jy, jz = self._second_moments
        w = jx / self._length**2
        blocks = [
            (R_A, R_A, self.mass + w), (R_A, R_W, -w), (R_W, R_A, -w), (R_W, R_W, w), (U, U, jy), (V, V, jz),
        ]  # fmt: skip
        row, column, value = zip(*((i + k, j + k, m) for i, j, m in blocks for k in range(3)), strict=True)
        return Triplets(np.array(row), np.array(column), np.array(value))

    def weight(self, gravity: Array) -> Array:
        force = np.zeros(12)
        force[R_A : R_A + 3] = self.mass * gravity
        return force

    def equations(self) -> list[Equation]:
        l = self._length
        arm = Vector(self, LINEAR, (-1.0, 1.0), (R_A, R_W))
        u, v = Vector(self, LINEAR, (1.0,), (U,)), Vector(self, LINEAR, (1.0,), (V,))
        return [
            Equation("|r_W - r_A|", (Term(0.5 / l, arm, arm),), 0.5 * l),
            Equation("|U|", (Term(0.5, u, u),), 0.5),
            Equation("|V|", (Term(0.5, v, v),), 0.5),
            dot("U.V", u, v),
            dot("(r_W - r_A).U", arm, u),
            dot("(r_W - r_A).V", arm, v),
        ]

    def point(self, marker: Marker) -> Vector:
        x, y, z = (self._axes.T @ (marker.position - self._centre)).tolist()
        return self._vector((1.0 - x / self._length, x / self._length, y, z), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        x, y, z = (self._axes.T @ components).tolist()
        return self._vector((-x / self._length, x / self._length, y, z), is_point=False)

    def _vector(self, coefficients: tuple[float, float, float, float], is_point: bool) -> Vector:
        """Leave out blocks that do not count: sparser equations."""
        kept = [(c, block) for c, block in zip(coefficients, (R_A, R_W, U, V), strict=True) if abs(c) > 1e-15]
        return Vector(self, LINEAR, tuple(c for c, _ in kept), tuple(block for _, block in kept), is_point)


def _inertia_tensor(name: str, inertia: ArrayLike) -> Array:
    """Check that a rigid mass distribution can have this tensor."""
    try:
        tensor = np.array(inertia, dtype=float)
    except (TypeError, ValueError):
        tensor = np.array(np.nan)
    tensor = np.diag(tensor) if tensor.shape == (3,) else tensor
    if tensor.shape != (3, 3) or not np.isfinite(tensor).all():
        raise ModelError(f"{name}: inertia = {inertia!r} is not a finite 3 x 3 matrix; give it about the com, kg m^2.")
    if not np.allclose(tensor, tensor.T, rtol=1e-9, atol=1e-12 * np.abs(tensor).max()):
        raise ModelError(f"{name}: inertia = {inertia!r} is not symmetric; the products of inertia must match.")
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] <= 1e-14 * moments[2]:
        raise ModelError(
            f"{name}: inertia has principal moments {moments}, which must all be positive; "
            "give a thin rod a small moment about its axis, and check the signs of the products of inertia."
        )
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-6):
        raise ModelError(
            f"{name}: inertia has principal moments {moments}; no mass distribution has one larger than the sum of the "
            "other two. Check the axis order and that it is taken about the centre of mass."
        )
    symmetric: Array = 0.5 * (tensor + tensor.T)
    return symmetric
