"""Many steps of generalized-alpha in one compiled call.

The same algorithm as `AlphaStepper.step` and the loop of `simulate.FixedStep`: steps that a contact starts in are cut there. It
returns before a step that does not converge, or in which a force jumps; the stepper deals with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import FREE, PHASE
from fmbs.math.assign_kernels import assign, assign_table
from fmbs.math.calls import call
from fmbs.math.compiled import plain_kernel
from fmbs.math.path_kernels import quintic
from fmbs.solvers._stretch_contacts import first_contact, separate, touch
from fmbs.solvers._stretch_newton import add_drag, step
from fmbs.solvers._stretch_tables import (
    CONTACTS,
    FACTORED,
    FACTORIZATIONS,
    ITERATIONS,
    LAST,
    STEP,
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
def inputs_at(weights: Array, minus_c: Array, k: int, x: float, h: float, driven: bool, out: Inputs) -> None:
    """Drives at the fraction x of step k; exact at its ends, by a quintic inside, whose error is of order (omega h)^6."""
    if x == 0.0 or x == 1.0 or not driven:
        row = k if x == 1.0 else k - 1
        assign_table(out.weights, weights[row])
        assign_table(out.minus_c, minus_c[row])
    else:
        _between(weights[k - 1], weights[k], h, x, out.weights)
        _between(minus_c[k - 1], minus_c[k], h, x, out.minus_c)


@plain_kernel
def _between(left: Array, right: Array, h: float, x: float, out: Array) -> None:
    """Rows of values and two derivatives  # (3, n)."""
    quintic(left[0], left[1], left[2], right[0], right[1], right[2], h, x, out[0], out[1], out[2])


@plain_kernel
def flows(e: Equations, inputs: Inputs, q: Array, v: Array, lam: Array, s: Scratch, out: Array) -> None:
    """Power that loads and drives supply, and that elements and dampers dissipate, W  # (2,)."""
    out[0] = drive_power(e, inputs, q, lam, s) if e.driven else 0.0
    out[1] = 0.0
    parts, f = e.parts, s.force_mid
    for k in range(parts.table.size):
        if parts.is_load[k]:
            f[:] = 0.0
            call(parts.force[k], parts.table[k], q, v, f)
            out[0] -= product(f, v)
        elif parts.damped[k]:  # the part of the force that is not there at rest
            f[:] = 0.0
            call(parts.force[k], parts.table[k], q, s.still, f)
            out[1] -= product(f, v)
            f[:] = 0.0
            call(parts.force[k], parts.table[k], q, v, f)
            out[1] += product(f, v)
    if e.drag.size:
        f[:] = 0.0
        add_drag(e, v, f)
        out[1] += product(f, v)


@plain_kernel
def product(a: Array, b: Array) -> float:
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@plain_kernel
def drive_power(e: Equations, inputs: Inputs, q: Array, lam: Array, s: Scratch) -> float:
    """lam . Phi_t, W."""
    assign(s.first, inputs.minus_c[1])
    assign(s.second, inputs.minus_c[2])
    call(
        e.calls.constraint_rates, e.vectors, e.terms, inputs.weights, q, s.still, s.u, s.rate, s.acceleration, s.first, s.second
    )  # fmt: skip
    return product(lam, s.first)


@plain_kernel
def middle(motion: Motion, h: float, s: Scratch) -> None:
    """q, v, lam and the history in the middle of a step, as the recorder interpolates them."""
    quintic(motion.q, motion.v, motion.a, s.q, s.v, s.a, h, 0.5, s.q_mid, s.v_mid, s.a_mid)
    for i in range(s.lam.size):
        s.lam_mid[i] = 0.5 * (motion.lam[i] + s.lam[i])
    for i in range(motion.history.shape[0]):
        for c in range(motion.history.shape[1]):
            old, new = s.old_history[i, c], motion.history[i, c]
            s.middle_history[i, c] = 0.5 * (old + new) if old != 0.0 and new != 0.0 else old


@plain_kernel
def end_contacts(e: Equations, motion: Motion, h: float, t: float, touching: bool, log: Log, s: Scratch) -> bool:
    """History after the step, and the energy that flowed into the stations; has a contact ended?"""
    stations, history, work = e.gaps.stations, motion.history, e.work
    s.released[0] = 0
    if touching:
        call(e.calls.gap_move, e.gaps, work, motion.q, motion.v, work.start)
        call(e.calls.gap_move, e.gaps, work, s.q, s.v, work.motion)
        assign_table(s.old_history, history)
        call(e.calls.gap_end, e.gaps, work, history, h, s.released)
    if touching or e.gaps.films.joint.size:
        call(e.calls.gap_inflow, e.gaps, work, history, s.q, s.v, s.inflow_new)
        for i in range(stations.joint.size):
            s.inflow_mid[i] = 0.5 * (s.inflow[i] + s.inflow_new[i])
        if touching:
            middle(motion, h, s)
            call(e.calls.gap_inflow, e.gaps, work, s.middle_history, s.q_mid, s.v_mid, s.inflow_mid)
        for i in range(stations.joint.size):
            motion.absorbed[i] += h / 6.0 * (s.inflow[i] + 4.0 * s.inflow_mid[i] + s.inflow_new[i])
            s.inflow[i] = s.inflow_new[i]
    if s.released[0] == 0:
        return False
    call(e.calls.gap_move, e.gaps, work, motion.q, motion.v, work.start)
    for i in range(stations.joint.size):
        if s.old_history[i, PHASE] != FREE and history[i, PHASE] == FREE:
            separate(e, motion, h, t, i, motion.absorbed[i], log, s)
    return True


@plain_kernel
def accept(e: Equations, memory: Memory, between: Inputs, far: Inputs, h: float, t: float, motion: Motion, log: Log,
           s: Scratch) -> bool:  # fmt: skip
    """Take the step over; has a contact ended in it? between, far: the drives in its middle and at its end."""
    sizes, n = memory.sizes, motion.q.size
    released, touching = False, False
    for i in range(e.gaps.stations.joint.size):
        touching = touching or motion.history[i, PHASE] != FREE
    if e.gap_places.size:
        released = end_contacts(e, motion, h, t, touching, log, s)
    if e.flowing:
        flows(e, far, s.q, s.v, s.lam, s, s.flow)
        for c in range(2):
            s.flow_mid[c] = 0.5 * (motion.flow[c] + s.flow[c])
        if touching:
            middle(motion, h, s)
            flows(e, between, s.q_mid, s.v_mid, s.lam_mid, s, s.flow_mid)
        for c in range(2):
            motion.total[c] += h / 6.0 * (motion.flow[c] + 4.0 * s.flow_mid[c] + s.flow[c])
            motion.flow[c] = s.flow[c]
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


@plain_kernel
def whole_step(e: Equations, method: Method, memory: Memory, weights: Array, minus_c: Array, k: int, h: float, t: float,
               motion: Motion, log: Log, s: Scratch) -> bool:  # fmt: skip
    """Step k of size h from t, cut where contacts start; False where the open path has to look into it."""
    contacts, sizes = e.gap_places.size > 0, memory.sizes
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
                inputs_at(weights, minus_c, k, 0.5 * (x + end), h, e.driven, s.near)
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
            call(e.calls.gap_inflow, e.gaps, e.work, motion.history, motion.q, motion.v, s.inflow)
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
    assign(target.flow, source.flow)
    assign(target.total, source.total)


@plain_kernel
def stretch(
    e: Equations, method: Method, h: float, times: Array, weights: Array, minus_c: Array, motion: Motion, memory: Memory,
    log: Log, kept: Kept, s: Scratch,
) -> int:  # fmt: skip
    """Steps of size h from times[0] to the other times, with the drives' inputs (times, 3, ...) at all of them.

    Returns the number of steps done; `motion` is the state there.
    """
    if e.gap_places.size:
        call(e.calls.gap_inflow, e.gaps, e.work, motion.history, motion.q, motion.v, s.inflow)
    if e.flowing:
        inputs_at(weights, minus_c, 1, 0.0, h, e.driven, s.near)
        flows(e, s.near, motion.q, motion.v, motion.lam, s, motion.flow)
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
