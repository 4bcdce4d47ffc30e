"""Radau IIA of order 5 for motion with constraints (Hairer & Wanner 1996, sects IV.8 and VII.4): one step.

    q' = v,   M v' + f(t, q, v) + Phi_q^T lam = 0,   Phi_q v + Phi_t = 0
    at the three stages, where V = v_0 + h A V' and Q = q_0 + h A V

Velocities fulfil the constraints at the stages; q drifts from Phi = 0 by what a step errs, and is put back after it, and v with
it. The inverse of A has one real eigenvalue and a complex pair: in the eigenvectors the stages come apart, and each value
gamma has, with sigma = gamma / h, the matrix of Newton's method

    [M + D / sigma + K / sigma^2, s Phi_q^T; s (Phi_q + H / sigma), 0]     H = (Phi_q v)_q,  s: a typical mass

for the increments of v and of lam / sigma. The complex one is solved as a real one of twice its size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.pattern import scatter
from fmbs.jit.assign_kernels import assign
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.alpha import spin, take_out
from fmbs.solvers.loop.contacts import touching
from fmbs.solvers.loop.equations import EPS, ROUND_OFF, assemble, drives_on, forbidden, inertia, residual, set_time, solve
from fmbs.solvers.loop.ledger import flows, moved, product
from fmbs.solvers.loop.newton import FORGET
from fmbs.solvers.loop.tables import Inputs, Run
from fmbs.solvers.storage.base import FACTORIZE, SOLVE

Array = NDArray[np.float64]

KAPPA = 1e-2  # of the error allowed in a step: where Newton's iteration stops
LONGEST_WAY = 0.5  # scaled: a solution that is farther from the prediction is none
TOO_SLOW = 0.9  # contraction above which the iteration is given up
POOR = 0.1  # contraction above which the next step has new matrices
PROJECTIONS = 5
SAME = 1e-13  # of a step: the matrices are those of the step before
NOISE = 8.0 * EPS  # of a coordinate: what rounding makes of its differences between stages
ESTIMATE = 10.0  # half as much again as the ratio for a harmonic motion, see `estimate`


@kernel(plain=True)
def radau_step(r: Run, t: float, h: float, times: Array, series: Array) -> None:
    """One step of size h from `motion`; answers 1 if it succeeds, and notes the reason where it does not."""
    memory, s = r.memory, r.scratch
    memory.numbers[tables.STATUS] = collocated(r, t, h, times, series)
    s.answer[0] = 1.0 if memory.numbers[tables.STATUS] == tables.CONVERGED and s.fine[0] == 1 else 0.0


@kernel(plain=True, part=True)
def collocated(r: Run, t: float, h: float, times: Array, series: Array) -> int:
    e, memory, motion, s, st = r.equations, r.memory, r.motion, r.scratch, r.stages
    numbers, sizes = memory.numbers, memory.sizes
    if e.events[slots.AT_MEMORY_START]:
        call(slots.MEMORY_START, e.events[slots.AT_MEMORY_START], r)
    if e.gap_places.size and s.known[0] == 0:
        call(slots.GAP_MOVE, e.calls.gap_move, e.gaps, e.work, motion.q, motion.v, e.work.start)
    s.known[0], s.known[1] = 1, 0
    sizes[tables.TURN] = max(sizes[tables.TURN], h * spin(e, motion.v))
    s.taken[0] = 0.0
    drives_on(e, times, series, t + st.c[0] * h, st.first)
    drives_on(e, times, series, t + st.c[1] * h, st.second)
    kept = numbers[tables.FACTORED] == 1 and abs(h - st.factored[0]) <= SAME * h
    numbers[tables.FACTORED] = 1 if kept else 0
    foresee(r, h)
    status = solve_stages(r, t, h)
    if status != tables.CONVERGED and kept and s.fine[0] == 1:
        numbers[tables.FACTORED] = 0
        foresee(r, h)
        status = solve_stages(r, t, h)
    if status != tables.CONVERGED:
        return status
    set_time(e, t + h)
    if e.events[slots.AT_MEMORY] and touching(r):
        call(slots.MEMORY, e.events[slots.AT_MEMORY], r, h)
    if e.gap_places.size:
        call(slots.HIDDEN_MEMORY, e.events[slots.AT_HIDDEN], r, h)
        if s.answer[0] > 0.0:
            return tables.HIDDEN
    assign(s.q, st.q[2])
    assign(s.v, st.v[2])
    assign(s.a, st.dv[2])
    assign(s.lam, st.lam[2])
    estimate(r, h)
    s.taken[0] = lost(r, h)
    return put_back(r, s.far)


@kernel(plain=True, part=True)
def drives_of(r: Run, i: int) -> Inputs:
    """Of stage i."""
    return r.stages.first if i == 0 else r.stages.second if i == 1 else r.scratch.far


@kernel(plain=True, part=True)
def foresee(r: Run, h: float) -> None:
    """Stages on the polynomials of the last step; where there is none, with the acceleration and multipliers of the start."""
    motion, st, last = r.motion, r.stages, r.memory.sizes[tables.LAST]
    c0, c1, n, m = st.c[0], st.c[1], motion.q.size, motion.lam.size
    for i in range(3):
        if last == 0.0:
            for j in range(n):
                st.v[i, j] = motion.v[j] + st.c[i] * h * motion.a[j]
            assign(st.lam[i], motion.lam)
            continue
        x = 1.0 + st.c[i] * h / last
        # through the last step's start and stages, for v; through its stages, for lam
        d0 = x * (x - c1) * (x - 1.0) / (c0 * (c0 - c1) * (c0 - 1.0))
        d1 = x * (x - c0) * (x - 1.0) / (c1 * (c1 - c0) * (c1 - 1.0))
        d2 = x * (x - c0) * (x - c1) / ((1.0 - c0) * (1.0 - c1))
        for j in range(n):
            st.v[i, j] = motion.v[j] - st.last_v[2, j] + d0 * st.last_v[0, j] + d1 * st.last_v[1, j] + d2 * st.last_v[2, j]
        l0 = (x - c1) * (x - 1.0) / ((c0 - c1) * (c0 - 1.0))
        l1 = (x - c0) * (x - 1.0) / ((c1 - c0) * (c1 - 1.0))
        for j in range(m):
            st.lam[i, j] = l0 * st.last_lam[0, j] + l1 * st.last_lam[1, j] + (1.0 - l0 - l1) * st.last_lam[2, j]
    spread(r, h)


@kernel(plain=True, part=True)
def spread(r: Run, h: float) -> None:
    """q and v' of the stages from their v."""
    motion, st = r.motion, r.stages
    for j in range(motion.q.size):
        v0 = motion.v[j]
        for i in range(3):
            st.q[i, j] = motion.q[j] + h * (st.a[i, 0] * st.v[0, j] + st.a[i, 1] * st.v[1, j] + st.a[i, 2] * st.v[2, j])
            st.dv[i, j] = (
                st.inverse[i, 0] * (st.v[0, j] - v0)
                + st.inverse[i, 1] * (st.v[1, j] - v0)
                + st.inverse[i, 2] * (st.v[2, j] - v0)
            ) / h


@kernel(plain=True, part=True)
def matrices(r: Run, h: float) -> int:
    """Newton's matrices with the slopes of the second stage, factorised; returns why that is not possible."""
    memory, s, st = r.memory, r.scratch, r.stages
    re, im = st.eigen[1] / h, st.eigen[2] / h
    size = re * re + im * im
    # 1 / sigma and 1 / sigma^2
    a, b = re / size, -im / size
    c, d = a * a - b * b, 2.0 * a * b
    memory.numbers[tables.STIFF] = 0
    st.twin.data[:] = 0.0
    slopes(r, h, 0.0, b, d, re, im)
    put_in_twin(r, 1, 2, -1.0)
    slopes(r, h, 1.0, a, c, re, im)
    put_in_twin(r, 0, 3, 1.0)
    call(FACTORIZE, st.twin.factorize, st.twin.kind)
    real = h / st.eigen[0]
    slopes(r, h, 1.0, real, real * real, 1.0 / real, 0.0)
    finite = np.isfinite(memory.matrix.data.sum())
    call(FACTORIZE, memory.matrix.factorize, memory.matrix.kind)
    memory.numbers[tables.FACTORIZATIONS] += 1
    memory.numbers[tables.WORN] = 0
    st.factored[0] = h
    regular = memory.matrix.regular[0] == 1 and st.twin.regular[0] == 1 and s.fine[0] == 1
    memory.numbers[tables.FACTORED] = 1 if regular else 0
    return tables.CONVERGED if regular else tables.SINGULAR if finite else tables.NOT_FINITE


@kernel(plain=True, part=True)
def slopes(r: Run, h: float, mass: float, damping: float, stiffness: float, re: float, im: float) -> None:
    """[mass M + damping D + stiffness K, mass Phi_q^T; mass Phi_q + damping H, 0] at the second stage.

    re, im: the eigenvalue whose real part this is, or the imaginary one where there is no mass
    """
    e, memory, s, st = r.equations, r.memory, r.scratch, r.stages
    q, v, lam, n = st.q[1], st.v[1], st.lam[1], s.q.size
    remembering = e.events[slots.AT_SLOPES] != 0 and touching(r)
    assemble(r, st.second, st.c[1] * h, mass, damping, stiffness, q, v, lam, not remembering)
    if remembering:
        call(slots.STAGE_SLOPES, e.events[slots.AT_SLOPES], r, re, im, mass == 0.0, stiffness, damping)
        scatter(e.gap_places, s.gap_entries, memory.matrix.data)
    if not s.phi.size:
        return
    # H dq = Phi_qq(v, dq): the change of Phi_q on a short way along v, exact where Phi is quadratic
    way = h
    for sign in range(2):
        for i in range(n):
            s.q_mid[i] = q[i] + (0.5 - sign) * way * v[i]
        call(
            slots.CONSTRAINT_TANGENT, e.calls.constraint_tangent, e.vectors, e.terms, st.second.weights[0], s.q_mid, lam, s.u,
            e.mass_scale, 0.0, s.entries,
        )  # fmt: skip
        for k in range(e.gradient.shape[0]):
            place = e.gradient[k, 0]
            memory.matrix.data[e.constraint_places[place]] += (1.0 - 2.0 * sign) * damping / way * s.entries[place]


@kernel(plain=True, part=True)
def put_in_twin(r: Run, first: int, second: int, sign: float) -> None:
    """The assembled matrix in two blocks of the twin, the first time with a sign."""
    data, st = r.memory.matrix.data, r.stages
    for k in range(st.base_places.size):
        x = data[st.base_places[k]]
        st.twin.data[st.twin_places[first, k]] = sign * x
        st.twin.data[st.twin_places[second, k]] = x


@kernel(plain=True, part=True)
def solve_stages(r: Run, t: float, h: float) -> int:
    """Newton's iteration from what is foreseen, in place; returns how it went."""
    e, method, control, memory, motion, s, st = r.equations, r.method, r.control, r.memory, r.motion, r.scratch, r.stages
    numbers, sizes, n = memory.numbers, memory.sizes, motion.q.size
    last, way = np.inf, 0.0
    level = 0.0
    for j in range(n):
        level = max(level, abs(motion.a[j]) / e.scale[j], abs(st.dv[1, j]) / e.scale[j])
    level = max(level, sizes[tables.LARGEST])
    allowed = max(method.newton_tolerance * level * h * h, ROUND_OFF)
    if control.step == 0.0:
        allowed = max(min(allowed, KAPPA * control.tolerance * h / (control.t_end - control.start)), ROUND_OFF)
    remembering, worn = e.events[slots.AT_MEMORY] != 0 and touching(r), 0.0
    if remembering and e.gaps.stations.wear.size:  # loads that tell of wear
        call(slots.MEMORY, e.events[slots.AT_MEMORY], r, h)
        for i in range(3):
            call(slots.STAGE_LOADS, e.events[slots.AT_LOADS], r, i)
    for iteration in range(method.max_iterations):
        if remembering:
            call(slots.MEMORY, e.events[slots.AT_MEMORY], r, h)
            worn = s.answer[0] / e.length_scale if iteration else 0.0 * s.answer[0]
        if numbers[tables.FACTORED] == 0:
            set_time(e, t + st.c[1] * h)
            status = matrices(r, h)
            if status != tables.CONVERGED:
                return status
        for i in range(3):
            set_time(e, t + st.c[i] * h)
            inputs = drives_of(r, i)
            if remembering:
                call(slots.STAGE_LOADS, e.events[slots.AT_LOADS], r, i)
            residual(r, inputs, st.c[i] * h, st.q[i], st.v[i], st.dv[i], st.lam[i], remembering, s.force)
            forbidden(r, inputs, st.q[i], st.v[i])
            assign(st.force[i], s.force)
            assign(st.rates[i], s.phi)
        if s.fine[0] == 0:
            return tables.NOT_FINITE
        size = corrected(r, h)
        size = worn if not worn <= size else size  # lets NaN through
        numbers[tables.ITERATIONS] += 1
        if not np.isfinite(size):
            return tables.SINGULAR if np.isfinite(st.force.sum() + st.rates.sum()) else tables.NOT_FINITE
        way += size
        if way > LONGEST_WAY:
            return tables.LEAP
        contraction = size / last if iteration else max(sizes[tables.CONTRACTION], 1e-3) ** 0.8
        if size <= ROUND_OFF or size * contraction / max(1.0 - contraction, 1e-3) <= allowed:
            if iteration:
                sizes[tables.CONTRACTION] = min(contraction, 0.5)
            sizes[tables.LARGEST] = max(FORGET * sizes[tables.LARGEST], level)
            numbers[tables.FACTORED] = 0 if iteration and contraction > POOR and numbers[tables.WORN] else 1
            numbers[tables.WORN] = 1
            return tables.CONVERGED
        if iteration and contraction > TOO_SLOW:
            return tables.CONVERGED if size < 100.0 * ROUND_OFF else tables.DIVERGED
        last = size
    return tables.SLOW


@kernel(plain=True, part=True)
def corrected(r: Run, h: float) -> float:
    """One correction of all stages; returns its largest change of q, scaled."""
    e, s, st = r.equations, r.scratch, r.stages
    n, m, scale = s.q.size, s.lam.size, r.equations.mass_scale
    real, re, im = st.eigen[0] / h, st.eigen[1] / h, st.eigen[2] / h
    square, to, back, x, y = re * re + im * im, st.to, st.back, s.x, st.y
    for j in range(n):
        f0, f1, f2 = st.force[0, j], st.force[1, j], st.force[2, j]
        x[j] = -(to[0, 0] * f0 + to[0, 1] * f1 + to[0, 2] * f2) / real
        p, q = to[1, 0] * f0 + to[1, 1] * f1 + to[1, 2] * f2, to[2, 0] * f0 + to[2, 1] * f1 + to[2, 2] * f2
        y[j], y[n + m + j] = -(p * re + q * im) / square, -(q * re - p * im) / square
    for j in range(m):
        f0, f1, f2 = st.rates[0, j], st.rates[1, j], st.rates[2, j]
        s.phi[j] = -(to[0, 0] * f0 + to[0, 1] * f1 + to[0, 2] * f2)
        y[n + j] = -scale * (to[1, 0] * f0 + to[1, 1] * f1 + to[1, 2] * f2)
        y[n + m + n + j] = -scale * (to[2, 0] * f0 + to[2, 1] * f1 + to[2, 2] * f2)
    solve(r, s.phi)
    call(SOLVE, st.twin.solve, st.twin.kind, y)
    largest = 0.0
    for j in range(n):
        w0, w1, w2 = x[j], y[j], y[n + m + j]
        for i in range(3):
            st.v[i, j] += back[i, 0] * w0 + back[i, 1] * w1 + back[i, 2] * w2
        before = st.q[2, j]
        end = r.motion.q[j] + h * (st.a[2, 0] * st.v[0, j] + st.a[2, 1] * st.v[1, j] + st.a[2, 2] * st.v[2, j])
        change = max(abs(end - before), h * abs(back[2, 0] * w0 + back[2, 1] * w1 + back[2, 2] * w2)) / e.scale[j]
        if not change <= largest:  # lets NaN through
            largest = change
    for j in range(m):
        w0 = scale * real * x[n + j]
        p, q = scale * y[n + j], scale * y[n + m + n + j]
        w1, w2 = re * p - im * q, re * q + im * p
        for i in range(3):
            st.lam[i, j] += back[i, 0] * w0 + back[i, 1] * w1 + back[i, 2] * w2
    spread(r, h)
    return largest


@kernel(plain=True, part=True)
def estimate(r: Run, h: float) -> None:
    """s.error: local error of q.

    Hairer and Wanner's estimate is one of the embedded formula of order 3, an error of order h^4 that says little of one of
    order h^6. Where the motion has a frequency omega the two are some (omega h)^4 and (omega h)^6 of its size, and the way
    h^2 v' is (omega h)^2 of it: the estimate times itself over that way is of the right order. Every coordinate is measured by
    its own way: beside a body that spins fast a small vibration would seem to be resolved. What rounding makes of the estimate
    does not count: short steps would be made shorter for it, and it would stay.
    """
    motion, s, st = r.motion, r.scratch, r.stages
    n, sigma = motion.q.size, st.eigen[0] / h
    for j in range(n):
        v0 = motion.v[j]
        s.q_mid[j] = (
            motion.a[j]
            + (st.weights[0] * (st.v[0, j] - v0) + st.weights[1] * (st.v[1, j] - v0) + st.weights[2] * (st.v[2, j] - v0)) / h
        )
    inertia(r, s.q_mid, s.force_mid)
    for j in range(n):
        s.x[j] = s.force_mid[j] / sigma
    s.phi[:] = 0.0
    solve(r, s.phi)
    for j in range(n):
        q0 = motion.q[j]
        rest = (
            motion.v[j]
            + (st.weights[0] * (st.q[0, j] - q0) + st.weights[1] * (st.q[1, j] - q0) + st.weights[2] * (st.q[2, j] - q0)) / h
        )
        error = (rest + s.x[j]) / sigma
        error -= min(max(error, -NOISE * abs(q0)), NOISE * abs(q0))
        way = h * h * max(abs(s.a[j]), abs(motion.a[j]))
        s.error[j] = error * min(1.0, ESTIMATE * abs(error) / way) if way > 0.0 else error


@kernel(plain=True, part=True)
def lost(r: Run, h: float) -> float:
    """Kinetic energy that the method takes in a step, J: work at the stages less the change, some (omega h)^6 of it."""
    motion, s, st = r.motion, r.scratch, r.stages
    total = 0.0
    for i in range(3):
        inertia(r, st.dv[i], s.force_mid)
        total += h * st.a[2, i] * product(s.force_mid, st.v[i])
    for j in range(motion.q.size):
        s.q_mid[j], s.v_mid[j] = 0.5 * (s.v[j] + motion.v[j]), s.v[j] - motion.v[j]
    inertia(r, s.v_mid, s.force_mid)
    return total - product(s.force_mid, s.q_mid)


@kernel(plain=True, part=True)
def put_back(r: Run, far: Inputs) -> int:
    """q onto Phi = 0 and v onto its rates, with the real matrix."""
    e, s = r.equations, r.scratch
    if not s.lam.size:
        return tables.CONVERGED
    last = np.inf
    for _ in range(PROJECTIONS):
        s.force_mid[:] = 0.0
        assign(s.phi, far.minus_c[0])
        call(
            slots.CONSTRAINT_RESIDUAL, e.calls.constraint_residual, e.vectors, e.terms, far.weights[0], s.q, s.lam, s.u, s.phi,
            s.force_mid,
        )  # fmt: skip
        s.x[: s.q.size] = 0.0
        solve(r, s.phi)
        size = 0.0
        for i in range(s.q.size):
            if not abs(s.x[i]) / e.scale[i] <= size:
                size = abs(s.x[i]) / e.scale[i]
        if not np.isfinite(size) or size > 2.0 * last:
            return tables.SINGULAR
        for i in range(s.q.size):
            s.q[i] -= s.x[i]
        if size <= ROUND_OFF or size > 0.5 * last:
            break
        last = size
    for _ in range(2):
        forbidden(r, far, s.q, s.v)
        s.x[: s.q.size] = 0.0
        solve(r, s.phi)
        take_out(r, s.x, s.v)
    return tables.CONVERGED


@kernel(plain=True)
def radau_accept(r: Run, h: float, t: float, t_end: float) -> None:
    """Take the step from t to t_end over; powers are integrated over its stages."""
    e, motion, s, st = r.equations, r.motion, r.scratch, r.stages
    touched = touching(r)
    motion.total[2] += s.taken[0]
    for i in range(3):
        if e.flowing or touched or e.gaps.films.joint.size:
            set_time(e, t + st.c[i] * h)
        if e.flowing:
            flows(r, drives_of(r, i), st.q[i], st.v[i], st.lam[i], s.flow)
            for c in range(2):
                motion.total[c] += h * st.a[2, i] * s.flow[c]
        if touched or e.gaps.films.joint.size:
            history = st.history[i] if e.events[slots.AT_MEMORY] and touched else motion.history
            call(slots.GAP_INFLOW, e.calls.gap_inflow, e.gaps, e.work, history, st.q[i], st.v[i], s.inflow_mid)
            for k in range(s.inflow_mid.size):
                motion.absorbed[k] += h * st.a[2, i] * s.inflow_mid[k]
    s.answer[0] = 0.0
    if e.gap_places.size:
        call(slots.END, e.events[slots.AT_END], r, h, t, touched)
    released = bool(s.answer[0] > 0.0)
    for i in range(3):
        for j in range(motion.q.size):
            st.last_v[i, j] = st.v[i, j] - motion.v[j]
        assign(st.last_lam[i], st.lam[i])
    moved(r, h, t_end, released)
