"""Energy ledger: what is stored, what was dissipated, what was put in, and what does not add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.described import Described
from fmbs.core.state import State
from fmbs.solvers.flows import NUMERICAL, STATIONS, flows

Array = NDArray[np.float64]


def accumulated(system: System, states: Sequence[State]) -> list[Array]:
    """Integrals of `flows` from the first state on, by the trapezoidal rule between the given ones."""
    t, power = np.array([state.t for state in states]), np.array([flows(system, state) for state in states])
    steps = 0.5 * np.diff(t)[:, None] * (power[1:] + power[:-1])
    return list(np.concatenate([np.zeros((1, power.shape[1])), np.cumsum(steps, axis=0)]))


ENERGIES = ("kinetic", "elastic", "potential", "dissipated", "work", "contacts", "numerical")


@dataclass(frozen=True)
class Energy(Described, units=dict.fromkeys(ENERGIES, "J")):
    """Energies of every frame, J; potential is that of gravity, zero at the start.

    work: done by applied forces and drives since the start
    dissipated: by dampers, contacts and other force elements since the start
    contacts: what each contact station has dissipated since the start  # (frames, stations)
    numerical: taken out of the motion by the numerical damping of generalized-alpha since the start; other integrators do not
               tell
    balance: kinetic + elastic + potential + dissipated + numerical - work, minus its value at the start: what does not add
             up
    """

    kinetic: Array
    elastic: Array
    potential: Array
    dissipated: Array
    work: Array
    contacts: Array
    numerical: Array

    @property
    def balance(self) -> Array:
        total = self.kinetic + self.elastic + self.potential + self.dissipated + self.numerical - self.work
        difference: Array = total - total[0]
        return difference


def energy_row(system: System, state: State, totals: Array) -> dict[str, Any]:
    """Fields of `Energy` at one frame; totals: integrals of `flows` up to it."""
    system.contacts.begin(state.t, state.q, state.v, state.history)
    _, stored = system.contacts.exchange(state.t, state.q, state.v)
    contacts = totals[STATIONS:] - stored
    return {
        "kinetic": system.kinetic_energy(state.v),
        "elastic": system.element_energy(state.t, state.q, state.v).stored + stored.sum(),
        "potential": system.potential_energy(state.q),
        "dissipated": totals[1] + contacts.sum(),
        "work": totals[0],
        "numerical": totals[NUMERICAL],
        "contacts": contacts,
    }
