"""Bearing of finite length: Reynolds' equation on a grid, misaligned, with cavitation and oil supply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.checks import choice, listed, number, whole
from fmbs.core.errors import ModelError
from fmbs.laws.film._finite_action_kernels import film_flows, finite_action
from fmbs.laws.film.base import Array, Film, FilmAction, least_gap
from fmbs.laws.film.grid import Grid, grid_of
from fmbs.laws.film.supply import Groove, Hole

Cavitation = Literal["gumbel", "reynolds", "jfo"]
FINEST = 10_000  # points of the grid along a direction
VACUUM = -1e5  # Pa, where oil boils or its air comes out


class FilmFlow(NamedTuple):
    """Volume flows of a film, m^3/s.

    ends: out of the bearing at A and at W  # (2,); supply: in through grooves and holes; displaced: by the closing gap
    imbalance: the largest of a node, round-off for "jfo"; with it sum(ends) = supply + displaced. The other two kinds of
        cavitation lose or find oil where the film breaks
    """

    ends: Array
    supply: float
    displaced: float
    imbalance: float


@dataclass(frozen=True)
class FiniteBearing(Film):
    """d/dx(h^3 p_x) + d/dz(h^3 p_z) = 6 mu omega h_theta + 12 mu h_t, x = R theta, p = 0 at the ends.

    cavitation: "gumbel": p below the cavitation pressure is cut; "reynolds": p >= p_cav as a complementarity, so that p and
        its slope vanish where the film breaks; "jfo": p >= p_cav, share <= 1, mass is conserved (Jakobsson, Floberg, Olsson;
        quasi-static: no history of the share, closing gaps count as full)
    grid: angles and places along the axis, the latter odd, both ends included
    supply: a Groove, a Hole, or several
    cavitation_pressure: above that at the ends, Pa; 0 by default, -1e5 for "jfo": with 0 a film that is not fed runs dry,
        as nothing sucks oil in from the ends
    Tian2010 eqs 28-29; the complementarity after Woloszynski, Podsiadlo & Stachowiak 2015.
    """

    cavitation: Cavitation = field(default="gumbel", kw_only=True)
    grid: tuple[int, int] = field(default=(72, 17), kw_only=True)
    supply: Groove | Hole | tuple[Groove | Hole, ...] = field(default=(), kw_only=True)
    cavitation_pressure: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self.part, "cavitation", self.cavitation, get_args(Cavitation))
        grid = listed(self.part, "grid", self.grid, "two whole numbers")
        n, m = [*(whole(self.part, "grid", k, most=FINEST) for k in grid), 0, 0][:2]
        if len(grid) != 2 or n < 8 or m < 5 or m % 2 == 0:
            raise ModelError(
                f"{self.part}: grid = {self.grid!r} must be two integers, at least 8 angles and an odd number, at least 5, of "
                "places along the axis."
            )
        if self.cavitation_pressure is not None and number(self.part, "cavitation_pressure", self.cavitation_pressure) > 0.0:
            raise ModelError(
                f"{self.part}: cavitation_pressure = {self.cavitation_pressure:g} must not exceed 0, as at the ends."
            )
        for opening in self._openings:
            if not isinstance(opening, Groove | Hole):
                raise ModelError(f"{self.part}: supply = {self.supply!r} must be a Groove, a Hole or a tuple of them.")
            if opening.pressure < self._lowest:
                raise ModelError(
                    f"{self.part}: supply pressure = {opening.pressure:g} is below the cavitation pressure {self._lowest:g}."
                )

    @property
    def _kind(self) -> int:
        """Its code in the kernels."""
        return get_args(Cavitation).index(self.cavitation)

    @property
    def _openings(self) -> tuple[Groove | Hole, ...]:
        return self.supply if isinstance(self.supply, tuple) else (self.supply,)

    @property
    def _lowest(self) -> float:
        if self.cavitation_pressure is not None:
            return self.cavitation_pressure
        return VACUUM if self.cavitation == "jfo" else 0.0

    def action(
        self, z: Array, radius: float, length: float, clearance: float, t: float = 0.0, tangent: bool = True
    ) -> FilmAction:
        out, jac = np.empty(6), np.empty((6, 9))
        _, p, _ = self._solve(z, radius, length, clearance, t, tangent, out, jac)
        return FilmAction(out[0:2], out[2:4], out[4:6], least_gap(z, clearance), float(p.max()), jac if tangent else None)

    def _solve(
        self, z: Array, radius: float, length: float, clearance: float, t: float, tangent: bool, out: Array, jac: Array
    ) -> tuple[Grid, Array, Array]:
        """The grid, p and the oil's share; fills out and jac."""
        kind = self._kind
        grid = grid_of(self.grid, self._openings, radius, length, kind)
        mu = self.viscosity_at(t)
        p0 = 6.0 * mu * radius**2 / clearance**3
        P, share = (grid.given - self._lowest) / p0, np.ones(grid.given.shape)
        if kind == 0:
            grid.full[:] = True
        sizes = (mu, radius, length, clearance, self.limit, self.shear, tangent)
        places = (grid.angle, grid.between, grid.s, grid.rule, grid.fixed, grid.place)
        count = finite_action(kind, z, *sizes, *places, P, share, grid.full, grid.matrix, grid.x, out, jac)
        if count < 0:  # never seen; NaN stops a run with a clear message
            grid.full[:] = True
            out[:], jac[:] = np.nan, np.nan
        return grid, self._lowest + p0 * np.maximum(P, 0.0), share

    def pressure_field(
        self, state: Array, radius: float, length: float, clearance: float, t: float, points: tuple[int, int] | None
    ) -> tuple[Array, Array, Array]:
        if points is not None and points != self.grid:
            raise ModelError(f"{self.part}: points = {points!r}; this film has pressures on its own grid {self.grid!r} only.")
        grid, p, _ = self._solve(state, radius, length, clearance, t, False, np.empty(6), np.empty((6, 9)))
        return grid.theta, grid.zeta, p

    def flow(
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
    ) -> FilmFlow:
        """Oil that leaves and enters; arguments as in `resultant`."""
        z = self._state(A, W, A_rate, W_rate, spin, radius, length, clearance)
        grid, p, share = self._solve(z, radius, length, clearance, t, False, np.empty(6), np.empty((6, 9)))
        P = (p - self._lowest) * clearance**3 / (6.0 * self.viscosity_at(t) * radius**2)
        flow = np.empty(5)
        places = (grid.angle, grid.between, grid.s, grid.fixed)
        film_flows(self._kind, z, radius, length, clearance, self.limit, *places, P, share, flow)
        return FilmFlow(flow[:2], float(flow[2]), float(flow[3]), float(flow[4]))

    def share(
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
    ) -> tuple[Array, Array, Array]:
        """theta, zeta and the oil's share of the gap (n, m), below 1 where a "jfo" film has broken; as in `pressure`."""
        z = self._state(A, W, A_rate, W_rate, spin, radius, length, clearance)
        grid, _, share = self._solve(z, radius, length, clearance, t, False, np.empty(6), np.empty((6, 9)))
        return grid.theta, grid.zeta, share
