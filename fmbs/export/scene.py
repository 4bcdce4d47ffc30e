"""Everything of a solution that can be drawn, as layers of moving meshes: beams, bodies, joints, bearings, ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Cells, Snapshot, Surface
from fmbs.core.checks import number, shown, whole
from fmbs.core.defaults import PER_ELEMENT
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import CentredBody, DrawnBody, JointWithClearance, RoundContact, VolumeBody
from fmbs.core.protocols import Body, IdealJoint
from fmbs.export.bearings import Bearings
from fmbs.export.journals import Journals, contact_modes, journal_motions, usual_magnification
from fmbs.export.shapes import Box, Link, Shape, Sphere

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

Array = NDArray[np.float64]
MOST_MARKERS = 50  # that tell in which plane a mechanism moves
COLOURS = ("axial_strain", "von_mises")  # fields that pictures and animations may ask of any surface


class Layer(Protocol):
    """A mesh with the same cells and fields in every frame."""

    @property
    def name(self) -> str: ...
    @property
    def cells(self) -> Cells: ...
    def snapshot(self, frame: int) -> Snapshot: ...


class Beams:
    """Surfaces of bodies, or volumes; field `part`: the body's number in the model. Fields that a body lacks are 0."""

    def __init__(self, sol: Solution, bodies: Sequence[DrawnBody], surfaces: Sequence[Surface], name: str = "beams") -> None:
        self._sol, self._surfaces, self.name = sol, surfaces, name
        self._places = [sol.system.dofs.coordinates_of(body) for body in bodies]
        drawn = self._shots(sol.system.drawn_position, sol.system.initial_velocity)
        self._drawn = np.concatenate([shot.points for shot in drawn])
        counts = [len(shot.points) for shot in drawn]
        self.cells = Cells.merged([(item.cells, count) for item, count in zip(self._surfaces, counts, strict=True)])
        self._widths = {name: values.shape[1:] for shot in drawn for name, values in shot.fields.items()}
        self._widths |= dict.fromkeys(COLOURS, ()) if name == "beams" else {}
        order = {id(body): k for k, body in enumerate(sol.system.dofs.bodies)}
        self._part = np.repeat([order[id(body)] for body in bodies], counts).astype(np.int32)

    def _shots(self, q: Array, v: Array) -> list[Snapshot]:
        return [item.snapshot(q[own], v[own]) for item, own in zip(self._surfaces, self._places, strict=True)]

    def snapshot(self, frame: int) -> Snapshot:
        shots = self._shots(self._sol.q[frame], self._sol.v[frame])
        points = np.concatenate([shot.points for shot in shots])
        fields = {"displacement": points - self._drawn}
        for name, width in self._widths.items():
            fields[name] = np.concatenate([shot.fields.get(name, np.zeros((len(shot.points), *width))) for shot in shots])
        return Snapshot(points, {**fields, "part": self._part})


class Bodies:
    """Bodies with a centre of mass and no surface: shapes that move with them."""

    name = "bodies"

    def __init__(self, sol: Solution, bodies: Sequence[CentredBody], shapes: Sequence[Shape]) -> None:
        pieces = [shape.mesh(body.com.position) for body, shape in zip(bodies, shapes, strict=True)]
        self.cells = Cells.merged([(cells, len(points)) for points, cells in pieces])
        self._arms = [points - body.com.position for body, (points, _) in zip(bodies, pieces, strict=True)]
        self.reference = np.concatenate([points for points, _ in pieces])
        coms = [body.com for body in bodies]
        self._place = [_spatial(sol.position(com)) for com in coms]
        self._speed = [_spatial(sol.velocity(com)) for com in coms]
        self._rotation = [sol.rotation(com) for com in coms]
        self._spin = [_moment(sol.spin(com)) for com in coms]
        order = {id(body): k for k, body in enumerate(sol.system.dofs.bodies)}
        self._part = np.repeat([order[id(body)] for body in bodies], [len(arm) for arm in self._arms]).astype(np.int32)
        self.owner = np.repeat(np.arange(len(bodies)), [len(arm) for arm in self._arms])  # which body each point is of

    def motion(self, body: int) -> Array:
        """Matrices that take points at t = 0 to every frame: r + R (x - c)  # (frames, 4, 4)."""
        rotation, centre = self._rotation[body], self.reference[self.owner == body][0] - self._arms[body][0]
        matrices = np.tile(np.eye(4), (len(rotation), 1, 1))
        matrices[:, :3, :3], matrices[:, :3, 3] = rotation, self._place[body] - rotation @ centre
        return matrices

    def snapshot(self, frame: int) -> Snapshot:
        turned = [arm @ rotation[frame].T for arm, rotation in zip(self._arms, self._rotation, strict=True)]
        points = np.concatenate([place[frame] + arm for place, arm in zip(self._place, turned, strict=True)])
        velocity = [v[frame] + np.cross(w[frame], arm) for v, w, arm in zip(self._speed, self._spin, turned, strict=True)]
        fields = {"displacement": points - self.reference, "velocity": np.concatenate(velocity), "part": self._part}
        return Snapshot(points, fields)


class Joints:
    """A point at each joint's second marker with the force and moment on that marker's body.

    part: number of the joint, ideal ones first
    contact: -1 in ideal joints; in joints with clearance 0 in free flight, 1 during an impact, 2 in following contact
    """

    name = "joints"

    def __init__(self, sol: Solution, joints: Sequence[IdealJoint | JointWithClearance]) -> None:
        self.cells = Cells.of([(k,) for k in range(len(joints))])
        reactions = [sol.reaction(joint) for joint in joints]
        markers = [joint.journal if isinstance(joint, JointWithClearance) else joint.b for joint in joints]
        self._place = np.stack([_spatial(sol.position(marker)) for marker in markers], axis=1)  # (frames, joints, 3)
        self._contact = np.stack([_contact(sol, joint) for joint in joints], axis=1)  # (frames, joints)
        self._force = np.stack([_spatial(reaction.force) for reaction in reactions], axis=1)
        self._moment = np.stack([_moment(reaction.moment) for reaction in reactions], axis=1)

    def snapshot(self, frame: int) -> Snapshot:
        number = np.arange(self._place.shape[1], dtype=np.int32)
        vectors = {"force": self._force[frame], "moment": self._moment[frame]}
        return Snapshot(self._place[frame], {**vectors, "contact": self._contact[frame], "part": number})


class GroundBlock:
    """A small block where something takes hold of the ground."""

    name = "ground"

    def __init__(self, places: Sequence[Array], size: float) -> None:
        side = 0.05 * size
        pieces = [Box(side, side, side).mesh(place) for place in places]
        self.cells = Cells.merged([(cells, len(points)) for points, cells in pieces])
        self._points = np.concatenate([points for points, _ in pieces])

    def snapshot(self, frame: int) -> Snapshot:
        return Snapshot(self._points)


def scene(
    sol: Solution, *, shapes: Mapping[Any, Shape] | None = None, per_element: int = PER_ELEMENT, magnify: float | None = None,
    volumes: bool = False,
) -> list[Layer]:  # fmt: skip
    """The layers of a solution.

    shapes: {body or its name: fm.shapes.Box(...), Cylinder, Sphere, STL} for rigid bodies
    per_element: slices along each flexible element
    magnify: how many times its size the gap of clearance joints is drawn, 1 or more; None: so that it can be seen
    volumes: draw solids with their inside, in a layer of their own, instead of their skin
    """
    per_element = whole("scene", "per_element", per_element, most=1000)
    if magnify is not None and number("scene", "magnify", magnify) < 1.0:
        raise ModelError(f"scene: magnify = {magnify:g} makes gaps smaller than they are; give 1 or more.")
    if shapes is not None and not isinstance(shapes, Mapping):
        raise ModelError(f"scene: shapes = {shown(shapes)} is not a dictionary; give {{body or its name: fm.shapes.Box(...)}}.")
    system = sol.system
    markers = [m for joint in system.joints for m in (joint.a, joint.b)]
    markers += [m for force in system.forces for m in force.markers]
    layers: list[Layer] = []
    flexible = [body for body in system.dofs.bodies if isinstance(body, DrawnBody)]
    rigid = [body for body in system.dofs.bodies if isinstance(body, CentredBody) and not isinstance(body, DrawnBody)]
    size = system.length_scale
    solids = [body for body in flexible if isinstance(body, VolumeBody)] if volumes else []
    flexible = [body for body in flexible if body not in solids]
    if flexible:
        layers.append(Beams(sol, flexible, [body.surface(per_element) for body in flexible]))
    if solids:
        layers.append(Beams(sol, solids, [body.volume() for body in solids], "solids"))
    if rigid:
        given = _balls(system.forces) | _given_shapes(rigid, shapes or {})
        thin = _thin_direction(sol, markers or [body.com for body in rigid])
        links = [given.get(id(body)) or Link(_places(markers, body), thin, size) for body in rigid]
        layers.append(Bodies(sol, rigid, links))
    joints: list[IdealJoint | JointWithClearance] = [*system.joints]
    joints += [force for force in system.forces if isinstance(force, JointWithClearance)]
    if joints:
        layers.append(Joints(sol, joints))
    gaps = [joint for joint in joints if isinstance(joint, JointWithClearance)]
    motions = journal_motions(sol, gaps)
    if motions:
        layers.append(Journals(motions, magnify or usual_magnification(motions)))
    lubricated = [joint for joint in gaps if joint.film is not None]
    if lubricated:
        layers.append(Bearings(sol, lubricated))
    held = [marker.position for marker in markers if marker.body.size == 0]
    if held:
        layers.append(GroundBlock(np.unique(np.array(held), axis=0), size))  # type: ignore[arg-type]
    return layers


def _contact(sol: Solution, joint: IdealJoint | JointWithClearance) -> NDArray[np.int32]:
    return contact_modes(sol, joint) if isinstance(joint, JointWithClearance) else np.full(len(sol), -1, np.int32)


def _thin_direction(sol: Solution, markers: Sequence[Marker]) -> Array:
    """The direction in which the motion extends least: links of a mechanism in a plane lie in it."""
    if all(body.planar for body in sol.system.dofs.bodies):
        return np.array([0.0, 0.0, 1.0])
    frames = np.unique(np.linspace(0, len(sol) - 1, 20).astype(int))
    places = np.concatenate([_spatial(sol.position(marker))[frames] for marker in markers[:MOST_MARKERS]])
    spread = places - places.mean(axis=0)
    direction: Array = np.linalg.eigh(spread.T @ spread)[1][:, 0]
    nearest = int(np.argmax(np.abs(direction)))
    return (
        np.eye(3)[nearest] if abs(direction[nearest]) > 0.9 else direction
    )  # mechanisms are drawn along the axes if they nearly are


def _given_shapes(bodies: Sequence[Body], shapes: Mapping[Any, Shape]) -> dict[int, Shape]:
    known = {id(body): id(body) for body in bodies} | {body.name: id(body) for body in bodies}
    given = {}
    for key, shape in shapes.items():
        number = known.get(key if isinstance(key, str) else id(key))
        if number is None:
            names = ", ".join(body.name for body in bodies)
            raise ModelError(f"shapes: {shown(key)} is no rigid body of this solution; there are: {names}.")
        if not callable(getattr(shape, "mesh", None)) or isinstance(shape, type):
            raise ModelError(
                f"shapes: {shown(shape)} of {shown(key)} is no shape; give fm.shapes.Box(...), Cylinder, Sphere, STL."
            )
        given[number] = shape
    return given


def _balls(forces: Sequence[Any]) -> dict[int, Shape]:
    """What bodies are to contacts of balls."""
    round_ones = [ball for force in forces if isinstance(force, RoundContact) for ball in force.balls]
    return {id(marker.body): Sphere(radius, centre=marker.position) for marker, radius in reversed(round_ones)}


def _places(markers: Sequence[Marker], body: Body) -> list[Array]:
    places = [marker.position for marker in markers if marker.body is body]
    return list(np.unique(np.array(places).reshape(-1, 3), axis=0))


def _spatial(vectors: Array) -> Array:
    """Two components get a third."""
    return vectors if vectors.shape[1] == 3 else np.pad(vectors, ((0, 0), (0, 1)))


def _moment(values: Array) -> Array:
    """A moment or spin in the plane is about z."""
    return values if values.ndim == 2 else np.stack([0.0 * values, 0.0 * values, values], axis=1)
