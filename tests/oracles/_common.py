"""What several oracles need: an array type, a tight ODE integration, planar vectors."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]


def integrate(rate: Callable[[float, Array], Array], start: ArrayLike, t: ArrayLike) -> Array:
    """States (n, m) at the increasing times t (n,) >= 0 of y' = rate(t, y), y(0) = start, by DOP853 with rtol 1e-12."""
    times = np.asarray(t, dtype=float)
    y0 = np.asarray(start, dtype=float)
    if times[-1] == 0.0:
        return np.tile(y0, (len(times), 1))
    solution = solve_ivp(rate, (0.0, times[-1]), y0, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-13)
    if not solution.success:
        raise RuntimeError(solution.message)
    return np.asarray(solution.y.T)


def direction(angle: ArrayLike) -> Array:
    """Unit vector (..., 2) at an angle from the +x axis."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def normal(angle: ArrayLike) -> Array:
    """Derivative of `direction` by the angle: the unit vector turned by +90 degrees."""
    return np.stack([-np.sin(angle), np.cos(angle)], axis=-1)


def acceleration_of(radius: float, angle: Array, rate: Array, rate2: Array) -> Array:
    """Second time derivative (..., 2) of radius * direction(angle)."""
    return radius * (rate2[..., None] * normal(angle) - (rate**2)[..., None] * direction(angle))


def cross2(a: Array, b: Array) -> Array:
    """The z component of a x b for planar vectors (..., 2)."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
