"""The textbook's Radau IIA of order 5 for constrained motion, in plain numpy and without regard to speed.

The equations are of index 2, q' = v, M v' = -f - Phi_q^T lam, Phi_q v + Phi_t = 0 at the stages (Hairer & Wanner 1996, sects
IV.8 and VII.4); after every step q is projected onto Phi = 0 and v onto its rates. It takes matrices and residuals from
`m.system()` and shares nothing else with fmbs: one Newton iteration on the dense matrix of all stages, no transformation, no
kept factors, no events.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fmbs.assembly.system import Coefficients, System

from ._common import Array

ROOT = np.sqrt(6.0)
C = np.array([(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0])
A = np.array(
    [
        [(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225],
        [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225],
        [(16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9],
    ]
)


@dataclass
class Motion:
    """The state between two steps."""

    t: float
    q: Array
    v: Array
    lam: Array


class RadauStepper:
    """Steps of size h."""

    def __init__(self, system: System, h: float) -> None:
        self.system, self.h = system, h

    def run(self, motion: Motion, steps: int) -> list[Motion]:
        motions = [motion]
        for _ in range(steps):
            motions.append(self.step(motions[-1]))
        return motions

    def step(self, old: Motion) -> Motion:
        """Newton's method in the stages' accelerations and multipliers."""
        system, h, n, m = self.system, self.h, old.q.size, old.lam.size
        a, lam = np.zeros((3, n)), np.tile(old.lam, (3, 1))
        mass, last = system.mass_matrix.toarray(), np.inf
        for _ in range(30):
            v = old.v + h * A @ a
            q = old.q + h * A @ v
            residual, matrix = np.zeros((3, n + m)), np.zeros((3, n + m, 3, n + m))
            for i in range(3):
                t = old.t + C[i] * h
                residual[i, :n] = system.residual(t, q[i], v[i], a[i], lam[i])[:n]
                residual[i, n:] = system.equations.rates(t, q[i], v[i])
                slopes = system.jacobian(t, q[i], v[i], lam[i], Coefficients(mass=0.0, stiffness=1.0)).toarray()
                damping = system.jacobian(t, q[i], v[i], lam[i], Coefficients(mass=0.0, damping=1.0, constraint=0.0)).toarray()
                gradient, d = system.constraint_jacobian(t, q[i]).toarray(), 1e-6
                bend = np.array([system.equations.rates(t, q[i] + d * e, v[i]) - residual[i, n:] for e in np.eye(n)]).T / d
                for j in range(3):
                    matrix[i, :n, j, :n] = h * h * (A @ A)[i, j] * slopes[:n, :n] + h * A[i, j] * damping[:n, :n]
                    matrix[i, n:, j, :n] = h * A[i, j] * gradient + h * h * (A @ A)[i, j] * bend
                matrix[i, :n, i, :n] += mass
                matrix[i, :n, i, n:] = gradient.T
            x = np.linalg.solve(matrix.reshape(3 * (n + m), -1), -residual.ravel()).reshape(3, n + m)
            a, lam, size = a + x[:, :n], lam + x[:, n:], h * h * np.abs(x[:, :n] / system.scale).max()
            if size <= 1e-15 or (size < 1e-11 and size > 0.3 * last):  # what is left is round-off
                break
            last = size
        else:
            raise ArithmeticError(f"no convergence at t = {old.t:g}")
        v = old.v + h * A @ a
        return self.projected(old.t + h, (old.q + h * A @ v)[2], v[2], lam[2])

    def projected(self, t: float, q: Array, v: Array, lam: Array) -> Motion:
        """q onto Phi = 0 and v onto its rates, both by the shortest way that the mass measures."""
        system, n = self.system, q.size
        for _ in range(3):
            matrix = system.jacobian(t, q, v, np.zeros_like(lam), Coefficients(mass=1.0)).toarray()
            q = q - np.linalg.solve(matrix, np.concatenate([np.zeros(n), system.constraints(t, q)]))[:n]
        right = np.concatenate([np.zeros(n), system.equations.rates(t, q, v)])
        return Motion(t, q, v - np.linalg.solve(matrix, right)[:n], lam)
