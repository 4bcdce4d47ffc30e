"""What a part may give besides what a run needs of it (`fmbs.core.protocols`): to be stored, drawn, cut into sections.

All of it is optional, and the parts of fmbs give it in no other way than yours: by methods, whatever the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.cells import Surface
from fmbs.core.marker import Marker
from fmbs.core.protocols import Body, ContactBatch, Force, IdealJoint
from fmbs.core.vectors import Vector

Array = NDArray[np.float64]


@runtime_checkable
class Stored(Protocol):
    """What tells a file how to make it again. Dataclasses need not: their fields are stored."""

    def arguments(self) -> dict[str, Any]:
        """What its class is called with: numbers, text, arrays, markers, bodies, functions of time, dataclasses or Stored."""


@runtime_checkable
class Restored(Protocol):
    """What is made again in another way than by calling its class with the stored arguments."""

    @classmethod
    def from_arguments(cls, arguments: dict[str, Any]) -> Self: ...


@runtime_checkable
class DrawnBody(Body, Protocol):
    """A body that gives its own surface to files, pictures and animations."""

    def surface(self, per_element: int) -> Surface: ...  # per_element: slices along each element, where that makes sense


@runtime_checkable
class VolumeBody(DrawnBody, Protocol):
    """A body whose inside is drawn too, in files for ParaView."""

    def volume(self) -> Surface: ...  # with cells of a volume


class Patch(NamedTuple):
    """Faces of one shape on the surface of a body, x = sum N_i x_i of their nodes."""

    vectors: Sequence[Vector]  # points of the body
    drawn: Array  # where they are at t = 0  # (vectors, 3)
    faces: NDArray[np.int64]  # numbers of vectors, seen anticlockwise from outside  # (faces, nodes of each)
    value: Array  # N_i at the points of a rule  # (points, nodes of each)
    slope: Array  # their derivatives along the two coordinates of a face  # (points, nodes of each, 2)
    weight: Array  # (points,)


@runtime_checkable
class SurfaceBody(Body, Protocol):
    """A body with named surfaces, for `fm.Pressure`."""

    def patches(self, surface: str) -> list[Patch]: ...
    def corners(self, surface: str) -> tuple[Marker, ...]: ...  # a few points of it


@runtime_checkable
class CentredBody(Body, Protocol):
    """A body with a marker at its centre of mass: without a surface it is drawn as a shape that moves with that marker."""

    @property
    def com(self) -> Marker: ...


@runtime_checkable
class TurningBody(Body, Protocol):
    """A planar body with an angle, for `sol.angle`."""

    def turned(self, q: Array) -> Array: ...  # rad, counted on over full turns; q (frames, size) -> (frames,)


@runtime_checkable
class LineBody(Body, Protocol):
    """A body along a line of elements of equal length: studies know its ends, a DistributedForce acts along it."""

    @property
    def elements(self) -> int: ...
    @property
    def start(self) -> Marker: ...
    @property
    def end(self) -> Marker: ...
    def at(self, s: float, /) -> Marker: ...  # 0 <= s <= 1 of the length
    def reference_speed(self, x: Array, /) -> Array: ...  # |dr/dxi| at places 0 <= xi <= 1 of each element, (elements, places)


class AtPlaces(NamedTuple):
    """Of every frame and place along a line, in the axes of the section, which are the columns of `axes`."""

    strain: Array  # (frames, places, 3)
    curvature: Array  # (frames, places, 3)
    force: Array  # (frames, places, 3)
    moment: Array  # (frames, places, 3)
    axes: Array  # (frames, places, 3, 3)


@runtime_checkable
class SectionedBody(Body, Protocol):
    """A body with cross-sections, whose strains and forces `sol.section` gives."""

    @property
    def elements(self) -> int: ...
    @property
    def section(self) -> Any: ...  # fm.Section
    @property
    def material(self) -> Any: ...  # fm.Material
    def section_forces(self, s: Array, q: Array) -> AtPlaces: ...  # at places 0 <= s <= 1, for its own q of every frame


@runtime_checkable
class SectionedPart(Protocol):
    """A piece of a body with cross-sections of its own, such as a strut of a network."""

    @property
    def name(self) -> str: ...
    @property
    def body(self) -> Body: ...
    @property
    def section(self) -> Any: ...  # fm.Section
    @property
    def material(self) -> Any: ...  # fm.Material
    def section_forces(self, s: Array, q: Array) -> AtPlaces: ...  # as of a SectionedBody, with q of the body


@runtime_checkable
class Drive(IdealJoint, Protocol):
    """An ideal joint that moves its second marker along or about an axis of the first."""

    @property
    def turns(self) -> bool: ...  # True: about the axis, and its moment drives; False: along it, and its force does
    @property
    def axis(self) -> ArrayLike: ...  # global direction at t = 0


@runtime_checkable
class ReactingForce(Force, Protocol):
    """A force between two markers whose `sol.reaction` can be asked for."""

    @property
    def b(self) -> Marker: ...  # the second marker, on whose body it acts

    def acting(self, sol: Any) -> tuple[Array, Array]:
        """Force on b's body and moment about b in global axes  # (frames, 3) each; sol: the fm.Solution."""


@runtime_checkable
class RoundContact(Protocol):
    """A contact of balls: bodies without a shape of their own are drawn as these."""

    @property
    def balls(self) -> tuple[tuple[Marker, float], ...]: ...  # centre and radius, m


@runtime_checkable
class LimitedPart(Protocol):
    """A body, joint or force that tells, in `sol.notes`, where a run left what it stands for."""

    def limits(self, sol: Any) -> tuple[str, ...]: ...  # in words; sol: the fm.Solution


@runtime_checkable
class JointWithClearance(Force, Protocol):
    """A joint with a gap, for `sol.clearance` and figures. Its batch is a RecordedBatch."""

    @property
    def label(self) -> str: ...  # its name, or its class
    @property
    def bearing(self) -> Marker: ...
    @property
    def journal(self) -> Marker: ...
    @property
    def flat(self) -> bool: ...  # joins planar bodies?
    @property
    def clearance(self) -> float: ...  # m
    @property
    def gapped(self) -> bool: ...  # is it a gap of a journal in a bearing? Else it is a typical length of the contact
    @property
    def contact(self) -> Any: ...  # a law of fm.contact or fm.impact, or None
    @property
    def rigid(self) -> bool: ...  # has it a law of fm.impact, for surfaces that are rigid?
    @property
    def film(self) -> Any: ...  # a law of fm.film, or None
    @property
    def film_length(self) -> float: ...  # of the bearing, m
    @property
    def stations(self) -> tuple[Any, ...]: ...  # fmbs.joints.clearance.base.Station: places that may touch
    @property
    def triad(self) -> tuple[Array, Array, Array]: ...  # global directions of the bearing's axes at t = 0


class RecordedBatch(ContactBatch, Protocol):
    """A batch of joints with clearance that tells what goes on at an instant, after `begin` with h = 0."""

    @property
    def joints(self) -> tuple[Any, ...]: ...
    @property
    def owners(self) -> list[tuple[Any, Any]]: ...  # joint and Station of every station
    @property
    def worn(self) -> slice: ...  # where the wear of its sectors stands in a station's history
    def records(self, t: float, q: Array, v: Array) -> tuple[Array, Array, Array]:
        """Motion, loads and place in the bearing's triad of all stations, as `fmbs.gaps` has them."""

    def film_records(self, t: float, q: Array, v: Array) -> tuple[list[Any], Array, list[Any]]:
        """Joints with a film, their motion in the bearing's axes (films, 9) and what the films do."""

    def wrench(self, t: float, q: Array, v: Array) -> Array:
        """Force on each joint's journal and moment about its marker, global axes  # (joints, 2, 3)."""


@runtime_checkable
class DirectedBody(Body, Protocol):
    """A body with vectors that turn with it, for small motions about a motion in which it spins."""

    def directors(self) -> list[tuple[tuple[int, int], ...]]:
        """Groups of vectors that turn together, each by its first coordinate and that of the point it begins at, -1 where it
        does not lie between two points.
        """
