"""An impact: velocities jump, M (v+ - v-) + G^T P + Phi_q^T L = 0."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients
from fmbs.core.state import Jump
from fmbs.solvers.impacts import cones
from fmbs.solvers.impacts.single import Jammed, impulses
from fmbs.solvers.impacts.surfaces import Surfaces
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.saddle import Saddle

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

ENERGETIC = 30  # iterations for the work of several contacts at once


class Struck(NamedTuple):
    """v: after it; P: impulses (k + slips,); jumps: one a station that was hit; work: of the drives' impulses, J."""

    v: Array
    P: Array
    jumps: tuple[Jump, ...]
    work: float


class Impacts:
    """Solves impacts at one configuration."""

    def __init__(self, surfaces: Surfaces, linear: LinearSolver, t: float, q: Array, chosen: Integers) -> None:
        system = surfaces.system
        self._surfaces, self._linear, self._t, self._q = surfaces, linear, t, q
        self.closed = surfaces.closed(q, chosen)
        self._weights = self.closed.weights(cones.diagonal(system.mass_matrix))
        still, none, s = np.zeros(system.size), np.zeros(system.multipliers), system.mass_scale
        self._matrix = system.jacobian(t, q, still, none, Coefficients(mass=1.0, constraint=s)).copy()

    def struck(self, v: Array) -> Struck:
        """By the laws of the stations."""
        surfaces, closed = self._surfaces, self.closed
        before = closed.rows @ v
        if closed.size == 1 and before[0] > 0.0:
            P, after, lam = self._single(v, before)
        else:
            P, after, lam = self._together(v, before)
        u = closed.rows @ after
        mean = 0.5 * (before + u) * P
        lost = mean[: closed.size] + np.bincount(closed.owner, mean[closed.size :], minlength=closed.size)
        sideways = closed.slip_norms(P[closed.size :])
        jumps = tuple(
            Jump(int(i), self._t, float(before[c]), float(-u[c]), float(P[c]), float(sideways[c]), float(lost[c]))
            for c, i in enumerate(closed.chosen)
        )
        system = surfaces.system
        work = float(lam @ system.equations.explicit_rate(self._t, self._q)) if system.equations.driven else 0.0
        return Struck(after, P, jumps, work)

    def _single(self, v: Array, before: Array) -> tuple[Array, Array, Array]:
        system, closed, law = self._surfaces.system, self.closed, self._surfaces.laws[int(self.closed.chosen[0])]
        assert law is not None
        saddle, none = Saddle(system, self._linear, self._t, self._q), np.zeros(system.multipliers)
        G = closed.rows.toarray()
        columns = [saddle.solve(row, none) for row in G]
        X, L = (np.array(part) for part in zip(*columns, strict=True))
        W = G @ X.T
        try:
            P = impulses(0.5 * (W + W.T), before, float(closed.mu[0]), law.rule, law.restitution)
        except Jammed:
            return self._together(v, before)
        return P, v - P @ X, -P @ L

    def _together(self, v: Array, before: Array) -> tuple[Array, Array, Array]:
        """Several contacts at once, by complementarity (Glocker & Pfeiffer 1995)."""
        surfaces, k = self._surfaces, self.closed.size
        e, chosen = surfaces.restitution[self.closed.chosen], self.closed.chosen
        approach = np.maximum(before[:k], 0.0)
        rules = {surfaces.laws[int(i)].rule for i in chosen}
        if rules == {"speed"} or not e.any():
            solved = self.complementary(v, e * approach)
            return solved.p, solved.z, solved.lam
        first = self.complementary(v, np.zeros(k))
        wanted, factor = first.p[:k], e.copy()
        for _ in range(ENERGETIC):
            solved = self.complementary(v, np.zeros(k), low=(1.0 + factor) * wanted, start=first)
            if "work" not in rules:
                break
            middle, end = (self.closed.rows @ x.z for x in (first, solved))
            spent = 0.5 * (before[:k] + middle[:k]) * first.p[:k]
            given = -0.5 * (middle[:k] + end[:k]) * (solved.p[:k] - first.p[:k])
            share = np.sqrt(np.maximum(e * e * spent, 0.0) / np.maximum(given, 1e-300))
            change = np.where((given > 0.0) & (spent > 0.0), np.clip(share, 0.5, 2.0), 1.0)
            factor = factor * change
            if np.abs(change - 1.0).max() < 1e-12:
                break
        return solved.p, solved.z, solved.lam

    def complementary(
        self, v: Array, bias: Array, low: Array | None = None, start: cones.Solved | None = None, held: bool = False
    ) -> cones.Solved:
        """v+ with u_N+ + bias <= 0, complementary to P_N - low >= 0, and Coulomb friction; held: P_N may pull, no friction."""
        system, closed, s = self._surfaces.system, self.closed, self._surfaces.system.mass_scale
        rows, offset = closed.rows, np.concatenate([bias, np.zeros(closed.owner.size)])

        def problem(z: Array, lam: Array, p: Array) -> cones.Linear:
            r = system.inertia(z - v) + rows.T @ p + self._matrix[: v.size, v.size :] @ (lam / s)
            phi = system.equations.rates(self._t, self._q, z) if lam.size else np.zeros(0)
            return cones.Linear(r, phi, rows @ z + offset, self._matrix, rows, rows)

        first = (v, np.zeros(system.multipliers), np.zeros(rows.shape[0])) if start is None else (start.z, start.lam, start.p)
        size = np.where(system.lengths, system.length_scale, 1.0)
        if held:  # what is left is smaller than what the last impulse gave
            low, closed = np.full(closed.size, -np.inf), replace(closed, mu=np.zeros(closed.size))
        solved = cones.solve(problem, closed, self._weights, first, (s, size), low)
        if not solved.converged:
            raise ArithmeticError
        return solved
