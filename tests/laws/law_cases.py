"""One contact, as joints evaluate it: by the kernel of its law."""

from __future__ import annotations

from functools import cache

import numpy as np

import fmbs as fm
from fmbs.laws.law_kernels import contact_load, friction_load


@cache
def compiled(law: fm.contact.ContactLaw | fm.friction.FrictionLaw) -> tuple[int, np.ndarray]:
    """Address and parameters."""
    return law.address(), law.row()


def contact(law: fm.contact.ContactLaw, *arguments: float) -> tuple[float, ...]:
    """Force, dF/ddepth, dF/drate, memory, stored energy. arguments: depth, rate, impact speed, depth_0, memory_0, h."""
    out = np.full(5, np.nan)
    contact_load(*compiled(law), *arguments, True, out)
    return tuple(out)


def friction(law: fm.friction.FrictionLaw, *arguments: float, states: np.ndarray | None = None) -> np.ndarray:
    """mu (2), its derivatives (4), the bristle (2), further states. arguments: slip (2), slip_0 (2), z_0 (2), h."""
    states = np.zeros(law.further_states) if states is None else states
    out = np.full(8 + states.size, np.nan)
    friction_load(*compiled(law), *arguments, True, states, out)
    return out


def branch(K: float, c: float, K_0: float) -> fm.contact.Maxwell:
    """A Maxwell branch, with a spring beside it if K_0 > 0."""
    if K_0 > 0.0:
        return fm.contact.StandardLinearSolid(stiffness=K, damping=c, parallel_stiffness=K_0)
    return fm.contact.Maxwell(stiffness=K, damping=c)
