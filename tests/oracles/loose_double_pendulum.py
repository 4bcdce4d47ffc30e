"""Tian2010's double pendulum of rigid links by Kane's equations in seven speeds, its bearing perfect or with clearance.

Link QB with its journal is one body, free in space; link CD with its journal another, held to QB by an axis through B along
QB. Speeds: velocity of Q (3), angular velocity of QB (3), rate of the angle at B. A perfect cylindrical bearing leaves three of
them, slide and turn along y and the angle at B; one with clearance pushes both ends of the journal by Lankarani and
Nikravesh's law.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from ._common import Array

X, Y, Z = np.eye(3)
SAME = 1e-13  # m: ends that are so close to the wall touch it


@dataclass(frozen=True, kw_only=True)
class LooseDoublePendulum:
    """Defaults: Tian2010 sect. 5.1; contact of steel."""

    length: float = 0.5
    thickness: float = 0.01
    density: float = 2700.0
    journal_density: float = 7800.0
    bearing_radius: float = 0.0302
    clearance: float = 2e-4
    bearing_length: float = 0.04
    g: float = 9.81
    E: float = 207e9
    nu: float = 0.3
    restitution: float = 0.9


@dataclass(frozen=True)
class LooseMotion:
    t: Array
    tip: Array  # (n, 3) point D
    impacts: tuple[tuple[float, int, float], ...]  # time, end (0 at -y, 1 at +y), approach speed


def _composite(p: LooseDoublePendulum, along: Array, axis: Array) -> tuple[float, Array, Array]:
    """Mass, centre of mass and inertia about it of a link from the origin along a direction, with its journal there."""
    link = p.density * p.thickness**2 * p.length
    radius = p.bearing_radius - p.clearance
    journal = p.journal_density * np.pi * radius**2 * p.bearing_length
    across, spin = link * (p.length**2 + p.thickness**2) / 12.0, link * p.thickness**2 / 6.0
    tilt, roll = journal * (3.0 * radius**2 + p.bearing_length**2) / 12.0, 0.5 * journal * radius**2
    centre = link * 0.5 * p.length * along / (link + journal)
    inertia = across * np.eye(3) + (spin - across) * np.outer(along, along)
    inertia = inertia + tilt * np.eye(3) + (roll - tilt) * np.outer(axis, axis)
    for mass, place in ((link, 0.5 * p.length * along), (journal, np.zeros(3))):
        d = place - centre
        inertia = inertia + mass * (d @ d * np.eye(3) - np.outer(d, d))
    return link + journal, centre, inertia


def _turn(angle: float) -> Array:
    """About x."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def solve(p: LooseDoublePendulum, t: Array, loose: bool) -> LooseMotion:
    """At the increasing times t, from rest: QB along x, CD along y, gravity along -z.

    State: position of Q, rotation of QB (9 numbers), angle at B, seven speeds.
    """
    m1, c1, I1 = _composite(p, X, Y)
    m2, c2, I2 = _composite(p, Y, X)
    s = 2.0 * (1.0 - p.nu**2) / p.E
    journal_radius = p.bearing_radius - p.clearance
    K = 4.0 / (3.0 * s) * np.sqrt(p.bearing_radius * journal_radius / p.clearance)
    hysteresis = 0.75 * (1.0 - p.restitution**2)
    held = np.eye(7) if loose else np.eye(7)[:, [1, 4, 6]]  # perfect: QB slides along y and turns about it, CD swings
    approach = [np.nan, np.nan]  # of each end, while it touches

    def ends(y: Array) -> list[tuple[float, float, Array, Array]]:
        """Depth, its rate, normal and arm from Q of both ends."""
        R, v, w = y[3:12].reshape(3, 3), y[13:16], y[16:19]
        found = []
        for side in (-0.5, 0.5):
            arm = side * p.bearing_length * R @ Y
            d = y[:3] + arm
            d = d - d @ Y * Y
            size = float(np.sqrt(d @ d))
            n = d / size if size > 0.0 else X
            found.append((size - p.clearance, float(n @ (v + np.cross(w, arm))), n, arm))
        return found

    def rate(t: float, y: Array) -> Array:
        R, angle, u = y[3:12].reshape(3, 3), float(y[12]), y[13:]
        w, turning = u[3:6], float(u[6])
        axis, S = R @ X, R @ _turn(angle)
        r1, b, r2 = R @ c1, p.length * R @ X, S @ c2
        w2 = w + turning * axis
        # partial velocities (rows: speeds), and accelerations without the rates of the speeds
        V1 = np.vstack([np.eye(3), np.cross(np.eye(3), r1), np.zeros((1, 3))])
        V2 = np.vstack([np.eye(3), np.cross(np.eye(3), b + r2), np.cross(axis, r2)[None]])
        W1 = np.vstack([np.zeros((3, 3)), np.eye(3), np.zeros((1, 3))])
        W2 = np.vstack([np.zeros((3, 3)), np.eye(3), axis[None]])
        own = turning * np.cross(w, axis)
        a1 = np.cross(w, np.cross(w, r1))
        a2 = np.cross(w, np.cross(w, b)) + np.cross(own, r2) + np.cross(w2, np.cross(w2, r2))
        J1, J2 = R @ I1 @ R.T, S @ I2 @ S.T
        M = m1 * V1 @ V1.T + m2 * V2 @ V2.T + W1 @ J1 @ W1.T + W2 @ J2 @ W2.T
        weight = -p.g * Z
        Q = V1 @ (m1 * (weight - a1)) + V2 @ (m2 * (weight - a2))
        Q = Q - W1 @ np.cross(w, J1 @ w) - W2 @ (J2 @ own + np.cross(w2, J2 @ w2))
        if loose:
            for (depth, speed, n, arm), start in zip(ends(y), approach, strict=True):
                if depth > 0.0 and not np.isnan(start):
                    ratio = speed / start
                    over = abs(ratio) - 5.0  # the guard of fmbs's laws, for contacts that begin almost at rest
                    ratio = np.copysign(5.0 + np.tanh(over), ratio) if over > 0.0 else ratio
                    force = -max(K * depth**1.5 * (1.0 + hysteresis * ratio), 0.0) * n
                    Q[:3] += force
                    Q[3:6] += np.cross(arm, force)
        du = held @ np.linalg.solve(held.T @ M @ held, held.T @ Q)
        return np.concatenate([u[:3], np.cross(w, R.T).T.ravel(), [turning], du])

    def crossing(i: int) -> Callable[[float, Array], float]:
        def depth(t: float, y: Array) -> float:
            return ends(y)[i][0]

        depth.terminal = True  # type: ignore[attr-defined]
        depth.direction = 1.0 if np.isnan(approach[i]) else -1.0  # type: ignore[attr-defined]
        return depth

    y = np.concatenate([np.zeros(3), np.eye(3).ravel(), np.zeros(8)])
    now, frames, impacts = 0.0, [y.copy()], []
    while now < t[-1]:
        events = [crossing(i) for i in (0, 1)] if loose else None
        ahead = t[t > now]
        longest = 2e-3 if np.isnan(approach).all() else 2e-5  # in contact: trial steps stay in the wall
        options = {"t_eval": ahead, "events": events, "rtol": 1e-10, "atol": 1e-12, "max_step": longest, "first_step": 1e-6}
        sol = solve_ivp(rate, (now, t[-1]), y, "DOP853", **options)
        frames += list(np.asarray(sol.y).T) if ahead.size else []
        if sol.status != 1:
            break
        k = next(k for k, times in enumerate(sol.t_events) if times.size)
        now, y = float(sol.t_events[k][0]), sol.y_events[k][0]
        for i, (depth, speed, _, _) in enumerate(ends(y)):  # the other end may be there as well
            if np.isnan(approach[i]) and depth > -SAME and speed > 0.0:
                impacts.append((now, i, speed))
                approach[i] = max(speed, 1e-5)
            elif not np.isnan(approach[i]) and depth < SAME and speed < 0.0:
                approach[i] = np.nan
    states = np.array(frames)[: t.size]
    R = states[:, 3:12].reshape(-1, 3, 3)
    angles = states[:, 12]
    down = np.stack([np.zeros_like(angles), np.cos(angles), np.sin(angles)], axis=-1)
    tip = states[:, :3] + p.length * (R @ X + np.einsum("fij,fj->fi", R, down))
    return LooseMotion(t, tip, tuple(impacts))
