"""What the tests of cables and planar beams share."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import fmbs as fm
from fmbs.assembly.system import Coefficients, System
from tests.oracles.reissner import Stiffness, tip_force

Array = np.ndarray
ELASTICA = json.loads((Path(__file__).parents[1] / "literature" / "reference.json").read_text())["elastica"]
STEEL = fm.Material(E=2.07e11, nu=0.3, density=7850.0)


def cantilever(kind: type, elements: int, *, height: float, width: float, length: float, force: float) -> Array:
    """Displacement in the plane of the tip of a clamped line under a dead transverse force."""
    model, size = fm.Model("cantilever"), 2 if kind is fm.PlanarBeam else 3
    section, ends = fm.Rectangle(height, width), ((0.0,) * size, (length, *(0.0,) * (size - 1)))
    line = model.add(kind("line", section=section, material=STEEL, elements=elements, start=ends[0], end=ends[1]))
    model.add(fm.Fixed(model.ground.at(*ends[0]), line.start))
    model.add(fm.PointForce(line.end, (0.0, force, 0.0)[:size]))
    sol = model.equilibrium(load_steps=10)
    return sol.position(line.end)[-1, :2] - (length, 0.0)


def tip_error(kind: type, elements: int, height: float = 0.1, load: float = 3.0) -> float:
    """Relative to the extensible elastica (Reissner without shear): L = 2 m, square section, P L^2/EI = load."""
    ei = STEEL.E * height**4 / 12.0
    force = load * ei / 4.0
    exact = tip_force(2.0, Stiffness(STEEL.E * height**2, np.inf, ei), (0.0, force)).displacement
    found = cantilever(kind, elements, height=height, width=height, length=2.0, force=force)
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))


def differenced(function, x: Array, h: float = 1e-6) -> Array:
    """Central differences of a vector function, one column a component of x."""
    return np.array([(function(x + h * e) - function(x - h * e)) / (2.0 * h) for e in np.eye(x.size)]).T


def tangent_errors(system: System, q: Array, v: Array, lam: Array) -> tuple[float, float]:
    """Largest difference of the stiffness and damping matrices from differences of the residual, relative."""
    a, none, errors = np.zeros(system.size), Coefficients(constraint=0.0), []
    cases = (
        (none._replace(stiffness=1.0), lambda x: system.residual(0.2, x, v, a, lam), q),
        (none._replace(damping=1.0), lambda x: system.residual(0.2, q, x, a, lam), v),
    )
    for coefficients, residual, x in cases:
        exact = system.jacobian(0.2, q, v, lam, coefficients).toarray()[: system.size, : system.size]
        errors.append(np.abs(exact - differenced(residual, x)[: system.size]).max() / max(np.abs(exact).max(), 1e-300))
    return errors[0], errors[1]
