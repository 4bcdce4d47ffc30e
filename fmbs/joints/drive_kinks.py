"""Motions of drives that no mechanism can follow without an impulse, named."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.smooth_step import SmoothStep
from fmbs.joints.base import Joint
from fmbs.joints.drives import Motion, RotationDrive, TranslationDrive
from fmbs.math.kinks import Kink, corners, slope_jumps, value_jumps
from fmbs.math.signals import spline

Array = NDArray[np.float64]


class KinkInDrive(UserWarning):
    """A drive's motion has a kink or a jump."""


def kinks_told(joint: object, end: float) -> str:
    """Of a drive's motion until `end`, s, in words: part, argument, time, sizes, remedy; "" where there is none."""
    if isinstance(joint, RotationDrive):
        return _told(joint, "angle", joint.angle, joint.speed, "rad", end)
    if isinstance(joint, TranslationDrive):
        return _told(joint, "position", joint.position, joint.speed, "m", end)
    return ""


def _told(drive: Joint, word: str, path: Motion | None, speed: Motion | None, unit: str, end: float) -> str:
    argument, motion, unit = (word, path, unit) if path is not None else ("speed", speed, f"{unit}/s")
    if isinstance(motion, SmoothStep):
        return ""
    if isinstance(motion, (tuple, list, np.ndarray)):
        times, values = (np.asarray(column, dtype=float) for column in motion)
        found = [kink for kink in corners(times, values) if 0.0 < kink.t < end]
        return _corner(drive, argument, unit, found, times, values) if found else ""
    if not callable(motion):
        return ""
    found = value_jumps(motion, end)
    if found:
        return _jump(drive, argument, f"it jumps from {found[0].before:.3g} to {found[0].after:.3g} {unit}", found)
    found = slope_jumps(motion, end) if path is not None else []  # a kink of the speed is only a jump of the acceleration
    if found:
        return _jump(drive, argument, f"the speed jumps from {found[0].before:.3g} to {found[0].after:.3g} {unit}/s", found)
    return ""


def _jump(drive: Joint, argument: str, what: str, found: list[Kink]) -> str:
    """A function that asks for a jump of the velocity, or of the position."""
    return (
        f"{drive.label}: {argument} has a kink at t = {found[0].t:.4g} s{_more(found)}, where {what}. That takes an impulse, "
        "which no step resolves and which rings in what follows. Let it change within a time that the motion can follow: "
        f"{argument}=fm.SmoothStep(begin, end, low, high), or another smooth function."
    )


def _corner(drive: Joint, argument: str, unit: str, found: list[Kink], times: Array, values: Array) -> str:
    """A table whose corner the spline through it rounds off, and misses beside it."""
    kink = found[0]
    i = int(np.searchsorted(times, kink.t))
    t = np.linspace(times[i - 1], times[i + 1], 101)
    slope = f"{unit}^2" if unit.endswith("/s") else f"{unit}/s"
    beside = float(np.abs(spline(times, values)(t) - np.interp(t, times, values)).max())
    return (
        f"{drive.label}: {argument} has a kink at t = {kink.t:.4g} s{_more(found)}, where its slope jumps from "
        f"{kink.before:.3g} to {kink.after:.3g} {slope}. A table is followed by a smooth spline, which is there up to "
        f"{beside:.2g} {unit} beside the straight lines. Give a table of a smooth motion, or "
        f"{argument}=fm.SmoothStep(begin, end, low, high)."
    )


def _more(found: list[Kink]) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""
