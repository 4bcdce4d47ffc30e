"""Which integrator a run has: the one that is named, or the one that suits the model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fmbs.core.checks import shown
from fmbs.core.errors import ModelError
from fmbs.core.optional import JointWithClearance
from fmbs.laws.law import Law
from fmbs.laws.law_kernels import CONTACT, FRICTION_OUT, contact_after, friction_after
from fmbs.model import Model
from fmbs.solvers.generalized_alpha import GeneralizedAlpha
from fmbs.solvers.nonsmooth.stepper import TimeStepping
from fmbs.solvers.ode import OdeIntegrator
from fmbs.solvers.radau import SMALLEST_TOLERANCE, Radau

Integrator = GeneralizedAlpha | Radau | OdeIntegrator | TimeStepping
KINDS = (GeneralizedAlpha, Radau, OdeIntegrator, TimeStepping)

AUTO = "auto"
SWITCHES = "whose state switches between laws of motion of its own"
SILENT = "which tells no rate of what it remembers"
LOOSE, MANY = 5e-4, 500  # a tolerance and a number of coordinates from which on a step of second order is the cheaper one


class Chosen(NamedTuple):
    """An integrator, and why it was taken, in words; "" where the user has named it, or steps of equal size."""

    integrator: Integrator
    why: str


def chosen(
    model: Model, asked: Integrator | str | None, tangent: str, ranks: int, step: object, tolerance: float | None
) -> Chosen:
    """For `asked`; None: as "auto". ranks: number of processes that share the run."""
    name = model.name
    if asked is not None and not isinstance(asked, KINDS) and asked != AUTO:
        raise ModelError(
            f"{name}: integrator = {shown(asked)} is not an integrator; give 'auto', fm.GeneralizedAlpha(), fm.Radau(), "
            "fm.BaumgarteODE(), fm.AugmentedLagrangian(), fm.CoordinatePartitioning(), fm.MoreauJean() or fm.NonsmoothAlpha()."
        )
    if isinstance(asked, KINDS):
        return Chosen(asked, "")
    if step is not None or tolerance is None:
        return Chosen(GeneralizedAlpha(), "")
    if why := _second_order(model, tangent, ranks, tolerance):
        return Chosen(GeneralizedAlpha(), why)
    return Chosen(Radau(), "it meets a tolerance with the fewest steps")


def _second_order(model: Model, tangent: str, ranks: int, tolerance: float) -> str:
    """Why the model is one for generalized-alpha; "" where it is not."""
    if ranks > 1:
        return f"{ranks} processes share the run"
    if tangent != "exact":
        return f"tangent = {tangent!r}"
    if told := _forgetful_law(model):
        return told
    size = sum(body.size for body in model.bodies if body.batch is not None)
    if size >= MANY and tolerance >= LOOSE:
        return f"{size} coordinates of elastic bodies and a loose tolerance"
    return ""


def _forgetful_law(model: Model) -> str:
    """The first law whose memory has no rate, in words; "" where there is none."""
    for joint in model.forces:
        if isinstance(joint, JointWithClearance):
            for law in joint.contact, getattr(joint, "friction", None):
                if law is not None and _forgetful(law):
                    return f"{joint.label} has {type(law).__name__}, {SWITCHES if _ours(law) else SILENT}"
    return ""


def _forgetful(law: Law) -> bool:
    """Does it remember something of which it tells no rate? A kernel from elsewhere is asked at a few places."""
    if law.in_python or law.memory is not None:
        return False
    return law.remembers or (not _ours(law) and _writes(law))


def _ours(law: Law) -> bool:
    return type(law).__module__.startswith("fmbs.")


def _writes(law: Law) -> bool:
    """Has a kernel of unknown origin a memory? It writes one after a step."""
    if law.memory_slot is None:
        return False
    states = np.zeros(getattr(law, "further_states", 0))
    out = np.zeros(FRICTION_OUT + states.size)
    for size in np.logspace(-9, -2, 8):
        if law.slot is CONTACT:
            contact_after(law.address(), law.row(), size, out)
        else:
            friction_after(law.address(), law.row(), size, states, out)
        if (out[3:4] if law.slot is CONTACT else out[6:]).any():
            return True
    return False


def check_radau(model: Model, tangent: str) -> None:
    """What fm.Radau() cannot do."""
    name = model.name
    if tangent != "exact":
        raise ModelError(f"{name}: tangent = {tangent!r} is for fm.GeneralizedAlpha(); fm.Radau() takes tangent='exact'.")
    if told := _forgetful_law(model):
        raise ModelError(
            f"{name}: {told}: fm.Radau() would carry it to second order only. "
            + ("Make the law with memory= (docs/extending.md), or take" if SILENT in told else "Take")
            + " fm.GeneralizedAlpha()."
        )


def check_time_stepping(
    name: str, integrator: TimeStepping, tangent: str, step: float | None, tolerance: float | None
) -> None:  # fmt: skip
    """What fm.MoreauJean() and fm.NonsmoothAlpha() cannot do."""
    kind = type(integrator).__name__
    if step is None or tolerance is not None:
        raise ModelError(
            f"{name}: fm.{kind}() takes equal steps over impacts and has no error control; give step=, and no tolerance=. "
            "fm.GeneralizedAlpha() and fm.Radau() locate impacts and meet a tolerance."
        )
    if tangent != "exact":
        raise ModelError(f"{name}: tangent = {tangent!r} is for fm.GeneralizedAlpha(); fm.{kind}() takes tangent='exact'.")


def check_steps(name: str, step: float | None, tolerance: float | None) -> None:
    """One of them is given, and round-off allows it."""
    if (step is None) == (tolerance is None):
        given = "both step and tolerance" if step is not None else "neither step nor tolerance"
        raise ModelError(f"{name}: {given} given; give step= for a fixed step or tolerance= for error control.")
    if tolerance is not None and tolerance < SMALLEST_TOLERANCE:
        raise ModelError(
            f"{name}: tolerance = {tolerance:g} is below what round-off allows; the smallest that makes sense is "
            f"{SMALLEST_TOLERANCE:g}."
        )
