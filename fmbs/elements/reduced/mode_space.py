"""Fields of displacement that a reduced body can have: generalized component mode synthesis.

A mode turned by R, R phi_k, lies in the span of the nine fields phi_k,i e_j. So positions of the mesh are

    r(x) = sum_a b_a(x) q_a,   q_a in R^3

with scalar functions b_a that span 1, x, y, z and the components of all modes: the affine motion and nine fields of each mode,
but for those that depend on each other. M and K of the fields b_a e_j are constant, and M = m (x) 1 (Pechstein, Reischl &
Gerstmayr 2013).

The functions are chosen so that each interface has three or four of its own: the value there and the slopes along its axes are
coordinates, the position and directions of its marker. All others vanish there, and are orthogonal in mass to all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_array

from fmbs.elements.reduced.component_modes import ComponentModes
from fmbs.elements.reduced.interface import Seat
from fmbs.elements.reduced.matrices import Structure

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

DEPENDENT = 1e-10  # share of energy below which a function depends on others: frequencies change by less


@dataclass(frozen=True, eq=False)
class ModeSpace:
    """Functions b_a at the nodes, and what they make of the structure.

    functions: b_a at the nodes, then internal vectors of elements  # (n, s)
               three or four of each seat (value, slopes), then those that vanish at all seats
    mass: m, kg  # (s, s)
    stiffness: of b_a e_j at row 3 a + j, N/m  # (3 s, 3 s)
    constant: 1 = sum_a constant_a b_a  # (s,)
    drawn: x = sum_a b_a drawn_a, coordinates at t = 0  # (s, 3)
    nodes: m  # (nodes, 3)
    seats: interfaces; without any, the body's mean motion, which has no name
    omega: of the eigenmodes with the interfaces held, rad/s
    """

    functions: Array
    mass: Array
    stiffness: Array
    constant: Array
    drawn: Array
    nodes: Array
    seats: tuple[Seat, ...]
    omega: Array


def mode_space(structure: Structure, seats: Sequence[Seat], modes: ComponentModes) -> ModeSpace:
    drawn, m = structure.drawn, structure.mass
    seats = tuple(seats) or (_mean_motion(structure),)
    along = np.concatenate([_functional(seat, len(drawn)) for seat in seats])  # (f, n): values and slopes
    affine = np.column_stack([structure.constant, drawn])
    energy = _energy(structure, modes)
    size = np.sqrt(np.einsum("kni,kni->k", modes.fields, np.stack([energy @ field for field in modes.fields])))
    parts = (modes.fields / size[:, None, None]).transpose(1, 0, 2).reshape(len(drawn), -1)  # (n, 3 modes)
    parts = np.column_stack([affine / np.sqrt(np.einsum("na,na->a", affine, energy @ affine)), parts])
    own = parts @ np.linalg.pinv(along @ parts)  # along @ own = 1
    inner = _inner(energy, affine - own @ (along @ affine), parts - own @ (along @ parts))
    total = float(structure.constant @ (m @ structure.constant))
    inner = _orthonormal(m, inner, total)
    own = own - inner @ (inner.T @ (m @ own)) / total
    functions = np.column_stack([own, inner])
    mass = functions.T @ (m @ functions)
    mass[len(along) :, len(along) :] = total * np.eye(inner.shape[1])
    mass[: len(along), len(along) :] = mass[len(along) :, : len(along)] = 0.0
    coefficients = np.concatenate([along @ affine, inner.T @ (m @ affine) / total])  # (s, 4)
    kept = _turns_of_rigid(seats, 3 * functions.shape[1])
    stiffness = _without_rigid(kept.T @ _projected(structure.stiffness, functions) @ kept, coefficients)
    return ModeSpace(functions, mass, stiffness, coefficients[:, 0], coefficients[:, 1:], structure.nodes, seats, modes.omega)


def _functional(seat: Seat, count: int) -> Array:
    rows = np.zeros((len(seat.weights), count))
    rows[:, seat.nodes] = seat.weights
    return rows


def _mean_motion(structure: Structure) -> Seat:
    """The centre of mass and the mean slopes about it."""
    m, drawn, constant = structure.mass, structure.drawn, structure.constant
    each = m @ constant
    total = float(each @ constant)
    at = each @ drawn / total
    fit = np.column_stack([constant, drawn - np.outer(constant, at)])
    weighted = (m @ fit).T
    moments = np.diag(weighted @ fit)[1:] / total
    weights = np.linalg.solve(weighted @ fit, weighted)
    return Seat("", np.arange(len(drawn)), False, at, at, np.eye(3), moments, weights, each / total)


def _energy(structure: Structure, modes: ComponentModes) -> csr_array:
    """Twice the energy of a scalar function that moves in all three directions, at the largest frequency that is kept, kg."""
    k = structure.stiffness
    trace = csr_array(k[::3, ::3] + k[1::3, 1::3] + k[2::3, 2::3])
    if modes.omega.size:
        square = float(modes.omega.max()) ** 2
    else:
        fields = modes.fields.reshape(len(modes.fields), -1)
        inertia = np.stack([structure.mass @ field for field in modes.fields])
        square = float((fields * (k @ fields.T).T).sum() / (modes.fields * inertia).sum())
    return csr_array(trace / square + structure.mass)


def _inner(energy: csr_array, affine: Array, parts: Array) -> Array:
    """What spans these functions, orthonormal in energy: the rest of the affine ones, then all that counts of the others."""
    kept = np.zeros((len(parts), 0))
    for functions, least in ((affine, 1e-12), (parts, DEPENDENT)):
        scaled = functions / np.sqrt(np.maximum((functions * (energy @ functions)).sum(axis=0).max(), 1e-300))
        for _ in range(2):
            scaled = scaled - kept @ (kept.T @ (energy @ scaled))
        values, vectors = np.linalg.eigh(scaled.T @ (energy @ scaled))
        chosen = values > least
        kept = np.column_stack([kept, scaled @ (vectors[:, chosen] / np.sqrt(values[chosen]))])
    return kept


def _orthonormal(m: csr_array, functions: Array, total: float) -> Array:
    """(b_a, b_b) = total delta_ab, twice: round-off of the first time is that of functions which hardly differ."""
    for _ in range(2):
        lower = np.linalg.cholesky(functions.T @ (m @ functions) / total)
        functions = scipy.linalg.solve_triangular(lower, functions.T, lower=True).T
    return functions


def _projected(stiffness: csr_array, functions: Array) -> Array:
    """Psi^T K Psi with Psi = b (x) 1, direction by direction."""
    s = functions.shape[1]
    k = np.empty((s, 3, s, 3))
    for i in range(3):
        for j in range(3):
            k[:, i, :, j] = functions.T @ (stiffness[i::3, j::3] @ functions)
    return k.reshape(3 * s, 3 * s)


def _turns_of_rigid(seats: Sequence[Seat], size: int) -> Array:
    """P: of changes y_k of a rigid interface's slopes only a turn theta x g_k counts: y_k -= sum_i (y_k.g_i + y_i.g_k)/2 g_i.

    Its frame is kept orthonormal by equations. Turned by theta within the body it is shorter by theta^2/2 in the eyes of linear
    strains, which is no strain.
    """
    kept, first = np.eye(size), 0
    for seat in seats:
        g = seat.axes[: seat.slopes]
        if seat.rigid:
            own = slice(3 * (first + 1), 3 * (first + 1 + seat.slopes))
            along = np.einsum("kl,ia->kila", np.eye(len(g)), g).reshape(len(g), len(g), -1)  # y_k.g_i by y
            mean = 0.5 * (along + along.transpose(1, 0, 2))
            kept[own, own] -= np.einsum("kim,ia->kam", mean, g).reshape(3 * len(g), -1)
        first += 1 + seat.slopes
    return kept


def _without_rigid(k: Array, coefficients: Array) -> Array:
    """K with the round-off taken away that resists translations and rotations."""
    s = len(coefficients)
    moves = np.einsum("a,ij->iaj", coefficients[:, 0], np.eye(3)).reshape(3, 3 * s)
    turns = np.cross(np.eye(3)[:, None], coefficients[:, 1:]).reshape(3, 3 * s)
    rigid = np.linalg.qr(np.concatenate([moves, turns]).T)[0]
    k = k - rigid @ (rigid.T @ k)
    k = k - (k @ rigid) @ rigid.T
    return 0.5 * (k + k.T)
