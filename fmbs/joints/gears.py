"""Gear pair, rack and pinion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import number, shown, unit
from fmbs.core.described import Described
from fmbs.core.equations import Equation, Term, along, coordinate
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.own_coordinate import OwnCoordinate, angle_equation, counted_angle
from fmbs.core.protocols import IdealJoint

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Gears(Described):
    """Two wheels in mesh: phi_2 = ratio phi_1, with the angles by which two joints have turned since t = 0, over any number of
    turns. Both joints need an axis= of rotation: Revolute or Cylindrical.

    Each joint's angle is that of its b against its a about its axis, so wheels of a planetary gear are hinged to the arm. The
    wheels exchange moments, no tooth force: bearings do not feel one. `sol.reaction(gears)` is what acts on the second wheel.

    first, second: the joints of the wheels
    ratio: -z_1/z_2 of external spur gears on axes of one direction, +z_1/z_2 with a ring; bevel and worm gears by the
           directions of their axes
    """

    first: IdealJoint
    second: IdealJoint
    ratio: float = field(kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        for argument in ("first", "second"):
            _check_joint(self.label, argument, getattr(self, argument), "Revolute or Cylindrical")
        if number(self.label, "ratio", self.ratio) == 0.0:
            raise ModelError(
                f"{self.label}: ratio = 0 holds the second wheel; give -z_1/z_2, or Fixed for a wheel that stands."
            )
        if self.first is self.second:
            raise ModelError(f"{self.label}: first and second are the same joint; give the joints of two wheels.")
        self.equations()  # a cable has no frame and says so

    @property
    def label(self) -> str:
        return self.name or type(self).__name__

    @property
    def a(self) -> Marker:
        """Of the first wheel."""
        return self.first.b

    @property
    def b(self) -> Marker:
        """Of the second wheel."""
        return self.second.b

    @cached_property
    def own_coordinates(self) -> tuple[OwnCoordinate, OwnCoordinate]:
        """The angles of both wheels."""
        one, two = (counted_angle(self.label, joint.a, joint.b, _axis(joint)) for joint in (self.first, self.second))
        return one, two

    def equations(self) -> list[Equation]:
        one, two = self.own_coordinates
        return [
            angle_equation(one),
            angle_equation(two),
            Equation("mesh", (coordinate(self.ratio, one), coordinate(-1.0, two))),
        ]


@dataclass(frozen=True, eq=False)
class Rack(Described):
    """Rack and pinion: x = radius phi, with the angle phi by which a joint has turned and the way x by which another has slid
    along its axis since t = 0. With a Cylindrical joint for both it is a screw, radius = lead/(2 pi).

    The pinion drives the rack's body along the axis of the slide, at its marker: `sol.reaction(rack)` is what acts there.

    pinion: the joint that turns, Revolute or Cylindrical
    slide: the joint that slides, Prismatic or Cylindrical
    radius: of the pinion, m; negative where a turn about the pinion's axis moves the rack against the slide's axis
    """

    pinion: IdealJoint
    slide: IdealJoint
    radius: float = field(kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        _check_joint(self.label, "pinion", self.pinion, "Revolute or Cylindrical")
        _check_joint(self.label, "slide", self.slide, "Prismatic or Cylindrical")
        if number(self.label, "radius", self.radius) == 0.0:
            raise ModelError(f"{self.label}: radius = 0 moves no rack; give the pitch radius of the pinion, m.")
        self.equations()

    @property
    def label(self) -> str:
        return self.name or type(self).__name__

    @property
    def a(self) -> Marker:
        """Of the pinion."""
        return self.pinion.b

    @property
    def b(self) -> Marker:
        """Of the rack."""
        return self.slide.b

    @cached_property
    def own_coordinates(self) -> tuple[OwnCoordinate]:
        """The pinion's angle."""
        joint = self.pinion
        return (counted_angle(self.label, joint.a, joint.b, _axis(joint)),)

    def equations(self) -> list[Equation]:
        slide, (own,) = self.slide, self.own_coordinates
        n = _axis(slide)
        drawn = float(n @ (slide.b.position - slide.a.position))
        way = along("mesh", slide.a.direction(n), slide.a, slide.b, drawn)
        terms: Sequence[Term] = (*way.terms, coordinate(-self.radius, own))
        return [angle_equation(own), Equation("mesh", tuple(terms), drawn)]


def _axis(joint: Any) -> Array:
    """Global direction at t = 0; in the plane joints turn about z."""
    axis: ArrayLike = joint.axis
    return unit("axis", "axis", np.append(axis, np.zeros(3 - np.size(axis))))


def _check_joint(part: str, argument: str, joint: Any, kinds: str) -> None:
    if not isinstance(joint, IdealJoint) or not hasattr(joint, "axis"):
        raise ModelError(f"{part}: {argument} = {shown(joint)} is not a joint with an axis; give the {kinds} joint itself.")
