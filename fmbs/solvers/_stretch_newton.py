"""One step of the compiled driver: predictor, modified Newton, straight velocities. See `AlphaStepper.step`, `Newton`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.constraint_kernels import constraint_rates, constraint_residual, constraint_tangent
from fmbs.assembly.pattern import add_product
from fmbs.gaps.contact_kernels import move
from fmbs.gaps.joint_kernels import SLOPES, gap_residual, gap_tangent, load_built_in
from fmbs.math.assign_kernels import assign
from fmbs.math.compiled import inlined, plain_kernel
from fmbs.solvers._dense_kernels import factorize, solve
from fmbs.solvers._stretch_tables import (
    CONTRACTION,
    EXTRA,
    FACTORED,
    FACTORIZATIONS,
    FEWEST,
    ITERATIONS,
    LARGEST,
    LAST,
    SETTLING,
    STEP,
    WORN,
    Equations,
    Inputs,
    Memory,
    Method,
    Motion,
    Scratch,
)

Array = NDArray[np.float64]


@plain_kernel
def add_mass_and_joints(e: Equations, inputs: Inputs, q: Array, lam: Array, stiffness: float, s: Scratch, flat: Array) -> None:
    """[M + stiffness sum lam Phi_qq, s Phi_q^T; s Phi_q, 0] added to a full matrix, row after row."""
    for p in range(e.mass_places.size):
        flat[e.mass_places[p]] += e.mass_data[p]
    constraint_tangent(e.vectors, e.terms, inputs.weights[0], q, lam, s.u, e.mass_scale, stiffness, s.entries)
    for p in range(e.constraint_places.size):
        flat[e.constraint_places[p]] += s.entries[p]


@plain_kernel
def new_matrix(
    e: Equations, method: Method, memory: Memory, inputs: Inputs, history: Array, h: float, b: float, g: float, q: Array,
    v: Array, lam: Array, s: Scratch,
) -> bool:  # fmt: skip
    """Newton's matrix at (q, v, lam), factorised; False where it is singular."""
    memory.matrix[:, :] = 0.0
    flat = memory.matrix.reshape(memory.matrix.size)
    add_mass_and_joints(e, inputs, q, lam, 1.0 / b, s, flat)
    if e.gaps.stations.joint.size and load_built_in(e.gaps, s.work, history, h, q, v, SLOPES):
        gap_tangent(e.gaps, s.work, q, v, 1.0 / b, g / b, s.gap_entries)
        for p in range(e.gap_places.size):
            flat[e.gap_places[p]] += s.gap_entries[p]
    numbers = memory.numbers
    numbers[FACTORIZATIONS] += 1
    numbers[WORN], numbers[FEWEST], numbers[EXTRA] = 0, method.max_iterations, 0
    regular = factorize(memory.matrix, memory.pivots)
    numbers[FACTORED] = 1 if regular else 0
    return regular


@plain_kernel
def straighten(e: Equations, method: Method, memory: Memory, inputs: Inputs, h: float, q: Array, v: Array, change: Array,
               s: Scratch) -> None:  # fmt: skip
    """Take out of v what the constraints forbid, less the method's own offset; change: of the averaged acceleration."""
    n, m = q.size, s.lam.size
    if not m:
        return
    for i in range(n):
        s.v_mid[i] = v[i] - method.error_constant * h * change[i]
    assign(s.first, inputs.minus_c[1])
    assign(s.second, inputs.minus_c[2])
    constraint_rates(e.vectors, e.terms, inputs.weights, q, s.v_mid, s.u, s.rate, s.acceleration, s.first, s.second)
    s.x[:n] = 0.0
    for i in range(m):
        s.x[n + i] = e.mass_scale * s.first[i]
    solve(memory.matrix, memory.pivots, s.x)
    for i in range(n):
        v[i] -= s.x[i]


@inlined
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


@inlined
def newton(e: Equations, method: Method, memory: Memory, inputs: Inputs, history: Array, h: float, b: float, g: float,
           s: Scratch) -> bool:  # fmt: skip
    """`Newton.solve`, line by line; the end of the step is in `s`."""
    n, m, numbers, sizes = s.q.size, s.lam.size, memory.numbers, memory.sizes
    level = 0.0
    for i in range(n):
        level = max(level, abs(s.a[i]) / e.scale[i])
    last, grown = np.inf, 0
    for iteration in range(method.max_iterations):
        if (numbers[FACTORED] == 0 or numbers[WORN] == 1) and not new_matrix(
            e, method, memory, inputs, history, h, b, g, s.q, s.v, s.lam, s
        ):
            return False
        for i in range(n):
            s.force[i] = -e.weight[i]
        assign(s.phi, inputs.minus_c[0])
        constraint_residual(e.vectors, e.terms, inputs.weights[0], s.q, s.lam, s.u, s.phi, s.force)
        if e.gaps.stations.joint.size:
            gap_residual(e.gaps, s.work, history, h, s.q, s.v, s.force)
        add_product(e.mass_indptr, e.mass_indices, e.mass_data, s.a, s.force)
        for i in range(n):
            s.x[i] = -s.force[i] / b
        for i in range(m):
            s.x[n + i] = -e.mass_scale * s.phi[i]
        solve(memory.matrix, memory.pivots, s.x)
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
        reached = max(sizes[LARGEST], min(largest, level))
        allowed = min(max(method.newton_tolerance * reached / b, method.round_off), method.largest_error)
        contraction = size / last if iteration else sizes[CONTRACTION]
        if size <= method.round_off or size * contraction / max(1.0 - contraction, 1e-3) <= allowed:
            if iteration:
                sizes[CONTRACTION] = min(max(contraction, 1e-2), 0.5)
            sizes[LARGEST] = max(sizes[LARGEST], largest)
            numbers[FEWEST] = min(numbers[FEWEST], iteration + 1)
            numbers[EXTRA] += iteration + 1 - numbers[FEWEST]
            numbers[WORN] = 1 if numbers[SETTLING] > 0 or numbers[EXTRA] >= method.factor_cost else 0
            return True
        if iteration and contraction > 0.5:
            if size < 100.0 * method.round_off:
                return True  # stalled at round-off
            grown += 1 if contraction > 1.0 else 0
            if grown > method.growths:
                return False
            numbers[FACTORED] = 0  # too slow: take the tangent here
        last = size
    return False


@inlined
def step(e: Equations, method: Method, memory: Memory, near: Inputs, far: Inputs, h: float, motion: Motion,
         s: Scratch) -> bool:  # fmt: skip
    """One step of size h from `motion` to q, v, a, lam, w of `s`; near, far: the drives at both ends."""
    am, af, beta, gamma = method.alpha_m, method.alpha_f, method.beta, method.gamma
    b, g = (1.0 - am) / (h * h * beta * (1.0 - af)), gamma / (h * beta)
    numbers, sizes, n = memory.numbers, memory.sizes, motion.q.size
    if e.gaps.stations.joint.size:
        move(e.gaps.vectors, e.gaps.stations, motion.q, motion.v, s.work.u, s.work.du, s.work.start)
    changed = h != sizes[STEP]
    numbers[SETTLING] = method.settling if method.always or changed else max(numbers[SETTLING] - 1, 0)
    assign(s.w_0, motion.w)
    assign(s.v_0, motion.v)
    if changed:
        ratio = h / sizes[STEP]
        for i in range(n):
            s.w_0[i] = motion.a[i] + ratio * (motion.w[i] - motion.a[i])  # it belongs to t + (am - af) h: move it with h
            s.w[i] = h * motion.jerk[i]
        if not new_matrix(e, method, memory, far, motion.history, h, b, g, motion.q, motion.v, motion.lam, s):
            return False
        straighten(e, method, memory, near, h, motion.q, s.v_0, s.w, s)
    for attempt in range(2):  # a kept matrix that fails has a second chance with a new one
        kept = numbers[FACTORED] == 1
        predict(method, motion, h, sizes[LAST], s)
        if newton(e, method, memory, far, motion.history, h, b, g, s):
            break
        if attempt or not kept:
            return False
        numbers[FACTORED] = 0
    for i in range(n):
        s.w[i] = ((1.0 - af) * s.a[i] + af * motion.a[i] - am * s.w_0[i]) / (1.0 - am)
    if numbers[SETTLING]:
        for i in range(n):
            s.q_mid[i] = s.w[i] - s.w_0[i]
        straighten(e, method, memory, far, h, s.q, s.v, s.q_mid, s)
    return True


@plain_kernel
def accelerate(
    e: Equations, memory: Memory, inputs: Inputs, history: Array, q: Array, v: Array, s: Scratch, out: Array
) -> bool:
    """q'' of the index-1 equations at one instant, out (n,); the kept matrix is lost. See `saddle.accelerations`."""
    n, m = q.size, s.lam.size
    memory.matrix[:, :] = 0.0
    memory.numbers[FACTORED] = 0
    add_mass_and_joints(e, inputs, q, s.no_lam, 0.0, s, memory.matrix.reshape(memory.matrix.size))
    if not factorize(memory.matrix, memory.pivots):
        return False
    for i in range(n):
        s.force[i] = -e.weight[i]
    if e.gaps.stations.joint.size:
        move(e.gaps.vectors, e.gaps.stations, q, v, s.work.u, s.work.du, s.work.start)
        gap_residual(e.gaps, s.work, history, 0.0, q, v, s.force)
    assign(s.first, inputs.minus_c[1])
    assign(s.second, inputs.minus_c[2])
    constraint_rates(e.vectors, e.terms, inputs.weights, q, v, s.u, s.rate, s.acceleration, s.first, s.second)
    for i in range(n):
        s.x[i] = -s.force[i]
    for i in range(m):
        s.x[n + i] = -e.mass_scale * s.second[i]
    solve(memory.matrix, memory.pivots, s.x)
    assign(out, s.x)
    return True
