"""Many steps of generalized-alpha in one compiled call, for rigid bodies, ideal joints, drives, dry clearance joints, gravity.

The same algorithm as `AlphaStepper.step`, line by line: predictor, modified Newton, its stopping test, the wear of the
factorised matrix, the straightening of velocities. It returns before a step that does not converge and before one in which a
contact starts or ends; the stepper deals with it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.constraint_kernels import TermTable, constraint_rates, constraint_residual, constraint_tangent
from fmbs.assembly.pattern import add_product
from fmbs.core.vectors import VectorTable
from fmbs.gaps.contact_kernels import (
    FREE,
    LOADS,
    PHASE,
    Stations,
    absorbed_power,
    contact_residual,
    evaluate,
    event,
    generalized_forces,
    move,
    remember,
)
from fmbs.gaps.film_kernels import Films
from fmbs.gaps.tangent_kernels import FilmState, Layout, tangent
from fmbs.math.compiled import kernel

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


class Contacts(NamedTuple):
    """Dry clearance joints with built-in laws; no stations where there are none."""

    vectors: VectorTable
    stations: Stations
    layout: Layout
    places: Integers  # of the entries of their tangent in the full Newton matrix


class Equations(NamedTuple):
    """The equations of motion as arrays."""

    vectors: VectorTable
    terms: TermTable
    mass_indptr: Short
    mass_indices: Short
    mass_data: Array  # compressed rows
    weight: Array  # (n,)
    mass_places: Integers  # of the entries of M, in the order of its rows, in the full Newton matrix
    constraint_places: Integers  # of the entries of constraint_tangent
    scale: Array  # (n,)
    mass_scale: float
    driven: bool
    contacts: Contacts


class Method(NamedTuple):
    """Coefficients of the method and limits of Newton's iteration."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    error_constant: float
    newton_tolerance: float
    max_iterations: int
    round_off: float
    noise: float
    largest_error: float
    factor_cost: int
    settling: int
    always: bool


class Motion(NamedTuple):
    """What a step changes, in place."""

    q: Array
    v: Array
    a: Array
    lam: Array
    w: Array
    jerk: Array
    last_a: Array
    last_lam: Array
    history: Array  # (stations, HISTORY)
    absorbed: Array  # (stations,) energy that flowed into each station, J


class Memory(NamedTuple):
    """What the stepper remembers from step to step, in place."""

    matrix: Array  # (n + m, n + m): L and U
    pivots: Integers  # (n + m,)
    numbers: Integers  # (8,): FACTORED, WORN, FEWEST, EXTRA, SETTLING, ITERATIONS, FACTORIZATIONS
    sizes: Array  # (4,): CONTRACTION, LARGEST, REACH, WORK


FACTORED, WORN, FEWEST, EXTRA, SETTLING, ITERATIONS, FACTORIZATIONS = 0, 1, 2, 3, 4, 5, 6
CONTRACTION, LARGEST, REACH, WORK = 0, 1, 2, 3  # REACH: step over the last one, for the predictor


@kernel
def factorize(a: Array, pivots: Integers) -> bool:
    """P A = L U in place, rows exchanged; False where a pivot is zero."""
    n = a.shape[0]
    for k in range(n):
        p, largest = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[i, k]) > largest:
                p, largest = i, abs(a[i, k])
        if not largest > 0.0:
            return False
        pivots[k] = p
        if p != k:
            for j in range(n):
                a[k, j], a[p, j] = a[p, j], a[k, j]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                a[i, k] /= a[k, k]
                f = a[i, k]
                for j in range(k + 1, n):
                    a[i, j] -= f * a[k, j]
    return True


@kernel
def solve(a: Array, pivots: Integers, x: Array) -> None:
    """x = A^-1 x."""
    n = a.shape[0]
    for k in range(n):
        p = pivots[k]
        if p != k:
            x[k], x[p] = x[p], x[k]
    for i in range(n):
        s = x[i]
        for j in range(i):
            s -= a[i, j] * x[j]
        x[i] = s
    for i in range(n - 1, -1, -1):
        s = x[i]
        for j in range(i + 1, n):
            s -= a[i, j] * x[j]
        x[i] = s / a[i, i]


class Work(NamedTuple):
    """Scratch arrays of the contacts."""

    u: Array
    du: Array
    g: Array
    start: Array
    motion: Array
    loads: Array
    buffer: Array


@kernel
def contact_work(c: Contacts) -> Work:
    vectors, n = c.vectors.kind.size, c.stations.joint.size
    return Work(
        np.zeros((vectors, 3)), np.zeros((vectors, 3)), np.zeros((vectors, 3)), np.zeros((n, 4)), np.zeros((n, 4)),
        np.zeros((n, LOADS)), np.zeros(c.places.size),
    )  # fmt: skip


@kernel
def add_contact_tangent(
    c: Contacts, work: Work, history: Array, h: float, q: Array, v: Array, stiffness: float, damping: float, flat: Array
) -> None:
    move(c.vectors, c.stations, q, v, work.u, work.du, work.motion)
    if not evaluate(c.stations, work.motion, work.start, history, h, work.loads):
        return
    generalized_forces(c.stations, work.motion, work.loads, work.u, work.du, work.g)
    none = np.zeros(0, np.int64)
    films = Films(none, none, none, np.zeros(0))
    film = FilmState(np.zeros((0, 9)), np.zeros((0, 5)), np.zeros((0, 5, 9)))
    tangent(
        c.vectors, c.stations, films, c.layout, work.motion, work.loads, film, q, v, work.u, work.du, work.g, stiffness,
        damping, work.buffer,
    )  # fmt: skip
    for p in range(c.places.size):
        flat[c.places[p]] += work.buffer[p]


@kernel
def new_matrix(
    e: Equations, method: Method, memory: Memory, weight: Array, q: Array, v: Array, lam: Array, b: float, g: float, h: float,
    u: Array, buffer: Array, history: Array, work: Work,
) -> bool:  # fmt: skip
    memory.matrix[:, :] = 0.0
    flat = memory.matrix.reshape(memory.matrix.size)
    for p in range(e.mass_places.size):
        flat[e.mass_places[p]] += e.mass_data[p]
    constraint_tangent(e.vectors, e.terms, weight, q, lam, u, e.mass_scale, 1.0 / b, buffer)
    for p in range(e.constraint_places.size):
        flat[e.constraint_places[p]] += buffer[p]
    if e.contacts.stations.joint.size:
        add_contact_tangent(e.contacts, work, history, h, q, v, 1.0 / b, g / b, flat)
    memory.numbers[FACTORIZATIONS] += 1
    memory.numbers[WORN] = 0
    memory.numbers[FEWEST], memory.numbers[EXTRA] = method.max_iterations, 0
    regular = factorize(memory.matrix, memory.pivots)
    memory.numbers[FACTORED] = 1 if regular else 0
    return regular


@kernel
def middle(motion: Motion, q: Array, v: Array, a: Array, h: float, q_mid: Array, v_mid: Array) -> None:
    """q and v in the middle of a step, by the quintic through both ends that the recorder uses too."""
    for i in range(q.size):
        v_0, a_0 = h * motion.v[i], h * h * motion.a[i]
        d = q[i] - motion.q[i] - v_0 - 0.5 * a_0
        e, f = h * v[i] - v_0 - a_0, h * h * a[i] - a_0
        c_3, c_4, c_5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
        q_mid[i] = motion.q[i] + 0.5 * (v_0 + 0.5 * (0.5 * a_0 + 0.5 * (c_3 + 0.5 * (c_4 + 0.5 * c_5))))
        v_mid[i] = (v_0 + 0.5 * (a_0 + 0.5 * (3.0 * c_3 + 0.5 * (4.0 * c_4 + 2.5 * c_5)))) / h


@kernel
def blend(old: Array, new: Array, out: Array) -> None:
    """History in the middle of a step: what lasts changes linearly, what starts or ends in it stays as it was."""
    for i in range(old.shape[0]):
        for c in range(old.shape[1]):
            lasting = old[i, c] != 0.0 and new[i, c] != 0.0
            out[i, c] = 0.5 * (old[i, c] + new[i, c]) if lasting else old[i, c]


@kernel
def stretch(e: Equations, method: Method, h: float, weights: Array, minus_c: Array, motion: Motion, memory: Memory) -> int:
    """Steps of size h with the weights (steps + 1, 3, terms) and right-hand sides (steps + 1, 3, m) of the drives.

    The first of these belong to the start. Returns the number of steps done.
    """
    am, af, beta, gamma = method.alpha_m, method.alpha_f, method.beta, method.gamma
    b, g = (1.0 - am) / (h * h * beta * (1.0 - af)), gamma / (h * beta)
    n, m = motion.q.size, motion.lam.size
    s = e.mass_scale
    u, rate, acceleration = np.empty((3, e.vectors.kind.size, 3))
    buffer = np.empty(e.constraint_places.size)
    q, v, a, lam = np.empty(n), np.empty(n), np.empty(n), np.empty(m)
    force, phi, x = np.empty(n), np.empty(m), np.empty(n + m)
    first, second, still = np.empty(m), np.empty(m), np.zeros(n)
    numbers, sizes = memory.numbers, memory.sizes
    c, history, w_new = e.contacts, motion.history, np.empty(n)
    stations = c.stations.joint.size
    work = contact_work(c)
    inflow, inflow_mid, inflow_new = np.zeros(stations), np.zeros(stations), np.zeros(stations)
    q_mid, v_mid = np.empty(n), np.empty(n)
    if stations:
        absorbed_power(c.vectors, c.stations, history, motion.q, motion.v, work.u, work.du, work.motion, work.loads, inflow)
    kept_numbers, kept_sizes = np.empty_like(numbers), np.empty_like(sizes)
    old_history, blended = np.empty_like(history), np.empty_like(history)
    power = 0.0
    if e.driven:
        first[:], second[:] = minus_c[0, 1], minus_c[0, 2]
        constraint_rates(e.vectors, e.terms, weights[0], motion.q, still, u, rate, acceleration, first, second)
        power = np.dot(motion.lam, first)
    done = 0
    for k in range(1, weights.shape[0]):
        weight = weights[k, 0]
        kept_numbers[:], kept_sizes[:] = numbers, sizes
        if stations:
            move(c.vectors, c.stations, motion.q, motion.v, work.u, work.du, work.start)
        numbers[SETTLING] = method.settling if method.always else max(numbers[SETTLING] - 1, 0)
        reach = sizes[REACH]
        for i in range(n):
            a[i] = motion.a[i] + reach * (motion.a[i] - motion.last_a[i])
            w = ((1.0 - af) * a[i] + af * motion.a[i] - am * motion.w[i]) / (1.0 - am)
            q[i] = motion.q[i] + h * motion.v[i] + h * h * ((0.5 - beta) * motion.w[i] + beta * w)
            v[i] = motion.v[i] + h * ((1.0 - gamma) * motion.w[i] + gamma * w)
        for i in range(m):
            lam[i] = motion.lam[i] + reach * (motion.lam[i] - motion.last_lam[i])
        level = 0.0
        for i in range(n):
            level = max(level, abs(a[i]) / e.scale[i])
        converged, last = False, np.inf
        for iteration in range(method.max_iterations):
            if (numbers[FACTORED] == 0 or numbers[WORN] == 1) and not new_matrix(
                e, method, memory, weight, q, v, lam, b, g, h, u, buffer, history, work
            ):
                break
            for i in range(n):
                force[i] = -e.weight[i]
            phi[:] = minus_c[k, 0]
            constraint_residual(e.vectors, e.terms, weight, q, lam, u, phi, force)
            if stations:
                contact_residual(
                    c.vectors, c.stations, work.start, history, h, q, v, work.u, work.du, work.motion, work.loads, work.g, force
                )
            add_product(e.mass_indptr, e.mass_indices, e.mass_data, a, force)
            for i in range(n):
                x[i] = -force[i] / b
            for i in range(m):
                x[n + i] = -s * phi[i]
            solve(memory.matrix, memory.pivots, x)
            numbers[ITERATIONS] += 1
            size = largest = 0.0
            for i in range(n):
                q[i] += x[i]
                v[i] += g * x[i]
                a[i] += b * x[i]
                if not abs(x[i]) / e.scale[i] <= size:  # lets NaN through
                    size = abs(x[i]) / e.scale[i]
                largest = max(largest, abs(a[i]) / e.scale[i])
            for i in range(m):
                lam[i] += b * s * x[n + i]
            if not np.isfinite(size):
                break
            reached = max(sizes[LARGEST], min(largest, level))
            allowed = min(max(method.newton_tolerance * reached / b, method.noise), method.largest_error)
            contraction = size / last if iteration else sizes[CONTRACTION]
            if size <= method.round_off or size * contraction / max(1.0 - contraction, 1e-3) <= allowed:
                if iteration:
                    sizes[CONTRACTION] = min(max(contraction, 1e-2), 0.5)
                sizes[LARGEST] = max(sizes[LARGEST], largest)
                numbers[FEWEST] = min(numbers[FEWEST], iteration + 1)
                numbers[EXTRA] += iteration + 1 - numbers[FEWEST]
                worn = numbers[SETTLING] > 0 or numbers[EXTRA] >= method.factor_cost
                numbers[WORN] = 1 if worn else 0
                converged = True
                break
            if iteration and contraction > 0.5:
                break  # the stepper looks into it
            last = size
        if not converged:
            numbers[FACTORED] = 0
            return done
        for i in range(n):
            w_new[i] = ((1.0 - af) * a[i] + af * motion.a[i] - am * motion.w[i]) / (1.0 - am)
        if numbers[SETTLING] and m:
            for i in range(n):
                v_mid[i] = v[i] - method.error_constant * h * (w_new[i] - motion.w[i])
            first[:], second[:] = minus_c[k, 1], minus_c[k, 2]
            constraint_rates(e.vectors, e.terms, weights[k], q, v_mid, u, rate, acceleration, first, second)
            x[:n] = 0.0
            for i in range(m):
                x[n + i] = s * first[i]
            solve(memory.matrix, memory.pivots, x)
            for i in range(n):
                v[i] -= x[i]
        if stations:
            move(c.vectors, c.stations, q, v, work.u, work.du, work.motion)
            if event(c.stations, history, work.start, work.motion, h):
                kept_numbers[ITERATIONS:], kept_numbers[FACTORED] = numbers[ITERATIONS:], 0
                numbers[:], sizes[:] = kept_numbers, kept_sizes
                return done
            touching = False
            for i in range(stations):
                touching = touching or history[i, PHASE] != FREE
            if touching:
                evaluate(c.stations, work.motion, work.start, history, h, work.loads)
                old_history[:, :] = history
                remember(work.motion, work.loads, history)
                middle(motion, q, v, a, h, q_mid, v_mid)
                blend(old_history, history, blended)
                absorbed_power(
                    c.vectors, c.stations, blended, q_mid, v_mid, work.u, work.du, work.motion, work.loads, inflow_mid
                )
                absorbed_power(c.vectors, c.stations, history, q, v, work.u, work.du, work.motion, work.loads, inflow_new)
                for i in range(stations):
                    motion.absorbed[i] += h / 6.0 * (inflow[i] + 4.0 * inflow_mid[i] + inflow_new[i])
                    inflow[i] = inflow_new[i]
        for i in range(n):
            motion.jerk[i] = (w_new[i] - motion.w[i]) / h
            motion.w[i] = w_new[i]
            motion.last_a[i] = motion.a[i]
            motion.q[i], motion.v[i], motion.a[i] = q[i], v[i], a[i]
        for i in range(m):
            motion.last_lam[i] = motion.lam[i]
            motion.lam[i] = lam[i]
        if e.driven:
            first[:], second[:] = minus_c[k, 1], minus_c[k, 2]
            constraint_rates(e.vectors, e.terms, weights[k], motion.q, still, u, rate, acceleration, first, second)
            after = np.dot(motion.lam, first)
            sizes[WORK] += 0.5 * h * (power + after)
            power = after
        sizes[REACH] = 1.0
        done += 1
    return done
