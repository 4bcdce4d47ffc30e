"""Kernels of the loop, asked for by address.

What they are compiled for depends on the kinds of tables only, and these are the same for all models: `ask_for_core` names
most of them before there is any system, so that another process can compile them meanwhile.
"""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

import numpy as np

from fmbs.assembly import constraint_kernels as constraints
from fmbs.assembly.constraint_kernels import TermTable, term_table
from fmbs.core.vectors import VectorTable
from fmbs.gaps import joint_kernels as joints
from fmbs.gaps.contact_kernels import Stations
from fmbs.gaps.film_kernels import Films
from fmbs.gaps.joint_tables import CALLS, GAP_TANGENT, GAP_WEAR, TANGENT, WEAR, Gaps, Layout, Work, work_of
from fmbs.jit.calls import ask_for
from fmbs.solvers.loop import slots
from fmbs.solvers.loop.alpha import calm, step
from fmbs.solvers.loop.contacts import end_contacts, first_contact, touch
from fmbs.solvers.loop.equations import noise
from fmbs.solvers.loop.ledger import accept
from fmbs.solvers.loop.run import drives_inside, run
from fmbs.solvers.loop.tables import (
    NUMBERS,
    SIZES,
    Calls,
    Control,
    Equations,
    Kept,
    Log,
    Memory,
    Method,
    Motion,
    Parts,
    Scratch,
    kept_of,
    log_of,
    motion_of,
    scratch_of,
)
from fmbs.solvers.storage.base import Matrix


class Driven(NamedTuple):
    """All that the kernels take."""

    equations: Equations
    method: Method
    motion: Motion
    memory: Memory
    log: Log
    kept: Kept
    scratch: Scratch


def no_gaps() -> Gaps:
    """The tables of a model without clearance joints."""
    floats, whole, starts = np.zeros(0), np.zeros(0, np.int64), np.zeros(1, np.int64)
    rows, wide = np.zeros((0, 3)), np.zeros((0, 8))
    return Gaps(
        VectorTable(whole, starts, floats, whole, whole),
        Stations(whole, whole, rows, rows, floats, floats, whole, wide, whole, wide, np.zeros((0, 0)), floats),
        Films(whole, whole, whole, floats, floats, floats, whole, wide, floats, whole),
        Layout(whole, starts, whole, starts, np.zeros(CALLS, np.int64)),
    )


def calls_of(vectors: VectorTable, terms: TermTable, gaps: Gaps, work: Work, contacts: bool) -> Calls:
    """Kernels that have a Python caller too. contacts: are there clearance joints?"""
    return Calls(
        slots.CONSTRAINT_POWER.address(constraints.constraint_power, vectors, terms),
        slots.CONSTRAINT_RESIDUAL.address(constraints.constraint_residual, vectors, terms),
        slots.CONSTRAINT_TANGENT.address(constraints.constraint_tangent, vectors, terms),
        slots.CONSTRAINT_RATES.address(constraints.constraint_rates, vectors, terms),
        slots.CONSTRAINT_ACCELERATIONS.address(constraints.constraint_accelerations, vectors, terms) if contacts else 0,
        *((
            slots.GAP_MOVE.address(joints.gap_move, gaps, work),
            slots.GAP_FORCE.address(joints.gap_force, gaps, work),
            slots.GAP_FORCE_HERE.address(joints.gap_force_here, gaps, work),
            slots.GAP_SLOPES.address(joints.gap_slopes, gaps, work),
            slots.GAP_INFLOW.address(joints.gap_inflow, gaps, work),
            slots.GAP_END.address(joints.gap_end, gaps, work),
        ) if contacts else (0, 0, 0, 0, 0, 0)),
    )  # fmt: skip


def connect(driven: Driven, contacts: bool) -> None:
    """The kernels of a step, and the loop."""
    e, method, motion, memory, log, kept, s = driven
    e.events[slots.AT_DRIVES] = slots.DRIVES.address(drives_inside, e, s.near)
    e.events[slots.AT_TAKE] = slots.TAKE.address(accept, e, method, memory, motion, log, s)
    e.events[slots.AT_NOISE] = slots.NOISE.address(noise, e, method, memory, s.near, motion, s)
    if contacts:
        e.events[slots.AT_FIRST] = slots.FIRST.address(first_contact, e, motion, s)
        e.events[slots.AT_TOUCH] = slots.TOUCH.address(touch, e, method, memory, s.near, motion, log, s)
        e.events[slots.AT_END] = slots.END.address(end_contacts, e, motion, log, s)
        e.gaps.layout.calls[TANGENT] = GAP_TANGENT.address(joints.gap_tangent, e.gaps, e.work)
        if e.gaps.stations.wear.size:
            e.gaps.layout.calls[WEAR] = GAP_WEAR.address(joints.gap_wear, e.gaps, e.work)
    if e.elastic:
        e.events[slots.AT_CALM] = slots.CALM.address(calm, e, method, memory, s)
    e.events[slots.AT_TRY] = slots.TRY.address(step, e, method, memory, motion, s)
    control = Control(*(0.0 for _ in fields(Control)))
    line, inputs = np.zeros(1), np.zeros((1, 1, 1))
    ask_for(run, e, method, control, 0.0, 1, line, inputs, motion, memory, log, kept, line, line, s)


def ask_for_core(contacts: bool) -> None:
    """Ask for the kernels that do not depend on bodies, forces and the matrix, with empty tables."""
    connect(_empty(contacts), contacts)


def _empty(contacts: bool) -> Driven:
    line, whole, short = np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int32)
    gaps, terms = no_gaps(), term_table(whole, whole, whole, 0)
    work, vectors, one = work_of(gaps), gaps.vectors, np.zeros(1, np.int64)
    parts = Parts(0, whole, whole, whole, whole, one, short, line, whole, whole, whole, whole)
    equations = Equations(
        vectors=vectors, terms=terms, mass_indptr=short, mass_indices=short, mass_data=line, mass_places=short,
        drag=line, damped=False, weight=line, constraint_places=short, gradient=np.zeros((0, 3), np.int64), signs=line,
        far=False, scale=line, directions=np.zeros((0, 2), np.int64), elastic=False, mass_scale=1.0, length_scale=1.0,
        driven=False, phased_terms=whole, driven_rows=whole, flowing=False, parts=parts, gaps=gaps, work=work,
        gap_places=short, calls=calls_of(vectors, terms, gaps, work, contacts), events=np.zeros(slots.EVENTS, np.int64),
    )  # fmt: skip
    method = Method(**{field.name: 0.0 if field.type == "float" else 0 for field in fields(Method)})  # type: ignore[arg-type]
    memory = Memory(Matrix(line, 0, 0, 0, one), np.zeros(NUMBERS, np.int64), np.zeros(SIZES))
    motion, log = motion_of(equations, 0), log_of(equations, 0)
    none = np.zeros((3, 0))
    return Driven(
        equations, method, motion, memory, log, kept_of(motion, memory, log), scratch_of(equations, none, none, one.copy())
    )
