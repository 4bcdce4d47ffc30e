"""Index-1 alternatives to generalized-alpha on SciPy's integrators: the formulations that Muvengi2011 sect. III.C reviews.

All of them integrate y = (q, v) or a part of it and differ in how the constraints are kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import choice, positive
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.state import Counters, Leap, State
from fmbs.core.status import Status
from fmbs.solvers.contact_events import first_contact, touched
from fmbs.solvers.linear import LinearSolver, MassSolver
from fmbs.solvers.saddle import Saddle
from fmbs.solvers.scipy_state import can_be_kept, put_back, taken

Array = NDArray[np.float64]
HALVINGS = 20  # of a step within which independent coordinates wear out
METHODS = ("Radau", "BDF", "LSODA", "DOP853", "RK45", "RK23")


class Formulation(ABC):
    """The equations of motion as y' = g(t, y). factorized: matrices so far."""

    factorized: int = 0
    wears: bool = False  # can it wear out?

    @abstractmethod
    def pack(self, state: State) -> Array: ...

    @abstractmethod
    def motion(self, t: float, y: Array) -> tuple[Array, Array]:
        """q and v."""

    @abstractmethod
    def unpack(self, t: float, y: Array) -> State:
        """The whole state, with accelerations and multipliers."""

    @abstractmethod
    def rate(self, t: float, y: Array) -> Array: ...

    def begin(self, state: State) -> None:
        """The step starts from this state."""
        return

    def worn_out(self, state: State) -> bool:
        """Must the formulation be set up anew at this state?"""
        return False

    def snapshot(self) -> dict[str, Any]:
        """What it carries from step to step, as a checkpoint holds it."""
        return {}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        return

    def longest_step(self, state: State) -> float:
        """How far the model may go from this state where there is nothing to integrate, s."""
        return np.inf


@dataclass(frozen=True)
class OdeIntegrator(Described, ABC):
    """What the index-1 integrators share.

    method: "BDF" (Gear's, as the planar papers use), "Radau", "LSODA", "DOP853", "RK45", "RK23"
    rtol, atol: of SciPy's step control, where m.simulate(tolerance=) does not say
    """

    method: str = field(default="BDF", kw_only=True)
    rtol: float = field(default=1e-8, kw_only=True)
    atol: float = field(default=1e-10, kw_only=True)

    def _facts(self) -> dict[str, Any]:
        return {"method": self.method, **super()._facts()}

    def __post_init__(self) -> None:
        kind = type(self).__name__
        choice(kind, "method", self.method, METHODS)
        for argument, value in vars(self).items():
            if argument != "method":
                positive(kind, argument, value)

    @abstractmethod
    def formulate(self, system: System, linear: LinearSolver) -> Formulation: ...

    def start(
        self,
        system: System,
        linear: LinearSolver,
        tangent: str,
        step: float | None,
        tolerance: float | None,
        t_end: float,
    ) -> OdeStepper:
        """A stepper for this system; `step` is the largest step that SciPy's integrator may take."""
        return OdeStepper(self, system, lambda: self.formulate(system, linear), step, tolerance, t_end)


class OdeStepper:
    """Drives one of SciPy's integrators step by step.

    Contacts: the start of one is looked for in the integrator's own interpolant, the step is cut there and the integrator
    starts anew. What a contact remembers (bristles, the force of a Maxwell branch) is carried from the start of the step to
    every instant inside it, exactly for a slip and a depth that change linearly: second order, and SciPy's error control
    does not see it. Where LuGre friction sticks give a small step=.
    """

    def __init__(
        self, method: OdeIntegrator, system: System, formulate: Callable[[], Formulation], step: float | None,
        tolerance: float | None, t_end: float,
    ) -> None:  # fmt: skip
        self.counters = Counters()
        self._method, self._system, self._formulate, self._t_end = method, system, formulate, t_end
        self._options = {
            "rtol": tolerance or method.rtol, "atol": (tolerance or method.rtol) * method.atol / method.rtol,
            "max_step": step or np.inf,
        }  # fmt: skip
        self._solver: scipy.integrate.OdeSolver | None = None
        self._formulation: Formulation | None = None
        self._between: Callable[[float], Array] | None = None  # y inside the last step
        self._old: State | None = None  # where the last step began
        self._restart = False  # a contact has started
        self._begun = np.nan  # s, when the formulation was set up
        self._longest, self._tried = np.inf, np.inf  # s, a step, and where the last one ended
        self._kept: dict[str, Any] | None = None  # a snapshot to go on from

    def prepare(self, state: State) -> State:
        """SciPy's integrators start from the state as it is."""
        return state

    def leap(self, state: State, t_end: float, until: float) -> Leap:
        """One step of the integrator's own size, or up to the first contact in it."""
        leap = self._leap(state)
        if self._formulation is not None:
            self.counters.factorizations += self._formulation.factorized
            self._formulation.factorized = 0
        return leap

    def _leap(self, state: State) -> Leap:
        """Independent coordinates that wear out within a step are chosen anew at its start, and then the step is shortened."""
        for _ in range(HALVINGS):
            try:
                leap = self._stepped(state)
            except (ArithmeticError, ModelError):
                leap = Leap(failure=Status.SINGULAR)
            if not self._worn_out(leap.new):
                break
            self.counters.rejected += 1
            self.counters.steps -= leap.new is not None
            if self._begun == state.t:
                self._longest = 0.5 * min(self._longest, self._tried - state.t)
            self._restart = True
        self._longest = np.inf
        return leap

    def _worn_out(self, new: State | None) -> bool:
        formulation = self._formulation
        if formulation is None or not formulation.wears or self._solver is None or not self._solver.y.size:
            return False
        return new is None or formulation.worn_out(new)

    def _stepped(self, state: State) -> Leap:
        self._old, self._between = self._touched(replace(state, h=0.0)), None  # a contact may start at t = 0
        solver, formulation = self._at(self._old)
        formulation.begin(self._old)
        if not solver.y.size:  # every coordinate is driven
            t = min(state.t + min(formulation.longest_step(state), self._options["max_step"]), self._t_end)
            return self._taken(self._state(t, solver.y))
        before = solver.nfev, solver.nlu
        self._tried = min(state.t + getattr(solver, "h_abs", self._longest), self._t_end)  # LSODA keeps its own
        solver.step()
        self._tried = float(solver.t)
        self.counters.iterations += int(solver.nfev - before[0])
        self.counters.factorizations += int(solver.nlu - before[1])
        if solver.status == "failed":
            return Leap(failure=Status.STEP_TOO_SMALL)
        if not np.isfinite(solver.y).all():
            return Leap(failure=Status.NOT_FINITE)
        return self._taken(self._cut(self._old, self._state(float(solver.t), solver.y)))

    def snapshot(self) -> dict[str, Any]:
        """With the state enough to go on, for SciPy's integrator too; none where it is to start anew anyhow."""
        kept: dict[str, Any] = {"counters": asdict(self.counters)}
        if self._solver is not None and self._formulation is not None and not self._restart and can_be_kept(self._solver):
            kept |= {"solver": taken(self._solver), "formulation": self._formulation.snapshot()}
        return kept

    def restore(self, kept: dict[str, Any]) -> None:
        self.counters = Counters(**kept["counters"])
        self._kept = kept if "solver" in kept else None

    def _taken(self, state: State) -> Leap:
        self.counters.steps += 1
        return Leap(new=state)

    def interpolate(self, old: State, new: State, x: float) -> State:
        """The state at the fraction x of the step just taken: y from SciPy's interpolant, the rest from the equations."""
        t = old.t + x * (new.t - old.t)
        return self._state(t, self._inside(t))

    def _inside(self, t: float) -> Array:
        """y inside the last step."""
        assert self._solver is not None
        if self._between is None:
            self._between = self._solver.dense_output() if self._solver.y.size else lambda t: np.empty(0)
        return self._between(t)

    def _state(self, t: float, y: Array) -> State:
        """The whole state, with the history of contacts, at a time inside the last step."""
        assert self._formulation is not None
        assert self._old is not None
        self._begin(t)
        state = self._formulation.unpack(t, y)
        return replace(state, h=t - self._old.t, history=self._system.contacts.end(t, state.q, state.v))

    def _begin(self, t: float) -> None:
        """Contacts remember what they knew at the start of the step."""
        if self._system.contacts and self._old is not None:
            old = self._old
            self._system.contacts.begin(old.t, old.q, old.v, old.history, max(t - old.t, 0.0))

    def _cut(self, old: State, new: State) -> State:
        """The new state, or the one at which the first contact starts."""
        if not self._system.contacts:
            return new
        assert self._formulation is not None
        formulation, h = self._formulation, new.t - old.t

        def path(x: float) -> tuple[Array, Array]:
            t = old.t + x * h
            return formulation.motion(t, self._inside(t))

        share = first_contact(self._system, old, new, path)
        if share is None:
            return new
        self.counters.contacts += 1
        t = old.t + share * h
        return self._touched(self._state(t, self._inside(t)))

    def _touched(self, state: State) -> State:
        """The state with the contacts that start here; the integrator starts anew with them."""
        if not self._system.contacts:
            return state
        new = touched(self._system, state)
        self._restart = self._restart or bool((new.history != state.history).any())
        return new

    def _at(self, state: State) -> tuple[scipy.integrate.OdeSolver, Formulation]:
        """The integrator at this state, set up anew where its formulation has worn out or a contact has started."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            self._set_up(state)
            assert self._solver is not None
            assert self._formulation is not None
            put_back(self._solver, kept["solver"])
            self._formulation.restore(kept.get("formulation", {}))
        if self._restart or self._solver is None or self._formulation is None or self._formulation.worn_out(state):
            self._set_up(state)
        assert self._solver is not None
        assert self._formulation is not None
        return self._solver, self._formulation

    def _set_up(self, state: State) -> None:
        self._formulation = self._formulate()
        y = self._formulation.pack(state)
        solver: Any = getattr(scipy.integrate, self._method.method)
        options = self._options | {"max_step": min(self._longest, self._options["max_step"])}
        self._solver = solver(self._rate, state.t, y, self._t_end, **options)
        self._restart, self._begun = False, state.t

    def _rate(self, t: float, y: Array) -> Array:
        assert self._formulation is not None
        self._begin(t)
        return self._formulation.rate(t, y)


class _FullState(Formulation):
    """y = (q, v); a subclass gives the accelerations and multipliers."""

    def __init__(self, system: System, linear: LinearSolver) -> None:
        self._system, self._linear = system, linear

    @abstractmethod
    def accelerations(self, t: float, q: Array, v: Array) -> tuple[Array, Array]: ...

    def pack(self, state: State) -> Array:
        return np.concatenate([state.q, state.v])

    def motion(self, t: float, y: Array) -> tuple[Array, Array]:
        q, v = np.split(np.ascontiguousarray(y), 2)
        return q, v

    def unpack(self, t: float, y: Array) -> State:
        q, v = np.split(np.ascontiguousarray(y), 2)
        a, lam = self.accelerations(t, q, v)
        return State(t, q.copy(), v.copy(), a, lam, a)

    def rate(self, t: float, y: Array) -> Array:
        q, v = np.split(np.ascontiguousarray(y), 2)
        return np.concatenate([v, self.accelerations(t, q, v)[0]])


@dataclass(frozen=True)
class BaumgarteODE(OdeIntegrator, units={"alpha": "1/s", "beta": "1/s"}):
    """Phi'' + 2 alpha Phi' + beta^2 Phi = 0 in place of Phi'' = 0 (Baumgarte 1972; Flores2006 eq 34).

    alpha, beta: 1/s
    """

    alpha: float = field(default=5.0, kw_only=True)
    beta: float = field(default=5.0, kw_only=True)

    def formulate(self, system: System, linear: LinearSolver) -> Formulation:
        return _Baumgarte(system, linear, self.alpha, self.beta)


class _Baumgarte(_FullState):
    def __init__(self, system: System, linear: LinearSolver, alpha: float, beta: float) -> None:
        super().__init__(system, linear)
        self._alpha, self._beta = alpha, beta

    def accelerations(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        equations = self._system.equations
        phi, first, second = equations.value(t, q), equations.rates(t, q, v), equations.accelerations(t, q, v)
        wanted = -second - 2.0 * self._alpha * first - self._beta**2 * phi
        self.factorized += 1
        return Saddle(self._system, self._linear, t, q).solve(-self._system.force(t, q, v), wanted)


@dataclass(frozen=True)
class AugmentedLagrangian(OdeIntegrator, units={"w": "1/s"}):
    """Penalties with iterated multipliers (Bayo et al. 1988):

    (M + p Phi_q^T Phi_q) a = -f - Phi_q^T (lam_i + p (Phi'' at a = 0 + 2 mu w Phi' + w^2 Phi)),
    lam_i+1 = lam_i + p (Phi'' + 2 mu w Phi' + w^2 Phi)

    It needs no independent constraints. The matrix is symmetric positive definite: CHOLMOD factorises it where available.

    penalty: p relative to a typical mass; w: 1/s; mu: damping ratio; iterations: of the multipliers
    """

    penalty: float = field(default=1e6, kw_only=True)
    w: float = field(default=10.0, kw_only=True)
    mu: float = field(default=1.0, kw_only=True)
    iterations: int = field(default=4, kw_only=True)

    def formulate(self, system: System, linear: LinearSolver) -> Formulation:
        return _Augmented(system, linear, self)


class _Augmented(_FullState):
    def __init__(self, system: System, linear: LinearSolver, options: AugmentedLagrangian) -> None:
        super().__init__(system, linear)
        self._options, self._penalty = options, options.penalty * system.mass_scale

    def accelerations(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        system, p, w = self._system, self._penalty, self._options.w
        jacobian = system.constraint_jacobian(t, q)
        equations = system.equations
        phi, first, second = equations.value(t, q), equations.rates(t, q, v), equations.accelerations(t, q, v)
        wanted = second + 2.0 * self._options.mu * w * first + w * w * phi
        force, lam = system.force(t, q, v), np.zeros(system.multipliers)
        self.factorized += 1
        factor = MassSolver(system.mass_matrix + p * (jacobian.T @ jacobian))
        a = np.zeros_like(q)
        for _ in range(self._options.iterations):
            a = factor.solve(-force - jacobian.T @ (lam + p * wanted))
            lam = lam + p * (jacobian @ a + wanted)
        return a, lam
