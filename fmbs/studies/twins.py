"""Largest Lyapunov exponent of a model: two runs that start close to each other, brought together again and again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import flag, positive, shown, whole
from fmbs.core.errors import ConvergenceError, ModelError
from fmbs.core.state import State, Stretch
from fmbs.model import Model
from fmbs.simulate import StepFailure, simulate
from fmbs.solvers.generalized_alpha import GeneralizedAlpha
from fmbs.solvers.linear import linear_solver
from fmbs.solvers.saddle import accelerations
from fmbs.solvers.start import consistent_start, project_position, project_velocity

Array = NDArray[np.float64]

ROUND_OFF = 1e-13
BLOCKS = 10  # of the series, whose means tell how far the whole mean may be wrong


@dataclass(frozen=True)
class Exponent:
    """Largest Lyapunov exponent. rates: growth of the distance in each stretch, ln(|d| / d_0) / time, 1/s  # (stretches,)."""

    rates: Array

    @property
    def value(self) -> float:
        """1/s: positive for chaos, zero for regular motion without damping, negative for what settles."""
        return float(self.rates.mean())

    @property
    def running(self) -> Array:
        """The value after each stretch: look whether it has settled  # (stretches,)."""
        running: Array = np.cumsum(self.rates) / np.arange(1, self.rates.size + 1)
        return running

    @property
    def uncertainty(self) -> float:
        """Standard error of the mean, from the means of ten blocks in time; NaN where there are fewer stretches than that."""
        if self.rates.size < BLOCKS:
            return float("nan")
        means = [block.mean() for block in np.array_split(self.rates, BLOCKS)]
        return float(np.std(means, ddof=1) / np.sqrt(BLOCKS))


def lyapunov_of_model(
    model: Model, *, time: float, stretches: int, step: float, skip: int = 0, apart: float = 1e-7, seed: int = 0,
    share_memory: bool = False, integrator: GeneralizedAlpha | None = None,
) -> Exponent:  # fmt: skip
    """Two runs with renormalisation (Benettin et al. 1980): lambda = 1/(n T) sum ln(|d_i| / d_0).

    The distance is |d|^2 = |dq / s|^2 + |T dv / s|^2 with the model's scales s (its size, or one radian). After every T all of
    the twin's state is set back along d: coordinates, multipliers, the method's averages and what contacts remember, so that
    neither run is ever started anew. Where a contact has begun for one of them only, the twin takes over the other's memory.

    time: T, s, short enough for the twins to stay close, and the drive's period or a part of it for driven models
    stretches: n; skip: stretches before counting, for the transient and for d to turn into the fastest direction
    step: fixed step, s, made a little shorter where T is not a whole number of them
    apart: d_0; below 1e-9 or so the error of Newton's method shows; seed: of the first direction
    share_memory: the twin always takes over what contacts remember. A contact that never ends keeps its approach speed, a
                  direction in which nothing grows or shrinks: the exponent is 0 where all else settles, unless it is shared.
    """
    if not isinstance(model, Model):
        raise ModelError(f"lyapunov: {shown(model)} is not a model; give an fm.Model.")
    integrator = GeneralizedAlpha() if integrator is None else integrator
    if not isinstance(integrator, GeneralizedAlpha):
        raise ModelError(f"lyapunov: integrator = {shown(integrator)} is not fm.GeneralizedAlpha(...), which this study needs.")
    time, step = positive(model.name, "time", time), positive(model.name, "step", step)
    count = int(np.ceil(time / step * (1.0 - 1e-9)))
    whole("lyapunov", "number of steps in time", count)
    whole("lyapunov", "stretches", stretches)
    whole("lyapunov", "skip", skip, 0)
    whole("lyapunov", "seed", seed, 0)
    flag("lyapunov", "share_memory", share_memory)
    positive(model.name, "apart", apart)
    a, b = (_Runner(model, integrator, time / count) for _ in range(2))
    system = a.system
    b.displace(apart, time, np.random.default_rng(seed))
    rates = np.empty(skip + stretches)
    for i in range(rates.size):
        a.advance((i + 1) * time)
        b.advance((i + 1) * time)
        size = _distance(system, a.state, b.state, time)
        if not (np.isfinite(size) and size > 0.0):
            raise ModelError(f"lyapunov: the twins are {size:g} apart at t = {a.state.t:g} s; take another apart = {apart:g}.")
        rates[i] = np.log(size / apart) / time
        b.state = _closer(system, a.state, b.state, apart / size, share_memory)
    return Exponent(rates[skip:])


class _Runner:
    """A run that records nothing and can be given another state between two stretches."""

    def __init__(self, model: Model, integrator: GeneralizedAlpha, step: float) -> None:
        self.system = model.system()
        self._linear = linear_solver("auto", self.system.size + self.system.multipliers)
        self._stepper = integrator.start(self.system, self._linear, "exact", step, None, step)
        self._name, self._step, self._fresh = model.name, step, True
        self.state = consistent_start(self.system, self._linear).state

    def displace(self, apart: float, time: float, random: np.random.Generator) -> None:
        """Move the start by `apart` in a random direction that the joints allow."""
        system, linear, old = self.system, self._linear, self.state
        d = apart * random.standard_normal((2, system.size)) * system.scale
        for _ in range(2):  # what the joints take away in the first round is made good for in the second
            q = project_position(system, linear, old.t, old.q + d[0])
            v = project_velocity(system, linear, old.t, q, old.v + d[1] / time)
            moved = replace(old, q=q, v=v)
            size = _distance(system, old, moved, time)
            if size < ROUND_OFF:
                raise ModelError(f"lyapunov: {self._name} cannot be displaced; all of its motion is prescribed by drives.")
            d = np.stack([q - old.q, time * (v - old.v)]) * (apart / size)
        system.contacts.begin(old.t, q, v, old.history)
        a, lam = accelerations(system, linear, old.t, q, v)
        self.state = replace(moved, a=a, lam=lam)

    def advance(self, t: float) -> None:
        if self._fresh:
            self.state = self._stepper.prepare(self.state)
        try:
            self.state, self._fresh = simulate(self._stepper, self.state, t, _Nobody()), False
        except StepFailure as failure:
            message = f"{self._name}: {failure.status.text} at t = {failure.state.t:.6g} s of a twin run."
            raise ConvergenceError(message, time=failure.state.t, status=failure.status) from None


class _Nobody:
    """An observer of a run of which only the last state counts."""

    def accept(self, old: State, new: State, totals: Array | None) -> None: ...
    def accept_stretch(self, done: Stretch) -> None: ...
    def pause(self, state: State) -> None: ...
    def next_frame(self) -> float:
        return np.inf


def _distance(system: System, a: State, b: State, time: float) -> float:
    return float(np.hypot(np.linalg.norm((b.q - a.q) / system.scale), np.linalg.norm(time * (b.v - a.v) / system.scale)))


def _closer(system: System, a: State, b: State, share: float, share_memory: bool) -> State:
    """The twin at a share of its distance. The constraints hold to the square of the distance."""

    def between(x: Array, y: Array) -> Array:
        return x + share * (y - x)

    contacts = system.contacts
    own = not share_memory and (not contacts or (contacts.free(a.history) == contacts.free(b.history)).all())
    return replace(
        b, q=between(a.q, b.q), v=between(a.v, b.v), a=between(a.a, b.a), lam=between(a.lam, b.lam),
        memory=between(a.memory, b.memory), history=between(a.history, b.history) if own else a.history,
    )  # fmt: skip
