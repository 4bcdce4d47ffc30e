"""Does an equilibrium stay where it is? x^T K x > 0 for all motions that the constraints allow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.assembly.system import Coefficients, System
from fmbs.solvers.modes import lowest_modes

Array = NDArray[np.float64]

LOOKED_AT = 4  # lowest directions
NOISE = 1e-12  # of the largest K_ii / M_ii: smaller squares of frequencies are zero
SYMMETRIC = 1e-9  # |K - K^T| of loads that have a potential, relative to the largest entry
MOST = 30_000  # coordinates


class UnstableEquilibrium(UserWarning):
    """The equilibrium was found, but the model would not stay there."""


def unstable_directions(system: System, q: Array, lam: Array, load: float, t: float = 0.0) -> int:
    """How many directions give way, of the lowest four.

    0 also where moments or followers make K unsymmetric, or a model is so large that nobody would wait: there it cannot tell.
    """
    n, still = system.size, np.zeros(system.size)
    if n > MOST:
        return 0
    matrix = system.jacobian(t, q, still, lam, Coefficients(stiffness=1.0, load=load))
    stiffness = csc_matrix(matrix[:n, :n])
    if not stiffness.nnz or abs(stiffness - stiffness.T).max() > SYMMETRIC * abs(stiffness).max():
        return 0
    mass = csc_matrix(system.mass_matrix)
    squares, _ = lowest_modes(matrix, mass, LOOKED_AT)
    noise = NOISE * float(np.abs(stiffness.diagonal() / np.maximum(mass.diagonal(), 1e-300)).max(initial=0.0))
    return int((squares < -noise).sum())
