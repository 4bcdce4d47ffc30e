"""Runs that are killed: all integrators, all kinds of models, about a second each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import fmbs as fm

STEEL = fm.Material(E=2.1e9, nu=0.3, density=7850.0)


def swing() -> fm.Model:
    """A double pendulum."""
    m = fm.Model("swing", gravity=(0.0, -9.81))
    one = m.add(fm.PlanarBody("one", mass=1.0, inertia=0.1, com=(0.5, 0.0)))
    two = m.add(fm.PlanarBody("two", mass=1.0, inertia=0.1, com=(1.5, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), one.at(0, 0)))
    m.add(fm.Revolute(one.at(1, 0), two.at(1, 0)))
    m.add(fm.PointForce(two.at(1, 0), lambda t: (np.sin(20.0 * t), 0.0), name="push"))
    return m


def rattle() -> fm.Model:
    """A disc in a hole: impacts, friction with memory."""
    m = fm.Model("rattle", gravity=(0.0, -9.81))
    disc = m.add(fm.PlanarBody("disc", mass=1.0, inertia=2e-4, com=(1e-4, 0.0), velocity=(0.02, 0.0), spin=5.0))
    contact = fm.contact.LankaraniNikravesh(restitution=0.8, stiffness=1e8)
    friction = fm.friction.LuGre(static=0.2, kinetic=0.15, stribeck_speed=1e-2)
    hole = {"bearing_radius": 0.02, "clearance": 1e-3, "contact": contact, "friction": friction}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), disc.com, name="hole", **hole))
    return m


def flexible() -> fm.Model:
    """A crank with a flexible rod."""
    m = fm.Model("flexible", gravity=(0.0, -9.81))
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-4, com=(0.05, 0.0)))
    section = fm.Rectangle(0.01, 0.02)
    rod = m.add(fm.PlanarBeam("rod", start=(0.1, 0), end=(0.4, 0), section=section, material=STEEL, elements=3))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0)))
    m.add(fm.Revolute(crank.at(0.1, 0), rod.start))
    m.add(fm.PointOnLine(m.ground.at(0, 0), rod.end, axis=(1, 0)))
    return m


def oiled() -> fm.Model:
    """A shaft in an oil film."""
    m = fm.Model("oiled", gravity=(0.0, -9.81))
    shaft = m.add(fm.PlanarBody("shaft", mass=1.0, inertia=1e-3, com=(2e-5, 0.0), spin=100.0))
    film = fm.film.ShortBearing(viscosity=0.1)
    place = {"bearing_radius": 0.02, "clearance": 1e-4, "length": 0.02}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), shaft.com, film=film, name="bearing", **place))
    return m


def spatial() -> fm.Model:
    """A cable and a ball in space."""
    m = fm.Model("spatial", gravity=(0.0, 0.0, -9.81))
    rope = m.add(fm.Cable("rope", start=(0, 0, 0), end=(0.4, 0, 0), section=fm.Circle(0.004), material=STEEL, elements=3))
    ball = m.add(fm.RigidBody("ball", mass=0.2, inertia=(1e-4, 2e-4, 2.5e-4), com=(0.5, 0, 0), spin=(0, 0, 3.0)))
    m.add(fm.Spherical(m.ground.at(0, 0, 0), rope.start, name="hook"))
    m.add(fm.Spherical(rope.end, ball.at(0.4, 0, 0), name="knot"))
    return m


@dataclass(frozen=True)
class Job:
    """A run: `frames` of them, about a second of it."""

    build: Callable[[], fm.Model]
    t_end: float
    settings: tuple[tuple[str, Any], ...]
    frames: int = 400

    def run(self, path: Path | None, **changed: Any) -> fm.Solution:
        options = {"output_step": self.t_end / self.frames, **dict(self.settings), **changed}
        return self.build().simulate(self.t_end, checkpoint=path, progress=False, energy_tolerance=None, **options)


def _ode(kind: type, method: str) -> tuple[tuple[str, Any], ...]:
    return (("integrator", kind(method=method, rtol=1e-6, atol=1e-8)),)


JOBS = {
    "rigid, fixed step": Job(swing, 2.0, (("step", 1e-4),)),
    "rigid, error control": Job(swing, 2.0, (("tolerance", 1e-6),)),
    "contact, fixed step": Job(rattle, 0.4, (("step", 2e-5),)),
    "contact, error control": Job(rattle, 0.4, (("tolerance", 1e-5),)),
    "flexible, fixed step": Job(flexible, 0.2, (("step", 2e-5),)),
    "flexible, error control": Job(flexible, 0.1, (("tolerance", 1e-4),)),
    "film, fixed step": Job(oiled, 0.2, (("step", 1e-5),)),
    "spatial, fixed step": Job(spatial, 0.1, (("step", 2e-5),)),
    "rigid, Radau": Job(swing, 2.0, (("tolerance", 1e-9), ("integrator", fm.Radau()))),
    "film, Radau": Job(oiled, 0.2, (("tolerance", 1e-8), ("integrator", fm.Radau()))),
    "rigid, numerical tangent": Job(swing, 0.5, (("step", 1e-3), ("tangent", "numerical"))),
    "rigid, scipy solver": Job(swing, 0.5, (("step", 5e-4), ("linear_solver", "scipy"))),
    "Baumgarte, BDF": Job(swing, 1.0, _ode(fm.BaumgarteODE, "BDF")),
    "Baumgarte, RK45": Job(swing, 1.0, _ode(fm.BaumgarteODE, "RK45")),
    "Baumgarte, LSODA": Job(swing, 1.0, _ode(fm.BaumgarteODE, "LSODA")),
    "Baumgarte in contact, BDF": Job(rattle, 0.03, _ode(fm.BaumgarteODE, "BDF")),
    "augmented Lagrangian, Radau": Job(swing, 0.2, _ode(fm.AugmentedLagrangian, "Radau")),
    "augmented Lagrangian, RK23": Job(swing, 0.1, _ode(fm.AugmentedLagrangian, "RK23")),
    "partitioning, BDF": Job(swing, 0.5, _ode(fm.CoordinatePartitioning, "BDF")),
    "partitioning, DOP853": Job(swing, 1.0, _ode(fm.CoordinatePartitioning, "DOP853")),
}
