"""What a run takes over from a solution: bodies, contacts and the clock, matched by name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import number, shown
from fmbs.core.errors import ModelError
from fmbs.core.origin import Origin
from fmbs.core.protocols import Body, MovableBody
from fmbs.core.state import State
from fmbs.model import Model
from fmbs.results.recorder import interpolate
from fmbs.results.solution import Solution

Array = NDArray[np.float64]

SAME = 1e-9  # of the span of a solution: times that are one
NAMED = 4  # parts that are spelled out


def origin_of_run(model: Model, start: object, at: float | None, t_end: float) -> Origin | None:
    """The state that a run up to t_end goes on from, if any."""
    if start is None:
        if at is not None:
            raise ModelError(f"{model.name}: at = {shown(at)} is a time of a solution; give that too, start=solution.")
        return None
    origin = origin_of(model, start, at)
    if not t_end > origin.t:
        raise ModelError(
            f"{model.name}: t_end = {t_end:g} s is not after the state that the run goes on from, t = {origin.t:g} s: the "
            f"clock goes on. Give a later t_end, such as {origin.t + t_end:g}."
        )
    return origin


def origin_of(model: Model, start: object, at: float | None) -> Origin:
    """Where a run of `model` begins that goes on from a solution, at its last frame or at the time `at`, s."""
    state, old = state_at(model.name, start, at)
    before = {body.name: body for body in old.dofs.bodies}
    bodies = model.moving
    taken = np.array([body.name in before for body in bodies], dtype=bool)
    if not taken.any():
        raise ModelError(
            f"{model.name}: start is a solution of another model: its bodies are {_listed(before)}, those of this one "
            f"{_listed(body.name for body in bodies)}. Bodies are matched by name; give those that go on the name they had."
        )
    _check_fit(model.name, bodies, before)
    q = [
        _own(old, before, body, state.q) if known else body.initial_position()
        for body, known in zip(bodies, taken, strict=True)
    ]
    v = [
        _own(old, before, body, state.v) if known else body.initial_velocity()
        for body, known in zip(bodies, taken, strict=True)
    ]
    new = [body.given if isinstance(body, MovableBody) else (True, True) for body in bodies]
    given = np.array(new, dtype=bool).reshape(-1, 2) | taken[:, None]
    keys = old.contacts.labels()

    def remembered(first: Array, labels: list[tuple[str, str]]) -> Array:
        return _remembered(first, labels, state.history, keys)

    return Origin(
        state.t, np.concatenate(q), np.concatenate(v), taken, given, remembered, tuple(_told(model, old, before, state.t))
    )


def state_at(name: str, start: object, at: float | None) -> tuple[State, System]:
    """The state of a solution in its last frame or at a time (a load factor, of an equilibrium), and its system."""
    if not isinstance(start, Solution):
        raise ModelError(
            f"{name}: start = {shown(start)} is not a solution; give what m.simulate() or m.equilibrium() returns."
        )
    if not isinstance(start.system, System):
        raise ModelError(f"{name}: start was loaded without its model: {start.system}")
    times = start.t
    if at is None:
        return _frame(start, len(times) - 1), start.system
    t, span = number(name, "at", at), float(np.abs(times).max(initial=1e-300))
    if not times[0] - SAME * span <= t <= times[-1] + SAME * span:
        what = "load factors" if start.static else "times"
        raise ModelError(f"{name}: at = {t:g} is outside the {what} of start, {times[0]:g} to {times[-1]:g}.")
    k = int(np.argmin(np.abs(times - t)))
    if abs(times[k] - t) <= SAME * span:
        return _frame(start, k), start.system
    if start.static:
        near = ", ".join(f"{x:.4g}" for x in times[max(k - 1, 0) : k + 2])
        raise ModelError(f"{name}: at = {t:g} is no load step of start; those beside it are {near}.")
    k = int(np.searchsorted(times, t)) - 1
    old, new = _frame(start, k), _frame(start, k + 1)
    return interpolate(old, new, (t - old.t) / (new.t - old.t)), start.system


def fingerprint_of_origin(origin: Origin) -> str:
    """What a run that is continued must have begun with."""
    numbers = np.concatenate([[origin.t], origin.q, origin.v]).tobytes()
    return hashlib.sha256(numbers).hexdigest()[:16]


def _frame(sol: Solution, k: int) -> State:
    q, v, a, lam = sol.q[k], sol.v[k], sol.a[k], sol.lam[k]
    if sol.static:
        v, a = np.zeros_like(q), np.zeros_like(q)
    return State(float(sol.times[k]), q, v, a, lam, a, history=sol.history[k] if sol.history.size else np.empty(0))


def _own(old: System, before: dict[str, Body], body: Body, x: Array) -> Array:
    return x[old.dofs.coordinates_of(before[body.name])]


def _check_fit(name: str, bodies: Sequence[Body], before: dict[str, Body]) -> None:
    """Bodies of one name have the same kind of coordinates."""
    for body in bodies:
        known = before.get(body.name)
        if known is not None and (type(known).__name__, known.size) != (type(body).__name__, body.size):
            kinds = [f"a {type(each).__name__} of {each.size} coordinates" for each in (known, body)]
            raise ModelError(
                f"{name}: start does not fit: {body.name!r} is {kinds[0]} there and {kinds[1]} in this model. Build it with "
                "the same class and as many elements, or give it another name: it then starts as it is drawn."
            )


def _remembered(first: Array, labels: list[tuple[str, str]], history: Array, keys: list[tuple[str, str]]) -> Array:
    """Rows of stations that both models have; the others as they are at first."""
    if not keys or not labels or history.size // len(keys) != first.size // len(labels):
        return first
    rows, known = first.reshape(len(labels), -1).copy(), _counted(keys)
    for row, key in enumerate(_counted(labels)):
        if key in known:
            rows[row] = history.reshape(len(keys), -1)[known.index(key)]
    return rows.ravel()


def _counted(labels: list[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """Joints of the same name, because they have none, are told apart by their order."""
    return [(*label, labels[:k].count(label)) for k, label in enumerate(labels)]


def _told(model: Model, old: System, before: dict[str, Body], t: float) -> list[str]:
    """What is new, what is gone and what is drawn elsewhere."""
    told = []
    now = {body.name: body for body in model.moving}
    groups: list[tuple[str, Sequence[Any], Sequence[Any]]] = [
        ("body", list(before.values()), list(now.values())),
        ("joint", old.joints, model.joints),
        ("force", old.forces, model.forces),
    ]
    for kind, was, those in groups:
        gone, new = _missing(was, those), _missing(those, was)
        told += [f"start at t = {t:.4g} s: gone since then: {kind} {_listed(gone)}."] if gone else []
        told += [f"start at t = {t:.4g} s: new since then: {kind} {_listed(new)}."] if new else []
    drawn = [n for n, body in now.items() if n in before and not _same_drawing(before[n], body)]
    if drawn:
        told.append(
            f"start at t = {t:.4g} s: {_listed(drawn)} drawn elsewhere than there; they start where that run left them."
        )
    return told


def _same_drawing(a: Body, b: Body) -> bool:
    x, y = a.initial_position(), b.initial_position()
    return bool(np.abs(x - y).max(initial=0.0) <= SAME * max(1e-3, np.abs(x).max(initial=0.0)))


def _missing(some: Sequence[Any], others: Sequence[Any]) -> list[str]:
    """Names, or classes where there is no name, that others do not have as often."""
    names = [part.name or type(part).__name__ for part in others]
    missing = []
    for part in some:
        name = part.name or type(part).__name__
        if name in names:
            names.remove(name)
        else:
            missing.append(name)
    return missing


def _listed(names: Any) -> str:
    known = [repr(name) for name in names]
    more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
    return ", ".join(known[:NAMED]) + more if known else "none"
