"""What figures compute from time histories: spectra and stroboscopic sections."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import number, series, whole
from fmbs.core.errors import ModelError

Array = NDArray[np.float64]


def amplitudes(t: ArrayLike, values: ArrayLike) -> tuple[Array, Array]:
    """One-sided amplitude spectrum with a Hann window, the mean taken off; frames at unequal times are resampled."""
    t, values = series("spectrum", "t", t), series("spectrum", "values", values)
    if t.size != values.size or (np.diff(t) <= 0.0).any():
        raise ModelError(f"spectrum: {t.size} times t and {values.size} values; give equal lists, t increasing.")
    if t.size < 8:
        raise ModelError(f"spectrum: {t.size} frames are too few; take 8 or more (a smaller output_step).")
    even = np.linspace(t[0], t[-1], t.size)
    regular = np.allclose(t, even, rtol=0.0, atol=1e-9 * float(np.ptp(t)))
    x = values if regular else scipy.interpolate.CubicSpline(t, values)(even)
    window = np.hanning(t.size)
    spectrum = np.abs(np.fft.rfft((x - x.mean()) * window)) * 2.0 / window.sum()
    return np.fft.rfftfreq(t.size, even[1] - even[0]), spectrum


def stroboscope(t: Array, x: Array, v: Array, period: float, skip: float) -> tuple[Array, Array]:
    """Position and velocity at whole periods after `skip`, by the cubic through positions and velocities of the frames."""
    whole("poincare", "number of periods", int(np.ceil(float(t[-1] - t[0]) / period)), 0)
    first = np.ceil(max(number("poincare", "skip", skip), float(t[0])) / period - 1e-9)
    times = period * np.arange(first, np.floor(t[-1] / period + 1e-9) + 1.0)
    times = np.clip(times, t[0], t[-1])
    if not times.size:
        raise ModelError(f"poincare: no whole period of {period:g} s after skip = {skip:g} s; the run ends at {t[-1]:g} s.")
    path = scipy.interpolate.CubicHermiteSpline(t, x, v)
    return path(times), path(times, 1)
