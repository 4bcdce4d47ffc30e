"""Kernels of the loop, asked for by address.

What they are compiled for depends on the kinds of tables only, and these are the same for all models: `ask_for_core` names
most of them before there is any system, so that another process can compile them meanwhile.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from fmbs.assembly import constraint_kernels as constraints
from fmbs.assembly.constraint_kernels import TermTable, term_table
from fmbs.assembly.mass_product import mass_rows
from fmbs.core.vectors import VectorTable
from fmbs.gaps import joint_kernels as joints
from fmbs.gaps.contact_kernels import Stations
from fmbs.gaps.film_kernels import Films
from fmbs.gaps.joint_tables import CALLS, GAP_TANGENT, GAP_WEAR, TANGENT, WEAR, Gaps, Layout, Work, work_of
from fmbs.jit.calls import ask_for
from fmbs.math.coordinate_weights import WeightTable
from fmbs.solvers.loop import slots
from fmbs.solvers.loop.alpha import calm, step
from fmbs.solvers.loop.contacts import end_contacts, first_contact, touch
from fmbs.solvers.loop.equations import noise
from fmbs.solvers.loop.ledger import accept
from fmbs.solvers.loop.letting_go import end_memory, hidden_memory, let_go
from fmbs.solvers.loop.radau import radau_accept, radau_step
from fmbs.solvers.loop.run import drives_inside, run
from fmbs.solvers.loop.stage_memory import stage_loads, stage_memory, start_memory
from fmbs.solvers.loop.stage_slopes import stage_slopes
from fmbs.solvers.loop.tables import (
    Calls,
    Control,
    Equations,
    Memory,
    Method,
    Parts,
    Run,
    kept_of,
    log_of,
    motion_of,
    no_stages,
    scratch_of,
)
from fmbs.solvers.storage.base import Matrix


class Kernels(NamedTuple):
    """What an integrator is: a step, tried, and taken over."""

    step: Any
    accept: Any


ALPHA, RADAU = Kernels(step, accept), Kernels(radau_step, radau_accept)


def no_gaps() -> Gaps:
    """The tables of a model without clearance joints."""
    floats, whole, starts = np.zeros(0), np.zeros(0, np.int64), np.zeros(1, np.int64)
    rows, wide = np.zeros((0, 3)), np.zeros((0, 8))
    return Gaps(
        VectorTable(whole, starts, floats, whole, whole),
        Stations(
            whole,
            whole,
            rows,
            rows,
            floats,
            floats,
            whole,
            wide,
            whole,
            wide,
            whole,
            whole,
            np.zeros((0, 0)),
            floats,
            floats,
            whole,
            whole,
        ),
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


def connect(r: Run, contacts: bool, kernels: Kernels = ALPHA) -> None:
    """The kernels of a step, and the loop."""
    e, inputs = r.equations, r.scratch.near
    events, layout = e.events, e.gaps.layout
    events[slots.AT_DRIVES] = slots.DRIVES.address(drives_inside, e, inputs)
    events[slots.AT_TAKE] = slots.TAKE.address(kernels.accept, r)
    events[slots.AT_NOISE] = slots.NOISE.address(noise, r, inputs)
    if contacts:
        events[slots.AT_FIRST] = slots.FIRST.address(first_contact, r)
        events[slots.AT_TOUCH] = slots.TOUCH.address(touch, r, inputs)
        events[slots.AT_END] = slots.END.address(end_contacts, r)
        layout.calls[TANGENT] = GAP_TANGENT.address(joints.gap_tangent, e.gaps, e.work)
        if e.gaps.stations.wear.size:
            layout.calls[WEAR] = GAP_WEAR.address(joints.gap_wear, e.gaps, e.work)
    if contacts and kernels is RADAU:
        events[slots.AT_HIDDEN] = slots.HIDDEN_MEMORY.address(hidden_memory, r)
        events[slots.AT_MEMORY_END] = slots.MEMORY_END.address(end_memory, r)
        events[slots.AT_LET_GO] = slots.LET_GO.address(let_go, r)
        stations = e.gaps.stations
        if stations.wear.size or stations.contact_memory.any() or stations.friction_memory.any():
            events[slots.AT_MEMORY_START] = slots.MEMORY_START.address(start_memory, r)
            events[slots.AT_MEMORY] = slots.MEMORY.address(stage_memory, r)
            events[slots.AT_LOADS] = slots.STAGE_LOADS.address(stage_loads, r)
            events[slots.AT_SLOPES] = slots.STAGE_SLOPES.address(stage_slopes, r)
    if e.elastic and kernels is ALPHA:
        events[slots.AT_CALM] = slots.CALM.address(calm, r)
    events[slots.AT_TRY] = slots.TRY.address(kernels.step, r)
    line = np.zeros(1)
    ask_for(run, r, 0.0, 1, line, np.zeros((1, 1, 1)), line, line)


def ask_for_core(contacts: bool, kernels: Kernels = ALPHA) -> None:
    """Ask for the kernels that do not depend on bodies, forces and the matrix, with empty tables."""
    line, whole, short = np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int32)
    gaps, terms = no_gaps(), term_table(whole, whole, whole, 0, WeightTable(whole, whole, whole, line, whole))
    work, vectors, one = work_of(gaps), gaps.vectors, np.zeros(1, np.int64)
    parts = Parts(0, whole, whole, whole, whole, one, short, line, whole, whole, whole, whole)
    e = Equations(
        vectors=vectors, terms=terms, mass=mass_rows(csr_matrix((0, 0))),
        mass_indptr=short, mass_data=line, mass_places=short,
        drag=line, damped=False, weight=line, constraint_places=short, gradient=np.zeros((0, 3), np.int64), signs=line,
        far=False, scale=line, per_scale=line, directions=np.zeros((0, 2), np.int64), elastic=False, mass_scale=1.0,
        length_scale=1.0, driven=False, phased_terms=whole, driven_rows=whole, flowing=False, parts=parts, gaps=gaps, work=work,
        gap_places=short, calls=calls_of(vectors, terms, gaps, work, contacts), events=np.zeros(slots.EVENTS, np.int64),
    )  # fmt: skip
    kinds: tuple[Any, ...] = (Method, Control)
    method, control = (kind(*(0.0 if f.type == "float" else 0 for f in fields(kind))) for kind in kinds)
    memory, none = Memory(Matrix(line, 0, 0, 0, one), whole, line), np.zeros((3, 0))
    scratch = scratch_of(e, none, none, one.copy())
    r = Run(e, method, control, motion_of(e, 0), memory, log_of(e, 0), kept_of(e, 0), scratch, no_stages(e))
    connect(r, contacts, kernels)
