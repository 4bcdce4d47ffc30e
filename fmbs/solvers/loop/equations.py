"""Residual and matrix of the equations of motion, M a + Phi_q^T lam + f = 0, Phi = 0, from tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.mass_product import add_mass_product
from fmbs.assembly.pattern import add_columns, scatter
from fmbs.core.protocols import BLOCK_TANGENT, FORCE, TANGENT
from fmbs.jit.assign_kernels import assign
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.python_calls import CLOCK, PYTHON
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.tables import Equations, Inputs, Memory, Run
from fmbs.solvers.storage.base import FACTORIZE, SOLVE

Array = NDArray[np.float64]

EPS = float(np.finfo(float).eps)
ROUND_OFF = 2e-15  # a scaled increment below this is noise


@kernel(plain=True, part=True)
def set_time(e: Equations, t: float) -> None:
    """What changes in time, other than drives, as it is at t."""
    if e.events[slots.AT_CLOCK]:
        call(CLOCK, e.events[slots.AT_CLOCK], t)


@kernel(plain=True, part=True)
def drives_on(e: Equations, times: Array, series: Array, t: float, out: Inputs) -> None:
    """Drives at t, from their values at the times of a grid, all cells of which but the last are of one width."""
    if e.driven:
        cells, width = times.size - 1, times[1] - times[0]
        k = min(max(int((t - times[0]) / width), 0), cells - 1)
        h = times[k + 1] - times[k]
        x = (t - times[k]) / h
        x = 0.0 if x < 1e-12 else 1.0 if x > 1.0 - 1e-12 else x  # at a node what the drive says there, to the last bit
        call(slots.DRIVES, e.events[slots.AT_DRIVES], e, series, k + 1, x, h, out)


@kernel(plain=True, part=True)
def gather(r: Run, x: Array) -> None:
    """Every rank's own part of x to all."""
    e, s = r.equations, r.scratch
    if e.events[slots.AT_GATHER]:
        assign(s.shared, x)
        call(PYTHON, e.events[slots.AT_GATHER], 0)
        assign(x, s.shared)


@kernel(plain=True, part=True)
def inertia(r: Run, x: Array, out: Array) -> None:
    """out = M x."""
    e = r.equations
    out[:] = 0.0
    add_mass_product(e.mass, x, out)
    gather(r, out)


@kernel(plain=True, part=True)
def part_force(r: Run, k: int, q: Array, v: Array, out: Array) -> None:
    """out = f(q, v) of part k alone."""
    e = r.equations
    out[:] = 0.0
    call(FORCE, e.parts.force[k], e.parts.table[k], q, v, out)
    if k < e.parts.elements:
        gather(r, out)


@kernel(plain=True, part=True)
def forces(r: Run, q: Array, v: Array, a: Array, out: Array) -> None:
    """out = M (a + drag v) + f(q, v), but for what acts in gaps."""
    e, s = r.equations, r.scratch
    parts = e.parts
    for i in range(out.size):
        out[i] = -e.weight[i]
    if e.damped:
        for i in range(out.size):
            s.x[i] = a[i] + e.drag[i] * v[i]
        add_mass_product(e.mass, s.x, out)
    else:
        add_mass_product(e.mass, a, out)
    for k in range(parts.elements):
        call(FORCE, parts.force[k], parts.table[k], q, v, out)
    gather(r, out)
    for k in range(parts.elements, parts.table.size):
        call(FORCE, parts.force[k], parts.table[k], q, v, out)


@kernel(plain=True, part=True)
def residual(r: Run, inputs: Inputs, h: float, q: Array, v: Array, a: Array, lam: Array, here: bool, out: Array) -> None:
    """out = M a + Phi_q^T lam + f and s.phi = Phi, in a step of h from `motion`.

    here: gaps have just been evaluated at this very place, for the matrix
    """
    e, motion, s = r.equations, r.motion, r.scratch
    forces(r, q, v, a, out)
    assign(s.phi, inputs.minus_c[0])
    call(slots.CONSTRAINT_RESIDUAL, e.calls.constraint_residual, e.vectors, e.terms, inputs.weights[0], q, lam, s.u, s.phi, out)
    if e.gap_places.size and here:
        call(slots.GAP_FORCE_HERE, e.calls.gap_force_here, e.gaps, e.work, q, out)
    elif e.gap_places.size:
        call(slots.GAP_FORCE, e.calls.gap_force, e.gaps, e.work, motion.history, h, q, v, out)


@kernel(plain=True, part=True)
def add_saddle(r: Run, inputs: Inputs, q: Array, lam: Array, mass: float, drag: float, stiffness: float) -> None:
    """Begin a matrix: [M (mass + drag) + stiffness (Phi_q^T lam)_q, mass Phi_q^T; mass Phi_q, 0]."""
    e, memory, s = r.equations, r.memory, r.scratch
    data = memory.matrix.data
    data[:] = 0.0
    add_columns(e.mass_indptr, e.mass_places, e.mass_data, mass, e.drag, drag, data)  # M is symmetric
    call(
        slots.CONSTRAINT_TANGENT, e.calls.constraint_tangent, e.vectors, e.terms, inputs.weights[0], q, lam, s.u,
        mass * e.mass_scale, stiffness, s.entries,
    )  # fmt: skip
    scatter(e.constraint_places, s.entries, data)


@kernel(plain=True, part=True)
def other_factor(memory: Memory) -> bool:
    """Factorise a matrix that is not Newton's; False where it is singular."""
    call(FACTORIZE, memory.matrix.factorize, memory.matrix.kind)
    memory.numbers[tables.FACTORED] = 0
    return bool(memory.matrix.regular[0] == 1)


@kernel(plain=True, part=True)
def solve(r: Run, phi: Array) -> None:
    """s.x = A^-1 [s.x; mass_scale phi]."""
    e, memory, s = r.equations, r.memory, r.scratch
    n = s.q.size
    for i in range(phi.size):
        s.x[n + i] = e.mass_scale * phi[i]
    call(SOLVE, memory.matrix.solve, memory.matrix.kind, s.x)


@kernel(plain=True, part=True)
def assemble(
    r: Run, inputs: Inputs, h: float, mass: float, damping: float, stiffness: float, q: Array, v: Array, lam: Array, gaps: bool
) -> None:
    """[mass M + damping D + stiffness K, mass Phi_q^T; mass Phi_q, 0] at (q, v, lam), in a step of h from `motion`.

    gaps: what acts in gaps too
    """
    e, memory, motion, s = r.equations, r.memory, r.motion, r.scratch
    parts = e.parts
    add_saddle(r, inputs, q, lam, mass, damping, stiffness)
    for k in range(parts.table.size):
        if parts.viscous[k] and memory.numbers[tables.STIFF]:
            # the stresses of the start: at the end of a step whose bodies turn far they are predicted badly, and a matrix with
            # them may be indefinite
            call(BLOCK_TANGENT, parts.tangent[k], parts.viscous[k], q, s.still, 0.0, stiffness, parts.target[k])
            call(BLOCK_TANGENT, parts.tangent[k], parts.viscous[k], motion.q, s.still, 0.0, -stiffness, parts.target[k])
            call(BLOCK_TANGENT, parts.tangent[k], parts.table[k], motion.q, v, stiffness, 0.0, parts.target[k])
            if parts.damped[k]:
                call(BLOCK_TANGENT, parts.tangent[k], parts.table[k], q, v, 0.0, damping, parts.target[k])
        elif parts.target[k]:
            call(BLOCK_TANGENT, parts.tangent[k], parts.table[k], q, v, stiffness, damping, parts.target[k])
        else:
            entries = parts.entries[parts.start[k] : parts.start[k + 1]]
            call(TANGENT, parts.tangent[k], parts.table[k], q, v, stiffness, damping, entries)
    scatter(parts.places, parts.entries, memory.matrix.data)
    if e.gap_places.size and gaps:
        call(slots.GAP_SLOPES, e.calls.gap_slopes, e.gaps, e.work, motion.history, h, q, v, stiffness, damping, s.gap_entries)
        scatter(e.gap_places, s.gap_entries, memory.matrix.data)


@kernel(plain=True, part=True)
def new_matrix(r: Run, inputs: Inputs, h: float, b: float, g: float, q: Array, v: Array, lam: Array) -> int:
    """Newton's matrix at (q, v, lam), factorised; returns why that is not possible. motion: at the start of the step."""
    e, method, memory, s = r.equations, r.method, r.memory, r.scratch
    numbers = memory.numbers
    assemble(r, inputs, h, 1.0, g / b, 1.0 / b, q, v, lam, True)
    numbers[tables.FACTORIZATIONS] += 1
    numbers[tables.WORN], numbers[tables.FEWEST], numbers[tables.EXTRA] = 0, method.max_iterations, 0
    if method.numerical:
        assign(s.place_q, q)
        assign(s.place_v, v)
        assign(s.place_lam, lam)
        s.place[0], s.place[1], s.place[2], s.place[3] = b, g, h, 1.0
    call(FACTORIZE, memory.matrix.factorize, memory.matrix.kind)
    s.place[3] = 0.0
    numbers[tables.FACTORED] = memory.matrix.regular[0]
    if numbers[tables.FACTORED] == 0 or s.fine[0] == 0:
        numbers[tables.FACTORED] = 0
        return tables.SINGULAR if np.isfinite(memory.matrix.data.sum()) else tables.NOT_FINITE
    if memory.sizes[tables.NOISE] == 0.0:
        call(slots.NOISE, e.events[slots.AT_NOISE], r, inputs, h, b, q, v, lam)
        memory.sizes[tables.NOISE] = s.answer[0]
    return tables.CONVERGED


@kernel(plain=True)
def noise(r: Run, inputs: Inputs, h: float, b: float, q: Array, v: Array, lam: Array) -> None:
    """Answers the scaled change of q that round-off causes, with the matrix that is factorised.

    In long chains, and near singular positions, round-off in Phi, eps |Phi_q| |q|, moves parts by more than eps, and in long
    beams that of q is one of strains, eps |q| / element length: Newton cannot do better. One solve with random signs tells by
    how much; four times that is allowed for.
    """
    e, s = r.equations, r.scratch
    n = q.size
    call(
        slots.CONSTRAINT_TANGENT, e.calls.constraint_tangent, e.vectors, e.terms, inputs.weights[0], q, lam, s.u, 1.0, 0.0,
        s.entries,
    )  # fmt: skip
    s.phi[:] = 0.0
    for k in range(e.gradient.shape[0]):
        s.phi[e.gradient[k, 1]] += abs(s.entries[e.gradient[k, 0]] * q[e.gradient[k, 2]])
    for i in range(s.phi.size):
        s.rows[i] = EPS * e.signs[n + i] * s.phi[i]
    s.force[:] = 0.0
    if e.far:
        for i in range(n):
            s.q_mid[i] = q[i] * (1.0 + EPS * e.signs[i])
        residual(r, inputs, h, s.q_mid, v, s.still, lam, False, s.force)
        residual(r, inputs, h, q, v, s.still, lam, False, s.force_mid)
        for i in range(n):
            s.force[i] = (s.force[i] - s.force_mid[i]) / b
    assign(s.x[:n], s.force)
    solve(r, s.rows)
    largest = ROUND_OFF
    for i in range(n):
        largest = max(largest, 4.0 * abs(s.x[i]) * e.per_scale[i])
    s.answer[0] = largest


@kernel(plain=True, part=True)
def forbidden(r: Run, inputs: Inputs, q: Array, v: Array) -> None:
    """s.phi = d Phi / dt."""
    e, s = r.equations, r.scratch
    assign(s.phi, inputs.minus_c[1])
    call(slots.CONSTRAINT_RATES, e.calls.constraint_rates, e.vectors, e.terms, inputs.weights, q, v, s.u, s.rate, s.phi)


@kernel(plain=True, part=True)
def tried(r: Run, times: Array, series: Array, t: float, h: float, end: float) -> bool:
    """The solution at the end of a step, in `s`; False where there is none."""
    e, s = r.equations, r.scratch
    drives_on(e, times, series, t, s.near)
    drives_on(e, times, series, end, s.far)
    set_time(e, end)
    call(slots.TRY, e.events[slots.AT_TRY], r, t, h, times, series)
    return bool(s.answer[0] > 0.0)
