"""Many steps of generalized-alpha in one compiled call: rigid bodies, ideal joints, drives, clearance joints, gravity.

The same algorithm as `AlphaStepper.step` and the loop of `simulate.FixedStep`: steps that a contact starts in are cut there. It
returns before a step that does not converge, or in which a force jumps; the stepper deals with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.constraint_kernels import constraint_rates
from fmbs.gaps.contact_kernels import FREE, PHASE, evaluate, move, remember
from fmbs.gaps.joint_kernels import VALUES, absorbed_power, load_built_in
from fmbs.math.assign_kernels import assign, assign_table
from fmbs.math.compiled import inlined, plain_kernel
from fmbs.solvers._stretch_contacts import first_contact, separate, touch
from fmbs.solvers._stretch_newton import step
from fmbs.solvers._stretch_tables import (
    CONTACTS,
    FACTORED,
    FACTORIZATIONS,
    ITERATIONS,
    LAST,
    POWER,
    STEP,
    WORK,
    Equations,
    Inputs,
    Kept,
    Log,
    Memory,
    Method,
    Motion,
    Scratch,
)

Array = NDArray[np.float64]

PIECES = 40  # of a step, at most: more is for the open path to sort out


@plain_kernel
def quintic(left: Array, right: Array, h: float, x: float, out: Array) -> None:
    """Values and two derivatives at the fraction x between two rows of the same: (3, n)."""
    for i in range(left.shape[1]):
        v, a = h * left[1, i], h * h * left[2, i]
        d = right[0, i] - left[0, i] - v - 0.5 * a
        e, f = h * right[1, i] - v - a, h * h * right[2, i] - a
        c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
        out[0, i] = left[0, i] + x * (v + x * (0.5 * a + x * (c3 + x * (c4 + x * c5))))
        out[1, i] = (v + x * (a + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
        out[2, i] = (a + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))) / (h * h)


@plain_kernel
def inputs_at(weights: Array, minus_c: Array, k: int, x: float, h: float, driven: bool, out: Inputs) -> None:
    """Drives at the fraction x of step k; exact at its ends, by a quintic inside, whose error is of order (omega h)^6."""
    if x == 0.0 or x == 1.0 or not driven:
        row = k if x == 1.0 else k - 1
        assign_table(out.weights, weights[row])
        assign_table(out.minus_c, minus_c[row])
    else:
        quintic(weights[k - 1], weights[k], h, x, out.weights)
        quintic(minus_c[k - 1], minus_c[k], h, x, out.minus_c)


@plain_kernel
def drive_power(e: Equations, inputs: Inputs, q: Array, lam: Array, s: Scratch) -> float:
    """lam . Phi_t, W."""
    assign(s.first, inputs.minus_c[1])
    assign(s.second, inputs.minus_c[2])
    constraint_rates(e.vectors, e.terms, inputs.weights, q, s.still, s.u, s.rate, s.acceleration, s.first, s.second)
    power = 0.0
    for i in range(lam.size):
        power += lam[i] * s.first[i]
    return power


@plain_kernel
def inflows(e: Equations, history: Array, q: Array, v: Array, s: Scratch, out: Array) -> None:
    """Power into every station at one instant, W."""
    work = s.work
    move(e.gaps.vectors, e.gaps.stations, q, v, work.u, work.du, work.start)
    load_built_in(e.gaps, work, history, 0.0, q, v, VALUES)
    absorbed_power(e.gaps, work, out)


@plain_kernel
def middle(motion: Motion, h: float, s: Scratch) -> None:
    """q, v, lam and the history in the middle of a step, as the recorder interpolates them."""
    for i in range(s.q.size):
        v_0, a_0 = h * motion.v[i], h * h * motion.a[i]
        d = s.q[i] - motion.q[i] - v_0 - 0.5 * a_0
        e, f = h * s.v[i] - v_0 - a_0, h * h * s.a[i] - a_0
        c_3, c_4, c_5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
        s.q_mid[i] = motion.q[i] + 0.5 * (v_0 + 0.5 * (0.5 * a_0 + 0.5 * (c_3 + 0.5 * (c_4 + 0.5 * c_5))))
        s.v_mid[i] = (v_0 + 0.5 * (a_0 + 0.5 * (3.0 * c_3 + 0.5 * (4.0 * c_4 + 2.5 * c_5)))) / h
    for i in range(s.lam.size):
        s.lam_mid[i] = 0.5 * (motion.lam[i] + s.lam[i])
    for i in range(motion.history.shape[0]):
        for c in range(motion.history.shape[1]):
            old, new = s.old_history[i, c], motion.history[i, c]
            s.middle_history[i, c] = 0.5 * (old + new) if old != 0.0 and new != 0.0 else old


@inlined
def end_contacts(e: Equations, motion: Motion, h: float, t: float, touching: bool, log: Log, s: Scratch) -> bool:
    """History after the step, and the energy that flowed into the stations; has a contact ended?"""
    stations, history, work = e.gaps.stations, motion.history, s.work
    released = False
    if touching:
        move(e.gaps.vectors, stations, motion.q, motion.v, work.u, work.du, work.start)
        move(e.gaps.vectors, stations, s.q, s.v, work.u, work.du, work.motion)
        evaluate(stations, work.motion, work.start, history, h, work.loads)
        assign_table(s.old_history, history)
        released = remember(work.motion, work.loads, history)
    if touching or e.gaps.films.joint.size:
        inflows(e, history, s.q, s.v, s, s.inflow_new)
        for i in range(stations.joint.size):
            s.inflow_mid[i] = 0.5 * (s.inflow[i] + s.inflow_new[i])
        if touching:
            middle(motion, h, s)
            inflows(e, s.middle_history, s.q_mid, s.v_mid, s, s.inflow_mid)
        for i in range(stations.joint.size):
            motion.absorbed[i] += h / 6.0 * (s.inflow[i] + 4.0 * s.inflow_mid[i] + s.inflow_new[i])
            s.inflow[i] = s.inflow_new[i]
    if released:
        move(e.gaps.vectors, stations, motion.q, motion.v, work.u, work.du, work.start)
        for i in range(stations.joint.size):
            if s.old_history[i, PHASE] != FREE and history[i, PHASE] == FREE:
                separate(e, motion, h, t, i, motion.absorbed[i], log, s)
    return released


@inlined
def accept(e: Equations, memory: Memory, between: Inputs, far: Inputs, h: float, t: float, motion: Motion, log: Log,
           s: Scratch) -> bool:  # fmt: skip
    """Take the step over; has a contact ended in it? between, far: the drives in its middle and at its end."""
    sizes, n = memory.sizes, motion.q.size
    released, touching = False, False
    for i in range(e.gaps.stations.joint.size):
        touching = touching or motion.history[i, PHASE] != FREE
    if e.gaps.stations.joint.size:
        released = end_contacts(e, motion, h, t, touching, log, s)
    if e.driven:
        after = drive_power(e, far, s.q, s.lam, s)
        if touching:
            middle(motion, h, s)
            sizes[WORK] += h / 6.0 * (sizes[POWER] + 4.0 * drive_power(e, between, s.q_mid, s.lam_mid, s) + after)
        else:
            sizes[WORK] += 0.5 * h * (sizes[POWER] + after)
        sizes[POWER] = after
    for i in range(n):
        motion.jerk[i] = (s.w[i] - s.w_0[i]) / h
        motion.w[i] = s.w[i]
        motion.last_a[i] = motion.a[i]
        motion.q[i], motion.v[i], motion.a[i] = s.q[i], s.v[i], s.a[i]
    for i in range(motion.lam.size):
        motion.last_lam[i] = motion.lam[i]
        motion.lam[i] = s.lam[i]
    sizes[STEP], sizes[LAST] = h, h
    return released


@inlined
def whole_step(e: Equations, method: Method, memory: Memory, weights: Array, minus_c: Array, k: int, h: float, t: float,
               motion: Motion, log: Log, s: Scratch) -> bool:  # fmt: skip
    """Step k of size h from t, cut where contacts start; False where the open path has to look into it."""
    contacts, sizes = e.gaps.stations.joint.size > 0, memory.sizes
    x, end, cut, fine, stuck = 0.0, 1.0, False, True, False
    for _ in range(PIECES):
        size = h if x == 0.0 and end == 1.0 else (end - x) * h
        inputs_at(weights, minus_c, k, x, h, e.driven, s.near)
        inputs_at(weights, minus_c, k, end, h, e.driven, s.far)
        fine = step(e, method, memory, s.near, s.far, size, motion, s)
        if not fine:
            break
        share = first_contact(e, motion, size, s) if contacts and not cut else -1.0
        at_start = 0.0 <= share < method.least and not stuck  # then it is no step at all
        if 0.0 <= share < 1.0 - method.least and not at_start:
            end, cut = x + max(share, method.least) * (1.0 - x), True
            continue
        if not at_start:
            if e.driven and contacts:
                inputs_at(weights, minus_c, k, 0.5 * (x + end), h, True, s.near)
            released = accept(e, memory, s.near, s.far, size, t + x * h, motion, log, s)
            x = end
            log.times[log.filled[0]] = t + x * h
            log.filled[0] += 1
            if released:  # the average forgets the push of the contact. See `AlphaStepper._renewed`
                assign(motion.w, motion.a)
                motion.jerk[:] = 0.0
                sizes[LAST] = 0.0
        if share >= 0.0 or cut:
            memory.numbers[CONTACTS] += 0 if at_start else 1
            before = log.filled[1]
            fine = fine and touch(e, method, motion, sizes[STEP], t + x * h, log, s)
            inflows(e, motion.history, motion.q, motion.v, s, s.inflow)
            stuck = at_start and log.filled[1] == before  # it has not quite landed
        end, cut = 1.0, False
        if not fine or 1.0 - x <= 1e-9:
            break
    return fine and 1.0 - x <= 1e-9


@plain_kernel
def copy(source: Motion, target: Motion) -> None:
    assign(target.q, source.q)
    assign(target.v, source.v)
    assign(target.a, source.a)
    assign(target.lam, source.lam)
    assign(target.w, source.w)
    assign(target.jerk, source.jerk)
    assign(target.last_a, source.last_a)
    assign(target.last_lam, source.last_lam)
    assign_table(target.history, source.history)
    assign(target.absorbed, source.absorbed)


@plain_kernel
def stretch(
    e: Equations, method: Method, h: float, times: Array, weights: Array, minus_c: Array, motion: Motion, memory: Memory,
    log: Log, kept: Kept, s: Scratch,
) -> int:  # fmt: skip
    """Steps of size h from times[0] to the other times, with the drives' inputs (times, 3, ...) at all of them.

    Returns the number of steps done; `motion` is the state there.
    """
    if e.gaps.stations.joint.size:
        inflows(e, motion.history, motion.q, motion.v, s, s.inflow)
    if e.driven:
        inputs_at(weights, minus_c, 1, 0.0, h, True, s.near)
        memory.sizes[POWER] = drive_power(e, s.near, motion.q, motion.lam, s)
    for k in range(1, times.size):
        if log.filled[0] > log.times.size - PIECES or log.filled[1] > log.events.shape[0] - 2 * PIECES * motion.absorbed.size:
            return k - 1
        copy(motion, kept.motion)
        assign(kept.numbers, memory.numbers)
        assign(kept.sizes, memory.sizes)
        assign(kept.filled, log.filled)
        if not whole_step(e, method, memory, weights, minus_c, k, h, times[k - 1], motion, log, s):
            copy(kept.motion, motion)
            kept.numbers[ITERATIONS], kept.numbers[FACTORIZATIONS] = memory.numbers[ITERATIONS], memory.numbers[FACTORIZATIONS]
            kept.numbers[FACTORED] = 0
            assign(memory.numbers, kept.numbers)
            assign(memory.sizes, kept.sizes)
            assign(log.filled, kept.filled)
            return k - 1
        log.times[log.filled[0] - 1] = times[k]
    return times.size - 1
