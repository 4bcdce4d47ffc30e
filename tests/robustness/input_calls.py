"""How things are called with arguments that are right: constructors, analyses, questions to results, studies, commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import fmbs as fm
from fmbs.cli import main
from tests.robustness.reliability_models import STEEL, flexible, oiled, rattle, spatial

Made = tuple[Callable[..., Any], list[Any], dict[str, Any]]


@dataclass(frozen=True)
class Call:
    """make: what is called, with right arguments, all anew; others: further arguments that it takes by name."""

    kind: str
    name: str
    make: Callable[[], Made]
    others: tuple[str, ...] = ()


def plane() -> tuple[fm.Model, fm.Marker, fm.Marker]:
    """A model, a marker of the ground, one of a body."""
    m = fm.Model("plane", gravity=(0.0, -9.81))
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.1, com=(0.5, 0.0)))
    return m, m.ground.at(0, 0), arm.at(0, 0)


def space() -> tuple[fm.Model, fm.Marker, fm.Marker]:
    m = fm.Model("space", gravity=(0.0, 0.0, -9.81))
    arm = m.add(fm.RigidBody("arm", mass=1.0, inertia=(0.1, 0.2, 0.25), com=(0.5, 0.0, 0.0)))
    return m, m.ground.at(0, 0, 0), arm.at(0, 0, 0)


def _others(function: Any, given: dict[str, Any]) -> tuple[str, ...]:
    known = inspect.signature(function).parameters.values()
    return tuple(p.name for p in known if p.kind is p.KEYWORD_ONLY and p.name not in given)


def plain(kind: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Call:
    """A call that needs no model."""
    return Call(kind, function.__qualname__, lambda: (function, [*arguments], {**options}), _others(function, options))


def body(kind: type, *arguments: Any, **options: Any) -> Call:
    """A body, used."""

    def make() -> Made:
        def use(*given: Any, **named: Any) -> None:
            m = fm.Model("used", gravity=(0.0, -9.81))
            made = m.add(kind(*given, **named))
            assert str(m)
            m.add(fm.SpringDamper(m.ground.at(-1, -1, 0), made.at(0.5, 0) if made.planar else made.at(0, 0, 0), stiffness=1.0))
            short(m)

        def link(*given: Any, **named: Any) -> None:
            m = fm.Model("used", gravity=(0.0, -9.81))
            made = m.add(kind(*given, **named))
            m.add(fm.Spherical(m.ground.at(0, 0, 0), made.start) if kind is not fm.PlanarBeam else
                  fm.Revolute(m.ground.at(0, 0), made.start))  # fmt: skip
            assert str(m)
            short(m)

        return (link if "section" in options else use), [*arguments], {**options}

    return Call("parts", kind.__name__, make, _others(kind.__init__, options))


def short(m: fm.Model) -> fm.Solution:
    return m.simulate(2e-3, step=1e-3, progress=False)


def part(kind: type, draw: Callable[[], tuple[fm.Model, fm.Marker, fm.Marker]], *arguments: str, **options: Any) -> Call:
    """A joint or force between markers a and b of a model, used; arguments: which of them it takes, and others."""

    def make() -> Made:
        m, a, b = draw()

        def use(*given: Any, **named: Any) -> None:
            m.add(kind(*given, **named))
            assert str(m)
            short(m)

        given = [{"a": a, "b": b, "body": b.body}.get(x, x) if isinstance(x, str) else x for x in arguments]
        return use, given, {**options}

    return Call("parts", kind.__name__, make, _others(kind.__init__, options))


def law(kind: type, argument: str, **options: Any) -> Call:
    """A law, used in a joint that touches."""
    positional = [options.pop("first")] if "first" in options else []

    def make() -> Made:
        def use(*given: Any, **named: Any) -> None:
            made = kind(*given, **named)
            assert repr(made)
            m, a, b = plane()
            laws = {"contact": fm.contact.Hertz(stiffness=1e8), argument: made}
            m.add(fm.ClearanceRevolute(a, b, clearance=1e-4, bearing_radius=0.02, length=0.02, **laws))
            short(m)

        return use, [*positional], {**options}

    return Call("laws", kind.__name__, make, _others(kind.__init__, options))


def driven() -> fm.Model:
    m, a, b = plane()
    m.add(fm.Revolute(a, b, name="pin"))
    m.add(fm.RotationDrive(a, b, speed=3.0, name="motor"))
    return m


def cantilever() -> fm.Model:
    m = fm.Model("cantilever", gravity=(0.0, -9.81))
    beam = m.add(
        fm.PlanarBeam("beam", start=(0, 0), end=(0.5, 0), section=fm.Rectangle(0.01, 0.01), material=STEEL, elements=2)
    )
    m.add(fm.Fixed(m.ground.at(0, 0), beam.start, name="wall"))
    m.add(fm.PointForce(beam.end, (-1.0, 0.0), name="push"))
    return m


def analysis(build: Callable[[], fm.Model], name: str, *arguments: Any, **options: Any) -> Call:
    def make() -> Made:
        return getattr(build(), name), [*arguments], {**options}

    return Call("analyses", name, make, _others(getattr(fm.Model, name), {"self": 0, **options}))


@cache
def solutions() -> dict[str, fm.Solution]:
    """Of all kinds; computed once."""
    quiet = {"progress": False, "energy_tolerance": None}
    return {
        "rattle": rattle().simulate(0.03, step=2e-4, **quiet),
        "oiled": oiled().simulate(1e-3, step=1e-4, **quiet),
        "flexible": flexible().simulate(1e-2, step=1e-3, **quiet),
        "spatial": spatial().simulate(1e-2, step=1e-3, **quiet),
        "driven": driven().simulate(1e-2, step=1e-3, **quiet),
        "cantilever": cantilever().equilibrium(),
    }


def result(of: str, name: str, *arguments: Any, **options: Any) -> Call:
    """A question to a solution; arguments: functions of it."""

    def make() -> Made:
        sol = solutions()[of]
        question: Any = sol
        for word in name.split("."):
            question = getattr(question, word)
        return question, [x(sol) if callable(x) else x for x in arguments], {**options}

    return Call("results", name, make, _others(make()[0], options))


def study(function: Callable[..., Any], *arguments: Any, others: tuple[str, ...] = (), **options: Any) -> Call:
    """Of fm.studies; an argument that names a solution is that one."""

    def make() -> Made:
        return function, [solutions()[x] if isinstance(x, str) and x in solutions() else x for x in arguments], {**options}

    return Call("studies", function.__qualname__, make, (*_others(function, options), *others))


def command(*words: str, after: tuple[str, ...] = ()) -> Call:
    """Of the command line; after: words that stay as they are."""

    def run(*given: Any) -> None:
        code = main([words[0], *(str(word).replace("\x00", "") for word in given), *after])
        assert code in (0, 1, 2, 3, 4, 5), code

    return Call("commands", f"fmbs {words[0]}", lambda: (run, [*words[1:]], {}))


def falling(height: float = 1.0, **options: Any) -> fm.Model:
    """A model of a study."""
    m = fm.Model("falling", gravity=(0.0, -9.81))
    ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=1.0, com=(0.0, height)))
    m.add(fm.SpringDamper(m.ground.at(0, 0), ball.com, stiffness=10.0, length=height, name="spring"))
    return m


def integrator(kind: type, **options: Any) -> Call:
    def make() -> Made:
        def use(**named: Any) -> None:
            driven().simulate(1e-3, output_step=5e-4, integrator=kind(**named), progress=False)

        return use, [], {**options}

    return Call("analyses", kind.__name__, make, _others(kind.__init__, options))
