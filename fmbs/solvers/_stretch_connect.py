"""Kernels of the compiled driver, asked for by address.

What they are compiled for depends on the kinds of tables only, and these are the same for all models: `ask_for_core` names
most of them before there is any system, so that another process can compile them meanwhile.
"""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

import numpy as np

from fmbs.assembly.constraint_kernels import (
    TermTable,
    constraint_power,
    constraint_rates,
    constraint_residual,
    constraint_tangent,
)
from fmbs.core.vectors import VectorTable
from fmbs.gaps.contact_kernels import Stations
from fmbs.gaps.film_kernels import Films
from fmbs.gaps.joint_kernels import gap_end, gap_force, gap_force_here, gap_inflow, gap_move, gap_slopes, gap_tangent, gap_wear
from fmbs.gaps.joint_tables import CALLS, TANGENT, WEAR, Gaps, Layout, Work, work_of
from fmbs.jit.calls import address_of
from fmbs.solvers import _stretch_tables as tables
from fmbs.solvers._paced_kernels import paced_stretch
from fmbs.solvers._stretch_contacts import end_contacts, first_contact, touch
from fmbs.solvers._stretch_kernels import accept, inputs_at, stretch
from fmbs.solvers._stretch_newton import calm, step
from fmbs.solvers._stretch_tables import (
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
    line, rows, h = np.zeros(1), np.zeros((1, 1)), 0.0
    return Calls(
        address_of(constraint_power, vectors, terms, line, line, line, rows, line),
        address_of(constraint_residual, vectors, terms, line, line, line, rows, line, line),
        address_of(constraint_tangent, vectors, terms, line, line, line, rows, h, h, line),
        address_of(constraint_rates, vectors, terms, rows, line, line, rows, rows, line),
        *((
            address_of(gap_move, gaps, work, line, line, rows),
            address_of(gap_force, gaps, work, rows, h, line, line, line),
            address_of(gap_force_here, gaps, work, line, line),
            address_of(gap_slopes, gaps, work, rows, h, line, line, h, h, line),
            address_of(gap_inflow, gaps, work, rows, line, line, line),
            address_of(gap_end, gaps, work, rows, h, line, line, np.zeros(1, np.int64), line),
        ) if contacts else (0, 0, 0, 0, 0, 0)),
    )  # fmt: skip


def connect(driven: Driven, contacts: bool, paced: bool) -> None:
    """The kernels of a step, and the loop. paced: by error control."""
    e, method, motion, memory, log, kept, s = driven
    line, inputs, x = np.zeros(1), np.zeros((1, 1, 1)), 0.0
    e.events[tables.DRIVES] = address_of(inputs_at, e, inputs, 1, x, x, s.near)
    e.events[tables.TAKE] = address_of(accept, e, method, memory, x, x, x, motion, log, s)
    if contacts:
        e.events[tables.FIRST] = address_of(first_contact, e, motion, x, s)
        e.events[tables.TOUCH] = address_of(touch, e, method, motion, x, x, log, s)
        e.events[tables.END] = address_of(end_contacts, e, motion, x, x, True, log, s)
        e.gaps.layout.calls[TANGENT] = address_of(gap_tangent, e.gaps, e.work, line, line, x, x, line)
        if e.gaps.stations.wear.size:
            e.gaps.layout.calls[WEAR] = address_of(gap_wear, e.gaps, e.work, motion.history, x, line, line)
    if e.elastic:
        e.events[tables.CALM] = address_of(calm, e, method, memory, x, x, s)
    e.events[tables.TRY] = address_of(step, e, method, memory, x, motion, s)
    if paced:
        control = Control(x, x, x, x, x, x)
        address_of(paced_stretch, e, method, control, x, 1, line, inputs, motion, memory, log, kept, line, line, s)
    else:
        address_of(stretch, e, method, x, line, inputs, motion, memory, log, kept, s)


def ask_for_core(contacts: bool, paced: bool) -> None:
    """Ask for the kernels that do not depend on bodies, forces and the matrix, with empty tables."""
    connect(_empty(contacts), contacts, paced)


def _empty(contacts: bool) -> Driven:
    line, whole, short = np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int32)
    gaps, terms = no_gaps(), TermTable(whole, whole, whole)
    work, vectors, one = work_of(gaps), gaps.vectors, np.zeros(1, np.int64)
    equations = Equations(
        vectors, terms, short, short, line, short, line, False, line, short, line, np.zeros((0, 2), np.int64), False, 1.0, 1.0,
        False, whole, whole, False, Parts(whole, whole, whole, whole, one, short, line, whole, whole, whole, whole), gaps, work,
        short, calls_of(vectors, terms, gaps, work, contacts), np.zeros(tables.EVENTS, np.int64),
    )  # fmt: skip
    method = Method(**{field.name: 0.0 if field.type == "float" else 0 for field in fields(Method)})  # type: ignore[arg-type]
    memory = Memory(Matrix(line, 0, 0, 0, one), np.zeros(tables.NUMBERS, np.int64), np.zeros(tables.SIZES))
    motion, log = motion_of(equations, 0), log_of(equations, 0)
    none = np.zeros((3, 0))
    return Driven(
        equations, method, motion, memory, log, kept_of(motion, memory, log), scratch_of(equations, none, none, one.copy())
    )
