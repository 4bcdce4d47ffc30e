"""Drives: prescribed relative rotation or translation as a function of time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.checks import array, asked, number, shown
from fmbs.core.equations import Equation, along, turn
from fmbs.core.errors import ModelError
from fmbs.core.smooth_step import SmoothStep
from fmbs.joints.base import Joint
from fmbs.math.rotations import perpendicular
from fmbs.math.signals import Differenced, Integrated, Piecewise, Ramp, Shifted, Signal, integral, spline

Motion = float | Callable[[float], float] | tuple[ArrayLike, ArrayLike]  # number, function of t, or table (times, values)

START_TOLERANCE = 0.1  # rad or share of a metre by which a drive may disagree with the drawn position at t = 0


@dataclass(frozen=True, eq=False)
class RotationDrive(Joint, units={"speed": "rad/s"}):
    """b turns about an axis of a by a given angle: sin(psi - phi(t)) = 0. The reaction's moment is the driving moment.

    axis: global direction at t = 0; planar drives need none
    speed: rad/s, or angle: rad, counted from the position at t = 0 (or, for planar bodies, from their `angle`);
           a number, a function of t, or a table (times, values), through which a smooth spline goes
    """

    axis: ArrayLike = field(default=(0.0, 0.0, 1.0), kw_only=True)
    speed: Motion | None = field(default=None, kw_only=True)
    angle: Motion | None = field(default=None, kw_only=True)
    turns: ClassVar[bool] = True

    def equations(self) -> list[Equation]:
        n = self.direction_of("axis", self.axis, normal=True)
        u, w = perpendicular(n)
        drawn = getattr(self.b.body, "angle", 0.0) - getattr(self.a.body, "angle", 0.0)
        angle = prescribed(self.label, 0.0, speed=self.speed, angle=self.angle)
        angle = self._counted_from_start(angle, np.copysign(drawn, drawn * n[2]))
        return [turn("angle", self.b.direction(u), self.a.direction(u), self.a.direction(w), angle)]

    def _counted_from_start(self, angle: Signal, drawn: float) -> Signal:
        """Markers have no angle at t = 0; planar bodies have one by name, which the user's function may include."""
        start = angle(0.0)[0]
        offset = min(0.0, drawn, key=lambda x: abs(start - x))
        if abs(start - offset) <= START_TOLERANCE:
            return Shifted(angle, -offset) if offset else angle
        raise ModelError(
            f"{self.label}: angle(0) = {start:g} rad, but the bodies are drawn at {drawn:g} rad; the angle counts from the "
            "drawn position, so let it start at 0 (or draw the bodies where the drive starts)."
        )


@dataclass(frozen=True, eq=False)
class TranslationDrive(Joint, units={"speed": "m/s"}):
    """b moves along an axis of a as given: n_a . (r_b - r_a) = s(t). The reaction's force is the driving force.

    axis: global direction at t = 0; (x, y) in the plane
    speed: m/s, or position: m, the coordinate of b along the axis counted from a;
           a number, a function of t, or a table (times, values), through which a smooth spline goes
    """

    axis: ArrayLike = field(kw_only=True)
    speed: Motion | None = field(default=None, kw_only=True)
    position: Motion | None = field(default=None, kw_only=True)
    turns: ClassVar[bool] = False

    def equations(self) -> list[Equation]:
        n = self.direction_of("axis", self.axis)
        drawn = float(n @ (self.b.position - self.a.position))
        path = prescribed(self.label, drawn, speed=self.speed, position=self.position)
        start = path(0.0)[0]
        if abs(start - drawn) > START_TOLERANCE * max(1.0, abs(drawn)):
            raise ModelError(
                f"{self.label}: position(0) = {start:g} m, but the markers are drawn {drawn:g} m apart along the axis; "
                "the position counts from marker a: start it there, draw the bodies there, or give speed=."
            )
        return [along("position", self.a.direction(n), self.a, self.b, path)]


def prescribed(part: str, start: float, **given: Motion | None) -> Signal:
    """The signal of a drive from exactly one of its two arguments; `speed` is integrated from `start`."""
    chosen = [(argument, motion) for argument, motion in given.items() if motion is not None]
    if len(chosen) != 1:
        names = " or ".join(f"{argument}=" for argument in given)
        raise ModelError(f"{part}: {'both' if chosen else 'neither'} of {names} given; give exactly one of them.")
    argument, motion = chosen[0]
    is_rate = argument == "speed"
    if isinstance(motion, SmoothStep):
        return integral(motion.polynomial, start) if is_rate else Piecewise(motion.polynomial)
    if callable(motion):
        number(part, f"{argument}(0)", asked(part, argument, motion, 0.0))
        signal = Integrated(motion, start) if is_rate else Differenced(motion)
        if not np.isfinite(signal(0.0)).all():
            raise ModelError(f"{part}: {argument} has no derivatives at t = 0; give a function that is smooth around it.")
        return signal
    if isinstance(motion, (tuple, list, np.ndarray)):
        polynomial = spline(*_table(part, argument, motion))
        return integral(polynomial, start) if is_rate else Piecewise(polynomial)
    value = number(part, argument, motion)
    return Ramp(start, value) if is_rate else Ramp(value, 0.0)


def _table(part: str, argument: str, table: Iterable[ArrayLike]) -> tuple[ArrayLike, ArrayLike]:
    """Check a table (times, values)."""
    try:
        times, values = (array(part, argument, column) for column in table)
    except (TypeError, ValueError):
        raise ModelError(
            f"{part}: {argument} = {shown(table)} is not a table; give (times, values), two lists of numbers."
        ) from None
    if times.ndim != 1 or times.shape != values.shape or times.size < 2:
        raise ModelError(
            f"{part}: {argument} has times {times.shape} and values {values.shape}; give equal lists of 2 or more."
        )
    if not (np.isfinite(times).all() and np.isfinite(values).all() and (np.diff(times) > 0.0).all()):
        raise ModelError(f"{part}: {argument} must have finite values and times that increase.")
    return times, values
