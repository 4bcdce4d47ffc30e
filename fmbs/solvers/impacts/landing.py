"""What happens where rigid surfaces meet: velocities jump, and the surfaces part or stay together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import Jump, State, Stretch
from fmbs.core.tell import tell
from fmbs.solvers.impacts.rest import begun
from fmbs.solvers.impacts.strike import Impacts
from fmbs.solvers.impacts.surfaces import Surfaces
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.saddle import Saddle

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

NEAR = 1e-7  # of the clearance: surfaces that are so close touch
OUT = 5e-14  # of the model's length: by so much surfaces that part without a speed are put apart, more than round-off
LOW = 1e-12  # of the model's length: flights that are lower are computed, since gaps tell nothing of them
STAYS, LEAST_FLIGHT = 1e-4, 1e-6  # of a step: flights that are shorter than STAYS (1 - e), or LEAST_FLIGHT, are none
BOUNCES = 2000  # short flights one after the other: elastic ones would go on for ever
CREATED = 1e-9  # of the kinetic energy: gain that is told
SLOW = 1e-12  # of the largest speed


class EnergyCreated(UserWarning):
    """An impact by Newton's law, or several at once, has created energy: friction turned the slip round within it."""


class Landing:
    """Solves what happens where surfaces meet. bounces: short flights, one after the other; carries: as in `begun`."""

    def __init__(self, surfaces: Surfaces, linear: LinearSolver, carries: bool = False) -> None:
        self._carries = carries
        self._surfaces, self._system, self._linear, self._told = surfaces, surfaces.system, linear, False
        self.bounces = 0

    def landed(self, state: State, step: float, short: float) -> tuple[Stretch, float, bool]:
        """What follows at this very instant; about how long the shortest flight after it lasts, s; does the time loop see it?

        step: of the run, s; short: part of it which the loop cannot see
        """
        surfaces, system = self._surfaces, self._system
        depth, rate = surfaces.depth_and_rate(state.q, state.v)
        fast = SLOW * max(float(np.abs(rate[surfaces.flags]).max(initial=0.0)), 1e-300)
        resting = np.zeros(depth.size, bool)
        resting[surfaces.resting(state.history)] = True
        chosen = np.flatnonzero(resting | ((depth >= -NEAR * surfaces.clearances) & (rate >= -fast)))
        impacts, v, found, work = Impacts(surfaces, self._linear, state.t, state.q, chosen), state.v, [], 0.0
        if (rate[chosen] > fast).any():
            struck = impacts.struck(state.v)
            v, found, work = struck.v, list(struck.jumps), struck.work
            self._check(state, struck.v, sum(jump.lost for jump in found))
        else:
            found = [Jump(int(i), state.t, float(rate[i]), 0.0, 0.0, 0.0, 0.0) for i in chosen]
        rows = impacts.closed.rows[: chosen.size]
        u = rows @ v
        stays = u >= -max(fast, SLOW * float(np.abs(u).max(initial=0.0)))
        after = self._accelerated(replace(state, v=v), chosen[stays])
        drift = surfaces.drift(impacts.closed, state.q, v)[: chosen.size]
        pull = rows @ after.a + drift  # normal accelerations, > 0: back to the surface
        flight = np.where(pull > 0.0, 2.0 * np.maximum(-u, 0.0) / np.maximum(pull, 1e-300), np.inf)
        limit = np.maximum(STAYS * (1.0 - surfaces.restitution[chosen]), LEAST_FLIGHT) * step
        unseen = np.maximum(short * step, np.sqrt(8.0 * LOW * system.length_scale / np.maximum(pull, 1e-300)))
        self.bounces = self.bounces + 1 if (flight < unseen).any() else 0
        ends = ~stays & (flight < (unseen if self.bounces > BOUNCES else limit))
        if ends.any():
            stays = stays | ends
            v, found, more = self._stopped(state, v, found, chosen, stays)
            work += more
            after = self._accelerated(replace(state, v=v), chosen[stays])
        flight = np.where(stays, np.inf, flight)
        rests = np.isin(chosen, surfaces.resting(after.history))
        after = self.apart(after, chosen[~rests], np.where(stays, OUT * system.length_scale, 0.0)[~rests])
        new = [jump._replace(rests=bool(r)) for jump, r in zip(found, rests, strict=True)]
        kept = tuple(jump for jump in new if jump.impulse > 0.0 or jump.rests != bool(resting[jump.station]))
        totals = np.zeros(3 + depth.size)
        totals[0] = work
        for jump in new:
            totals[3 + jump.station] += jump.lost
        none, soon = np.empty(0), float(flight.min(initial=np.inf))
        return Stretch(after, totals, 0.0, none, np.empty((0, 5)), kept), soon, not bool((flight < unseen).any())

    def apart(self, state: State, stations: Integers, margin: Array) -> State:
        """The state with the surfaces of these stations apart by a margin, m: gaps that open are not closed."""
        if not stations.size:
            return state
        surfaces, system = self._surfaces, self._system
        over = surfaces.depth_and_rate(state.q, state.v)[0][stations] + margin
        inside = over > np.where(margin > 0.0, 0.0, OUT * system.length_scale)
        if not inside.any():
            return state
        stations, over = stations[inside], over[inside]
        rows = surfaces.closed(state.q, stations).rows[: stations.size].toarray()
        saddle, none = Saddle(system, self._linear, state.t, state.q), np.zeros(system.multipliers)
        X = np.array([saddle.solve(row, none)[0] for row in rows])
        dq = -np.linalg.lstsq(rows @ X.T, over, rcond=1e-10)[0] @ X
        return replace(state, q=state.q + dq)

    def _accelerated(self, state: State, chosen: Integers) -> State:
        """Accelerations and multipliers of this instant, and forces of contacts that stay."""
        return begun(self._surfaces, state, chosen, self._carries)

    def _stopped(
        self, state: State, v: Array, found: list[Jump], chosen: Integers, stays: NDArray[np.bool_]
    ) -> tuple[Array, list[Jump], float]:
        """What is left of the speed of surfaces that stay together is taken by one more impulse."""
        impacts, system = Impacts(self._surfaces, self._linear, state.t, state.q, chosen[stays]), self._system
        closed, k = impacts.closed, int(stays.sum())
        before = closed.rows @ v
        solved = impacts.complementary(v, np.zeros(k), held=True)
        mean = 0.5 * (before + closed.rows @ solved.z) * solved.p
        lost = mean[:k] + np.bincount(closed.owner, mean[k:], minlength=k)
        for c, i in enumerate(np.flatnonzero(stays)):
            old = found[i]
            found[i] = old._replace(impulse=old.impulse + float(solved.p[c]), separation=0.0, lost=old.lost + float(lost[c]))
        work = float(solved.lam @ system.equations.explicit_rate(state.t, state.q)) if system.equations.driven else 0.0
        return solved.z, found, work

    def _check(self, state: State, v: Array, lost: float) -> None:
        self._told = created(self._system, state, lost, self._told)


def created(system: System, state: State, lost: float, told: bool) -> bool:
    """Say so, once, where impacts have created energy; answers whether it has been said.

    lost: in all stations, J; state: before it
    """
    energy = system.kinetic_energy(state.v)
    if told or lost >= -CREATED * energy:
        return told
    tell(
        f"an impact at t = {state.t:.6g} s has created {-lost:.3g} J, {-lost / max(energy, 1e-300):.2g} of the kinetic "
        "energy: Newton's law with friction, or several at once; fm.impact.Stronge never does at one contact.",
        EnergyCreated,
    )
    return True
