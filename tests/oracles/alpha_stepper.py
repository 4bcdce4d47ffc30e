"""The textbook's generalized-alpha for index-3 equations (Arnold & Bruels 2007), in plain numpy and without regard to speed.

It takes matrices and residuals from `m.system()` and shares nothing else with fmbs: full Newton iterations on dense matrices,
no kept factors, no kernels, no events. A run of fmbs that can be trusted agrees with it to the error of both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fmbs.assembly.system import Coefficients, System

from ._common import Array


@dataclass
class Motion:
    """The state between two steps; w is the averaged acceleration."""

    t: float
    q: Array
    v: Array
    a: Array
    lam: Array
    w: Array


class AlphaStepper:
    """M a + f + Phi_q^T lam = 0, Phi = 0 in steps of size h; clean: velocities are projected onto the constraints."""

    def __init__(self, system: System, rho: float, h: float, *, clean: bool = False) -> None:
        self.system, self.h, self.clean = system, h, clean
        self.am, self.af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.af - self.am
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        self.slope = (1 - self.am) / (h * h * self.beta * (1 - self.af))  # da/dq

    def start(self, q: Array, v: Array, t: float = 0.0) -> Motion:
        """Consistent accelerations, and the average by their derivative over a short time."""
        a, lam = self._accelerations(t, q, v)
        d = 1e-3 * self.h
        later, _ = self._accelerations(t + d, q + d * v + 0.5 * d * d * a, v + d * a)
        return Motion(t, q, v, a, lam, a + (self.am - self.af) * self.h * (later - a) / d)

    def run(self, motion: Motion, steps: int) -> list[Motion]:
        motions = [motion]
        for _ in range(steps):
            motions.append(self.step(motions[-1]))
        return motions

    def step(self, old: Motion) -> Motion:
        """Newton's method in a and lam; q and v follow from the formulas of the method."""
        h, t, n = self.h, old.t + self.h, old.q.size
        a, lam = old.a.copy(), old.lam.copy()
        for _ in range(50):
            w = ((1 - self.af) * a + self.af * old.a - self.am * old.w) / (1 - self.am)
            q = old.q + h * old.v + h * h * ((0.5 - self.beta) * old.w + self.beta * w)
            v = old.v + h * ((1 - self.gamma) * old.w + self.gamma * w)
            residual = self.system.residual(t, q, v, a, lam)
            residual[n:] *= self.slope  # of Phi by a, to the size of the forces
            share = self.gamma / (h * self.beta) / self.slope  # dv/da
            matrix = self._matrix(t, q, v, lam, Coefficients(mass=1.0, damping=share, stiffness=1.0 / self.slope))
            x = np.linalg.solve(matrix, -residual)
            a, lam = a + x[:n], lam + x[n:]
            if np.abs(x[:n]).max() <= 1e-11 * np.abs(a).max() + 1e-14:
                break
        else:
            raise RuntimeError(f"no convergence at t = {t:g}")
        w = ((1 - self.af) * a + self.af * old.a - self.am * old.w) / (1 - self.am)
        q = old.q + h * old.v + h * h * ((0.5 - self.beta) * old.w + self.beta * w)
        v = old.v + h * ((1 - self.gamma) * old.w + self.gamma * w)
        return Motion(t, q, self._projected(t, q, v) if self.clean else v, a, lam, w)

    def _accelerations(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        n = q.size
        right = np.concatenate([-self.system.force(t, q, v), -self.system.equations.accelerations(t, q, v)])
        x = np.linalg.solve(self._matrix(t, q, v, np.zeros(self.system.multipliers), Coefficients(mass=1.0)), right)
        return x[:n], x[n:]

    def _projected(self, t: float, q: Array, v: Array) -> Array:
        matrix = self._matrix(t, q, v, np.zeros(self.system.multipliers), Coefficients(mass=1.0))
        right = np.concatenate([np.zeros(q.size), self.system.equations.rates(t, q, v)])
        return v - np.linalg.solve(matrix, right)[: q.size]

    def _matrix(self, t: float, q: Array, v: Array, lam: Array, coefficients: Coefficients) -> Array:
        return self.system.jacobian(t, q, v, lam, coefficients).toarray()
