"""Kinematic analysis of fully driven models (Muvengi2011 eqs 17-23), with the reactions of inverse dynamics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.errors import ModelError
from fmbs.core.state import State
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.projection import project_position, project_velocity
from fmbs.solvers.saddle import accelerations

Array = NDArray[np.float64]

MOST_PARTS = 2000  # between two times that are asked for


def driven_motion(system: System, linear: LinearSolver, start: State, times: Array) -> list[State]:
    """Phi(q, t) = 0, Phi_q v = -Phi_t and the accelerations with their multipliers, at every time in turn.

    Between two times it goes in small parts, so that Newton's method stays on the branch of the mechanism.
    """
    free = system.size - system.multipliers
    if free:
        raise ModelError(
            f"kinematics: {free} degree{'s' if free > 1 else ''} of freedom of the model {'are' if free > 1 else 'is'} not "
            "driven; add drives (RotationDrive, TranslationDrive) or use m.simulate(...)."
        )
    t, q, v, a = start.t, start.q, start.v, start.a
    states = []
    for target in times.tolist():
        parts = 0
        while t < target:
            parts += 1
            if parts > MOST_PARTS:
                raise ModelError(
                    f"kinematics: t = {target:g} s is too far from the time before it: {MOST_PARTS} small parts of the motion, "
                    f"of 0.2 rad or less each, lead to {t:g} s only. Ask for times in between too, or for an earlier one."
                )
            speed = float(np.abs(v / system.scale).max(initial=0.0))
            push = float(np.sqrt(np.abs(a / system.scale).max(initial=0.0)))
            dt = min(target - t, 0.2 / max(speed, push, 1e-12))
            guess = q + dt * v + 0.5 * dt * dt * a
            t = target if dt == target - t else t + dt
            q = project_position(system, linear, t, guess)
            v = project_velocity(system, linear, t, q, v + dt * a)
            a, lam = accelerations(system, linear, t, q, v)
        if t == start.t:
            lam = start.lam
        states.append(State(t, q, v, a, lam, a))
    return states
