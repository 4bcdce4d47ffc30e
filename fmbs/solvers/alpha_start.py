"""How generalized-alpha starts: values that belong to the method, and a first step for error control."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.saddle import accelerations
from fmbs.solvers.slow_motion import SlowMotion

Array = NDArray[np.float64]

FAR_AHEAD = 0.25  # of a step: where the first average belongs to a time further off, q^(4) counts
FIRST_STEP = 1e-2  # of the run, at most


def starting_values(
    system: System, linear: LinearSolver, state: State, h: float, *, ahead: float, b: float, error_constant: float
) -> State:
    """A state with which multipliers are second order from the first step on.

    Accelerations are those of the motion that the step can follow. The average w is the acceleration at t + ahead h. The method
    keeps q on the constraints with velocities that are off by c h^2 q^(3) across them (Arnold, Cardona & Bruels 2016): starting
    with that offset saves the multipliers an error of order h that dies out over the first steps.

    ahead: am - af; b: da/dq of a step; error_constant: c
    """
    slow = SlowMotion(system, linear, b, snap=abs(ahead) > FAR_AHEAD)
    a, lam, jerk, snap = slow.derivatives(state, h)
    w = a + ahead * h * (jerk + 0.5 * ahead * h * snap)
    across = system.constraint_jacobian(state.t, state.q) @ jerk
    across *= system.mass_scale * error_constant * h * h
    offset = slow.factor(state.t, state.q).solve(np.concatenate([np.zeros(system.size), across]))[: system.size]
    return replace(state, v=state.v + offset, a=a, lam=lam, memory=np.stack([w, jerk]), h=h)


def first_step(
    system: System, linear: LinearSolver, state: State, tolerance: float, t_end: float, error_constant: float
) -> float:
    """The step whose local error, estimated from the jerk, just meets the tolerance of error control."""
    jerk = float(np.abs(_jerk(system, linear, state) / system.scale).max(initial=0.0))
    return float(min(np.sqrt(tolerance / (t_end * abs(error_constant) * jerk + 1e-300)), FIRST_STEP * t_end))


def _jerk(system: System, linear: LinearSolver, state: State) -> Array:
    """q''' by a difference of accelerations over a short time, with all vibrations: error control follows them.

    state: a consistent one, with accelerations of its own
    """
    speed = float(np.abs(state.v / system.scale).max(initial=0.0))
    push = float(np.sqrt(np.abs(state.a / system.scale).max(initial=0.0)))
    dt = 1e-5 / max(speed, push, 1e-5)
    q, v = state.q + dt * state.v + 0.5 * dt * dt * state.a, state.v + dt * state.a  # on the constraints to O(dt^3)
    then, _ = accelerations(system, linear, state.t + dt, q, v)
    jerk: Array = (then - state.a) / dt
    return jerk
