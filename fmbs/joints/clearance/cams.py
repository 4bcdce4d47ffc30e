"""Cams: a closed curve against a roller or a flat face."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, positive, shown, unit
from fmbs.core.errors import ModelError
from fmbs.gaps.kinematics import FLAT, ROLLER
from fmbs.joints.clearance.base import Station, right_handed
from fmbs.joints.clearance.surface import SurfaceContact

Array = NDArray[np.float64]

CELLS = 256  # pieces of the curve, of equal length
FINE = 64  # points on each of them, to see where the cam is drawn


@dataclass(frozen=True, eq=False)
class Cam(SurfaceContact):
    """What both cams share: a smooth closed curve through given points, in the plane across an axis.

    profile: points (x, y) of the curve about the cam's marker at t = 0, m, all around, the first not repeated  # (n, 2);
             along the global axes, or across another axis than z along those that follow it: y, z about x and z, x about y
    axis: of the cam's rotation, global direction at t = 0; planar bodies need none
    """

    profile: ArrayLike = field(kw_only=True)
    axis: ArrayLike = field(default=(0.0, 0.0, 1.0), kw_only=True)

    def measure(self) -> float:
        return float(np.abs(self.curve(self.curve.x)).max())

    @property
    def triad(self) -> tuple[Array, Array, Array]:
        return right_handed(unit(self.label, "axis", self.axis))

    @cached_property
    def curve(self) -> Any:
        """The curve over its length, counter-clockwise: a periodic cubic spline."""
        points = array(self.label, "profile", self.profile, "give points (x, y)")
        if points.ndim != 2 or points.shape[1:] != (2,) or len(points) < 4 or not np.isfinite(points).all():
            raise ModelError(f"{self.label}: profile = {shown(self.profile)}; give four or more finite points (x, y).")
        closed = np.concatenate([points, points[:1]])
        chords = np.linalg.norm(np.diff(closed, axis=0), axis=1)
        if not (chords > 0.0).all():
            raise ModelError(f"{self.label}: profile has two equal points in a row; the first is not repeated at the end.")
        (x, y), (ahead, up) = closed[:-1].T, closed[1:].T
        if (x * up - ahead * y).sum() < 0.0:  # clockwise
            closed, chords = closed[::-1], chords[::-1]
        rough = scipy.interpolate.CubicSpline(np.append(0.0, np.cumsum(chords)), closed, bc_type="periodic")
        u = np.linspace(0.0, rough.x[-1], 16 * CELLS + 1)
        length = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(rough(u), axis=0), axis=1)))
        even = np.interp(np.linspace(0.0, length[-1], CELLS + 1), length, u)
        knots = rough(even)
        knots[-1] = knots[0]
        return scipy.interpolate.CubicSpline(np.linspace(0.0, length[-1], CELLS + 1), knots, bc_type="periodic")

    @property
    def curvature(self) -> Array:
        """Of the curve, 1/m; positive where it is convex."""
        s = np.linspace(0.0, self.curve.x[-1], 8 * CELLS)
        (dx, dy), (ddx, ddy) = self.curve(s, 1).T, self.curve(s, 2).T
        found: Array = (dx * ddy - dy * ddx) / np.hypot(dx, dy) ** 3
        return found

    @property
    def cells(self) -> tuple[float, ...]:
        """The curve as kernels take it."""
        width = self.curve.x[1]
        c = self.curve.c[::-1] * width ** np.arange(4)[:, None, None]  # (4, cells, 2)
        return (float(CELLS), *np.moveaxis(c, (1, 2), (0, 1)).ravel().tolist())

    def bound(self, radius: float) -> Any:
        """The contact law with the sharpest curvature of the cam, against a roller of this radius (infinite: a flat face)."""
        sharpest = float(self.curvature.max()) + 1.0 / radius
        return self.contact and self.contact.bound(self.label, np.inf, 1.0 / sharpest, None)


@dataclass(frozen=True, eq=False)
class CamRoller(Cam):
    """A cam against a roller: delta = R - N . (r_j - p), p the point of the curve nearest to the roller's centre.

    bearing: the cam's marker, about which the profile is drawn; journal: the roller's centre
    radius: R of the roller, m
    """

    radius: float = field(kw_only=True)

    def __post_init__(self) -> None:
        positive(self.label, "radius", self.radius)
        super().__post_init__()
        hollow = float(self.curvature.min())
        if -hollow * self.radius >= 1.0:
            raise ModelError(
                f"{self.label}: radius = {self.radius:g} m does not fit into the hollow of the profile, whose radius is "
                f"{-1.0 / hollow:.3g} m; take a smaller roller, or give smoother points."
            )

    @property
    def stations(self) -> tuple[Station, ...]:
        contact = self.bound(self.radius)
        return (Station("A", ROLLER, 0.0, self.radius, contact, self.friction, profile=self.cells),)

    def _check_gap(self) -> None:
        """The roller starts outside."""
        x = np.array([direction @ (self.journal.position - self.bearing.position) for direction in self.triad])[:2]
        s = np.linspace(0.0, self.curve.x[-1], FINE * CELLS)
        away = x - self.curve(s)
        k = int(np.argmin(np.linalg.norm(away, axis=1)))
        dx, dy = self.curve(s[k], 1)
        outside = away[k] @ (dy, -dx) > 0.0
        self.check_apart(self.radius - float(np.linalg.norm(away[k])) * (1.0 if outside else -1.0))


@dataclass(frozen=True, eq=False)
class CamFlat(Cam):
    """A cam against a flat face: delta = max over the curve of n . (r_b - p).

    bearing: a marker on the face of the follower; journal: the cam's marker, about which the profile is drawn
    normal: of the face towards the cam, global direction at t = 0; (x, y) in the plane
    """

    normal: ArrayLike = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        flattest = float(self.curvature.min())
        if flattest <= 1e-6 / self.clearance:
            raise ModelError(
                f"{self.label}: profile is not convex everywhere, its least curvature being {flattest:.3g} 1/m; a flat face "
                "cannot follow it. Take a CamRoller, or give points of a convex curve."
            )

    @property
    def stations(self) -> tuple[Station, ...]:
        n = unit(self.label, "normal", np.append(self.normal, np.zeros(3 - np.size(self.normal))))
        x, y, z = (float(-direction @ n) for direction in self.triad)
        return (Station("A", FLAT, 0.0, 0.0, self.bound(np.inf), self.friction, wall=(x, y, z), profile=self.cells),)

    def _check_gap(self) -> None:
        """The cam starts outside."""
        n = unit(self.label, "normal", np.append(self.normal, np.zeros(3 - np.size(self.normal))))
        first, second, _ = self.triad
        points = self.curve(self.curve.x) @ np.stack([first, second]) + self.journal.position
        self.check_apart(float(((points - self.bearing.position) @ -n).max()))
