"""Many steps of generalized-alpha in one compiled call.

The same algorithm as `AlphaStepper.step` and the loop of `simulate.FixedStep`: steps that a contact starts in are cut there. It
returns before a step that does not converge, or in which a force jumps; the stepper deals with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.pattern import add_product
from fmbs.core.protocols import FORCE, POWER
from fmbs.gaps.contact_kernels import FREE, PHASE
from fmbs.jit.assign_kernels import assign, assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.math.path_kernels import quintic
from fmbs.solvers._stretch_newton import add_inertia, set_time
from fmbs.solvers._stretch_tables import (
    CONTACTS,
    DRIVES,
    END,
    FACTORED,
    FACTORIZATIONS,
    FIRST,
    ITERATIONS,
    LAST,
    PIECES,
    REJECTED,
    STEP,
    TAKE,
    TOUCH,
    TRY,
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


@kernel(plain=True)
def inputs_at(e: Equations, series: Array, k: int, x: float, h: float, out: Inputs) -> None:
    """Drives at the fraction x of step k; exact at its ends, by a quintic inside, whose error is of order (omega h)^6.

    series: (times, 3, varying). Called by address.
    """
    if x == 0.0 or x == 1.0:
        assign_table(out.varying, series[k if x == 1.0 else k - 1])
    else:
        _between(series[k - 1], series[k], h, x, out.varying)
    phases = e.phased_terms.size
    for d in range(3):
        for i in range(phases):
            out.weights[d, e.phased_terms[i]] = out.varying[d, i]
        for i in range(e.driven_rows.size):
            out.minus_c[d, e.driven_rows[i]] = out.varying[d, phases + i]


@kernel(plain=True, part=True)
def _between(left: Array, right: Array, h: float, x: float, out: Array) -> None:
    """Rows of values and two derivatives  # (3, n)."""
    quintic(left[0], left[1], left[2], right[0], right[1], right[2], h, x, out[0], out[1], out[2])


@kernel(plain=True, part=True)
def drives(e: Equations, series: Array, k: int, x: float, h: float, out: Inputs) -> None:
    if e.driven:
        call(e.events[DRIVES], e, series, k, x, h, out)


@kernel(plain=True, part=True)
def flows(e: Equations, inputs: Inputs, q: Array, v: Array, lam: Array, s: Scratch, out: Array) -> None:
    """Power that loads and drives supply, and that elements and dampers dissipate, W  # (2,)."""
    out[0] = drive_power(e, inputs, q, lam, s) if e.driven else 0.0
    out[1] = 0.0
    parts, f = e.parts, s.force_mid
    for k in range(parts.table.size):
        if parts.is_load[k]:
            f[:] = 0.0
            call(FORCE, parts.force[k], parts.table[k], q, v, f)
            out[0] -= product(f, v)
        elif parts.damped[k]:  # the part of the force that is not there at rest
            f[:] = 0.0
            call(FORCE, parts.force[k], parts.table[k], q, s.still, f)
            out[1] -= product(f, v)
            f[:] = 0.0
            call(FORCE, parts.force[k], parts.table[k], q, v, f)
            out[1] += product(f, v)
        if parts.power[k]:
            call(POWER, parts.power[k], parts.table[k], q, v, out)
    if e.damped:
        f[:] = 0.0
        add_inertia(e, s.still, v, s.x, f)
        out[1] += product(f, v)


@kernel(plain=True, part=True)
def product(a: Array, b: Array) -> float:
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@kernel(plain=True, part=True)
def drive_power(e: Equations, inputs: Inputs, q: Array, lam: Array, s: Scratch) -> float:
    """lam . Phi_t, W."""
    s.answer[0] = product(lam, inputs.minus_c[1])
    call(e.calls.constraint_power, e.vectors, e.terms, inputs.weights[1], q, lam, s.u, s.answer)
    return float(s.answer[0])


@kernel(plain=True, part=True)
def touching(e: Equations, motion: Motion) -> bool:
    """Was any station in contact when the step began?"""
    count = 0
    for i in range(e.gaps.stations.joint.size):
        count += 1 if motion.history[i, PHASE] != FREE else 0
    return count > 0


@kernel(plain=True, part=True)
def damped_away(e: Equations, method: Method, h: float, motion: Motion, s: Scratch) -> float:
    """`AlphaStepper._damped_away`."""
    n, x, y = motion.q.size, s.force, s.force_mid
    for i in range(n):
        s.q_mid[i], s.a_mid[i], x[i], y[i] = s.w[i] - s.w_0[i], s.a[i] - motion.a[i], 0.0, 0.0
    add_product(e.mass_indptr, e.mass_indices, e.mass_data, s.q_mid, x)
    add_product(e.mass_indptr, e.mass_indices, e.mass_data, s.a_mid, y)
    slow = fast = 0.0
    for i in range(n):
        slow += (s.q[i] - motion.q[i]) * (x[i] - y[i])
        fast += (0.5 * (s.w_0[i] + s.w[i]) + (method.gamma - 0.5) * s.q_mid[i]) * x[i]
    return (0.5 - method.alpha_f) * slow + (method.beta - 0.5 * method.gamma) * h * h * fast


@kernel(plain=True)
def accept(
    e: Equations, method: Method, memory: Memory, h: float, t: float, t_end: float, motion: Motion, log: Log, s: Scratch
) -> None:
    """Take the step from t to t_end over. s.near, s.far: the drives in its middle and at its end. Called by address.

    The time has been set to the end; with contacts it is the middle afterwards.
    """
    sizes, n = memory.sizes, motion.q.size
    touched = touching(e, motion)
    motion.total[2] += s.taken[0] + damped_away(e, method, h, motion, s)
    if e.flowing:
        flows(e, s.far, s.q, s.v, s.lam, s, s.flow)
    s.answer[0] = 0.0
    if e.gap_places.size:
        call(e.events[END], e, motion, h, t, touched, log, s)
    released = bool(s.answer[0] > 0.0)
    if e.flowing:
        for c in range(2):
            s.flow_mid[c] = 0.5 * (motion.flow[c] + s.flow[c])
        if touched:  # end_contacts has been in the middle
            flows(e, s.near, s.q_mid, s.v_mid, s.lam_mid, s, s.flow_mid)
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
    s.known[0] = s.known[1]
    if s.known[1]:
        assign_table(e.work.start, e.work.end)
    if released:  # the average forgets the push of the contact. See `AlphaStepper._renewed`
        assign(motion.w, motion.a)
        motion.jerk[:] = 0.0
        sizes[LAST] = 0.0
    log.times[log.filled[0]] = t_end
    log.filled[0] += 1


@kernel(plain=True, part=True)
def begin_contacts(e: Equations, method: Method, memory: Memory, t: float, motion: Motion, log: Log, s: Scratch) -> bool:
    """Contacts that start here; False where a force jumps."""
    if not set_time(e, t, s):
        return False
    call(e.events[TOUCH], e, method, motion, memory.sizes[STEP], t, log, s)
    fine = bool(s.answer[0] > 0.0)
    call(e.calls.gap_inflow, e.gaps, e.work, motion.history, motion.q, motion.v, s.inflow)
    return fine and bool(s.fine[0] == 1)


@kernel(plain=True, part=True)
def whole_step(e: Equations, method: Method, memory: Memory, series: Array, k: int, h: float, t: float,
               motion: Motion, log: Log, s: Scratch) -> bool:  # fmt: skip
    """Step k of size h from t, cut where contacts start; False where the open path has to look into it."""
    contacts = e.gap_places.size > 0
    x, end, cut, fine, stuck = 0.0, 1.0, False, True, False
    for _ in range(PIECES):
        size = h if x == 0.0 and end == 1.0 else (end - x) * h
        drives(e, series, k, x, h, s.near)
        drives(e, series, k, end, h, s.far)
        s.answer[0] = 0.0
        if set_time(e, t + end * h, s):
            call(e.events[TRY], e, method, memory, size, motion, s)
        fine = s.answer[0] > 0.0
        if not fine:
            break
        s.answer[0] = -1.0
        if contacts and not cut:
            call(e.events[FIRST], e, motion, size, s)
        share = s.answer[0]
        at_start = 0.0 <= share < method.least and not stuck  # then it is no step at all
        if 0.0 <= share < 1.0 - method.least and not at_start:
            end, cut = x + max(share, method.least) * (1.0 - x), True
            continue
        if not at_start:
            if touching(e, motion):
                drives(e, series, k, 0.5 * (x + end), h, s.near)
            call(e.events[TAKE], e, method, memory, size, t + x * h, t + end * h, motion, log, s)
            x, fine = end, s.fine[0] == 1
        if fine and (share >= 0.0 or cut):
            memory.numbers[CONTACTS] += 0 if at_start else 1
            before = log.filled[1]
            fine = begin_contacts(e, method, memory, t + x * h, motion, log, s)
            stuck = at_start and log.filled[1] == before  # it has not quite landed
        end, cut = 1.0, False
        if not fine or 1.0 - x <= 1e-9:
            break
    return fine and 1.0 - x <= 1e-9


@kernel(plain=True, part=True)
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


@kernel(plain=True, part=True)
def keep(motion: Motion, memory: Memory, log: Log, kept: Kept) -> None:
    copy(motion, kept.motion)
    assign(kept.numbers, memory.numbers)
    assign(kept.sizes, memory.sizes)
    assign(kept.filled, log.filled)


@kernel(plain=True, part=True)
def undo(motion: Motion, memory: Memory, log: Log, kept: Kept) -> None:
    """Back to what was kept, but for what has been counted."""
    copy(kept.motion, motion)
    for count in (ITERATIONS, FACTORIZATIONS, REJECTED):
        kept.numbers[count] = memory.numbers[count]
    kept.numbers[FACTORED] = 0
    assign(memory.numbers, kept.numbers)
    assign(memory.sizes, kept.sizes)
    assign(log.filled, kept.filled)


@kernel(plain=True, part=True)
def begin(e: Equations, near: Inputs, t: float, motion: Motion, s: Scratch) -> bool:
    """What flows at the start, t; False where a function of time has failed. near: the drives there."""
    s.known[0] = 0
    if not set_time(e, t, s):
        return False
    if e.gap_places.size:
        call(e.calls.gap_inflow, e.gaps, e.work, motion.history, motion.q, motion.v, s.inflow)
    if e.flowing:
        flows(e, near, motion.q, motion.v, motion.lam, s, motion.flow)
    return bool(s.fine[0] == 1)


@kernel(plain=True, part=True)
def full(e: Equations, log: Log) -> bool:
    """Might the pieces of one more step be too many?"""
    stations = e.gaps.stations.joint.size
    return bool(log.filled[0] > log.times.size - PIECES or log.filled[1] > log.events.shape[0] - 2 * PIECES * stations)


@kernel(plain=True)
def stretch(
    e: Equations, method: Method, h: float, times: Array, series: Array, motion: Motion, memory: Memory,
    log: Log, kept: Kept, s: Scratch,
) -> int:  # fmt: skip
    """Steps of size h from times[0] to the other times, with the drives' inputs at all of them.

    Returns the number of steps done; `motion` is the state there.
    """
    drives(e, series, 1, 0.0, h, s.near)
    if not begin(e, s.near, times[0], motion, s):
        return 0
    for k in range(1, times.size):
        if full(e, log):
            return k - 1
        keep(motion, memory, log, kept)
        if not whole_step(e, method, memory, series, k, h, times[k - 1], motion, log, s):
            undo(motion, memory, log, kept)
            return k - 1
        log.times[log.filled[0] - 1] = times[k]
    return times.size - 1
