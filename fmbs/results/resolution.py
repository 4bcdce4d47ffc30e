"""Steps that are too long for what happens in them: few to a turn, to an impact, to the squeeze of a film."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.optional import JointWithClearance
from fmbs.core.protocols import Part
from fmbs.core.state import State
from fmbs.core.tell import tell
from fmbs.results.contact_log import Impact

Array = NDArray[np.float64]

TURN = 20  # steps: fewer a turn are told; at 16 reactions are some percent off
IMPACT = 8  # steps: fewer an impact are told; with 10 twenty impacts miss 4 % of the energy, with 5 a third
SOFT = 0.1  # of the largest approach speed: contacts that start more softly graze, and are over at once
SQUEEZE = 0.5  # of its thickness that a film may lose in one step
ENOUGH = 4.0  # times the number of steps that is told


class CoarseSteps(UserWarning):
    """A fixed step is too long for a body that turns, an impact or a film: the first time that it is."""


class Resolution:
    """Watches a run with a fixed step, s; None: error control chooses it, nothing is said.

    told: what was said, in words
    """

    def __init__(self, system: System, name: str, step: float | None) -> None:
        self._system, self._name, self._step = system, name, step
        self._kinds: set[str] = set()  # of what was told: each once
        self._fastest = 0.0  # approach, m/s
        self.told: list[str] = []
        stations = enumerate(joint for joint, _ in system.contacts.names())
        self._films = [(k, joint) for k, joint in stations if isinstance(joint, JointWithClearance) and joint.film is not None]

    def see(self, state: State, turn: float = 0.0) -> None:
        """A state, and the largest turn of a body in a step since the last one that was seen, rad."""
        if self._step is None:
            return
        turn = max(turn, self._step * self._system.spin(state.v))
        if turn > 2.0 * np.pi / TURN:
            self._see_turn(state, turn)
        if self._films:
            self._see_films(state)

    def _see_turn(self, state: State, turn: float) -> None:
        system = self._system
        spins = [(system.spin_of(body, state.v), body.name) for body in system.dofs.bodies]
        body = max(spins)[1] if spins else ""
        steps, wanted = 2.0 * np.pi / turn, self._shorter(2.0 * np.pi / turn / TURN)
        self._tell(
            "turn",
            f"{body!r} turns by {turn:.2g} rad in a step at t = {state.t:.4g} s, {steps:.2g} steps a turn; it takes {TURN} or "
            f"more: step={wanted}, or tolerance= in place of step=.",
        )

    def _see_films(self, state: State) -> None:
        depth, rate = self._system.contacts.gaps(state.q, state.v)
        for k, joint in self._films:
            gap = -depth[k]
            if gap <= 0.0 and joint.contact is None:
                self._tell(
                    "wall",
                    f"the journal of {joint.name!r} is in the wall by {-gap:.3g} m at t = {state.t:.4g} s, where its film "
                    "ends. Give the joint a contact= law too.",
                )
            elif gap > 0.0 and self._step is not None and rate[k] * self._step > SQUEEZE * gap:
                wanted = self._shorter(SQUEEZE * gap / (rate[k] * self._step))
                self._tell(
                    "film",
                    f"the film of {joint.name!r}, {gap:.3g} m thick, is squeezed at {rate[k]:.3g} m/s at t = {state.t:.4g} s, "
                    f"more than half of it in a step; take step={wanted}, or tolerance= in place of step=.",
                )

    def see_impact(self, impact: Impact) -> None:
        """A contact that has ended."""
        self._fastest = max(self._fastest, impact.approach_speed)
        if self._step is None or impact.approach_speed < SOFT * self._fastest or not np.isnan(impact.impulse):
            return
        steps = (impact.t_end - impact.t) / self._step
        if steps < IMPACT:
            where = _name(impact.joint)
            self._tell(
                "impact",
                f"an impact in {where!r} at t = {impact.t:.4g} s lasts {steps:.2g} steps; it takes {IMPACT} or more: "
                f"step={self._shorter(steps / IMPACT)}, or tolerance= in place of step=.",
            )

    def _shorter(self, share: float) -> str:
        """A step with which that is resolved well."""
        assert self._step is not None
        return f"{self._step * share / ENOUGH:.1g}"

    def _tell(self, kind: str, text: str) -> None:
        if kind not in self._kinds:
            self._kinds.add(kind)
            self.told.append(text)
            if self._system.ranks.first:
                tell(f"{self._name}: {text}", CoarseSteps)


def _name(part: Part) -> str:
    return part.name or type(part).__name__
