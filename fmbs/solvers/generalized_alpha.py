"""Generalized-alpha for index-3 equations of motion (Chung & Hulbert 1993; Arnold & Bruels 2007).

    M a_1 + Phi_q^T lam_1 + f(t_1, q_1, v_1) = 0,   Phi(q_1, t_1) = 0
    (1 - am) w_1 + am w_0 = (1 - af) a_1 + af a_0                     w: the averaged acceleration that carries the method
    q_1 = q_0 + h v_0 + h^2 ((1/2 - beta) w_0 + beta w_1),   v_1 = v_0 + h ((1 - gamma) w_0 + gamma w_1)

The unknowns of Newton's method are dq and lam / b' with b' = (1 - am) / (h^2 beta (1 - af)); its matrix

    [M + (g'/b') D + K / b', s Phi_q^T; s Phi_q, 0],   g' = gamma / (h beta),  s: a typical mass

tends to the one of the accelerations as h -> 0, so that its condition does not depend on the step.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import number, positive
from fmbs.core.errors import ModelError
from fmbs.core.state import Counters, State, Step
from fmbs.core.status import Status
from fmbs.solvers._stretch_tables import Control, Method
from fmbs.solvers.alpha_start import first_step, starting_values
from fmbs.solvers.clean_velocities import FILTERS, CleanVelocities
from fmbs.solvers.contact_events import LEAST, first_contact, touched
from fmbs.solvers.linear import LinearSolveError, LinearSolver
from fmbs.solvers.newton import FORGET, GROWTHS, LARGEST_ERROR, LEAP, ROUND_OFF, Newton, Slopes
from fmbs.solvers.saddle import accelerations
from fmbs.solvers.slow_motion import SlowMotion
from fmbs.solvers.stretch import STRETCH, CompiledDriver, Leap, Stretch

Array = NDArray[np.float64]

UNDAMPED = 0.9  # rho_inf above which errors across the constraints hardly die out
SETTLING = 30  # steps after a change of step size for which they are taken out
TURN = 0.2  # rad: where bodies turn by three times TURN (1 - rho_inf) in a step they grow, for a free rotor
LARGEST_TURN = 0.05  # rad, however large the damping: a matrix from the step before is of little use
ELASTIC_TURN = 1e-2  # rad: below it errors in stiff strains do not grow, even without damping
FARTHEST = 2.0  # growth of a step up to which the averaged acceleration is extrapolated
LONGEST_STRETCH = 2e6  # steps times unknowns: a second or so until progress is shown and an interruption is seen
STRONG = 0.2  # rho_inf while steps grow through a transient
SMALL_JUMP = 1e-6  # of the largest force or reaction: below it a contact starts smoothly
CONTACT_ERROR = 1e-3  # local error allowed in a penetration: an impact takes some thirty steps at least
SMALLEST_DEPTH = 1e-12  # m: errors of a penetration below it do not count


@dataclass(frozen=True)
class GeneralizedAlpha:
    """Implicit, second order, with numerical damping of high frequencies only.

    rho_inf: spectral radius at infinite frequency, 0 (strongest damping) to 1 (none: energy is kept)
    newton_tolerance: error allowed in an acceleration, relative to the largest one of late
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
        positive("GeneralizedAlpha", "max_iterations", self.max_iterations)

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
        """A stepper for this system; step sizes come from the loop."""
        return AlphaStepper(self, system, linear, tangent, variable=tolerance is not None)


class AlphaStepper:
    """Steps one system: predictor, Newton's iteration, what contacts and changes of step ask for."""

    def __init__(self, method: GeneralizedAlpha, system: System, linear: LinearSolver, tangent: str, variable: bool) -> None:
        self._method, self._system, self._linear, self._tangent = method, system, linear, tangent
        self._newton = Newton(system, linear, tangent, method.newton_tolerance, method.max_iterations)
        self.counters = self._newton.counters
        self._variable, self._always = variable, method.rho_inf > UNDAMPED or variable
        self._coarse_turn, self._coarse = method.coarse_turn, False
        self._settling = 0  # steps yet to be straightened
        self._clean = CleanVelocities(system)
        self._alpha_m, self._alpha_f, self._beta, self._gamma = method.parameters
        self._last: State | None = None  # the state before the last step
        self._driver = self._compiled_driver()

    def _compiled_driver(self) -> CompiledDriver | None:
        """Not of several ranks, which share the forces."""
        if self._system.ranks.count > 1:
            return None
        method = Method(
            *self._method.parameters, self._error_constant, self._method.newton_tolerance, self._method.max_iterations,
            ROUND_OFF, LARGEST_ERROR, FORGET, LEAP, self._newton.factor_cost, GROWTHS, SETTLING, self._always,
            self._coarse_turn, ELASTIC_TURN, FILTERS, FARTHEST, SMALL_JUMP, LEAST, CONTACT_ERROR, SMALLEST_DEPTH,
            self._tangent == "numerical",
        )  # fmt: skip
        return CompiledDriver(self._system, self._linear, method, self._variable)

    @property
    def in_python(self) -> tuple[tuple[str, int, float], ...]:
        """See `PythonCalls.called`."""
        return () if self._driver is None else self._driver.calls.called

    def snapshot(self) -> dict[str, Any]:
        """Everything beside the state that the next step depends on, so that a resumed run repeats itself to the last bit."""
        kept: dict[str, Any] = {
            "settling": self._settling,
            "counters": asdict(self.counters),
            "newton": self._newton.snapshot(),
        }
        if self._driver is not None:
            kept["driver"] = self._driver.snapshot()
        if self._last is not None:
            kept["last"] = {"t": self._last.t, "a": self._last.a, "lam": self._last.lam}
        return kept

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self._settling = kept["settling"]
        if self._driver is not None:
            self._driver.restore(kept["driver"])
        self._newton.restore(kept["newton"])  # last: a linear solver may have room for one factor only, and this one is used
        self.counters = self._newton.counters = Counters(**kept["counters"])
        if "last" in kept:
            last, none = kept["last"], np.empty(0)
            self._last = State(last["t"], none, none, last["a"], last["lam"], none)

    @property
    def overdamped(self) -> bool:
        """Do fast transients have to die out at the start?"""
        return self._system.contacts.overdamped

    def damped(self, state: State, strongly: bool) -> State:
        """The state for going on with strong numerical damping, or with the method's own again.

        Steps that grow through a fast transient ring with little damping, and an average that remembers the push of shorter
        steps goes on pushing: what is over in microseconds would come back. So the average is the acceleration of the moment.
        """
        method = GeneralizedAlpha(STRONG) if strongly else self._method
        self._alpha_m, self._alpha_f, self._beta, self._gamma = method.parameters
        self._newton.factor = None
        return self._renewed(state)

    def prepare(self, state: State, h: float) -> State:
        """The state with starting values that belong to the method."""
        self._newton.factor = None  # the linear solver's factor is no longer the Newton matrix's
        ahead, b = self._alpha_m - self._alpha_f, self._slopes(h).b
        constant = self._error_constant
        return starting_values(self._system, self._linear, state, h, ahead=ahead, b=b, error_constant=constant)

    def first_step(self, state: State, tolerance: float, t_end: float) -> float:
        """Of error control, s."""
        self._newton.factor = None
        return first_step(self._system, self._linear, state, tolerance, t_end, self._error_constant)

    def local_error(self, w_0: Array, w_1: Array, h: float) -> float:
        """Largest scaled local error of q: |1/6 - beta - (am - af)/2| h^2 |w_1 - w_0|, of order h^3."""
        return abs(self._error_constant) * h * h * float(np.abs((w_1 - w_0) / self._system.scale).max(initial=0.0))

    @property
    def _error_constant(self) -> float:
        """Of the local error of q: exact - numerical = constant h^3 q^(3)."""
        return 1.0 / 6.0 - self._beta - 0.5 * (self._alpha_m - self._alpha_f)

    def stretch(self, state: State, h: float, times: Array) -> Stretch | None:
        """Steps of size h to these times by the compiled driver, as many as go smoothly; None where it cannot help."""
        if self._driver is None or times.size == 0 or not self._newton.knows_noise:
            return None
        self._driver.take(self._newton, self._settling, state.h)
        done = self._driver.run(state, self._before(state), h, times[: self._most])
        self._settling = self._driver.give(self._newton)
        self.counters.steps += done.times.size
        if not done.steps:
            return None
        self._last = done.before
        return done

    def leap(self, state: State, control: Control, pace: Array, until: float) -> Leap | None:
        """Steps with error control by the compiled driver up to the one that passes `until`; None where it cannot help.

        pace: next step, step of the flight and of the impact before, and whether a contact has just started; changed in place
        """
        if self._driver is None or not self._newton.knows_noise:
            return None
        self._driver.take(self._newton, self._settling, state.h)
        leap = self._driver.run_paced(state, self._before(state), control, pace, until, self._most)
        self._settling = self._driver.give(self._newton)
        self.counters.steps += leap.done.times.size + (leap.new is not None)
        if leap.new is None and not leap.done.times.size and not leap.done.events.size:
            return None
        self._last = leap.before
        return leap

    def _before(self, state: State) -> State | None:
        return self._last if self._last and self._last.t < state.t else None

    @property
    def _most(self) -> int:
        """Steps that the driver takes at once."""
        return max(1, min(STRETCH, int(LONGEST_STRETCH / (self._system.size + self._system.multipliers))))

    def _slopes(self, h: float) -> Slopes:
        scale = h * h * self._beta
        return Slopes(h, (1.0 - self._alpha_m) / (scale * (1.0 - self._alpha_f)), self._gamma * h / scale)

    def step(self, state: State, h: float) -> Step:
        """One step of size h."""
        am, af, beta, gamma = self._alpha_m, self._alpha_f, self._beta, self._gamma
        slopes = self._slopes(h)
        newton, system, t = self._newton, self._system, state.t + h
        v_0, (w_0, _) = state.v, state.memory
        system.contacts.begin(state.t, state.q, state.v, state.history, h)
        turn = h * system.spin(state.v)
        self._coarse = turn > self._coarse_turn
        stiff = bool(system.elastic) and turn > max(self._coarse_turn, ELASTIC_TURN)
        newton.stressed = state.q if stiff else None
        self._settling = SETTLING if self._always or self._coarse or h != state.h else max(self._settling - 1, 0)
        taken = 0.0
        if h != state.h:
            # the average belongs to t + (am - af) h and moves with h; not far outwards: in modes that steps do not resolve it
            # rings, and a short piece of a cut step followed by a whole one would make the ringing grow
            ratio = min(h / state.h, FARTHEST)
            w_0 = state.a + ratio * (w_0 - state.a)
            status = newton.factorize(t, slopes, state.q, state.v, state.lam)
            if not status.ok:
                return Step(state, status)
            v_0 = state.v.copy()
            taken += self._straighten(state.t, h, state.q, v_0, ratio * state.h * state.memory[1])
        for kept in (newton.factor is not None, False):  # a kept matrix that fails has a second chance with a new one
            a, lam = self._guess(state, h)
            w = ((1.0 - af) * a + af * state.a - am * w_0) / (1.0 - am)
            q = state.q + h * v_0 + h * h * ((0.5 - beta) * w_0 + beta * w)
            v = v_0 + h * ((1.0 - gamma) * w_0 + gamma * w)
            status = newton.solve(t, slopes, q, v, a, lam, self._fresh())
            if status.ok or not kept:
                break
            newton.factor = None
        if not status.ok:
            return Step(state, status)
        self._last = state
        w = ((1.0 - af) * a + af * state.a - am * w_0) / (1.0 - am)
        taken += self._damped_away(state, h, q, w_0, w, a)
        if stiff and not self._calm_matrix(t, slopes, q):
            return Step(state, Status.SINGULAR)
        if self._settling:
            taken += self._straighten(t, h, q, v, w - w_0)
        if stiff:
            taken += self._calm(t, q, v)
        memory = np.stack([w, (w - w_0) / h])
        history = system.contacts.end(t, q, v)
        new = State(t, q, v, a, lam, memory, h, history, taken)
        if self._released(state.history, history):  # the average still holds the contact's push: it would go on pushing
            new = self._renewed(new)
        return Step(new, status, self.local_error(w_0, w, h), self._coarseness(state, new, w - w_0))

    def _fresh(self) -> bool:
        """Is the matrix taken anew in every step?

        Velocities that are always straightened want the constraints of this very step, or energy is lost; bodies that turn far
        in a step, and steps that had to be halved, want a better matrix. Contacts cut steps too often for that to pay.
        """
        return self._always or self._coarse or (self._settling > 0 and not self._system.contacts)

    def _damped_away(self, state: State, h: float, q: Array, w_0: Array, w: Array, a: Array) -> float:
        """Energy that the method's averages took in a step, J.

        With x = M dw and d for the change over the step, the change of kinetic energy is exactly the work of the forces by the
        trapezoidal rule, dq . M (a_0 + a_1)/2, less

            (1/2 - af) dq . (x - M da) + (beta - gamma/2) h^2 ((w_0 + w_1)/2 + (gamma - 1/2) dw) . x
        """
        dq, dw, da = q - state.q, w - w_0, a - state.a
        x, y = self._system.inertia(dw), self._system.inertia(da)
        mean = 0.5 * (w_0 + w) + (self._gamma - 0.5) * dw
        slow, fast = float(dq @ (x - y)), float(mean @ x)
        return (0.5 - self._alpha_f) * slow + (self._beta - 0.5 * self._gamma) * h * h * fast

    def _renewed(self, state: State) -> State:
        """The state with an average that has forgotten the push of a contact: it would go on pushing, or drag behind."""
        self._last = None
        return replace(state, memory=np.stack([state.a, np.zeros_like(state.a)]))

    def _released(self, old: Array, new: Array) -> bool:
        """Has a contact ended?"""
        contacts = self._system.contacts
        return bool(contacts) and bool((contacts.free(new) & ~contacts.free(old)).any())

    def _coarseness(self, old: State, new: State, change: Array) -> float:
        """Local error of the penetrations, relative to CONTACT_ERROR of them; change: of the averaged acceleration.

        A tolerance relative to the model's size says nothing of a contact, which may be a millionth of it.
        """
        contacts, h = self._system.contacts, new.h
        if not contacts or (free := contacts.free(old.history)).all():
            return 0.0
        depth_0, rate_0 = contacts.gaps(old.q, old.v)
        depth_1, jump = contacts.gaps(new.q, change)
        size = np.maximum(np.maximum(depth_0, depth_1), np.abs(rate_0) * h)
        error = abs(self._error_constant) * h * h * np.abs(jump) / (size + SMALLEST_DEPTH)
        return float(error[~free].max()) / CONTACT_ERROR

    def first_contact(self, old: State, new: State) -> float | None:
        """Fraction of the step at which the first contact starts, if any does."""
        return first_contact(self._system, old, new) if self._system.contacts else None

    def in_contact(self, state: State) -> bool:
        return not self._system.contacts.free(state.history).all()

    def touch(self, state: State) -> State:
        """The state with contacts that start here; a force that jumps changes accelerations at once."""
        system, new = self._system, touched(self._system, state)
        system.contacts.begin(state.t, state.q, state.v, state.history)
        before = system.force(state.t, state.q, state.v)
        size = max(np.abs(f).max(initial=0.0) for f in (before, system.force(state.t, state.q, state.v, a=state.a)))
        system.contacts.begin(new.t, new.q, new.v, new.history)
        jump = np.abs(system.force(new.t, new.q, new.v) - before).max(initial=0.0)
        noise = ROUND_OFF * system.mass_scale * system.length_scale / (state.h**2 + 1e-300)
        if jump <= max(SMALL_JUMP * size, noise):
            return new
        a, lam = accelerations(system, self._linear, new.t, new.q, new.v)
        return self._renewed(replace(new, a=a, lam=lam))

    def _straighten(self, t: float, h: float, q: Array, v: Array, change: Array) -> float:
        """Take out of v what the constraints forbid, less the method's own offset (see prepare); the energy of it, J.

        An error of v across the constraints comes back with changed sign, v_1 = -rho_inf v_0, and excites the accelerations,
        w_1 = -w_0 - 4 v_0 / h for rho_inf = 1: without damping they grow without bound, with it they grow where bodies turn
        far in a step, and error control takes the ringing after every change of step for error and throttles the step.
        """
        if not self._system.multipliers or self._newton.factor is None:
            return 0.0
        forbidden = self._system.equations.rates(t, q, v - self._error_constant * h * change)
        return self._clean.straighten(self._newton.factor, forbidden, v)

    def _calm_matrix(self, t: float, slopes: Slopes, q: Array) -> bool:
        """Factorise M + B^T C B / b with the constraints (see SlowMotion) in place of the Newton matrix; False if singular."""
        try:
            self._newton.factor = SlowMotion(self._system, self._linear, slopes.b).factor(t, q)
        except LinearSolveError:
            return False
        return True

    def _calm(self, t: float, q: Array, v: Array) -> float:
        """Take out of v the strain rates that the step cannot resolve; the energy of it, J."""
        factor, self._newton.factor = self._newton.factor, None  # it is not the Newton matrix's
        assert factor is not None
        return self._clean.calm(factor, t, q, v)

    def _guess(self, state: State, h: float) -> tuple[Array, Array]:
        """Accelerations and multipliers continued linearly from the last step."""
        last = self._last
        if last is None or last.t >= state.t:
            return state.a.copy(), state.lam.copy()
        x = h / (state.t - last.t)
        return state.a + x * (state.a - last.a), state.lam + x * (state.lam - last.lam)
