"""A bearing, random states of its journal, differences of a film's action."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import fmbs as fm

Array = NDArray[np.float64]

MU, R, B, C = 0.4, 0.03, 0.04, 2e-4  # the bearing of reference.json
BEARING = {"radius": R, "length": B, "clearance": C}
REST = np.zeros(2)


def state(rng: np.random.Generator, largest: float, special: bool) -> Array:
    """A, W anywhere in the clearance, often near the wall, or nearly aligned; special: also without spin, velocity, or mean
    velocity."""
    z = np.zeros(9)
    for end in (0, 2):
        ratio, angle = largest * rng.uniform() ** 0.25, rng.uniform(0.0, 2.0 * np.pi)
        z[end : end + 2] = ratio * C * np.array([np.cos(angle), np.sin(angle)])
    kind = rng.integers(0 if special else 3, 5)
    if kind != 0:
        z[4:8] = rng.normal(size=4) * 0.005
    if kind != 1:
        z[8] = rng.normal() * 50.0
    if kind == 2:
        z[6:8] = -z[4:6]  # tilting
    if kind == 3:
        z[2:4] = 0.98 * z[0:2]
    return z


def states(seed: int, n: int, largest: float = 0.99, special: bool = True) -> list[Array]:
    rng = np.random.default_rng(seed)
    return [state(rng, largest, special) for _ in range(n)]


def act(film: fm.film.Film, z: Array, tangent: bool = True) -> fm.film.FilmAction:
    return film.action(z, R, B, C, 0.0, tangent)


def values(film: fm.film.Film, z: Array) -> Array:
    done = act(film, z, False)
    return np.concatenate([done.force, done.moment, done.shear])


def scales(z: Array) -> Array:
    """Sizes of the nine arguments that matter."""
    speed = np.abs(z[4:8]).max() + C * abs(z[8])
    return np.concatenate([np.full(4, C), np.full(4, speed), [abs(z[8]) + speed / C]])


def differences(film: fm.film.Film, z: Array, step: float) -> Array:
    """The Jacobian by central differences of fourth order, in units of `scales`  # (6, 9)."""
    d, h = np.empty((6, 9)), step * scales(z)
    for k, e in enumerate(np.eye(9) * h):
        near = values(film, z + e) - values(film, z - e)
        far = values(film, z + 2 * e) - values(film, z - 2 * e)
        d[:, k] = (8.0 * near - far) / (12.0 * step)
    return d


def aligned(eps: float, angle: float = 0.0) -> Array:
    """Journal centre at an eccentricity ratio."""
    return eps * C * np.array([np.cos(angle), np.sin(angle)])


def films(**options: object) -> list[fm.film.Film]:
    """One of each kind."""
    return [
        fm.film.ShortBearing(MU, **options),
        fm.film.LongBearing(MU, **options),
        fm.film.LongBearing(MU, integration="quadrature", **options),
        fm.film.Impedance(MU, **options),
        *(fm.film.FiniteBearing(MU, cavitation=kind, **options) for kind in ("gumbel", "reynolds", "jfo")),
    ]


def name(film: fm.film.Film) -> str:
    kind = film.__dict__.get("cavitation", film.__dict__.get("integration", ""))
    return f"{type(film).__name__}-{kind}".rstrip("-")
