"""What kind of motion it is: sections, spectra, Lyapunov exponents."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, asked, number, positive, series, shown, vector, whole
from fmbs.core.errors import ModelError
from fmbs.plots.signals import amplitudes

Array = NDArray[np.float64]

spectrum = amplitudes


def strobe(t: ArrayLike, x: ArrayLike, period: float, skip: float = 0.0) -> Array:
    """Values at whole periods after `skip`, linear between frames: a Poincare section of a driven system  # (periods,)."""
    times, values = _signal("strobe", t, x)
    positive("strobe", "period", period)
    number("strobe", "skip", skip)
    whole("strobe", "number of periods", int(np.ceil(float(times[-1] - times[0]) / period)), 0)
    first = np.ceil(max(skip, float(times[0])) / period - 1e-9)
    at = period * np.arange(first, np.floor(times[-1] / period + 1e-9) + 1.0)
    if not at.size:
        raise ModelError(f"strobe: no whole period of {period:g} s after skip = {skip:g} s; the run ends at {times[-1]:g} s.")
    return np.interp(at, times, values)


def crossings(t: ArrayLike, x: ArrayLike, others: ArrayLike, level: float = 0.0) -> tuple[Array, Array]:
    """Times and other signals where x rises through a level: a Poincare section of a free system.

    others: signals  # (frames,) or (frames, n)
    """
    times, values = _signal("crossings", t, x)
    values, rest = values - number("crossings", "level", level), array("crossings", "others", others)
    if rest.shape[:1] != times.shape:
        raise ModelError(f"crossings: others has shape {rest.shape} and t {times.shape}; give a row for every time.")
    before = np.flatnonzero((values[:-1] < 0.0) & (values[1:] >= 0.0))
    share = -values[before] / (values[before + 1] - values[before])  # linear between frames
    wide = share.reshape(-1, *[1] * (rest.ndim - 1))
    return times[before] + share * np.diff(times)[before], rest[before] + wide * (rest[before + 1] - rest[before])


def _signal(study: str, t: ArrayLike, x: ArrayLike) -> tuple[Array, Array]:
    """Values at times that increase."""
    times, values = series(study, "t", t), series(study, "x", x)
    if times.size != values.size or (np.diff(times) < 0.0).any():
        raise ModelError(f"{study}: {times.size} times t and {values.size} values x; give equal lists, t increasing.")
    return times, values


def lyapunov(
    advance: Callable[[Array], Array], x: ArrayLike, time: float, *, steps: int, skip: int = 0, apart: float = 1e-8
) -> float:
    """Largest Lyapunov exponent, 1/s, by two nearby runs with renormalisation (Benettin et al. 1980).

    lambda = 1/(n T) sum ln(|d_i| / d_0): after every `time` the distance is measured and set back to d_0 along its direction.

    advance: state -> state after `time` (1 for a map); x: the start; steps: n; skip: steps before counting; apart: d_0 relative
             to |x|, or absolute where x is 0
    """
    a = series("lyapunov", "x", np.atleast_1d(array("lyapunov", "x", x)))
    positive("lyapunov", "time", time)
    steps, skip = whole("lyapunov", "steps", steps), whole("lyapunov", "skip", skip, 0)
    if not callable(advance):
        raise ModelError(f"lyapunov: advance = {shown(advance)} is not a function; give one from a state to the next.")
    d0 = positive("lyapunov", "apart", apart) * (float(np.linalg.norm(a)) or 1.0)
    b = a + d0 * np.ones(a.size) / np.sqrt(a.size)
    total = 0.0
    for i in range(skip + steps):
        a, b = (vector("lyapunov", "advance(x)", asked("lyapunov", "advance", advance, each), a.size) for each in (a, b))
        d = b - a
        size = float(np.linalg.norm(d))
        if not (np.isfinite(size) and size > 0.0):
            raise ModelError(
                f"lyapunov: the runs are {size:g} apart after {i + 1} steps; take another apart = {apart:g} or time."
            )
        if i >= skip:
            total += np.log(size / d0)
        b = a + d * (d0 / size)
    return total / (steps * time)


def lyapunov_of_series(
    x: ArrayLike, dt: float, *, dimension: int, lag: int = 1, apart: int = 1, span: int = 20, first: int = 0
) -> float:
    """Largest Lyapunov exponent of a time series, 1/s, by nearest neighbours in delay coordinates (Rosenstein et al. 1993).

    y_i = (x_i, x_i+lag, ...); lambda is the slope of <ln |y_i+k - y_j+k|> over k dt, j the nearest neighbour of i.

    x: evenly sampled, without transient; dt: s; dimension, lag (samples): of the delay coordinates
    apart: samples by which neighbours must be apart in time, about one period; first ... span: samples k of the fit, which
           must lie where the curve is straight. Look at `divergence` before trusting a number.
    """
    first = whole("lyapunov", "first", first, 0)
    curve = divergence(x, dimension=dimension, lag=lag, apart=apart, span=span)
    if first >= span:
        raise ModelError(f"lyapunov: first = {first} leaves no samples to fit up to span = {span}; give a smaller one.")
    k = np.arange(first, span + 1)
    return float(np.polyfit(k * positive("lyapunov", "dt", dt), curve[first:], 1)[0])


def divergence(x: ArrayLike, *, dimension: int, lag: int = 1, apart: int = 1, span: int = 20) -> Array:
    """<ln |y_i+k - y_j+k|> for k = 0 ... span  # (span + 1,); see `lyapunov_of_series`."""
    values = series("lyapunov", "x", x)
    given = {"dimension": dimension, "lag": lag, "apart": apart, "span": span}
    dimension, lag, apart, span = (whole("lyapunov", name, value) for name, value in given.items())
    count = values.size - (dimension - 1) * lag
    if count - span < 10 * dimension:
        raise ModelError(
            f"lyapunov: {values.size} samples are too few for dimension = {dimension}, lag = {lag}, span = {span}."
        )
    y = np.column_stack([values[i * lag : i * lag + count] for i in range(dimension)])  # (count, dimension)
    usable = count - span
    tree = scipy.spatial.cKDTree(y[:usable])
    near = min(2 * apart + 2, usable)  # of so many neighbours at least one is far enough in time
    distance, index = (np.asarray(found) for found in tree.query(y[:usable], k=near))
    own = np.arange(usable)[:, None]
    good = (np.abs(index - own) > apart) & (distance > 0.0)
    pairs = np.flatnonzero(good.any(axis=1))
    if not pairs.size:
        raise ModelError(f"lyapunov: no two samples are neighbours apart = {apart} in time; give a longer or another series.")
    partner = index[pairs, good[pairs].argmax(axis=1)]
    curve = np.empty(span + 1)
    for k in range(span + 1):
        size = np.linalg.norm(y[pairs + k] - y[partner + k], axis=1)
        curve[k] = np.log(size[size > 0.0]).mean()
    return curve
