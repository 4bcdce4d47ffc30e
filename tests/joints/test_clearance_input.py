"""Bad clearance joints are refused before anything runs."""

from __future__ import annotations

from typing import Any

import pytest

import fmbs as fm
from tests.test_bad_input import refused

LAW = fm.contact.LankaraniNikravesh(restitution=0.9, stiffness=1e9)
SLIDE = fm.friction.Ambrosio(0.1, v0=1e-3, v1=1e-2)
GOOD: dict[str, Any] = {"bearing_radius": 0.01, "clearance": 1e-4, "contact": LAW}

CASES = {
    "no clearance": ({"clearance": 0.0}, "pin | clearance = 0 | must be positive"),
    "negative clearance": ({"clearance": -1e-4}, "pin | clearance = -0.0001 | must be positive"),
    "no journal left": ({"clearance": 0.02}, "pin | clearance = 0.02 m leaves no journal"),
    "no radius": ({"bearing_radius": -0.01}, "pin | bearing_radius = -0.01 | must be positive"),
    "no law": ({"contact": None}, "pin | no law | contact= (dry), film= (lubricated)"),
    "not a law": ({"contact": 3.0}, "pin | contact = 3.0 | is not of fm.contact"),
    "not a friction law": ({"friction": 0.1}, "pin | friction = 0.1 | is not of fm.friction"),
    "friction without contact": (
        {"contact": None, "film": fm.film.ShortBearing(0.1), "length": 0.02, "friction": SLIDE},
        "pin | friction and wear need a contact= law",
    ),
    "neither stiffness nor materials": ({"contact": fm.contact.LankaraniNikravesh(restitution=0.9)}, "pin | stiffness"),
    "film without length": ({"film": fm.film.ShortBearing(0.1)}, "pin | length="),
    "wear without length": ({"wear": fm.wear.Archard(coefficient=1e-5, hardness=1e9)}, "pin | length="),
}


def planar() -> tuple[fm.Model, fm.PlanarBody]:
    m = fm.Model("m", gravity=(0, 0))
    return m, m.add(fm.PlanarBody("arm", mass=1.0, inertia=1.0, com=(0.0, 0.0)))


def spatial() -> tuple[fm.Model, fm.RigidBody]:
    m = fm.Model("m")
    return m, m.add(fm.RigidBody("arm", mass=1.0, inertia=(1, 1, 1), com=(0, 0, 0)))


def test_good_arguments() -> None:
    """What the refused joints below differ from is accepted."""
    m, body = planar()
    joint = m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, name="pin", **GOOD))
    assert [station.end for station in joint.stations] == ["A"]
    assert joint.stations[0].radius == GOOD["bearing_radius"] - GOOD["clearance"]
    assert m.system().contacts.names() == [(joint, "A")]


@pytest.mark.parametrize(("change", "words"), CASES.values(), ids=CASES)
def test_bad_arguments(change: dict[str, Any], words: str) -> None:
    m, body = planar()

    def build() -> None:
        joint = fm.ClearanceRevolute(m.ground.at(0, 0), body.com, name="pin", **(GOOD | change))
        m.add(joint)
        m.system()

    refused(words, build)
    assert len(m.bodies) == 1


@pytest.mark.parametrize("value", [0.0, -0.1, 1.1, float("nan")])
def test_restitution(value: float) -> None:
    refused("restitution", fm.contact.LankaraniNikravesh, restitution=value, stiffness=1e9)


def test_where_it_is() -> None:
    m, body = planar()
    refused("both on 'arm'", fm.ClearanceRevolute, body.at(0, 0), body.at(1e-5, 0), **GOOD)
    refused("outside the bearing at t = 0", fm.ClearanceRevolute, m.ground.at(0, 0), body.at(2e-4, 0), **GOOD)
    refused("bearing | marker", fm.ClearanceRevolute, body, body.com, **GOOD)
    space, solid = spatial()
    refused("joins planar bodies | ClearanceCylindrical", fm.ClearanceRevolute, space.ground.at(0, 0, 0), solid.com, **GOOD)
    refused("joins spatial bodies | ClearanceRevolute", fm.ClearanceSpherical, m.ground.at(0, 0), body.com, **GOOD)
    refused("outside", fm.ClearanceSpherical, space.ground.at(0, 0, 1e-3), solid.com, **GOOD)


def test_cylinder_and_guide() -> None:
    space, solid = spatial()
    ends = space.ground.at(0, 0, 0), solid.com
    long = {**GOOD, "axis": (0, 0, 1), "length": 0.02}
    refused("length = 0 | must be positive", fm.ClearanceCylindrical, *ends, **(long | {"length": 0.0}))
    refused("axis", fm.ClearanceCylindrical, *ends, **(long | {"axis": (0, 0, 0)}))
    refused("axial_clearance = -1 | must be positive", fm.ClearanceCylindrical, *ends, axial_clearance=-1.0, **long)
    refused("film and wear are for cylindrical bearings", fm.ClearanceSpherical, *ends, film=fm.film.ShortBearing(0.1), **GOOD)
    m, body = planar()
    guide = {"axis": (1, 0), "clearance": 1e-4, "length": 0.1, "height": 0.02, "contact": LAW}
    refused("height = -1", fm.ClearancePrismatic, m.ground.at(0, 0), body.com, **(guide | {"height": -1.0}))
    refused("outside", fm.ClearancePrismatic, m.ground.at(0, 0), body.at(0, 1e-3), **guide)


def test_results_of_the_wrong_joint() -> None:
    m, body = planar()
    m.add(fm.Revolute(m.ground.at(0, 0), body.com, name="hinge"))
    sol = m.simulate(1e-3, step=1e-3)
    refused("hinge", sol.clearance, "hinge")
    assert sol.notes == () and sol.impacts == ()
