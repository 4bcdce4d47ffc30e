"""integrator="auto": what it takes, and that it says why."""

from __future__ import annotations

import re
from typing import Any

import pytest

import fmbs as fm
from fmbs.analysis.integrators import chosen

STEEL = fm.Material(E=2e11, nu=0.3, density=7800)


def pendulum() -> fm.Model:
    m = fm.Model("pendulum", gravity=(0, -9.81))
    rod = m.add(fm.PlanarBody("rod", mass=1.0, inertia=0.1, com=(0.5, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), rod.at(0, 0)))
    return m


def rattling(friction: Any) -> fm.Model:
    m = fm.Model("rattling")
    body = m.add(fm.PlanarBody("journal", mass=1.0, inertia=1e-4, com=(0, 0), velocity=(0.1, -0.2)))
    contact = fm.contact.Hertz(stiffness=1e9)
    size = {"bearing_radius": 0.01, "clearance": 1e-4}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, contact=contact, friction=friction, name="pin", **size))
    return m


def beam(elements: int) -> fm.Model:
    m = fm.Model("beam")
    m.add(fm.Beam("rod", start=(0, 0, 0), end=(1, 0, 0), section=fm.Circle(0.01), material=STEEL, elements=elements))
    return m


@pytest.mark.parametrize("given", [{}, {"integrator": "auto"}], ids=["nothing", "auto"])
def test_a_tolerance_takes_radau_and_a_step_generalized_alpha(given: dict[str, str]) -> None:
    sol = pendulum().simulate(0.1, tolerance=1e-6, progress=False, **given)
    assert sol.statistics.integrator == "Radau"
    assert "integrator: Radau, it meets a tolerance with the fewest steps" in str(sol)
    sol = pendulum().simulate(0.1, step=1e-2, progress=False, energy_tolerance=None, **given)
    assert sol.statistics.integrator == "GeneralizedAlpha" and "integrator" not in str(sol)
    sol = pendulum().simulate(0.1, tolerance=1e-6, progress=False, integrator=fm.GeneralizedAlpha())
    assert sol.statistics.integrator == "GeneralizedAlpha" and sol.statistics.chosen == ""


CURVE = {"static": 0.2, "kinetic": 0.1}
EXCEPTIONS = {
    "Karnopp": (lambda: rattling(fm.friction.Karnopp(**CURVE, band=1e-3)), {}, "pin.* has Karnopp, whose state switches"),
    "Leuven": (lambda: rattling(fm.friction.Leuven(**CURVE, stribeck_speed=0.1)), {}, "pin.* has Leuven, whose state switches"),
    "differences": (pendulum, {"tangent": "numerical"}, "tangent = 'numerical'"),
    "ranks": (pendulum, {"ranks": 4}, "4 processes share the run"),
    "large": (lambda: beam(64), {"tolerance": 1e-3}, "coordinates of elastic bodies and a loose tolerance"),
}


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_generalized_alpha_is_taken_where_radau_is_not_for_it(name: str) -> None:
    build, given, why = EXCEPTIONS[name]
    options: dict[str, Any] = {"asked": None, "tangent": "exact", "ranks": 1, "step": None, "tolerance": 1e-6, **given}
    found = chosen(build(), **options)
    assert isinstance(found.integrator, fm.GeneralizedAlpha)
    assert re.search(why, found.why)


def test_radau_is_taken_for_the_rest() -> None:
    options: dict[str, Any] = {"asked": None, "tangent": "exact", "ranks": 1, "step": None}
    for m, tolerance in ((rattling(fm.friction.Dahl(0.1)), 1e-3), (beam(64), 1e-5), (beam(2), 1e-3)):
        assert isinstance(chosen(m, **options, tolerance=tolerance).integrator, fm.Radau)


def test_other_words_are_refused() -> None:
    with pytest.raises(fm.ModelError, match=r"integrator = 'best' is not an integrator; give 'auto', fm.GeneralizedAlpha\(\)"):
        pendulum().simulate(0.1, tolerance=1e-6, integrator="best")
    with pytest.raises(fm.ModelError, match=r"has Karnopp, whose state switches .* Take fm.GeneralizedAlpha\(\)"):
        rattling(fm.friction.Karnopp(**CURVE, band=1e-3)).simulate(1e-3, tolerance=1e-6, integrator=fm.Radau())
