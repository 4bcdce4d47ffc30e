"""Generalized-alpha, as users choose it, and its stepper; the formulas are in `loop.alpha`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import number, positive, whole
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.state import Leap, State
from fmbs.solvers.alpha_start import first_step, starting_values
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.connect import ALPHA
from fmbs.solvers.loop.contacts import LEAST
from fmbs.solvers.loop.pace import COUNT, PACE, H
from fmbs.solvers.loop.stepper import LoopStepper
from fmbs.solvers.loop.tables import Method
from fmbs.solvers.storage import SMALL

Array = NDArray[np.float64]

FACTOR_COST = 5  # of a tangent and its factorisation, in iterations; the same for all linear solvers, so that they agree
SMALL_COST = 2  # of a matrix that is small enough to be inverted
LARGE_COST, LARGE = 20, 90  # of one with elements of so many coordinates, such as reduced bodies
UNDAMPED = 0.9  # rho_inf above which errors across the constraints hardly die out
TURN = 0.2  # rad: where bodies turn by three times TURN (1 - rho_inf) in a step they grow, for a free rotor
LARGEST_TURN = 0.05  # rad, however large the damping: a matrix from the step before is of little use
STRONG = 0.2  # rho_inf while steps grow through a transient
GENTLE = tuple(0.5**k for k in range(16, -1, -1))  # ends of the pieces of a gentle first step
LARGEST_STEP = 0.05  # of error control, relative to the run


@dataclass(frozen=True)
class GeneralizedAlpha(Described):
    """Implicit, second order, with numerical damping of high frequencies only.

    rho_inf: spectral radius at infinite frequency, 0 (strongest damping) to 1 (none: energy is kept)
    newton_tolerance: error allowed in an acceleration, relative to the largest one of late; with a looser one the
                      motion is the same and quicker, but multipliers lose their order of accuracy in short steps
    max_iterations: of Newton's method, before the step is halved
    """

    rho_inf: float = 0.8
    newton_tolerance: float = field(default=1e-9, kw_only=True)
    max_iterations: int = field(default=20, kw_only=True)

    def __post_init__(self) -> None:
        if not 0.0 <= number("GeneralizedAlpha", "rho_inf", self.rho_inf) <= 1.0:
            raise ModelError(
                f"GeneralizedAlpha: rho_inf = {self.rho_inf:g} is outside [0, 1]; 1 keeps energy, 0.8 damps noise."
            )
        positive("GeneralizedAlpha", "newton_tolerance", self.newton_tolerance)
        whole("GeneralizedAlpha", "max_iterations", self.max_iterations)

    def _facts(self) -> dict[str, Any]:
        return {"rho_inf": self.rho_inf, **super()._facts()}

    @property
    def coarse_turn(self) -> float:
        """Turn of a body in one step, rad, above which errors across constraints and stiff strains would grow."""
        return min(TURN * (1.0 - self.rho_inf), LARGEST_TURN)

    @property
    def parameters(self) -> tuple[float, float, float, float]:
        """alpha_m, alpha_f, beta, gamma."""
        alpha_m = (2.0 * self.rho_inf - 1.0) / (self.rho_inf + 1.0)
        alpha_f = self.rho_inf / (self.rho_inf + 1.0)
        gamma = 0.5 + alpha_f - alpha_m
        return alpha_m, alpha_f, 0.25 * (gamma + 0.5) ** 2, gamma

    def start(
        self,
        system: System,
        linear: LinearSolver,
        tangent: str,
        step: float | None,
        tolerance: float | None,
        t_end: float,
    ) -> AlphaStepper:
        """A stepper for this system: of equal steps, or of a tolerance at t_end."""
        return AlphaStepper(self, system, linear, tangent, step, tolerance, t_end)


class AlphaStepper(LoopStepper):
    """Steps one system. Equal steps begin gently where there are films, so that fast initial transients die out."""

    def __init__(
        self, method: GeneralizedAlpha, system: System, linear: LinearSolver, tangent: str, step: float | None,
        tolerance: float | None, t_end: float,
    ) -> None:  # fmt: skip
        own, self._strong = (
            _table(each, system, method.coarse_turn, method.rho_inf > UNDAMPED or step is None, tangent)
            for each in (method, replace(method, rho_inf=STRONG))
        )
        super().__init__(system, linear, own, ALPHA, step, tolerance, t_end, LARGEST_STEP)
        self._linear, self._piece = linear, np.zeros(PACE)  # the pace of a piece of a gentle first step
        self._gentle = 0 if step is not None and system.contacts.overdamped else len(GENTLE)  # pieces of the first step done

    def snapshot(self) -> dict[str, Any]:
        return {"gentle": self._gentle, **super().snapshot()}

    def restore(self, kept: dict[str, Any]) -> None:
        self._gentle = kept["gentle"]
        super().restore(kept)

    def prepare(self, state: State) -> State:
        """The state with starting values that belong to the method."""
        t_end, method = self._control.t_end, self._own
        if self._step is None:
            assert self._tolerance is not None
            constant = method.error_constant
            h = first_step(self._system, self._linear, state, self._tolerance, t_end, constant)
        else:
            h = min(self._step, t_end)
        self._pace[H] = h
        self._control = self._control_of(state.t, t_end)
        self._driver.forget_matrix()  # the linear solver's factor is no longer the Newton matrix's
        ahead = method.alpha_m - method.alpha_f
        b = (1.0 - method.alpha_m) / (h * h * method.beta * (1.0 - method.alpha_f))
        constant = method.error_constant
        return starting_values(self._system, self._linear, state, h, ahead=ahead, b=b, error_constant=constant)

    def leap(self, state: State, t_end: float, until: float) -> Leap:
        """Steps up to the one that reaches or passes a frame at `until`."""
        if self._gentle < len(GENTLE):
            return self._gently(state, t_end, until)
        if t_end != self._control.t_end:
            self._control = self._control_of(self._control.start, t_end)
        return self._driver.leap(state, self._own, self._control, self._pace, until)

    def _gently(self, state: State, t_end: float, until: float) -> Leap:
        """A piece of the first step, with strong numerical damping.

        Steps that grow through a fast transient ring with little damping, and an average that remembers the push of shorter
        steps goes on pushing: what is over in microseconds would come back. So the average is the acceleration of the moment.
        """
        assert self._step is not None
        begin = self._control.start
        end = begin + GENTLE[self._gentle] * min(self._step, t_end - begin)
        self._driver.forget_matrix()
        self._driver.forget_last()
        piece = replace(self._control, start=state.t, step=end - state.t, t_end=end)
        leap = self._driver.leap(_at_rest(state), self._strong, piece, self._piece, until)
        last = leap.new or (leap.done and leap.done.state)
        if last is not None and last.t > state.t:
            self._piece[:] = 0.0  # the next one begins where this has led
        if last is not None and last.t >= end:
            self._gentle += 1
            if self._gentle == len(GENTLE):
                self._pace[COUNT] = 1
                self._driver.forget_matrix()
                self._driver.forget_last()
                if leap.new is not None:
                    leap = leap._replace(new=_at_rest(leap.new))
                elif leap.done is not None:
                    leap = leap._replace(done=leap.done._replace(state=_at_rest(leap.done.state)))
        return leap


def _at_rest(state: State) -> State:
    """The state with an average that is the acceleration of the moment."""
    return replace(state, memory=np.stack([state.a, np.zeros_like(state.a)]))


def _table(method: GeneralizedAlpha, system: System, coarse_turn: float, always: bool, tangent: str) -> Method:
    alpha_m, alpha_f, beta, gamma = method.parameters
    small = system.size + system.multipliers <= SMALL
    widest = max((blocks.first.shape[1] * blocks.width for blocks in (batch.blocks() for batch in system.elements)), default=0)
    cost = SMALL_COST if small else FACTOR_COST if widest <= LARGE else LARGE_COST
    return Method(
        alpha_m, alpha_f, beta, gamma, 1.0 / 6.0 - beta - 0.5 * (alpha_m - alpha_f), float(method.newton_tolerance),
        method.max_iterations, cost, always, coarse_turn, tangent == "numerical", 2, LEAST,
    )  # fmt: skip
