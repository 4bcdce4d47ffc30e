"""The energy ledger as a witness: it says when a run does not add up, and stops one that is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fmbs.assembly.system import System
from fmbs.core.defaults import ENERGY_TOLERANCE

LOST = 1.0  # of the energy exchanged: a run that misses more is stopped
PATIENCE = 10  # frames in a row in which it must be missing: the first steps exchange next to nothing
DAMPED = 0.1  # of the energy exchanged: what numerical damping takes beyond it is told
TINY = 1e-9  # of the energy that carries the model over its own length in the run: less is no motion
ROUND_OFF = 1e-12  # of the weight times the model's length


class UnbalancedEnergy(UserWarning):
    """The energy of a run does not add up: its results are not to be trusted."""


class NumericalDamping(UserWarning):
    """The integrator's own damping has taken a good part of the energy: the books add up, the motion is damped."""


class EnergyLost(Exception):
    """More energy is missing than was exchanged: the run need not go on."""


@dataclass
class Ledger:
    """What was seen of the energies of a run, J.

    total: kinetic + elastic + potential + dissipated + numerical - work at the start; stored: kinetic + elastic there
    work, low, high: the largest work, the least and the largest potential energy
    error, time: what was most missing (> 0: came from nowhere), and when, s
    damped, time_damped: what numerical damping has taken most, and when
    frames: how many were seen; bad: the last ones of them in which more was missing than was exchanged
    """

    total: float = 0.0
    stored: float = 0.0
    work: float = 0.0
    low: float = 0.0
    high: float = 0.0
    error: float = 0.0
    time: float = 0.0
    damped: float = 0.0
    time_damped: float = 0.0
    frames: int = 0
    bad: int = 0

    @property
    def exchanged(self) -> float:
        """Energy that was there to be exchanged: that of the start, the work of loads and drives, the fall."""
        return self.stored + self.work + self.high - self.low


@dataclass(frozen=True)
class Verdict:
    """share: of the energy exchanged that is missing at most, 0 where nothing moves; text: what to think of it, in words.

    warning: of what kind, None where it is within the tolerance and numerical damping within DAMPED
    lost: is more missing than was exchanged?
    """

    share: float
    text: str
    warning: type[UserWarning] | None = None
    lost: bool = False


class Witness:
    """Sees the energies of frames; tolerance: share of the energy exchanged that may be missing, None: any."""

    def __init__(self, system: System, t_end: float, tolerance: float | None = ENERGY_TOLERANCE) -> None:
        mass = system.ranks.sum(float(system.mass_matrix.diagonal()[system.lengths].sum()))
        length, weight = system.length_scale, float(np.abs(system.weight).max(initial=0.0))
        self._tiny = TINY * mass * (length / t_end) ** 2 + ROUND_OFF * weight * length  # J
        self._tolerance, self._ledger = tolerance, Ledger()

    def snapshot(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self._ledger)

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self._ledger = Ledger(**kept)

    def see(self, t: float, row: Mapping[str, Any]) -> None:
        """A row of `energy_row`. Raises EnergyLost where the run need not go on."""
        seen, numerical = self._ledger, float(row["numerical"])
        stored, potential, work = float(row["kinetic"] + row["elastic"]), float(row["potential"]), float(row["work"])
        total = stored + potential + float(row["dissipated"]) + numerical - work
        if not seen.frames:
            seen.total, seen.stored, seen.low, seen.high = total, abs(stored), potential, potential
        seen.frames += 1
        seen.work, seen.low, seen.high = max(seen.work, abs(work)), min(seen.low, potential), max(seen.high, potential)
        made = max(total - seen.total, -numerical)  # damping that gives energy has made it from nothing
        error = made if made > 0.0 and made >= seen.total - total else total - seen.total
        if abs(error) > abs(seen.error):
            seen.error, seen.time = error, t
        if numerical > seen.damped:
            seen.damped, seen.time_damped = numerical, t
        seen.bad = seen.bad + 1 if abs(error) > LOST * max(seen.exchanged, self._tiny) else 0
        if self._tolerance is not None and seen.bad >= PATIENCE:
            raise EnergyLost

    def verdict(self) -> Verdict:
        """What the energies say of the run so far."""
        seen = self._ledger
        if not seen.exchanged > self._tiny and abs(seen.error) <= self._tiny:
            return Verdict(0.0, "nothing moves: there is no energy to speak of")
        exchanged = max(seen.exchanged, self._tiny)
        share, damped = abs(seen.error) / exchanged, seen.damped / exchanged
        tolerance = np.inf if self._tolerance is None else self._tolerance
        warning: type[UserWarning] | None = None
        missing = f"{abs(seen.error):.3g} J, {_percent(share)} the {exchanged:.3g} J exchanged,"
        text = f"energy adds up to {_percent(share)} the {exchanged:.3g} J exchanged"
        if damped > DAMPED:
            text += f"; numerical damping took {_percent(damped)} that by t = {seen.time_damped:.4g} s"
            warning = None if self._tolerance is None else NumericalDamping
        if share > tolerance:
            text = f"{missing} {'came from nowhere' if seen.error > 0.0 else 'went missing'} by t = {seen.time:.4g} s"
            warning = UnbalancedEnergy
        return Verdict(share, text, warning, lost=self._tolerance is not None and share > LOST)


def _percent(share: float) -> str:
    return f"{100.0 * share:.2g} % of" if share < 0.995 else f"{share:.2g} times"
