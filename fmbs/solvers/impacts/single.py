"""One contact that hits: the sliding velocity integrated over the normal impulse (Routh 1860, Keller 1986).

    du/dp = -W (1, t),   t = mu u_T/|u_T| while it slides, -W_TT^-1 W_TN while it sticks, if that is within mu

W = G M^-1 G^T, with the constraints of the mechanism. Sliding may stop and turn within the impact. It ends by the law:
Newton's at a speed, Poisson's at an impulse, Stronge's at a work of the normal impulse.
"""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import NDArray

Array = NDArray[np.float64]

STOPPED = 1e-13  # of the speeds of the impact: slower is no slip
PHASES = 40  # of sliding and sticking
FINE = 1e-12  # tolerance of the integration where the slip has two directions


class Jammed(Exception):
    """The impulse would grow without end."""


def impulses(W: Array, u: Array, mu: float, rule: str, e: float) -> Array:  # (rows,)
    """P of one contact. W: (rows, rows); u: rates before, u[0] > 0: going in; rule: "speed", "impulse" or "work"."""
    begin, scale = float(u[0]), STOPPED * float(np.abs(u).max())
    u, p, work = u.astype(float).copy(), np.zeros(u.size), 0.0
    compressing, end, done = True, math.inf, 0.0
    for _ in range(PHASES):
        ratio, slides = _ratio(W, u[1:], mu, scale)
        if slides and u.size == 3:
            step, u, p, work = _curved(W, u, p, work, mu, scale, compressing, _target(rule, e, begin, end, done))
        else:
            step, u, p, work = _straight(W, u, p, work, ratio, slides, scale, compressing, _target(rule, e, begin, end, done))
        if step == "stopped":
            u[1:] = 0.0
        elif step == "compressed":
            u[0], compressing, end, done, work = 0.0, False, (1.0 + e) * p[0], e * e * work, 0.0
            if e == 0.0:
                return p
        else:
            return p
    raise Jammed


def _target(rule: str, e: float, begin: float, end: float, done: float) -> tuple[str, float]:
    """What ends restitution: a rate, an impulse or a work."""
    return rule, {"speed": -e * begin, "impulse": end, "work": -done}[rule]


def _ratio(W: Array, slip: Array, mu: float, scale: float) -> tuple[Array, bool]:
    """dp_T/dp_N, and whether it slides."""
    if not slip.size:
        return np.zeros(0), False
    speed = float(np.linalg.norm(slip))
    if speed > scale:
        return mu * slip / speed, True
    held = -np.linalg.solve(W[1:, 1:], W[1:, 0])
    if np.linalg.norm(held) <= mu:
        return held, False
    return mu * _way(W[1:, 1:], W[1:, 0], mu), True


def _way(W_tt: Array, W_tn: Array, mu: float) -> Array:
    """The direction w in which a slip begins: -(W_TN + mu W_TT w) = k w, k > 0."""
    unit = np.eye(W_tn.size)

    def off(k: float) -> float:
        return float(np.linalg.norm(np.linalg.solve(mu * W_tt + k * unit, W_tn))) - 1.0

    k = scipy.optimize.brentq(off, 0.0, float(np.linalg.norm(W_tn)) + 1e-300, xtol=1e-300, rtol=1e-14)
    way = -np.linalg.solve(mu * W_tt + k * unit, W_tn)
    way /= np.linalg.norm(way)
    return np.asarray(way)


def _straight(
    W: Array, u: Array, p: Array, work: float, ratio: Array, slides: bool, scale: float, compressing: bool,
    target: tuple[str, float],
) -> tuple[str, Array, Array, float]:  # fmt: skip
    """Up to the next event at a constant ratio."""
    push = np.concatenate([[1.0], ratio])
    slope = W @ push
    events: list[tuple[float, str]] = []
    if slides and u.size == 2 and u[1] * slope[1] > 0.0 and abs(u[1]) > scale:
        events.append((u[1] / slope[1], "stopped"))
    if compressing:
        if slope[0] > 0.0:
            events.append((u[0] / slope[0], "compressed"))
    else:
        events.append((_rest(target, float(u[0]), float(slope[0]), p[0], work), "over"))
    if not events or not math.isfinite(min(events)[0]):
        raise Jammed
    dp, what = min(events)
    return what, u - slope * dp, p + push * dp, work + dp * (u[0] - 0.5 * slope[0] * dp)


def _rest(target: tuple[str, float], u: float, slope: float, p: float, work: float) -> float:
    """Impulse up to the end of restitution."""
    rule, value = target
    if rule == "impulse":
        return max(value - p, 0.0)
    if rule == "speed":
        return max((u - value) / slope, 0.0) if slope > 0.0 else math.inf
    need = work - value  # >= 0: -(u dp - slope dp^2/2) = need, u <= 0
    root = u * u + 2.0 * slope * need
    return max(2.0 * need / (math.sqrt(root) - u), 0.0) if root >= 0.0 and need > 0.0 else (0.0 if need <= 0.0 else math.inf)


def _curved(
    W: Array, u: Array, p: Array, work: float, mu: float, scale: float, compressing: bool, target: tuple[str, float]
) -> tuple[str, Array, Array, float]:
    """The same where the slip turns in the plane: y = (u, p_T, work) over p_N."""
    rule, value = target

    def rate(at: float, y: Array) -> Array:
        push = np.concatenate([[1.0], mu * y[1:3] / max(float(np.linalg.norm(y[1:3])), 1e-300)])
        return np.concatenate([-W @ push, push[1:], [y[0]]])

    def stopped(at: float, y: Array) -> float:
        return float(np.linalg.norm(y[1:3])) - max(scale, 1e-9 * first)

    def over(at: float, y: Array) -> float:
        if compressing:
            return float(y[0])
        return float({"speed": y[0] - value, "impulse": value - at, "work": y[5] - value}[rule])

    first = float(np.linalg.norm(u[1:]))
    stopped.terminal = over.terminal = True  # type: ignore[attr-defined]
    over.direction = -1.0  # type: ignore[attr-defined]
    far = p[0] + 1e3 * float(np.abs(u).max()) / float(np.abs(np.diag(W)).min())
    size = float(np.abs(u).max())
    start = np.concatenate([u, p[1:], [work]])
    if not compressing and over(p[0], start) <= 0.0:
        return "over", u, p, work
    if first <= max(scale, 1e-9):  # it begins to slide: a push in that direction
        start[1:3] += 2e-9 * size * _way(W[1:, 1:], W[1:, 0], mu)
        first = size
    path = scipy.integrate.solve_ivp(
        rate, (p[0], far), start, method="DOP853", rtol=FINE, atol=FINE * size * 1e-2, events=[stopped, over]
    )
    if path.status != 1:
        raise Jammed
    end, y = path.t[-1], path.y[:, -1]
    what = "stopped" if path.t_events is not None and path.t_events[0].size else "compressed" if compressing else "over"
    return what, y[:3].copy(), np.concatenate([[end], y[3:5]]), float(y[5])
