"""Reference shapes of beams: a centre line by arc length, and the direction `up` of the section's z axis along it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, asked, shown, vector
from fmbs.core.errors import ModelError
from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]
Curve = ArrayLike | Callable[[float], ArrayLike]
Up = ArrayLike | Callable[[float], ArrayLike]

SAMPLES = 4001  # of a curve given as a function


class CentreLine:
    """r(s) for 0 <= s <= 1, s proportional to arc length, with its frame (t, y, z) of tangent and section axes."""

    def __init__(
        self, name: str, start: ArrayLike | None, end: ArrayLike | None, curve: Curve | None, up: Up | None
    ) -> None:  # fmt: skip
        self._name, self._up = name, (0.0, 0.0, 1.0) if up is None else up
        self.straight = curve is None
        if curve is None:
            if start is None or end is None:
                raise ModelError(f"{name}: give start= and end=, or curve= for a beam that is not straight.")
            a, b = vector(name, "start", start), vector(name, "end", end)
            self.length = float(np.linalg.norm(b - a))
            if self.length < 1e-12:
                place = ", ".join(f"{x:g}" for x in a)
                raise ModelError(f"{name}: start and end coincide at ({place}); a beam needs a length, so move one of them.")
            self._a, self._b = a, b
        else:
            if start is not None or end is not None:
                raise ModelError(f"{name}: both curve= and start=/end= given; a curve has its own ends.")
            self._spline = self._by_arc_length(curve)
        if up is not None:  # a cable has none
            self.frame(np.linspace(0.0, 1.0, 33))  # raises if up and the axis are parallel anywhere

    def arguments(self, size: int) -> dict[str, Any]:
        """start and end, or the knots of a curve with their arc lengths; with so many components."""
        if self.straight:
            return {"start": self._a[:size], "end": self._b[:size]}
        return {"curve": self._spline(self._spline.x)[:, :size], "arc": self._spline.x}

    def follow(self, arc: Array, points: Array) -> None:
        """Become the curve through these points at these arc lengths."""
        padded = np.column_stack([points, np.zeros((len(points), 3 - points.shape[1]))])
        self._spline, self.length = scipy.interpolate.CubicSpline(arc, padded), float(arc[-1])

    @property
    def up(self) -> Up:
        """Global direction of the section's z axis, as it was given."""
        return self._up

    @property
    def uniform(self) -> bool:
        """Straight and untwisted: all elements are alike."""
        return self.straight and not callable(self._up) and np.ndim(self._up) == 1

    def position(self, s: Array) -> Array:  # (n,) -> (n, 3)
        s = np.asarray(s, dtype=float)
        if self.straight:
            line: Array = self._a + s[:, None] * (self._b - self._a)
            return line
        points: Array = self._spline(s * self.length)
        return points

    def tangent(self, s: Array) -> Array:  # (n,) -> (n, 3)
        s = np.asarray(s, dtype=float)
        if self.straight:
            return np.tile((self._b - self._a) / self.length, (s.size, 1))
        slope: Array = self._spline(s * self.length, 1)
        unit: Array = slope / np.linalg.norm(slope, axis=1)[:, None]
        return unit

    def frame(self, s: Array) -> tuple[Array, Array, Array]:
        """Tangent and the section's y and z axes, each (n, 3): z is `up` made perpendicular to the tangent, y = z x t."""
        s = np.asarray(s, dtype=float)
        t = self.tangent(s)
        up = self._up_at(s)
        across = up - np.einsum("ij,ij->i", up, t)[:, None] * t
        size = np.linalg.norm(across, axis=1)
        if (size <= 1e-6 * np.linalg.norm(up, axis=1)).any() or not np.isfinite(size).all():
            raise ModelError(
                f"{self._name}: up = {shown(self._up)} is parallel to the axis; it is the global direction of the section's z "
                "axis, so give another one (a function of s for a curve that turns everywhere)."
            )
        z = across / size[:, None]
        return t, np.cross(z, t), z

    def _up_at(self, s: Array) -> Array:
        if callable(self._up):
            return np.array([vector(self._name, "up(s)", asked(self._name, "up", self._up, float(x))) for x in s])
        table = array(self._name, "up", self._up, "give 3 numbers")
        if table.ndim == 2:  # directions at equal distances
            if table.shape[1] != 3 or len(table) < 2 or not np.isfinite(table).all():
                raise ModelError(f"{self._name}: up = {shown(self._up)}; give one direction (x, y, z), or 2 or more in a list.")
            spread: Array = scipy.interpolate.CubicSpline(np.linspace(0.0, 1.0, len(table)), table)(s)
            return spread
        return np.tile(vector(self._name, "up", self._up), (s.size, 1))

    def _by_arc_length(self, curve: Curve) -> scipy.interpolate.CubicSpline:
        """A spline through the curve's points with the arc length as its parameter."""
        if callable(curve):
            points = np.array(
                [
                    vector(self._name, "curve(s)", asked(self._name, "curve", curve, float(x)))
                    for x in np.linspace(0.0, 1.0, SAMPLES)
                ]
            )
        else:
            points = table_of_points(self._name, curve, 3)
        chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
        if not (chords > 0.0).all():
            raise ModelError(f"{self._name}: curve has two equal points in a row; leave one of them out.")
        rough = scipy.interpolate.CubicSpline(np.concatenate([[0.0], np.cumsum(chords)]), points)
        u = np.linspace(0.0, rough.x[-1], SAMPLES)
        x, w = gauss(4)
        inner = u[:-1, None] + x * np.diff(u)[:, None]
        speed = np.linalg.norm(rough(inner.ravel(), 1), axis=1).reshape(inner.shape)
        arc = np.concatenate([[0.0], np.cumsum(np.diff(u) * (speed @ w))])
        self.length = float(arc[-1])
        return scipy.interpolate.CubicSpline(arc, rough(u))


def table_of_points(name: str, curve: ArrayLike, size: int) -> Array:  # (n, size)
    """A curve given by points."""
    point = ", ".join("xyz"[:size])
    points = array(name, "curve", curve, f"give a function of s in [0, 1] or a list of 2 or more finite points ({point})")
    if points.ndim != 2 or points.shape[1] != size or len(points) < 2 or not np.isfinite(points).all():
        raise ModelError(f"{name}: curve must be a function of s in [0, 1] or a list of 2 or more finite points ({point}).")
    return points
