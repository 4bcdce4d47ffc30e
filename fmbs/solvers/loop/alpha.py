"""Generalized-alpha for index-3 equations of motion (Chung & Hulbert 1993; Arnold & Bruels 2007): one step.

    M a_1 + Phi_q^T lam_1 + f(t_1, q_1, v_1) = 0,   Phi(q_1, t_1) = 0
    (1 - am) w_1 + am w_0 = (1 - af) a_1 + af a_0                     w: the averaged acceleration that carries the method
    q_1 = q_0 + h v_0 + h^2 ((1/2 - beta) w_0 + beta w_1),   v_1 = v_0 + h ((1 - gamma) w_0 + gamma w_1)

The unknowns of Newton's method are dq and lam / b with b = (1 - am) / (h^2 beta (1 - af)); its matrix

    [M + (g/b) D + K / b, s Phi_q^T; s Phi_q, 0],   g = gamma / (h beta),  s: a typical mass

tends to the one of the accelerations as h -> 0, so that its condition does not depend on the step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BLOCK_TANGENT
from fmbs.jit.assign_kernels import assign, assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.equations import add_saddle, forbidden, inertia, new_matrix, other_factor, solve
from fmbs.solvers.loop.newton import LONGEST_WAY, newton
from fmbs.solvers.loop.tables import Equations, Inputs, Run

Array = NDArray[np.float64]

SETTLED_AFTER = 30  # steps after a change of step size errors across the constraints are taken out no more
ELASTIC_TURN = 1e-2  # rad: below it errors in stiff strains do not grow, even without damping
FILTERS = 3  # times that strain rates are filtered: what a step resolves is left alone to the sixth order
FARTHEST = 2.0  # growth of a step up to which the averaged acceleration is extrapolated


@kernel(plain=True)
def step(r: Run, h: float) -> None:
    """One step of size h from `motion` to q, v, a, lam, w of `s`, with the drives of both ends there; answers 1 if it succeeds,
    and notes the reason where it does not.
    """
    memory, s = r.memory, r.scratch
    memory.numbers[tables.STATUS] = stepped(r, s.near, s.far, h)
    s.answer[0] = 1.0 if memory.numbers[tables.STATUS] == tables.CONVERGED and s.fine[0] == 1 else 0.0


@kernel(plain=True, part=True)
def stepped(r: Run, near: Inputs, far: Inputs, h: float) -> int:
    e, method, memory, motion, s = r.equations, r.method, r.memory, r.motion, r.scratch
    am, af, beta, gamma = method.alpha_m, method.alpha_f, method.beta, method.gamma
    b, g = (1.0 - am) / (h * h * beta * (1.0 - af)), gamma / (h * beta)
    numbers, sizes, n = memory.numbers, memory.sizes, motion.q.size
    if e.gap_places.size and s.known[0] == 0:
        call(slots.GAP_MOVE, e.calls.gap_move, e.gaps, e.work, motion.q, motion.v, e.work.start)
    s.known[0], s.known[1] = 1, 0
    changed, turn = h != sizes[tables.STEP], h * spin(e, motion.v)
    coarse, sizes[tables.TURN] = turn > method.coarse_turn, max(sizes[tables.TURN], turn)
    stiff = e.elastic and turn > max(method.coarse_turn, ELASTIC_TURN)
    numbers[tables.COARSE], numbers[tables.STIFF] = 1 if coarse else 0, 1 if stiff else 0
    numbers[tables.SETTLING] = SETTLED_AFTER if method.always or coarse or changed else max(numbers[tables.SETTLING] - 1, 0)
    s.taken[0] = 0.0
    assign(s.w_0, motion.w)
    assign(s.v_0, motion.v)
    if changed:
        # the average belongs to t + (am - af) h and moves with h; not far outwards: in modes that steps do not resolve it
        # rings, and a short piece of a cut step followed by a whole one would make the ringing grow
        ratio = min(h / sizes[tables.STEP], FARTHEST)
        for i in range(n):
            s.w_0[i] = motion.a[i] + ratio * (motion.w[i] - motion.a[i])
            s.w[i] = ratio * sizes[tables.STEP] * motion.jerk[i]
        status = new_matrix(r, far, h, b, g, motion.q, motion.v, motion.lam)
        if status != tables.CONVERGED:
            return status
        straighten(r, near, h, motion.q, s.v_0, s.w)
        for i in range(n):
            if h * abs(s.v_0[i] - motion.v[i]) > LONGEST_WAY * e.scale[i]:  # a drive jumps here
                return tables.LEAP
    kept = numbers[tables.FACTORED] == 1
    predict(r, h, sizes[tables.LAST])
    status = newton(r, far, h, b, g)
    if status != tables.CONVERGED and kept and s.fine[0] == 1:  # a kept matrix that fails has a second chance with a new one
        numbers[tables.FACTORED] = 0
        predict(r, h, sizes[tables.LAST])
        status = newton(r, far, h, b, g)
    if status != tables.CONVERGED:
        return status
    for i in range(n):
        s.w[i] = ((1.0 - af) * s.a[i] + af * motion.a[i] - am * s.w_0[i]) / (1.0 - am)
    if stiff:
        call(slots.CALM, e.events[slots.AT_CALM], r, h, b)
        return tables.CONVERGED if s.answer[0] > 0.0 else tables.SINGULAR
    if numbers[tables.SETTLING]:
        for i in range(n):
            s.q_mid[i] = s.w[i] - s.w_0[i]
        straighten(r, far, h, s.q, s.v, s.q_mid)
    return tables.CONVERGED


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


@kernel(plain=True, part=True)
def predict(r: Run, h: float, last: float) -> None:
    """Accelerations and multipliers continued linearly from the last step; q and v that belong to them."""
    method, motion, s = r.method, r.motion, r.scratch
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
def local_error(r: Run, h: float) -> float:
    """Largest scaled local error of q: |1/6 - beta - (am - af)/2| h^2 |w_1 - w_0|, of order h^3."""
    e, method, s = r.equations, r.method, r.scratch
    largest = 0.0
    for i in range(s.w.size):
        largest = max(largest, abs(s.w[i] - s.w_0[i]) / e.scale[i])
    return abs(method.error_constant) * h * h * largest


@kernel(plain=True, part=True)
def damped_away(r: Run, h: float) -> float:
    """Energy that the method's averages took in a step, J.

    With x = M dw and d for the change over the step, the change of kinetic energy is exactly the work of the forces by the
    trapezoidal rule, dq . M (a_0 + a_1)/2, less

        (1/2 - af) dq . (x - M da) + (beta - gamma/2) h^2 ((w_0 + w_1)/2 + (gamma - 1/2) dw) . x
    """
    method, motion, s = r.method, r.motion, r.scratch
    n, x, y = motion.q.size, s.force, s.force_mid
    for i in range(n):
        s.q_mid[i], s.a_mid[i] = s.w[i] - s.w_0[i], s.a[i] - motion.a[i]
    inertia(r, s.q_mid, x)
    inertia(r, s.a_mid, y)
    slow = fast = 0.0
    for i in range(n):
        slow += (s.q[i] - motion.q[i]) * (x[i] - y[i])
        fast += (0.5 * (s.w_0[i] + s.w[i]) + (method.gamma - 0.5) * s.q_mid[i]) * x[i]
    return (0.5 - method.alpha_f) * slow + (method.beta - 0.5 * method.gamma) * h * h * fast


@kernel(plain=True, part=True)
def straighten(r: Run, inputs: Inputs, h: float, q: Array, v: Array, change: Array) -> None:
    """Take out of v what the constraints forbid, less the method's own offset (see `alpha_start`).

    An error of v across the constraints comes back with changed sign, v_1 = -rho_inf v_0, and excites the accelerations,
    w_1 = -w_0 - 4 v_0 / h for rho_inf = 1: without damping they grow without bound, with it they grow where bodies turn far in
    a step, and error control takes the ringing after every change of step for error and throttles the step.

    change: of the averaged acceleration
    """
    method, s = r.method, r.scratch
    if not s.lam.size:
        return
    for i in range(v.size):
        s.v_mid[i] = v[i] - method.error_constant * h * change[i]
    forbidden(r, inputs, q, s.v_mid)
    s.x[: v.size] = 0.0
    solve(r, s.phi)
    take_out(r, s.x, v)


@kernel(plain=True, part=True)
def take_out(r: Run, excess: Array, v: Array) -> None:
    """v -= excess; s.taken += the kinetic energy that goes with it."""
    s = r.scratch
    for i in range(v.size):
        s.v_mid[i] = v[i] - 0.5 * excess[i]
    inertia(r, s.v_mid, s.force_mid)
    for i in range(v.size):
        s.taken[0] += excess[i] * s.force_mid[i]
        v[i] -= excess[i]


@kernel(plain=True)
def calm(r: Run, h: float, b: float) -> None:
    """Straight velocities without strain rates B v that the step cannot resolve; answers 0 where the matrix is singular.

    P = 1 - (M + B^T C B / b)^-1 M lets through what is stiff and damps the rest with (omega h)^2, P^3 with (omega h)^6. In
    stiff strains an error of v comes back with changed sign as it does across constraints, and grows where bodies turn far.
    """
    e, memory, s = r.equations, r.memory, r.scratch
    parts, near, far = e.parts, s.near, s.far
    add_saddle(r, far, s.q, s.lam, 0.0, 0.0)
    for k in range(parts.table.size):
        if parts.viscous[k]:
            call(BLOCK_TANGENT, parts.tangent[k], parts.viscous[k], s.q, s.still, 0.0, 1.0 / b, parts.target[k])
    s.answer[0] = 1.0 if other_factor(memory) else 0.0
    if s.answer[0] == 0.0:
        return
    for i in range(s.q.size):
        s.q_mid[i] = s.w[i] - s.w_0[i]
    straighten(r, far, h, s.q, s.v, s.q_mid)
    assign_table(near.weights, far.weights)
    near.weights[1, :] = 0.0  # drives that stand still: what is forbidden is Phi_q v
    near.minus_c[1, :] = 0.0
    assign(s.a_mid, s.v)
    for _ in range(FILTERS):
        forbidden(r, near, s.q, s.a_mid)
        inertia(r, s.a_mid, s.force_mid)
        assign(s.x[: s.q.size], s.force_mid)
        solve(r, s.phi)
        for i in range(s.q.size):
            s.a_mid[i] -= s.x[i]
    take_out(r, s.a_mid, s.v)
