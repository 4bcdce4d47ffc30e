"""Planar linkages, drawn from planar or from spatial bodies."""

from __future__ import annotations

import numpy as np

import fmbs as fm

Point = tuple[float, float]


def bar(model: fm.Model, name: str, p: Point, q: Point, planar: bool) -> fm.PlanarBody | fm.RigidBody:
    """A slender bar of 1 kg/m from p to q; in space with a little inertia about its own axis."""
    length = float(np.hypot(q[0] - p[0], q[1] - p[1]))
    centre, inertia = 0.5 * np.add(p, q), length**3 / 12.0
    if planar:
        return model.add(fm.PlanarBody(name, mass=length, inertia=inertia, com=centre))
    e = np.append(np.subtract(q, p) / length, 0.0)
    tensor = inertia * (np.eye(3) - 0.999 * np.outer(e, e))
    return model.add(fm.RigidBody(name, mass=length, inertia=tensor, com=(*centre, 0.0)))


def at(body, p: Point, planar: bool) -> fm.Marker:
    return body.at(*p) if planar else body.at(*p, 0.0)


def four_bar(
    planar: bool, a: Point = (0, 0), b: Point = (0.3, 0.4), c: Point = (1.2, 0.8), d: Point = (1, 0)
) -> tuple[fm.Model, list]:
    """Crank ab, coupler bc, rocker cd on revolute joints A, B, C, D about z."""
    model = fm.Model("four-bar", gravity=(0, -9.81, 0))
    bars = [bar(model, *line, planar) for line in (("crank", a, b), ("coupler", b, c), ("rocker", c, d))]
    links = [model.ground, *bars, model.ground]
    for i, (name, p) in enumerate(zip("ABCD", (a, b, c, d), strict=True)):
        model.add(fm.Revolute(at(links[i], p, planar), at(links[i + 1], p, planar), name=name))
    return model, bars


def ladder(cells: int, planar: bool, angle: float = 1.0) -> tuple[fm.Model, list]:
    """A row of parallel rockers whose tips are joined by couplers: one freedom, and a loop a cell."""
    model = fm.Model("ladder", gravity=(0, -9.81, 0))
    feet = [(float(i), 0.0) for i in range(cells + 1)]
    tips = [(x + np.cos(angle), np.sin(angle)) for x, _ in feet]
    rockers = [bar(model, f"rocker {i}", feet[i], tips[i], planar) for i in range(cells + 1)]
    for i, rocker in enumerate(rockers):
        model.add(fm.Revolute(at(model.ground, feet[i], planar), at(rocker, feet[i], planar), name=f"foot {i}"))
    for i in range(cells):
        coupler = bar(model, f"coupler {i}", tips[i], tips[i + 1], planar)
        for j in (i, i + 1):
            model.add(fm.Revolute(at(rockers[j], tips[j], planar), at(coupler, tips[j], planar), name=f"tip {i} {j}"))
    return model, rockers
