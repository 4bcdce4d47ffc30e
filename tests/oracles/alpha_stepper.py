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
        self.speed = self.gamma / (h * self.beta)  # dv/dq

    def start(self, q: Array, v: Array, t: float = 0.0) -> Motion:
        """Consistent accelerations, and the average by their derivative over a short time."""
        a, lam = self.accelerations(t, q, v)
        d = 1e-3 * self.h
        later, _ = self.accelerations(t + d, q + d * v + 0.5 * d * d * a, v + d * a)
        return Motion(t, q, v, a, lam, a + (self.am - self.af) * self.h * (later - a) / d)

    def run(self, motion: Motion, steps: int) -> list[Motion]:
        motions = [motion]
        for _ in range(steps):
            motions.append(self.step(motions[-1]))
        return motions

    def step(self, old: Motion) -> Motion:
        """Newton's method in a and lam; q and v follow from the formulas of the method."""
        t, n, last = old.t + self.h, old.q.size, np.inf
        a, lam = old.a.copy(), old.lam.copy()
        for _ in range(50):
            q, v, w = self._end(old, a)
            residual = self.system.residual(t, q, v, a, lam)
            residual[n:] *= self.slope  # of Phi by a, to the size of the forces
            x = np.linalg.solve(self.matrix(t, q, v, lam), -residual)
            a, lam, size = a + x[:n], lam + x[n:], np.abs(x[:n] / self.system.scale).max() / self.slope
            if size <= 1e-15 or (size < 1e-10 and size > 0.5 * last):  # what is left is round-off
                break
            last = size
        else:
            raise ArithmeticError(f"no convergence at t = {t:g}")
        q, v, w = self._end(old, a)
        return Motion(t, q, self.projected(t, q, v) if self.clean else v, a, lam, w)

    def _end(self, old: Motion, a: Array) -> tuple[Array, Array, Array]:
        """q, v and the average after a step that ends with the acceleration a."""
        h = self.h
        w = ((1 - self.af) * a + self.af * old.a - self.am * old.w) / (1 - self.am)
        q = old.q + h * old.v + h * h * ((0.5 - self.beta) * old.w + self.beta * w)
        return q, old.v + h * ((1 - self.gamma) * old.w + self.gamma * w), w

    def matrix(self, t: float, q: Array, v: Array, lam: Array) -> Array:
        """Of Newton's method, by a and lam."""
        return self._matrix(t, q, v, lam, Coefficients(mass=1.0, damping=self.speed / self.slope, stiffness=1.0 / self.slope))

    def accelerations(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        n = q.size
        right = np.concatenate([-self.system.force(t, q, v), -self.system.equations.accelerations(t, q, v)])
        x = np.linalg.solve(self._matrix(t, q, v, np.zeros(self.system.multipliers), Coefficients(mass=1.0)), right)
        return x[:n], x[n:]

    def projected(self, t: float, q: Array, v: Array) -> Array:
        matrix = self._matrix(t, q, v, np.zeros(self.system.multipliers), Coefficients(mass=1.0))
        right = np.concatenate([np.zeros(q.size), self.system.equations.rates(t, q, v)])
        return v - np.linalg.solve(matrix, right)[: q.size]

    def _matrix(self, t: float, q: Array, v: Array, lam: Array, coefficients: Coefficients) -> Array:
        return self.system.jacobian(t, q, v, lam, coefficients).toarray()
