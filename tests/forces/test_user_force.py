"""A user's own force: only the force is given, the rest follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class OwnSpring(fm.UserForce):
    """The built-in spring-damper, written again."""

    a: fm.Marker
    b: fm.Marker
    stiffness: float = field(kw_only=True)
    length: float = field(kw_only=True)
    damping: float = field(kw_only=True)

    def force(self, t: float, a: fm.MarkerState, b: fm.MarkerState) -> tuple[Array, Array]:
        d = b.r - a.r
        length = np.linalg.norm(d)
        n = d / length
        pull = (self.stiffness * (length - self.length) + self.damping * n @ (b.v - a.v)) * n
        return pull, -pull


@dataclass(frozen=True, eq=False)
class Returns(fm.UserForce):
    """Returns whatever it is told to."""

    marker: fm.Marker
    value: Any

    def force(self, t: float, state: fm.MarkerState) -> Any:
        return self.value


def chain(spring: type, planar: bool) -> tuple[fm.Model, list[fm.Marker]]:
    """Two bodies, hinged to the ground and to each other by springs."""
    model = fm.Model("chain", gravity=(0, -9.81, 0))
    bodies = []
    for i, x in enumerate((0.5, 1.5)):
        if planar:
            body = fm.PlanarBody(f"b{i}", mass=1.0, inertia=0.1, com=(x, 0), spin=2.0)
        else:
            body = fm.RigidBody(f"b{i}", mass=1.0, inertia=(0.1, 0.12, 0.15), com=(x, 0, 0), spin=(1.0, 0.5, 2.0))
        bodies.append(model.add(body))
    z = () if planar else (0.1,)
    values = {"stiffness": 300.0, "length": 0.2, "damping": 2.0}
    model.add(spring(model.ground.at(-0.3, 0.1), bodies[0].at(0.0, 0.0, *z), **values))
    model.add(spring(bodies[0].at(0.8, 0.1, *z), bodies[1].at(1.1, 0.0, *z), **values))
    return model, [body.com for body in bodies]


@pytest.mark.parametrize("planar", [False, True])
def test_own_spring_is_the_built_in_one(planar: bool):
    (model, markers), (built_in, twins) = chain(OwnSpring, planar), chain(fm.SpringDamper, planar)
    sol, other = model.simulate(0.1, step=2e-3), built_in.simulate(0.1, step=2e-3)
    for marker, twin in zip(markers, twins, strict=True):
        assert_allclose(sol.position(marker), other.position(twin), rtol=0, atol=1e-8)
        assert_allclose(sol.velocity(marker), other.velocity(twin), rtol=0, atol=1e-8)
    assert sol.statistics.iterations < 1.5 * other.statistics.iterations  # the differenced tangent is as good


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ([(1.0, 2.0)], 0.0),
        ([(1.0, 2.0, 0.0)], 0.0),
        (np.array([[1.0, 2.0, 0.0]]), 0.0),
        ([((1.0, 2.0), 0.5)], 0.5),
        ([((1.0, 2.0, 0.0), (0.0, 0.0, 0.5))], 0.5),
    ],
)
def test_ways_to_give_a_force(value: Any, moment: float):
    model = fm.Model("ways")
    body = model.add(fm.PlanarBody("b", mass=2.0, inertia=0.5, com=(0, 0)))
    model.add(Returns(body.com, value))
    sol = model.simulate(0.1, step=1e-2)
    assert_allclose(sol.a[0], (0.5, 1.0, moment / 0.5), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "value",
    [[], [(1.0, 0.0)] * 2, 3.0, None, [3.0], [(1.0,)], [(1.0, 0.0, 0.0, 0.0)], [((1.0, 0.0), (1.0, 0.0))], ["up"]],
    ids=repr,
)
def test_wrong_return_value(value: Any):
    model = fm.Model("wrong")
    body = model.add(fm.PlanarBody("b", mass=2.0, inertia=0.5, com=(0, 0)))
    model.add(Returns(body.com, value, name="wind"))
    with pytest.raises(fm.ModelError, match=r"wind.*force\(\).*return"):
        model.simulate(0.1, step=1e-2)


def test_without_a_force():
    model = fm.Model("without")
    body = model.add(fm.PlanarBody("b", mass=2.0, inertia=0.5, com=(0, 0)))

    @dataclass(frozen=True, eq=False)
    class Lazy(fm.UserForce):
        marker: fm.Marker

    model.add(Lazy(body.com))
    with pytest.raises(fm.ModelError, match=r"Lazy: write a method force\(t, \*states\)"):
        model.simulate(0.1, step=1e-2)
