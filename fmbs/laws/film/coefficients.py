"""Equilibrium of a loaded, aligned bearing, and its stiffness and damping."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from fmbs.core.checks import number, positive, shown, vector
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.laws.film.base import Array, Film


@dataclass(frozen=True, eq=False)
class BearingCoefficients(Described, units={"eccentricity": "m", "attitude": "rad", "damping": "N s/m"}):
    """F(e + de, v) = -load - K de - C v about the equilibrium, bearing axes.

    eccentricity: e of the journal centre, m  # (2,); ratio: |e|/c; attitude: angle from the load to e, along the spin, rad
    stiffness, damping: K, N/m, and C, N s/m  # (2, 2)
    sommerfeld: S = mu N L D/W (R/c)^2, N revolutions a second
    K, C: dimensionless, K c/W and C c omega/W, with x along the load and y a quarter turn on, along the spin  # (2, 2)
    """

    eccentricity: Array
    ratio: float
    attitude: float
    stiffness: Array
    damping: Array
    sommerfeld: float
    K: Array
    C: Array


def coefficients(
    film: Film, *, load: ArrayLike, spin: float, radius: float, length: float, clearance: float, t: float = 0.0
) -> BearingCoefficients:
    """Where a journal that turns under a steady load comes to rest, and how the film answers small motions there.

    load: on the journal, bearing axes, N  # (2,); other arguments as in `film.resultant`
    """
    if not isinstance(film, Film):
        raise ModelError(f"coefficients: {shown(film)} is not a film; give one of fm.film, such as fm.film.ShortBearing(0.1).")
    part = film.part
    number(part, "t", t)
    for argument, value in (("radius", radius), ("length", length), ("clearance", clearance)):
        positive(part, argument, value)
    W = vector(part, "load", load, 2)
    size = float(np.linalg.norm(W))
    if size == 0.0 or number(part, "spin", spin) == 0.0:
        raise ModelError(f"{part}: load = {load!r}, spin = {spin!r}: a film carries a load only with both different from zero.")
    sense = np.sign(spin)

    def place(y: Array) -> Array:
        """The journal centre; y: artanh of the eccentricity ratio, angle from the load along the spin."""
        angle = np.arctan2(W[1], W[0]) + sense * y[1]
        centre: Array = clearance * np.tanh(y[0]) * np.array([np.cos(angle), np.sin(angle)])
        return centre

    def force(e: Array) -> Array:
        return film.action(_at_rest(e, spin), radius, length, clearance, t, False).force

    def unbalance(y: Array) -> Array:
        """log of the ratio of forces and the angle between them: nearly linear in y."""
        F = -force(place(y))
        turn = np.arctan2(W[0] * F[1] - W[1] * F[0], W @ F)
        return np.array([np.log(max(float(np.linalg.norm(F)), 1e-300) / size), turn])

    found = scipy.optimize.root(unbalance, np.array([0.5, 0.9]), method="hybr", options={"xtol": 1e-12})
    e = place(found.x)
    for _ in range(8):
        F, stiffness, damping = linearised(film, e, spin, radius, length, clearance, t)
        if np.linalg.norm(F + W) < 1e-12 * size:
            break
        if not np.isfinite(stiffness).all() or np.linalg.matrix_rank(stiffness) < 2:
            break
        e = e + np.linalg.solve(stiffness, F + W)
    if not np.linalg.norm(F + W) < 1e-6 * size:
        raise ModelError(f"{part}: no equilibrium found for load = {load!r}; the film carries it at no eccentricity below 1.")
    x = W / size
    axes = np.array([x, sense * np.array([-x[1], x[0]])])  # rows: along the load, a quarter turn on
    mu, speed = film.viscosity_at(t), abs(spin)
    return BearingCoefficients(
        eccentricity=e,
        ratio=float(np.linalg.norm(e)) / clearance,
        attitude=float(np.arctan2(axes[1] @ e, axes[0] @ e)),
        stiffness=stiffness,
        damping=damping,
        sommerfeld=mu * speed / (2.0 * np.pi) * length * 2.0 * radius / size * (radius / clearance) ** 2,
        K=axes @ stiffness @ axes.T * clearance / size,
        C=axes @ damping @ axes.T * clearance * speed / size,
    )


def linearised(
    film: Film, e: Array, spin: float, radius: float, length: float, clearance: float, t: float
) -> tuple[Array, Array, Array]:
    """Force, stiffness and damping of an aligned journal at rest at e."""
    done = film.action(_at_rest(e, spin), radius, length, clearance, t, True)
    J = np.zeros((6, 9)) if done.jacobian is None else done.jacobian
    return done.force, -(J[:2, 0:2] + J[:2, 2:4]), -(J[:2, 4:6] + J[:2, 6:8])


def _at_rest(e: Array, spin: float) -> Array:
    """The state (9,) of an aligned journal at rest at e."""
    return np.concatenate([e, e, np.zeros(4), [spin]])
