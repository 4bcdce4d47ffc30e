"""Energy ledger: what is stored, what was dissipated, what was put in, and what does not add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State

Array = NDArray[np.float64]


class Flows(NamedTuple):
    """Power at an instant, W."""

    supplied: float  # by applied forces and drives
    dissipated: float  # in force elements


def flows(system: System, state: State) -> Flows:
    """Power of forces, dampers and drives."""
    elements = system.element_energy(state.t, state.q, state.v)
    return Flows(elements.supplied + system.drive_power(state.t, state.q, state.lam), elements.dissipated)


def accumulated(system: System, states: Sequence[State]) -> list[tuple[float, float]]:
    """Work and dissipation from the first state on, by the trapezoidal rule between the given ones."""
    t, power = np.array([state.t for state in states]), np.array([flows(system, state) for state in states])  # (n, 2)
    steps = 0.5 * np.diff(t)[:, None] * (power[1:] + power[:-1])
    totals = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    return [(float(work), float(dissipated)) for work, dissipated in totals]


@dataclass(frozen=True)
class Energy:
    """Energies of every frame, J; potential is that of gravity, zero at the start.

    work: done by applied forces and drives since the start
    dissipated: by dampers and other force elements since the start
    balance: kinetic + elastic + potential + dissipated - work, minus its value at the start: what the time integration
             added (> 0) or damped away (< 0)
    """

    kinetic: Array
    elastic: Array
    potential: Array
    dissipated: Array
    work: Array

    @property
    def balance(self) -> Array:
        total = self.kinetic + self.elastic + self.potential + self.dissipated - self.work
        difference: Array = total - total[0]
        return difference


def ledger(system: System, states: Sequence[State], entries: Sequence[tuple[float, float]]) -> Energy:
    """The ledger of recorded frames; entries: (work, dissipated) up to each."""
    work, dissipated = np.array(entries).reshape(-1, 2).T
    return Energy(
        kinetic=np.array([system.kinetic_energy(s.v) for s in states]),
        elastic=np.array([system.element_energy(s.t, s.q, s.v).stored for s in states]),
        potential=np.array([system.potential_energy(s.q) for s in states]),
        dissipated=dissipated,
        work=work,
    )
