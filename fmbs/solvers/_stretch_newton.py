"""One step of the compiled driver: predictor, modified Newton, straight velocities. See `AlphaStepper.step`, `Newton`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.pattern import add_columns, add_product, scatter
from fmbs.core.protocols import BLOCK_TANGENT, FORCE, TANGENT
from fmbs.jit.assign_kernels import assign, assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.python_calls import CLOCK as CLOCK_SLOT
from fmbs.solvers._stretch_tables import (
    CALM,
    CLOCK,
    COARSE,
    CONTRACTION,
    EXTRA,
    FACTORED,
    FACTORIZATIONS,
    FEWEST,
    ITERATIONS,
    LARGEST,
    LAST,
    NOISE,
    SETTLING,
    STEP,
    STIFF,
    TURN,
    WORN,
    Equations,
    Inputs,
    Memory,
    Method,
    Motion,
    Scratch,
)
from fmbs.solvers.storage.base import FACTORIZE, SOLVE

Array = NDArray[np.float64]


@kernel(plain=True, part=True)
def set_time(e: Equations, t: float, s: Scratch) -> bool:
    """What changes in time, other than drives, as it is at t; False where a function in Python has failed."""
    if e.events[CLOCK]:
        call(CLOCK_SLOT, e.events[CLOCK], t)
    return bool(s.fine[0] == 1)


@kernel(plain=True, part=True)
def add_forces(e: Equations, q: Array, v: Array, out: Array) -> None:
    """out += f(q, v) of elements and forces."""
    parts = e.parts
    for k in range(parts.table.size):
        call(FORCE, parts.force[k], parts.table[k], q, v, out)


@kernel(plain=True, part=True)
def add_inertia(e: Equations, a: Array, v: Array, x: Array, out: Array) -> None:
    """out += M (a + drag v). x: room for the sum."""
    if e.damped:
        for i in range(out.size):
            x[i] = a[i] + e.drag[i] * v[i]
        add_product(e.mass_indptr, e.mass_indices, e.mass_data, x, out)
    else:
        add_product(e.mass_indptr, e.mass_indices, e.mass_data, a, out)


@kernel(plain=True, part=True)
def new_matrix(
    e: Equations, method: Method, memory: Memory, inputs: Inputs, motion: Motion, h: float, b: float, g: float, q: Array,
    v: Array, lam: Array, s: Scratch,
) -> bool:  # fmt: skip
    """Newton's matrix at (q, v, lam), factorised; False where it is singular. motion: at the start of the step."""
    data, parts = memory.matrix.data, e.parts
    data[:] = 0.0
    add_columns(e.mass_indptr, e.mass_places, e.mass_data, 1.0, e.drag, g / b, data)  # M is symmetric
    call(
        e.calls.constraint_tangent, e.vectors, e.terms, inputs.weights[0], q, lam, s.u, e.mass_scale, 1.0 / b, s.entries
    )  # fmt: skip
    scatter(e.constraint_places, s.entries, data)
    for k in range(parts.table.size):
        if parts.viscous[k] and memory.numbers[STIFF]:  # stresses of the start, see `Elastic.change_stresses`
            call(BLOCK_TANGENT, parts.tangent[k], parts.viscous[k], q, s.still, 0.0, 1.0 / b, parts.target[k])
            call(BLOCK_TANGENT, parts.tangent[k], parts.viscous[k], motion.q, s.still, 0.0, -1.0 / b, parts.target[k])
            call(BLOCK_TANGENT, parts.tangent[k], parts.table[k], motion.q, v, 1.0 / b, 0.0, parts.target[k])
            if parts.damped[k]:
                call(BLOCK_TANGENT, parts.tangent[k], parts.table[k], q, v, 0.0, g / b, parts.target[k])
        elif parts.target[k]:
            call(BLOCK_TANGENT, parts.tangent[k], parts.table[k], q, v, 1.0 / b, g / b, parts.target[k])
        else:
            entries = parts.entries[parts.start[k] : parts.start[k + 1]]
            call(TANGENT, parts.tangent[k], parts.table[k], q, v, 1.0 / b, g / b, entries)
    scatter(parts.places, parts.entries, data)
    if e.gap_places.size:
        call(e.calls.gap_slopes, e.gaps, e.work, motion.history, h, q, v, 1.0 / b, g / b, s.gap_entries)
        scatter(e.gap_places, s.gap_entries, data)
    numbers = memory.numbers
    numbers[FACTORIZATIONS] += 1
    numbers[WORN], numbers[FEWEST], numbers[EXTRA] = 0, method.max_iterations, 0
    if method.numerical:
        assign(s.place_q, q)
        assign(s.place_v, v)
        assign(s.place_lam, lam)
        s.place[0], s.place[1], s.place[2], s.place[3] = b, g, h, 1.0
    call(FACTORIZE, memory.matrix.factorize, memory.matrix.kind)
    s.place[3] = 0.0
    numbers[FACTORED] = memory.matrix.regular[0]
    return numbers[FACTORED] == 1 and s.fine[0] == 1


@kernel(plain=True, part=True)
def straighten(e: Equations, method: Method, memory: Memory, inputs: Inputs, h: float, q: Array, v: Array, change: Array,
               s: Scratch) -> None:  # fmt: skip
    """Take out of v what the constraints forbid, less the method's own offset; change: of the averaged acceleration."""
    n, m = q.size, s.lam.size
    if not m:
        return
    for i in range(n):
        s.v_mid[i] = v[i] - method.error_constant * h * change[i]
    assign(s.phi, inputs.minus_c[1])
    call(e.calls.constraint_rates, e.vectors, e.terms, inputs.weights, q, s.v_mid, s.u, s.rate, s.phi)
    s.x[:n] = 0.0
    for i in range(m):
        s.x[n + i] = e.mass_scale * s.phi[i]
    call(SOLVE, memory.matrix.solve, memory.matrix.kind, s.x)
    take_out(e, s.x, v, s)


@kernel(plain=True, part=True)
def take_out(e: Equations, excess: Array, v: Array, s: Scratch) -> None:
    """v -= excess; s.taken += the kinetic energy that goes with it."""
    n = v.size
    s.force_mid[:] = 0.0
    for i in range(n):
        s.v_mid[i] = v[i] - 0.5 * excess[i]
    add_product(e.mass_indptr, e.mass_indices, e.mass_data, s.v_mid, s.force_mid)
    for i in range(n):
        s.taken[0] += excess[i] * s.force_mid[i]
        v[i] -= excess[i]


@kernel(plain=True)
def calm(e: Equations, method: Method, memory: Memory, h: float, b: float, s: Scratch) -> None:
    """Straight velocities without strain rates that the step cannot resolve, see `AlphaStepper._calm`; answers 0 where the
    matrix is singular. Called by address: rigid models do without it.
    """
    data, parts, n, m = memory.matrix.data, e.parts, s.q.size, s.lam.size
    near, far = s.near, s.far
    data[:] = 0.0
    add_columns(e.mass_indptr, e.mass_places, e.mass_data, 1.0, e.drag, 0.0, data)
    call(
        e.calls.constraint_tangent, e.vectors, e.terms, far.weights[0], s.q, s.lam, s.u, e.mass_scale, 0.0, s.entries
    )  # fmt: skip
    scatter(e.constraint_places, s.entries, data)
    for k in range(parts.table.size):
        if parts.viscous[k]:
            call(BLOCK_TANGENT, parts.tangent[k], parts.viscous[k], s.q, s.still, 0.0, 1.0 / b, parts.target[k])
    call(FACTORIZE, memory.matrix.factorize, memory.matrix.kind)
    memory.numbers[FACTORED] = 0  # it is not Newton's matrix
    s.answer[0] = memory.matrix.regular[0]
    if s.answer[0] == 0.0:
        return
    for i in range(n):
        s.q_mid[i] = s.w[i] - s.w_0[i]
    straighten(e, method, memory, far, h, s.q, s.v, s.q_mid, s)
    assign_table(near.weights, far.weights)
    near.weights[1, :] = 0.0  # of drives that stand still: constraint_rates gives Phi_q v
    assign(s.a_mid, s.v)
    for _ in range(method.filters):
        s.phi[:] = 0.0
        call(e.calls.constraint_rates, e.vectors, e.terms, near.weights, s.q, s.a_mid, s.u, s.rate, s.phi)
        s.force_mid[:] = 0.0
        add_product(e.mass_indptr, e.mass_indices, e.mass_data, s.a_mid, s.force_mid)
        assign(s.x[:n], s.force_mid)
        for i in range(m):
            s.x[n + i] = e.mass_scale * s.phi[i]
        call(SOLVE, memory.matrix.solve, memory.matrix.kind, s.x)
        for i in range(n):
            s.a_mid[i] -= s.x[i]
    take_out(e, s.a_mid, s.v, s)


@kernel(plain=True, part=True)
def predict(method: Method, motion: Motion, h: float, last: float, s: Scratch) -> None:
    """Accelerations and multipliers continued linearly from the last step; q and v that belong to them."""
    am, af, beta, gamma = method.alpha_m, method.alpha_f, method.beta, method.gamma
    reach = h / last if last > 0.0 else 0.0
    for i in range(motion.q.size):
        s.a[i] = motion.a[i] + reach * (motion.a[i] - motion.last_a[i])
        w = ((1.0 - af) * s.a[i] + af * motion.a[i] - am * s.w_0[i]) / (1.0 - am)
        s.q[i] = motion.q[i] + h * s.v_0[i] + h * h * ((0.5 - beta) * s.w_0[i] + beta * w)
        s.v[i] = s.v_0[i] + h * ((1.0 - gamma) * s.w_0[i] + gamma * w)
    for i in range(motion.lam.size):
        s.lam[i] = motion.lam[i] + reach * (motion.lam[i] - motion.last_lam[i])


@kernel(plain=True, part=True)
def newton(e: Equations, method: Method, memory: Memory, inputs: Inputs, motion: Motion, h: float, b: float, g: float,
           s: Scratch) -> bool:  # fmt: skip
    """`Newton.solve`, line by line; the end of the step is in `s`."""
    n, m, numbers, sizes = s.q.size, s.lam.size, memory.numbers, memory.sizes
    level = 0.0
    for i in range(n):
        level = max(level, abs(s.a[i]) / e.scale[i])
    last, way, grown, renewed = np.inf, 0.0, 0, False
    for iteration in range(method.max_iterations):
        here = numbers[FACTORED] == 0 or numbers[WORN] == 1
        if here:
            renewed = True
            if not new_matrix(e, method, memory, inputs, motion, h, b, g, s.q, s.v, s.lam, s):
                return False
        for i in range(n):
            s.force[i] = -e.weight[i]
        assign(s.phi, inputs.minus_c[0])
        call(e.calls.constraint_residual, e.vectors, e.terms, inputs.weights[0], s.q, s.lam, s.u, s.phi, s.force)
        add_forces(e, s.q, s.v, s.force)
        if e.gap_places.size and here:
            call(e.calls.gap_force_here, e.gaps, e.work, s.q, s.force)
        elif e.gap_places.size:
            call(e.calls.gap_force, e.gaps, e.work, motion.history, h, s.q, s.v, s.force)
        if s.fine[0] == 0:
            return False
        add_inertia(e, s.a, s.v, s.x, s.force)
        for i in range(n):
            s.x[i] = -s.force[i] / b
        for i in range(m):
            s.x[n + i] = -e.mass_scale * s.phi[i]
        call(SOLVE, memory.matrix.solve, memory.matrix.kind, s.x)
        numbers[ITERATIONS] += 1
        size = largest = 0.0
        for i in range(n):
            s.q[i] += s.x[i]
            s.v[i] += g * s.x[i]
            s.a[i] += b * s.x[i]
            if not abs(s.x[i]) / e.scale[i] <= size:  # lets NaN through
                size = abs(s.x[i]) / e.scale[i]
            largest = max(largest, abs(s.a[i]) / e.scale[i])
        for i in range(m):
            s.lam[i] += b * e.mass_scale * s.x[n + i]
        if not np.isfinite(size):
            return False
        way += size
        if way > method.leap:
            return False
        reached = max(sizes[LARGEST], min(largest, level))
        allowed = min(max(method.newton_tolerance * reached / b, sizes[NOISE]), method.largest_error)
        contraction = size / last if iteration else sizes[CONTRACTION]
        if size <= method.round_off or size * contraction / max(1.0 - contraction, 1e-3) <= allowed:
            if iteration:
                sizes[CONTRACTION] = min(max(contraction, 1e-2), 0.5)
            sizes[LARGEST] = max(method.forget * sizes[LARGEST], largest)
            numbers[FEWEST] = min(numbers[FEWEST], iteration + 1)
            numbers[EXTRA] += iteration + 1 - numbers[FEWEST]
            fresh = method.always or numbers[COARSE] == 1 or (numbers[SETTLING] > 0 and e.gap_places.size == 0)
            numbers[WORN] = 1 if fresh or numbers[EXTRA] >= method.factor_cost else 0
            return True
        if iteration and contraction > 0.5:
            if size < 100.0 * method.round_off:
                return True  # stalled at round-off
            if renewed and size < 100.0 * sizes[NOISE]:
                sizes[NOISE] = min(size, 2.0 * sizes[NOISE])
                return True
            grown += 1 if contraction > 1.0 else 0
            if grown > method.growths:
                return False
            numbers[FACTORED] = 0  # too slow: take the tangent here
        last = size
    return False


@kernel(plain=True, part=True)
def spin(e: Equations, v: Array) -> float:
    """`System.spin`."""
    largest = 0.0
    for k in range(e.directions.shape[0]):
        square = 0.0
        for i in range(e.directions[k, 0], e.directions[k, 1]):
            square += v[i] * v[i]
        largest = max(largest, square)
    return float(np.sqrt(largest))


@kernel(plain=True)
def step(e: Equations, method: Method, memory: Memory, h: float, motion: Motion, s: Scratch) -> None:
    """One step of size h from `motion` to q, v, a, lam, w of `s`, with the drives of both ends there; answers 1 if it succeeds.

    Called by address: the loops with fixed steps and with error control share it.
    """
    s.answer[0] = 1.0 if stepped(e, method, memory, s.near, s.far, h, motion, s) else 0.0


@kernel(plain=True, part=True)
def stepped(e: Equations, method: Method, memory: Memory, near: Inputs, far: Inputs, h: float, motion: Motion,
            s: Scratch) -> bool:  # fmt: skip
    am, af, beta, gamma = method.alpha_m, method.alpha_f, method.beta, method.gamma
    b, g = (1.0 - am) / (h * h * beta * (1.0 - af)), gamma / (h * beta)
    numbers, sizes, n = memory.numbers, memory.sizes, motion.q.size
    if e.gap_places.size and s.known[0] == 0:
        call(e.calls.gap_move, e.gaps, e.work, motion.q, motion.v, e.work.start)
    s.known[0], s.known[1] = 1, 0
    changed, turn = h != sizes[STEP], h * spin(e, motion.v)
    coarse, sizes[TURN] = turn > method.coarse_turn, max(sizes[TURN], turn)
    stiff = e.elastic and turn > max(method.coarse_turn, method.elastic_turn)
    numbers[COARSE], numbers[STIFF] = 1 if coarse else 0, 1 if stiff else 0
    numbers[SETTLING] = method.settling if method.always or coarse or changed else max(numbers[SETTLING] - 1, 0)
    s.taken[0] = 0.0
    assign(s.w_0, motion.w)
    assign(s.v_0, motion.v)
    if changed:
        ratio = min(h / sizes[STEP], method.farthest)
        for i in range(n):
            s.w_0[i] = motion.a[i] + ratio * (motion.w[i] - motion.a[i])
            s.w[i] = ratio * sizes[STEP] * motion.jerk[i]
        if not new_matrix(e, method, memory, far, motion, h, b, g, motion.q, motion.v, motion.lam, s):
            return False
        straighten(e, method, memory, near, h, motion.q, s.v_0, s.w, s)
    for attempt in range(2):  # a kept matrix that fails has a second chance with a new one
        kept = numbers[FACTORED] == 1
        predict(method, motion, h, sizes[LAST], s)
        if newton(e, method, memory, far, motion, h, b, g, s):
            break
        if attempt or not kept:
            return False
        numbers[FACTORED] = 0
    for i in range(n):
        s.w[i] = ((1.0 - af) * s.a[i] + af * motion.a[i] - am * s.w_0[i]) / (1.0 - am)
    if stiff:
        call(e.events[CALM], e, method, memory, h, b, s)
        return bool(s.answer[0] > 0.0)
    if numbers[SETTLING]:
        for i in range(n):
            s.q_mid[i] = s.w[i] - s.w_0[i]
        straighten(e, method, memory, far, h, s.q, s.v, s.q_mid, s)
    return True
