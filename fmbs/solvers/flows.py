"""Where energy flows at an instant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State

Array = NDArray[np.float64]

NUMERICAL = 2  # entry of the flows that the integrator counts itself, step by step
STATIONS = 3  # those of the contacts follow


def flows(system: System, state: State) -> Array:  # (3 + stations,)
    """Power at an instant, W: supplied by forces and drives, dissipated in force elements, taken by the integrator's damping,
    absorbed by each contact.
    """
    system.contacts.begin(state.t, state.q, state.v, state.history)
    elements = system.element_energy(state.t, state.q, state.v)
    absorbed, _ = system.contacts.exchange(state.t, state.q, state.v)
    supplied = elements.supplied + system.drive_power(state.t, state.q, state.lam)
    return np.concatenate([[supplied, elements.dissipated, 0.0], absorbed])
