"""Small motions beside a motion in which bodies spin, in coordinates that do not spin with them.

Vectors d_i that turn together are d_i(t) = sum_k c_ik(t) d_k(0). What is beside them is delta d_i = sum_k c_ik g_k: the same
g_k whatever the angle. Of an axisymmetric shaft that spins evenly the equations of g_k do not depend on time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fmbs.assembly.system import System
from fmbs.core.optional import DirectedBody

Array = NDArray[np.float64]


class Turning(NamedTuple):
    """delta q = T y with T = 1, T' = first and T'' = second at the instant, sparse (n, n)."""

    first: csr_matrix
    second: csr_matrix


class Turners:
    """Groups of vectors of a system that turn together."""

    def __init__(self, system: System) -> None:
        self._size = system.size
        self._groups: list[list[tuple[int, int]]] = []
        for body in system.dofs.bodies:
            if isinstance(body, DirectedBody):
                first = system.dofs[body]
                self._groups += [[(first + d, first + o if o >= 0 else -1) for d, o in group] for group in body.directors()]

    def at(self, q: Array, v: Array, a: Array) -> Turning:
        """Of a motion with these positions, velocities and accelerations."""
        pieces: tuple[list[tuple[int, int, float]], ...] = ([], [])
        for group in self._groups:
            shapes = self._vectors(group, q)
            inverse = np.linalg.pinv(shapes)
            for x, entries in zip((v, a), pieces, strict=True):
                c = (inverse @ self._vectors(group, x)).T  # c'_ik
                entries.extend(self._entries(group, c))
        return Turning(*(self._matrix(entries) for entries in pieces))

    def spinning(self, q: Array, v: Array) -> Array:
        """q'' of the motion in which points rest and vectors go on turning as they do: c'' = c' c'."""
        a = np.zeros_like(q)
        for group in self._groups:
            shapes = self._vectors(group, q)
            c = (np.linalg.pinv(shapes) @ self._vectors(group, v)).T
            for (d, _), second in zip(group, (shapes @ (c @ c).T).T, strict=True):
                a[d : d + 3] = second
        return a

    def resting(self, v: Array) -> Array:
        """v without what vectors do: zero where points rest."""
        rest = v.copy()
        for group in self._groups:
            for d, origin in group:
                rest[d : d + 3] = 0.0 if origin < 0 else v[origin : origin + 3]
        return rest

    @staticmethod
    def _vectors(group: list[tuple[int, int]], x: Array) -> Array:  # (3, vectors)
        own = [x[d : d + 3] - (x[o : o + 3] if o >= 0 else 0.0) for d, o in group]
        return np.stack(own, axis=1)

    @staticmethod
    def _entries(group: list[tuple[int, int]], c: Array) -> list[tuple[int, int, float]]:
        found = []
        for i, (row, _) in enumerate(group):
            for k, (column, origin) in enumerate(group):
                found.append((row, column, float(c[i, k])))
                if origin >= 0:
                    found.append((row, origin, -float(c[i, k])))
        return found

    def _matrix(self, entries: list[tuple[int, int, float]]) -> csr_matrix:
        row = np.array([i + s for i, _, _ in entries for s in range(3)], dtype=np.int64)
        column = np.array([j + s for _, j, _ in entries for s in range(3)], dtype=np.int64)
        value = np.repeat([x for _, _, x in entries], 3) if entries else np.empty(0)
        return csr_matrix((value, (row, column)), shape=(self._size, self._size))
