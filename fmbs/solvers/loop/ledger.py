"""A step that is accepted: its energies, what contacts remember, and the state that the next one begins with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import POWER
from fmbs.jit.assign_kernels import assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.alpha import damped_away
from fmbs.solvers.loop.contacts import forget, touching
from fmbs.solvers.loop.equations import inertia, part_force, set_time
from fmbs.solvers.loop.tables import Inputs, Run

Array = NDArray[np.float64]


@kernel(plain=True, part=True)
def product(a: Array, b: Array) -> float:
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@kernel(plain=True, part=True)
def flows(r: Run, inputs: Inputs, q: Array, v: Array, lam: Array, out: Array) -> None:
    """Power that loads and drives supply, and that elements and dampers dissipate, W  # (2,)."""
    e, s = r.equations, r.scratch
    out[0] = drive_power(r, inputs, q, lam) if e.driven else 0.0
    out[1] = 0.0
    parts, f = e.parts, s.force_mid
    for k in range(parts.table.size):
        if parts.is_load[k]:
            part_force(r, k, q, v, f)
            out[0] -= product(f, v)
        elif parts.damped[k]:  # the part of the force that is not there at rest
            part_force(r, k, q, s.still, f)
            out[1] -= product(f, v)
            part_force(r, k, q, v, f)
            out[1] += product(f, v)
        if parts.power[k]:
            call(POWER, parts.power[k], parts.table[k], q, v, out)
    if e.damped:
        for i in range(v.size):
            s.x[i] = e.drag[i] * v[i]
        inertia(r, s.x, f)
        out[1] += product(f, v)


@kernel(plain=True, part=True)
def drive_power(r: Run, inputs: Inputs, q: Array, lam: Array) -> float:
    """lam . Phi_t, W."""
    e, s = r.equations, r.scratch
    s.answer[0] = product(lam, inputs.minus_c[1])
    call(slots.CONSTRAINT_POWER, e.calls.constraint_power, e.vectors, e.terms, inputs.weights[1], q, lam, s.u, s.answer)
    return float(s.answer[0])


@kernel(plain=True, part=True)
def begin(r: Run, near: Inputs, t: float) -> None:
    """What flows at the start of a stretch, t. near: the drives there."""
    e, motion, s = r.equations, r.motion, r.scratch
    s.known[0] = 0
    set_time(e, t)
    if e.gap_places.size:
        call(slots.GAP_INFLOW, e.calls.gap_inflow, e.gaps, e.work, motion.history, motion.q, motion.v, s.inflow)
    if e.flowing:
        flows(r, near, motion.q, motion.v, motion.lam, motion.flow)


@kernel(plain=True)
def accept(r: Run, h: float, t: float, t_end: float) -> None:
    """Take the step from t to t_end over. s.near, s.far: the drives in its middle and at its end.

    The time has been set to the end; with contacts it is the middle afterwards.
    """
    e, motion, s = r.equations, r.motion, r.scratch
    touched = touching(r)
    motion.total[2] += s.taken[0] + damped_away(r, h)
    if e.flowing:
        flows(r, s.far, s.q, s.v, s.lam, s.flow)
    s.answer[0] = 0.0
    if e.gap_places.size:
        call(slots.END, e.events[slots.AT_END], r, h, t, touched)
    released = bool(s.answer[0] > 0.0)
    if e.flowing:
        for c in range(2):
            s.flow_mid[c] = 0.5 * (motion.flow[c] + s.flow[c])
        if touched:  # the middle of the step is known
            flows(r, s.near, s.q_mid, s.v_mid, s.lam_mid, s.flow_mid)
        for c in range(2):
            motion.total[c] += h / 6.0 * (motion.flow[c] + 4.0 * s.flow_mid[c] + s.flow[c])
            motion.flow[c] = s.flow[c]
    for i in range(motion.q.size):
        motion.jerk[i] = (s.w[i] - s.w_0[i]) / h
        motion.w[i] = s.w[i]
    moved(r, h, t_end, released)


@kernel(plain=True, part=True)
def moved(r: Run, h: float, t_end: float, released: bool) -> None:
    """The motion is where the step of size h has led. released: has a contact ended?"""
    e, memory, motion, log, s = r.equations, r.memory, r.motion, r.log, r.scratch
    for i in range(motion.q.size):
        motion.last_a[i] = motion.a[i]
        motion.q[i], motion.v[i], motion.a[i] = s.q[i], s.v[i], s.a[i]
    for i in range(motion.lam.size):
        motion.last_lam[i] = motion.lam[i]
        motion.lam[i] = s.lam[i]
    memory.sizes[tables.STEP], memory.sizes[tables.LAST] = h, h
    s.known[0] = s.known[1]
    if s.known[1]:
        assign_table(e.work.start, e.work.end)
    if released:
        forget(r)
    log.times[log.filled[0]] = t_end
    log.filled[0] += 1
    memory.numbers[tables.STEPS] += 1
