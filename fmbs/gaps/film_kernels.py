"""Films between journal and bearing: motion of the journal in the bearing's axes, and the generalized forces of a film.

The film's force F and moment M about the bearing's middle act as forces (F -+ G) / 2 at the ends A and W of the journal,
G = 2/B M x e_3, on the material points of both bodies there; the shear torque T e_3 acts on the journal and its opposite on
the bearing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import VECTORS, Stations
from fmbs.gaps.kinematics import coordinates, cross, dot, in_triad, plus, push, row, times
from fmbs.jit.compiled import kernel
from fmbs.jit.slots import LINE, ROWS, Slot
from fmbs.jit.tables import table
from fmbs.laws.law import IN_PYTHON
from fmbs.laws.law_kernels import film_load

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

EVALUATE, PUSH, POWER, BEND = 0, 1, 2, 3  # calls
MOTION = 9  # A, W, A', W' in the bearing's axes, and the spin of the journal relative to the bearing
ACTION = 5  # of a film's action: what enters the forces, all but the last


@table
class Films:
    """Film i fills joint[i] between the stations a[i] and w[i]; these are the same in the plane."""

    joint: Integers
    a: Integers
    w: Integers
    length: Array  # m
    radius: Array  # m
    clearance: Array  # m
    law: Integers  # addresses of their kernels, or IN_PYTHON
    row: Array  # (films, k) their parameters
    viscosity: Array  # Pa s
    calls: Integers  # (4,) addresses of the kernels below, 0 without films: see `connect_films`


@table
class FilmState:
    """Where films are evaluated, and what they do there."""

    motion: Array  # (films, 9)
    action: Array  # (films, 6): force (2), moment (2), torques on the journal and on the bearing
    jacobian: Array  # (films, 6, 9)
    moved: NDArray[np.complex128]  # (9,) motion and action of one film beside that place
    bent: NDArray[np.complex128]  # (5,)


COMPLEX = types.Array(types.complex128, 2, "C")
EVALUATE_FILMS = Slot("evaluate films", Films, Stations, ROWS, ROWS, float, FilmState)
FILM_FORCES = Slot("film forces", Films, Stations, FilmState, ROWS, ROWS)
FILM_POWER = Slot("film power", Films, Stations, FilmState, ROWS, ROWS, ROWS, LINE)
BEND_FILMS = Slot("bend films", Films, Stations, int, FilmState, COMPLEX, COMPLEX, COMPLEX)


@kernel(plain=True, part=True)
def end_place(stations: Stations, i: int, u: Any, first: int) -> Any:
    """Q - b of station i."""
    offset = (stations.offset[i, 0], stations.offset[i, 1], stations.offset[i, 2])
    return plus(plus(row(u, first + 4), 1.0, in_triad(u, first + 5, offset)), -1.0, row(u, first))


@kernel(plain=True, part=True)
def spin(u: Any, du: Any, first: int, axis: Any) -> Any:
    """Of a triad about an axis: 1/2 sum (d_k x d_k') . axis."""
    total = 0.0 * axis[0]
    for k in range(first, first + 3):
        total = total + 0.5 * dot(cross(row(u, k), row(du, k)), axis)
    return total


@kernel(plain=True, part=True)
def film_motion(films: Films, f: int, stations: Stations, u: Any, du: Any, first: int, out: Any) -> None:
    """Places and rates of both ends and the relative spin of film f  # out (9,)."""
    e1, e2, e3 = row(u, first + 1), row(u, first + 2), row(u, first + 3)
    for end in range(2):
        i = films.a[f] if end == 0 else films.w[f]
        x, dx = end_place(stations, i, u, first), end_place(stations, i, du, first)
        out[2 * end], out[2 * end + 1] = dot(x, e1), dot(x, e2)
        out[4 + 2 * end] = dot(dx, e1) + dot(x, row(du, first + 1))
        out[5 + 2 * end] = dot(dx, e2) + dot(x, row(du, first + 2))
    out[8] = spin(u, du, first + 5, e3) - spin(u, du, first + 1, e3)


@kernel(plain=True, part=True)
def film_act(films: Films, f: int, stations: Stations, action: Any, u: Any, first: int, g: Any) -> None:
    """Add the generalized forces of film f."""
    e1, e2, e3 = row(u, first + 1), row(u, first + 2), row(u, first + 3)
    couple = 2.0 / films.length[f]
    for end in range(2):
        i, side = (films.a[f], -1.0) if end == 0 else (films.w[f], 1.0)
        along_1 = 0.5 * (action[0] + side * couple * action[3])
        along_2 = 0.5 * (action[1] - side * couple * action[2])
        offset = (
            stations.offset[i, 0] + 0.0 * along_1,
            stations.offset[i, 1] + 0.0 * along_1,
            stations.offset[i, 2] + 0.0 * along_1,
        )
        place = coordinates(end_place(stations, i, u, first), u, first + 1)
        push(plus(times(along_1, e1), along_2, e2), offset, place, g, first)
    for k in range(3):
        on_bearing = times(-0.5 * action[4], cross(e3, row(u, first + 1 + k)))
        on_journal = times(0.5 * action[4], cross(e3, row(u, first + 5 + k)))
        for c in range(3):
            g[first + 1 + k, c] += on_bearing[c]
            g[first + 5 + k, c] += on_journal[c]


@kernel(plain=True)
def evaluate_films(films: Films, stations: Stations, u: Array, du: Array, order: float, film: FilmState) -> None:
    """Motion of all films, and the action of those with a kernel; order 1: with derivatives."""
    for f in range(films.joint.size):
        film_motion(films, f, stations, u, du, VECTORS * films.joint[f], film.motion[f])
        if films.law[f] != IN_PYTHON:
            film_load(
                films.law[f], films.row[f], films.viscosity[f], film.motion[f], films.radius[f], films.length[f],
                films.clearance[f], order > 0.5, film.action[f], film.jacobian[f],
            )  # fmt: skip


@kernel(plain=True)
def film_forces(films: Films, stations: Stations, film: FilmState, u: Array, g: Array) -> None:
    """g += forces of all films on all vectors."""
    for f in range(films.joint.size):
        film_act(films, f, stations, film.action[f], u, VECTORS * films.joint[f], g)


@kernel(plain=True)
def film_power(films: Films, stations: Stations, film: FilmState, u: Array, du: Array, g: Array, power: Array) -> None:
    """power += what each film takes out of the motion, W; booked at its first station. g is written over."""
    for f in range(films.joint.size):
        first = VECTORS * films.joint[f]
        g[first : first + VECTORS] = 0.0
        film_act(films, f, stations, film.action[f], u, first, g)
        for k in range(first, first + VECTORS):
            for c in range(3):
                power[films.a[f]] -= g[k, c] * du[k, c]


@kernel(plain=True)
def bend_films(films: Films, stations: Stations, joint: int, film: FilmState, x: Any, dx: Any, g: Any) -> None:
    """g += forces of the films of one joint at its vectors x, linear about `film.motion`."""
    for f in range(films.joint.size):
        if films.joint[f] == joint:
            film_motion(films, f, stations, x, dx, 0, film.moved)
            for a in range(ACTION):
                film.bent[a] = film.action[f, a]
                for m in range(MOTION):
                    film.bent[a] += film.jacobian[f, a, m] * (film.moved[m] - film.motion[f, m])
            film_act(films, f, stations, film.bent, x, 0, g)


def connect_films(films: Films, stations: Stations, film: FilmState) -> None:
    """Films are called by address: joints without oil do not compile them."""
    films.calls[EVALUATE] = EVALUATE_FILMS.address(evaluate_films, films, stations, film)
    films.calls[PUSH] = FILM_FORCES.address(film_forces, films, stations, film)
    films.calls[POWER] = FILM_POWER.address(film_power, films, stations, film)
    films.calls[BEND] = BEND_FILMS.address(bend_films, films, stations, film)
