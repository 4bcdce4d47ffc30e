"""What all films share: input, viscosity, the frozen thin film, resultants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import asked, flag, number, positive, vector
from fmbs.core.errors import ModelError
from fmbs.jit.slots import Slot
from fmbs.laws.law import Law
from fmbs.laws.law_kernels import FILM, film_load

Array = NDArray[np.float64]


class FilmAction(NamedTuple):
    """What a film does to the journal, in the bearing frame.

    force: on the journal, N; moment: about the bearing's middle, of the transverse forces, N m
    shear: torques along the bearing axis, N m: on the journal about its own middle (A + W)/2, on the bearing about its axis
    min_thickness: c - max(|A|, |W|), m: negative when the journal is in the wall; peak_pressure: Pa
    jacobian: of [force, moment, shear] with respect to [A, W, A_rate, W_rate, spin], or None
    """

    force: Array  # (2,)
    moment: Array  # (2,)
    shear: Array  # (2,)
    min_thickness: float
    peak_pressure: float
    jacobian: Array | None  # (6, 9)


@dataclass(frozen=True)
class Film(Law):
    """A film of oil: h = c - xi cos(th) - eta sin(th), xi and eta linear in zeta between the journal ends A and W.

    viscosity: mu, Pa s; a number or a function of time, for oil whose temperature is known
    shear: True adds the viscous torques (the papers have none)
    limit: thickness ratio h/c at which the film is frozen: where the eccentricity ratio exceeds 1 - 8 limit the film stays
        thicker than limit c, while squeeze keeps its real velocity, so that nothing divides by zero at the wall
    Tian2010 eqs 30-31; docs/theory.md, "Oil".

    A film of your own has a kernel, class Mine(fm.film.Film, kernel=my_kernel), or overrides `action` in Python.
    `fmbs.laws.law_kernels` has the signature of kernels; `pressure_field` is for pictures.
    """

    slot: ClassVar[Slot] = FILM
    formula: ClassVar[str] = "action"

    viscosity: float | Callable[[float], float]
    shear: bool = field(default=False, kw_only=True)
    limit: float = field(default=1e-3, kw_only=True)

    def __post_init__(self) -> None:
        if callable(self.viscosity):
            positive(self.part, "viscosity(0)", asked(self.part, "viscosity", self.viscosity, 0.0))
        else:
            positive(self.part, "viscosity", self.viscosity)
        flag(self.part, "shear", self.shear)
        if not 0.0 < number(self.part, "limit", self.limit) <= 0.1:
            raise ModelError(f"{self.part}: limit = {self.limit:g} must be a thickness ratio above 0 and at most 0.1.")

    @property
    def part(self) -> str:
        return f"film {type(self).__name__}"

    @property
    def thinnest(self) -> float:
        """Thickness ratio h/c below which the film deviates from its theory."""
        return 8.0 * self.limit

    def viscosity_at(self, t: float) -> float:
        """mu(t), Pa s."""
        if callable(self.viscosity):
            return positive(self.part, f"viscosity(t = {t:g})", self.viscosity(t))
        return self.viscosity

    def parameters(self) -> Sequence[float]:
        return self.limit, float(self.shear)

    def action(
        self, z: Array, radius: float, length: float, clearance: float, t: float = 0.0, tangent: bool = True
    ) -> FilmAction:
        """Everything a joint needs of the film, unchecked: see FilmAction. z: A, W, A_rate, W_rate, spin  # (9,)."""
        out, jac = np.empty(6), np.empty((6, 9))
        mu, state = self.viscosity_at(t), np.array(z, dtype=float)
        film_load(self.address(), self.row(), mu, state, radius, length, clearance, tangent, out, jac)
        peak = self.peak_pressure(state, radius, length, clearance, t)
        return FilmAction(out[0:2], out[2:4], out[4:6], least_gap(z, clearance), peak, jac if tangent else None)

    def pressure_field(
        self, state: Array, radius: float, length: float, clearance: float, t: float, points: tuple[int, int] | None
    ) -> tuple[Array, Array, Array]:
        """theta (n,), zeta (k,) and p (n, k) of a checked state; here NaN, for films that know their resultants only."""
        theta, s = places(points)
        return theta, 0.5 * length * s, np.full((theta.size, s.size), np.nan)

    def peak_pressure(self, state: Array, radius: float, length: float, clearance: float, t: float) -> float:
        """The largest pressure, Pa; here on the grid of `pressure_field`."""
        return float(self.pressure_field(state, radius, length, clearance, t, None)[2].max())

    def resultant(
        self,
        A: ArrayLike,
        W: ArrayLike,
        A_rate: ArrayLike,
        W_rate: ArrayLike,
        spin: float,
        *,
        radius: float,
        length: float,
        clearance: float,
        t: float = 0.0,
    ) -> tuple[Array, Array]:
        """Force (2,) and moment (2,) on the journal in the bearing frame: F = -int p n dA, M = int zeta e_z x dF.

        A, W: (xi, eta) of the journal's end centres at zeta = -length/2, +length/2, m; A_rate, W_rate: their rates in the
        rotating bearing frame, m/s; spin: of the journal relative to the bearing about the bearing axis, rad/s
        radius, length, clearance: of the bearing, m; t: time for a viscosity that depends on it, s
        """
        state = self._state(A, W, A_rate, W_rate, spin, radius, length, clearance)
        done = self.action(state, radius, length, clearance, t, False)
        return done.force, done.moment

    def pressure(
        self,
        A: ArrayLike,
        W: ArrayLike,
        A_rate: ArrayLike,
        W_rate: ArrayLike,
        spin: float,
        *,
        radius: float,
        length: float,
        clearance: float,
        t: float = 0.0,
        points: tuple[int, int] | None = None,
    ) -> tuple[Array, Array, Array]:
        """theta (n,), zeta (k,) and p (n, k), Pa, of the film; arguments as in `resultant`, points: (n, k)."""
        state = self._state(A, W, A_rate, W_rate, spin, radius, length, clearance)
        return self.pressure_field(state, radius, length, clearance, t, points)

    def _state(
        self,
        A: ArrayLike,
        W: ArrayLike,
        A_rate: ArrayLike,
        W_rate: ArrayLike,
        spin: float,
        radius: float,
        length: float,
        clearance: float,
    ) -> Array:  # (9,)
        for argument, value in (("radius", radius), ("length", length), ("clearance", clearance)):
            positive(self.part, argument, value)
        ends = {"A": A, "W": W, "A_rate": A_rate, "W_rate": W_rate}
        parts = [vector(self.part, argument, value, 2) for argument, value in ends.items()]
        return np.concatenate([*parts, [number(self.part, "spin", spin)]])


def places(points: tuple[int, int] | None) -> tuple[Array, Array]:
    """Angles theta around the bearing and places s = 2 zeta/B along it, ends included, for pressures."""
    n, k = points or (72, 17)
    return np.linspace(0.0, 2.0 * np.pi, n, endpoint=False), np.linspace(-1.0, 1.0, k)


def least_gap(z: Array, clearance: float) -> float:
    """c - max(|A|, |W|), m."""
    return clearance - max(float(np.hypot(z[0], z[1])), float(np.hypot(z[2], z[3])))
