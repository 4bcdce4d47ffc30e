"""Natural modes: K x = omega^2 M x for motions that the constraints allow, Phi_q x = 0."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import block_diag, csc_matrix

from fmbs.assembly.system import Coefficients, System
from fmbs.core.state import State
from fmbs.solvers.linear import linear_solver

Array = NDArray[np.float64]

DENSE_LIMIT = 500  # coordinates; above, shift-and-invert Lanczos on the saddle-point matrix


class NaturalModes(NamedTuple):
    """See `fmbs.results.modes.Modes`."""

    omega: Array
    shapes: Array
    damping: Array


def natural_modes(system: System, state: State, count: int, load: float = 1.0) -> NaturalModes:
    """Linearise about a state at rest (with the multipliers that hold it) and solve the eigenproblem.

    load: share of the loads that act there
    """
    n, still = system.size, np.zeros(system.size)
    if state.history.size:
        system.contacts.begin(state.t, state.q, still, state.history)
    matrix = system.jacobian(state.t, state.q, still, state.lam, Coefficients(stiffness=1.0, load=load))
    damped = system.jacobian(state.t, state.q, still, state.lam, Coefficients(damping=1.0, load=load))
    damping = csc_matrix(damped[:n, :n])
    squares, shapes = lowest_modes(matrix, csc_matrix(system.mass_matrix), count)
    largest = np.abs(squares).max(initial=0.0)
    squares = np.where(np.abs(squares) < 1e-10 * max(largest, 1.0), 0.0, squares)
    omega = np.sign(squares) * np.sqrt(np.abs(squares))
    modal = np.einsum("ik,ik->k", shapes, damping @ shapes)
    ratio = np.divide(modal, 2.0 * np.abs(omega), out=np.zeros_like(omega), where=omega != 0.0)
    return NaturalModes(omega, shapes, ratio)


def lowest_modes(matrix: csc_matrix, mass: csc_matrix, count: int) -> tuple[Array, Array]:
    """omega^2 and shapes with x^T M x = 1, of the symmetric part of [K, Phi_q^T; Phi_q, 0]."""
    n = mass.shape[0]
    saddle = csc_matrix(0.5 * (matrix + matrix.T))
    if n <= DENSE_LIMIT:
        return _dense(csc_matrix(saddle[:n, :n]), mass, csc_matrix(saddle[n:, :n]), count)
    return _lanczos(saddle, mass, count)


def _dense(stiffness: csc_matrix, mass: csc_matrix, constraint: csc_matrix, count: int) -> tuple[Array, Array]:
    """On a basis of the admissible motions."""
    n = mass.shape[0]
    basis = scipy.linalg.null_space(constraint.toarray()) if constraint.shape[0] else np.eye(n)
    k, m = basis.T @ (stiffness @ basis), basis.T @ (mass @ basis)
    if not basis.shape[1]:
        return np.empty(0), np.empty((n, 0))
    squares, x = scipy.linalg.eigh(k, m, subset_by_index=(0, min(count, basis.shape[1]) - 1))
    return squares, basis @ x


def _lanczos(saddle: csc_matrix, mass: csc_matrix, count: int) -> tuple[Array, Array]:
    """Shift and invert about a small negative square, which keeps rigid-body modes harmless."""
    n, size = mass.shape[0], saddle.shape[0]
    wide = csc_matrix(block_diag([mass, csc_matrix((size - n, size - n))]))
    shift = -1e-6 * float(np.abs(saddle.diagonal()[:n]).max() / mass.diagonal().max())
    shifted = csc_matrix(saddle - shift * wide)
    shifted.sum_duplicates()
    factor = linear_solver("auto", size).factorize(shifted)
    inverse = scipy.sparse.linalg.LinearOperator((size, size), matvec=factor.solve)
    squares, x = scipy.sparse.linalg.eigsh(saddle, k=min(count, 2 * n - size), M=wide, sigma=shift, OPinv=inverse, which="LM")
    order = np.argsort(squares)
    shapes = x[:n, order]
    norms = np.sqrt(np.einsum("ik,ik->k", shapes, mass @ shapes))
    return squares[order], shapes / norms
