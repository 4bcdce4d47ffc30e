"""The constant mass matrix, factorised once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from scipy.sparse import csc_matrix, csr_matrix

from fmbs.solvers.linear.base import Array, SingularMatrixError, finite_matrix

SYMMETRY = 1e-10  # of the largest entry


class MassSolver:
    """M x = b with P M P^T = L L^T, M symmetric positive definite: by CHOLMOD, or by SuperLU without scikit-sparse."""

    def __init__(self, matrix: csc_matrix | csr_matrix) -> None:
        M = finite_matrix(csc_matrix(matrix))
        if M.nnz and abs(M - M.T).max() > SYMMETRY * abs(M).max():
            raise SingularMatrixError("the mass matrix is not symmetric: a part's mass_matrix() is wrong")
        massless = np.flatnonzero(M.diagonal() <= 0.0)
        if massless.size:
            shown = ", ".join(map(str, massless[:8])) + (", ..." if massless.size > 8 else "")
            raise SingularMatrixError(f"the mass matrix is not positive definite: no mass on coordinates {shown}")
        self.name, self._solve = _cholmod(M) or _superlu(M)

    def solve(self, b: Array) -> Array:
        """x of M x = b for b of shape (n,) or (n, k)."""
        return self._solve(b)


def _cholmod(M: csc_matrix) -> tuple[str, Callable[[Array], Array]] | None:
    try:
        from sksparse import cholmod
    except ImportError:
        return None
    try:
        factor = cholmod.cholesky(M)
    except cholmod.CholmodNotPositiveDefiniteError:
        raise _indefinite() from None
    if factor.D().min(initial=1.0) <= 0.0:  # small matrices get L D L^T, which lets negative pivots pass
        raise _indefinite()
    return "cholmod", factor


def _superlu(M: csc_matrix) -> tuple[str, Callable[[Array], Array]]:
    """Pivots stay on the diagonal; they are all positive if and only if M is positive definite."""
    try:
        lu = scipy.sparse.linalg.splu(M, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    except RuntimeError:  # exactly singular
        raise _indefinite() from None
    if not np.array_equal(lu.perm_r, lu.perm_c) or lu.U.diagonal().min(initial=1.0) <= 0.0:
        raise _indefinite()
    return "scipy", lu.solve


def _indefinite() -> SingularMatrixError:
    return SingularMatrixError(
        "the mass matrix is not positive definite: a body has no mass or no inertia in some direction; "
        "give it a positive mass, inertia or density"
    )
