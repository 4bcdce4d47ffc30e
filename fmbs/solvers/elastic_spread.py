"""Changes of position or velocity that joints ask for, spread over flexible bodies instead of bending their last elements.

    min dq . W dq with Phi_q dq = -gap,   W = K/kappa + a M

K is the stiffness of the elements in the shape that they have without stress and kappa its size relative to M; a is small, so
that bodies rather move than bend.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from fmbs.assembly.system import System
from fmbs.solvers.linear import linear_solver

Array = NDArray[np.float64]

LOOSE = 1e-8  # a of bodies that are free to move
FIRM = 1e4  # a of bodies that should keep what they have


class ElasticSpread:
    """The metric W of the stress-free shapes q; `firm`: coordinates that should stay as they are  # (n,) bool."""

    def __init__(self, system: System, q: Array, firm: NDArray[np.bool_]) -> None:
        data, n = np.zeros(system.nonzeros), system.size
        system.elastic.add_stiffness(q, 1.0, data)
        stiffness, mass = csc_matrix(system.matrix(data)[:n, :n]), system.mass_matrix
        elastic = stiffness.diagonal() > 0.0
        ratio = float(mass.diagonal()[elastic].sum() / stiffness.diagonal()[elastic].sum()) if elastic.any() else 0.0
        weight = scipy.sparse.diags_array(np.sqrt(np.where(firm, FIRM, LOOSE)))  # the same for all coordinates of a body
        self._metric = csc_matrix(ratio * stiffness + weight @ mass @ weight)
        self._scale = system.mass_scale

    def closing(self, jacobian: csr_matrix, gap: Array) -> Array:  # (n,)
        """dq. Raises LinearSolveError where the equations depend on each other."""
        rows = csr_matrix(self._scale * jacobian)
        none = csr_matrix((rows.shape[0], rows.shape[0]))
        matrix = csc_matrix(
            scipy.sparse.vstack([scipy.sparse.hstack([self._metric, rows.T]), scipy.sparse.hstack([rows, none])])
        )
        matrix.sum_duplicates()
        n = self._metric.shape[0]
        right = np.concatenate([np.zeros(n), -self._scale * gap])
        change: Array = linear_solver("auto", matrix.shape[0]).factorize(matrix).solve(right)[:n]
        return change
