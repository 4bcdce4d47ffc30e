"""Does an equilibrium stay where it is? x^T K x > 0 for all motions that the constraints allow.

Loads that follow the model, and moments that keep their direction in space, have no potential: their K is not symmetric. Then
the squares of the frequencies have to be positive and real: a negative one gives way, two complex ones flutter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.assembly.system import Coefficients, System
from fmbs.solvers.modes import DENSE_LIMIT, lowest_modes

Array = NDArray[np.float64]

LOOKED_AT = 4  # lowest directions
NOISE = 1e-13  # of |x|^T |K| |x|: a smaller x^T K x is zero
SYMMETRIC = 1e-9  # |K - K^T| of loads that have a potential, relative to the largest entry
BLURRED = 1e-13  # of the largest square of a frequency: smaller ones are zero where K is not symmetric
# Imaginary part of the square of a frequency that flutters, relative to it. Below, damping of 2.5 % of the critical one holds
# it: a round shaft that is twisted at its free end would flutter under any moment without damping (Ziegler 1952).
COMPLEX = 0.05
MOST = 30_000  # coordinates


class UnstableEquilibrium(UserWarning):
    """The equilibrium was found, but the model would not stay there."""


class Loose(NamedTuple):
    """In how many directions an equilibrium gives way (of the lowest four), and how many pairs of them flutter."""

    directions: int
    pairs: int

    def __bool__(self) -> bool:
        return self.directions + self.pairs > 0


def unstable_directions(
    system: System, q: Array, lam: Array, load: float, t: float = 0.0, counted: int | None = None
) -> Loose:  # fmt: skip
    """None also where a model is so large that nobody would wait, the sooner so with an unsymmetric K: there it cannot tell.

    counted: directions that a factorisation has found; in large models they are looked for if there are any
    """
    n, still = system.size, np.zeros(system.size)
    if n > MOST and not counted:
        return Loose(0, 0)
    matrix = system.jacobian(t, q, still, lam, Coefficients(stiffness=1.0, load=load))
    stiffness, mass = csc_matrix(matrix[:n, :n]), csc_matrix(system.mass_matrix)
    if not stiffness.nnz:
        return Loose(0, 0)
    if not has_potential(stiffness):
        return _without_potential(stiffness, mass, csc_matrix(matrix[n:, :n]))
    _, x = lowest_modes(matrix, mass, LOOKED_AT)
    bent = np.einsum("ik,ik->k", x, stiffness @ x)
    noise = NOISE * np.einsum("ik,ik->k", np.abs(x), abs(stiffness) @ np.abs(x))
    return Loose(int((bent < -noise).sum()), 0)


def has_potential(stiffness: csc_matrix) -> bool:
    """Is K symmetric?"""
    return bool(abs(stiffness - stiffness.T).max() <= SYMMETRIC * abs(stiffness).max())


def _without_potential(stiffness: csc_matrix, mass: csc_matrix, constraint: csc_matrix) -> Loose:
    if mass.shape[0] > DENSE_LIMIT:
        return Loose(0, 0)
    basis = scipy.linalg.null_space(constraint.toarray()) if constraint.shape[0] else np.eye(mass.shape[0])
    squares = scipy.linalg.eigvals(basis.T @ (stiffness @ basis), basis.T @ (mass @ basis))
    noise = BLURRED * np.abs(squares).max(initial=0.0)
    split = squares.imag > np.maximum(COMPLEX * np.abs(squares), noise)
    return Loose(int(((squares.real < -noise) & (squares.imag == 0.0)).sum()), int(split.sum()))
