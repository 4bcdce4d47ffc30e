"""Bodies that move as wholes: what joints ask of a mechanism whose flexible bodies keep their shape."""

from __future__ import annotations

from typing import cast

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from fmbs.assembly.system import System
from fmbs.core.protocols import MovableBody
from fmbs.solvers.linear import linear_solver

Array = NDArray[np.float64]

SOFT = 1e-11  # how little gaps of the joints may give way, times the smallest weight: less would drown in round-off
LIGHT = 1e-3  # mass in place of none, of the smallest one
REPEATS = 4  # what they have given way is closed again


def movable(system: System) -> bool:
    """Can all bodies of the model be moved as wholes?"""
    kinds = {type(body): body for body in system.dofs.bodies}
    return all(isinstance(body, MovableBody) for body in kinds.values())


def joint_rows(system: System) -> slice:
    """Equations of joints and drives; those before them keep rigid bodies in shape."""
    starts = [system.dofs.multipliers_of(joint).start for joint in system.joints]
    return slice(min(starts, default=system.multipliers), system.multipliers)


class RigidMotions:
    """q' = F u at one position, with u = (velocity of the centre of mass, spin) of every body  # (bodies, 6).

    F^T M F is then m and J, the mass and the inertia about the centre of mass.

    mass: kg  # (bodies,); centre: of mass, m  # (bodies, 3); owner: body of each coordinate  # (n,)
    """

    def __init__(self, system: System, q: Array) -> None:
        self._bodies = [cast(MovableBody, body) for body in system.dofs.bodies]
        self._first = np.array([system.dofs[body] for body in self._bodies])
        self.owner = np.repeat(np.arange(len(self._bodies)), [body.size for body in self._bodies])
        pieces = [body.rigid_rates(q[system.dofs.coordinates_of(body)]) for body in self._bodies]
        self._fields = np.ascontiguousarray(np.concatenate(pieces).T)  # (6, n)
        self._momenta = np.stack([system.inertia(field) for field in self._fields])
        self.mass = self._sums(0, 0)
        weightless = self.mass <= 0.0  # coordinates of joints, which follow all bodies
        if weightless.any():
            own = weightless[self.owner]
            self._momenta[:, own] = LIGHT * self.mass[~weightless].min(initial=np.inf) * self._fields[:, own]
            self.mass = self._sums(0, 0)
        self.centre = np.stack([self._sums(1, 5), -self._sums(0, 5), self._sums(0, 4)], axis=1) / self.mass[:, None]
        self._recentre()
        inertia = np.array([[self._sums(i, j) for j in (3, 4, 5)] for i in (3, 4, 5)]).transpose(2, 0, 1)
        inertia[weightless] += self.mass[weightless, None, None] * np.eye(3)
        self.gyration = np.sqrt(np.trace(inertia, axis1=1, axis2=2) / self.mass)  # (bodies,) m
        # a straight cable has no inertia about its axis, a planar body only one about z
        spare = 1e-12 * self.mass * self.gyration**2 + 1e-300
        inverse = np.linalg.inv(np.linalg.cholesky(inertia + spare[:, None, None] * np.eye(3)))
        self._units = np.zeros((len(self._bodies), 6, 6))  # u of unit kinetic energy: J^-1 = C^-T C^-1
        self._units[:, :3, :3] = np.eye(3) / np.sqrt(self.mass)[:, None, None]
        self._units[:, 3:, 3:] = inverse.transpose(0, 2, 1)

    def _sums(self, i: int, j: int) -> Array:  # (bodies,) of F^T M F
        return np.add.reduceat(self._fields[i] * self._momenta[j], self._first)

    def _recentre(self) -> None:
        """Spins about the centre of mass instead of the origin: w x (r - c) = w x r - w x c."""
        for k, arms in enumerate(np.cross(np.eye(3)[:, None], self.centre), 3):  # (bodies, 3)
            for matrix in (self._fields, self._momenta):
                matrix[k] -= np.einsum("nk,kn->n", arms[self.owner], matrix[:3])

    def nearest(self, v: Array) -> Array:  # (bodies, 6)
        """The rigid motion of every body that is nearest to a velocity, weighted by mass."""
        momentum = np.stack([np.add.reduceat(row * v, self._first) for row in self._momenta], axis=1)
        u: Array = np.einsum("bij,bkj,bk->bi", self._units, self._units, momentum)
        return u

    def rates(self, u: Array) -> Array:  # (n,)
        """q' = F u."""
        rates: Array = np.einsum("kn,nk->n", self._fields, u[self.owner])
        return rates

    def displaced(self, q: Array, u: Array) -> Array:  # (n,)
        """All bodies moved and turned by u, with finite rotations."""
        pieces = np.split(q, self._first[1:])
        moves = zip(self._bodies, pieces, self.centre, u, strict=True)
        return np.concatenate([body.displaced(own, centre, x[:3], x[3:]) for body, own, centre, x in moves])

    def reach(self, jacobian: csr_matrix) -> csr_matrix:  # (rows, 6 bodies)
        """Phi_q F: what rigid motions do to equations."""
        entries = jacobian.tocoo()
        column = 6 * self.owner[entries.col, None] + np.arange(6)
        value = entries.data[:, None] * self._fields[:, entries.col].T
        place = (np.repeat(entries.row, 6), column.ravel())
        return csr_matrix((value.ravel(), place), shape=(jacobian.shape[0], 6 * len(self._bodies)))

    def closing(self, jacobian: csr_matrix, gap: Array, weight: Array) -> tuple[Array, Array]:
        """The least u^2, weighted by inertia and `weight` (bodies, 6), that closes gaps: Phi_q F u = -gap; and its impulses.

        A weight of infinity holds a motion at zero. Where gaps cannot all be closed, what is left is as small as it can be.
        """
        count = len(self._bodies)
        units = scipy.sparse.bsr_matrix((self._units, np.arange(count), np.arange(count + 1)))
        free = np.isfinite(weight).ravel()
        gradient = csr_matrix(self.reach(jacobian) @ units @ scipy.sparse.diags_array(free.astype(float)))
        size = np.sqrt(np.asarray(gradient.multiply(gradient).sum(axis=1)).ravel())
        scale = 1.0 / np.where(size > 1e-12 * size.max(initial=0.0), size, np.inf)  # the others are round-off
        rows = csr_matrix(scipy.sparse.diags_array(scale) @ gradient)
        inertia = np.where(free, weight.ravel(), 1.0)
        give = -SOFT / inertia.min() * scipy.sparse.identity(rows.shape[0])
        upper = scipy.sparse.hstack([scipy.sparse.diags_array(inertia), rows.T])
        matrix = csc_matrix(scipy.sparse.vstack([upper, scipy.sparse.hstack([rows, give])]))
        matrix.sum_duplicates()
        factor = linear_solver("auto", matrix.shape[0]).factorize(matrix)
        x, impulse = np.zeros(6 * count), np.zeros(rows.shape[0])
        for _ in range(REPEATS):
            right = np.concatenate([np.zeros(6 * count), -scale * gap - rows @ x])
            change = factor.solve(right)
            x, impulse = x + change[: 6 * count], impulse + change[6 * count :]
        u: Array = (units @ x).reshape(count, 6)
        return u, impulse * scale
