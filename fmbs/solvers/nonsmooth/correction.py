"""Positions put back onto joints and walls after a step (Acary 2013; Bruels, Acary & Cardona 2014):

    A (q - q~) + Phi_q(q~)^T nu + G(q~)^T nu_N = 0,   Phi(q, t) = 0,   0 <= nu_N complementary to the gap >= 0

A is the mass matrix, with h^2/4 times the stiffness of elastic bodies: they give way as a whole and not at one node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fmbs.assembly.system import Coefficients
from fmbs.solvers.impacts import cones
from fmbs.solvers.impacts.surfaces import Closed, Surfaces

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

FITS = 1e-13  # of the model's length: what is less off is not corrected


class Corrected(NamedTuple):
    """q; pressed: (stations,) those that a wall has pushed back; energy: of gravity and elastic bodies that it has taken, J."""

    q: Array
    pressed: Flags
    energy: float


def corrected(
    surfaces: Surfaces, t: float, q: Array, history: Array, h: float, touching: Flags, held: Flags
) -> Corrected:  # fmt: skip
    """The position on joints and walls that is nearest to q.

    touching: (stations,) which must not overlap; held: those whose gap is closed to the last digit, from either side
    history: with rigid surfaces free
    """
    system, still = surfaces.system, np.zeros_like(q)
    depth = np.where(touching, surfaces.depth_and_rate(q, still)[0], -np.inf)
    phi = system.constraints(t, q)
    reach = float(max(depth.max(initial=0.0), np.abs(depth[held]).max(initial=0.0), np.abs(phi).max(initial=0.0)))
    pressed = np.zeros(depth.size, bool)
    if reach <= FITS * system.length_scale:
        return Corrected(q, pressed, 0.0)
    chosen = np.flatnonzero(held | (depth > -2.0 * reach))
    rows, none = surfaces.closed(q, chosen).rows[: chosen.size], np.empty(0, np.int64)
    closed = Closed(chosen, np.zeros(chosen.size), rows, none, none)
    n, s, flexible = system.size, system.mass_scale, bool(system.elements)
    free, stiffness = np.zeros(system.multipliers), 0.25 * h * h if flexible else 0.0
    system.contacts.begin(t, q, still, history)
    weighted = system.jacobian(t, q, still, free, Coefficients(mass=1.0, stiffness=stiffness, constraint=s))
    block, pushes = weighted[:n, :n].tocsr(), system.constraint_jacobian(t, q)

    def problem(z: Array, lam: Array, p: Array) -> cones.Linear:
        now = csr_matrix(surfaces.closed(z, chosen).rows[: chosen.size])
        r = block @ (z - q) + pushes.T @ lam + rows.T @ p
        depth = surfaces.depth_and_rate(z, still)[0][chosen]
        return cones.Linear(r, system.constraints(t, z), depth, weighted, now, rows)

    low = np.where(held[chosen], -np.inf, 0.0)
    start = (q, free, np.zeros(chosen.size))
    weights = closed.weights(cones.diagonal(system.mass_matrix))
    size = np.where(system.lengths, system.length_scale, 1.0)
    solved = cones.solve(problem, closed, weights, start, (s, size), low, tolerance=1e-13, floor=1e-13)
    if not solved.converged:
        raise ArithmeticError
    pressed[chosen] = solved.p > 0.0
    return Corrected(solved.z, pressed, stored(surfaces, t, solved.z) - stored(surfaces, t, q))


def stored(surfaces: Surfaces, t: float, q: Array) -> float:
    """Energy of gravity and elastic bodies, J."""
    system = surfaces.system
    return system.potential_energy(q) + system.element_energy(t, q, np.zeros_like(q)).stored
