"""Every exported joint, drive and force between two bodies (or a body and the ground): what the conformance tests go through.

A new class in fm.__all__ without a case here fails test_every_class_has_a_case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

import fmbs as fm
from fmbs.math.rotations import perpendicular

Array = np.ndarray
Turn = Callable[[Array], Array]  # a drawn vector as it is in the (perhaps turned) model
Build = Callable[[fm.Marker, fm.Marker, Turn], object]
Body = fm.RigidBody | fm.PlanarBody | fm.Beam | fm.PlanarBeam | fm.Cable | fm.BeamNetwork | fm.Solid

SIDES = ("body-body", "ground-body", "body-ground")
BEAM_SIDES = ("beam-body", "body-beam", "beam-beam")  # a Beam in space, a PlanarBeam in the plane
NETWORK_SIDES = ("network-body", "body-network")  # at a node, on a strut
SOLID_SIDES = ("solid-solid",)  # A has a rigid interface, B an averaged one
CABLE_SIDES = ("cable-body", "body-cable", "cable-cable")
ON_CABLES = {  # where a cable can be, drawn along N: it has a point and its tangent; everything else is refused
    "Spherical": CABLE_SIDES,
    "Distance": CABLE_SIDES,
    "MasslessLink": CABLE_SIDES,
    "SpringLink": CABLE_SIDES,
    "SpringDamper": CABLE_SIDES,
    "TranslationDrive": CABLE_SIDES,
    "Fixed": ("cable-body", "body-cable"),
    "Revolute": ("body-cable",),
    "Cylindrical": ("body-cable",),
    "Prismatic": ("body-cable",),
    "Planar": ("body-cable",),
    "PointOnLine": ("body-cable",),
    "PointOnPlane": CABLE_SIDES,
    "PointOnBeam": ("cable-body", "cable-cable"),
    "PointForce": ("body-cable", "cable-cable"),
    "DistributedForce constant": ("body-cable", "cable-cable"),
}

N = np.array([1.0, 2.0, -0.5]) / np.linalg.norm([1.0, 2.0, -0.5])
U, W = perpendicular(N)
FLAT = np.array([0.8, 0.6, 0.0])  # axis of planar joints
ACROSS = np.array([-0.6, 0.8, 0.0])
ZERO = np.zeros(3)
LINK = 0.3  # m
TABLE = np.linspace(0.0, 2.0, 9)


@dataclass(frozen=True, eq=False)
class Case:
    """A part between markers a and b.

    build: from the markers and a function that turns drawn vectors
    apart: r_b - r_a as drawn
    removes: number of freedoms
    allowed: relative motions that b keeps, of T (translation) and R (rotation about its own point) along n, u, w; A: about a
    swapped: builds the same physical thing from (b, a); None where the two sides differ
    guide: the joint that a drive moves
    """

    name: str
    build: Build
    planar: bool = False
    apart: Array = field(default_factory=lambda: ZERO)
    removes: int = 0
    allowed: str = ""
    swapped: Build | None = None
    guide: Build | None = None

    def __str__(self) -> str:
        return f"{'planar ' if self.planar else ''}{self.name}"

    @property
    def kind(self) -> str:
        return self.name.split()[0]

    def removes_on(self, sides: str) -> int:
        """A cable rolls freely, whatever holds its tangent."""
        return self.removes - int("cable" in sides and self.kind in ("Fixed", "Prismatic"))

    def allowed_on(self, sides: str) -> list[str]:
        return self.allowed.split() + ["Rn"] * (self.removes - self.removes_on(sides))

    @property
    def axes(self) -> dict[str, Array]:
        return {"n": FLAT, "u": ACROSS, "z": np.array([0.0, 0.0, 1.0])} if self.planar else {"n": N, "u": U, "w": W}


@dataclass(frozen=True)
class Drawing:
    """A rigid motion of the whole model."""

    rotation: Array = field(default_factory=lambda: np.eye(3))
    shift: Array = field(default_factory=lambda: ZERO)

    def point(self, x: Array) -> Array:
        return self.rotation @ x + self.shift

    def vector(self, x: Array) -> Array:
        return self.rotation @ x


@dataclass(frozen=True)
class Pair:
    """A model with the part of a case in it; `bodies` are those that are not the ground."""

    model: fm.Model
    part: object
    bodies: tuple[Body, ...]
    a: fm.Marker
    b: fm.Marker


def draw(
    case: Case, sides: str = "body-body", drawing: Drawing | None = None, *, gravity: Array = ZERO, swap: bool = False,
    guided: bool = False,
) -> Pair:  # fmt: skip
    """Two bodies with full inertia tensors, velocities and spins, and the case's part between them.

    guided: add the joint that a drive belongs to; alone it holds one projection of the relative motion
    """
    drawing = drawing or Drawing()
    model = fm.Model("pair", gravity=drawing.vector(gravity))
    place = np.array([0.4, 0.1, 0.0 if case.planar else 0.2])
    first, second = _bodies(case.planar, drawing)
    ends = []
    for side, body, point in zip(sides.split("-"), (first, second), (place, place + case.apart), strict=True):
        x = drawing.point(point)
        if side == "solid":
            ends.append(_solid(model, body.name, point, drawing))
        elif side == "network":
            ends.append(_hold(model.add(_frame(body.name, point, drawing))))
        elif side in ("beam", "cable"):
            ends.append(model.add(_link(side, body.name, point, case.planar, drawing)).at(0.7))
        else:
            owner = model.ground if side == "ground" else model.add(body)
            ends.append(owner.at(*(x[:2] if case.planar and side == "body" else x)))
    a, b = ends

    def turn(x: Array) -> Array:
        return drawing.vector(x)[:2] if case.planar else drawing.vector(x)

    part = model.add(case.swapped(b, a, turn) if swap else case.build(a, b, turn))
    if guided and case.guide is not None and not sides.startswith("cable"):  # which cannot guide
        model.add(case.guide(a, b, turn))
    return Pair(model, part, tuple(model.bodies), a, b)


def _bodies(planar: bool, drawing: Drawing) -> tuple[fm.RigidBody, fm.RigidBody] | tuple[fm.PlanarBody, fm.PlanarBody]:
    centres = np.array([[0.1, -0.2, 0.3], [0.7, 0.4, -0.1]])
    velocities = np.array([[0.3, -0.5, 0.2], [-0.4, 0.1, 0.6]])
    if planar:
        flat = [drawing.point(x * (1, 1, 0))[:2] for x in centres], [drawing.vector(v * (1, 1, 0))[:2] for v in velocities]
        angle = np.arctan2(drawing.rotation[1, 0], drawing.rotation[0, 0])
        first = {"com": flat[0][0], "velocity": flat[1][0], "spin": 1.5, "angle": 0.4 + angle}
        second = {"com": flat[0][1], "velocity": flat[1][1], "spin": -0.8, "angle": -0.3 + angle}
        return fm.PlanarBody("A", mass=2.0, inertia=0.3, **first), fm.PlanarBody("B", mass=1.2, inertia=0.2, **second)
    made = []
    for name, mass, moments, seed, spin, k in (
        ("A", 2.0, (0.3, 0.4, 0.5), 1, (1.0, -0.6, 0.9), 0),
        ("B", 1.2, (0.2, 0.25, 0.15), 2, (-0.7, 0.4, 1.1), 1),
    ):
        axes = drawing.rotation @ Rotation.random(random_state=seed).as_matrix()
        inertia = axes @ np.diag(moments) @ axes.T
        body = fm.RigidBody(
            name, mass=mass, inertia=inertia, com=drawing.point(centres[k]),
            velocity=drawing.vector(velocities[k]), spin=drawing.vector(np.array(spin)),
        )  # fmt: skip
        made.append(body)
    return made[0], made[1]


def _link(side: str, name: str, place: Array, planar: bool, drawing: Drawing) -> fm.Beam | fm.PlanarBeam | fm.Cable:
    """A soft link of one element with the given place at s = 0.7, in rigid motion; a cable lies along N."""
    along = 0.7 * N if side == "cable" else np.array([0.6, 0.3, 0.0 if planar else -0.2])
    size = 2 if planar else 3
    start, end = (drawing.point(place + share * along)[:size] for share in (-0.7, 0.3))
    sign = {"A": 1.0, "B": -1.0}[name]
    velocity = drawing.vector(sign * np.array([0.2, -0.3, 0.0]))[:size]
    given = {"elements": 1, "start": start, "end": end, "velocity": velocity, "about": start}
    given |= {"section": fm.Rectangle(0.1, 0.1), "material": fm.Material(E=1e4, nu=0.3, density=500.0)}
    if planar:
        return fm.PlanarBeam(name, spin=0.6 * sign, **given)
    given["spin"] = drawing.vector(sign * np.array([0.4, 0.2, -0.5]))
    if side == "cable":
        return fm.Cable(name, **given)
    given |= {"section": fm.Rectangle(0.1, 0.08), "up": drawing.vector(np.array([0.0, 0.0, 1.0]))}
    return fm.Beam(name, interpolation={"A": "hermite", "B": "cubic"}[name], **given)


def _solid(model: fm.Model, name: str, place: Array, drawing: Drawing) -> fm.Marker:
    """A marker on an interface of a soft block of one cell that moves as a rigid one."""
    sign, x = {"A": 1.0, "B": -1.0}[name], np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], dtype=float)
    points = [drawing.point(place + (p - (1.0, 0.4, 0.6)) * (0.5, 0.4, 0.3)) for p in x]
    body = fm.Solid(
        name, points, {"hexahedron": [[0, 4, 6, 2, 1, 5, 7, 3]]}, sets={"end": [4, 5, 6, 7]},
        material=fm.Material(E=1e4, nu=0.3, density=200.0), velocity=drawing.vector(sign * np.array([0.2, -0.3, 0.0])),
        spin=drawing.vector(sign * np.array([0.4, 0.2, -0.5])), about=drawing.point(place),
    )  # fmt: skip
    return model.add(body).interface("end", kind={"A": "rigid", "B": "average"}[name], at=drawing.point(place))


def _frame(name: str, place: Array, drawing: Drawing) -> fm.BeamNetwork:
    """A soft corner of two struts in rigid motion, with the given place at the corner of A, in the middle of a strut of B."""
    a, b, c = (drawing.point(place + np.array(x)) for x in ((-0.4, 0.1, 0.0), (0.0, 0.0, 0.0), (0.1, 0.3, -0.2)))
    return fm.BeamNetwork(
        name, nodes=[a, b, c] if name == "A" else [a, 2.0 * b - a, c], struts=[(0, 1), (1, 2)], interpolation="quadratic",
        section=fm.Rectangle(0.1, 0.08), material=fm.Material(E=1e4, nu=0.3, density=500.0, damping=0.01), about=a,
        velocity=drawing.vector(np.array([0.2, -0.3, 0.0])), spin=drawing.vector(np.array([0.4, 0.2, -0.5])),
        up=drawing.vector(np.array([0.1, 0.2, 1.0])),
    )  # fmt: skip


def _hold(network: fm.BeamNetwork) -> fm.Marker:
    return network.node(1) if network.name == "A" else network.strut(0).at(0.5)


def nodal_vectors(link: fm.Beam | fm.PlanarBeam | fm.Cable, q: Array) -> Array:
    """(nodes, vectors of each, 3), the first of each node its position."""
    vectors = q.reshape(link.node_count, -1, link.dimension)
    return np.pad(vectors, ((0, 0), (0, 0), (0, 3 - link.dimension)))


def moved(body: Body, q: Array, rotation: Array, centre: Array, shift: Array) -> Array:
    """The body's coordinates after a rigid motion: x -> centre + rotation (x - centre) + shift."""
    if isinstance(body, fm.PlanarBody):
        x, y, _ = centre + rotation @ (np.array([q[0], q[1], 0.0]) - centre) + shift
        return np.array([x, y, q[2] + np.arctan2(rotation[1, 0], rotation[0, 0])])
    if isinstance(body, fm.RigidBody):
        points = [centre + rotation @ (q[i : i + 3] - centre) + shift for i in (0, 3)]
        return np.concatenate([*points, rotation @ q[6:9], rotation @ q[9:12]])
    if isinstance(body, fm.Solid):
        points = body.layout.is_point[:, None] * (centre - rotation @ centre + shift)
        return (q.reshape(-1, 3) @ rotation.T + points).ravel()
    if isinstance(body, fm.BeamNetwork):
        turned = q.reshape(-1, 3) @ rotation.T
        turned[body.layout.points] += centre - rotation @ centre + shift
        return turned.ravel()
    vectors = nodal_vectors(body, q) @ rotation.T
    vectors[:, 0] += centre - rotation @ centre + shift
    return vectors[..., : body.dimension].ravel()


def virtual(body: Body, q: Array, shift: Array, turn: Array) -> Array:
    """Change of the body's coordinates in the small rigid motion dx = shift + turn x (x)."""
    if isinstance(body, fm.PlanarBody):
        return np.array([shift[0] - turn[2] * q[1], shift[1] + turn[2] * q[0], turn[2]])
    if isinstance(body, fm.RigidBody):
        points = [shift + np.cross(turn, q[i : i + 3]) for i in (0, 3)]
        return np.concatenate([*points, np.cross(turn, q[6:9]), np.cross(turn, q[9:12])])
    if isinstance(body, fm.Solid):
        return (np.cross(turn, q.reshape(-1, 3)) + body.layout.is_point[:, None] * shift).ravel()
    if isinstance(body, fm.BeamNetwork):
        turning = np.cross(turn, q.reshape(-1, 3))
        turning[body.layout.points] += shift
        return turning.ravel()
    vectors = np.cross(turn, nodal_vectors(body, q))
    vectors[:, 0] += shift
    return vectors[..., : body.dimension].ravel()


def rigid_motions(planar: bool) -> list[tuple[Array, Array]]:
    """(shift, turn) of the six, or three, independent rigid motions."""
    x, y, z = np.eye(3)
    return [(x, ZERO), (y, ZERO), (ZERO, z)] if planar else [(e, ZERO) for e in (x, y, z)] + [(ZERO, e) for e in (x, y, z)]


@dataclass(frozen=True, eq=False)
class Bushing(fm.UserForce):
    """A user's force: stiffening spring with damper along a line, and a torsion spring with damper. Objective."""

    a: fm.Marker
    b: fm.Marker

    def force(self, t: float, a: fm.MarkerState, b: fm.MarkerState) -> list[tuple[Array, Array]]:
        d, rate = b.r - a.r, b.v - a.v
        length = np.linalg.norm(d)
        pull = (30.0 * length + 20.0 * length**3 + 2.0 * (d @ rate) / length) * d / length
        moment = 3.0 * np.cross(a.frame.T, b.frame.T).sum(axis=0) + 0.4 * (b.omega - a.omega)
        return [(pull, moment), (-pull, -moment)]


def _swing(t: float) -> float:
    return 0.3 * np.sin(2.0 * t)


def _slide(t: float) -> float:
    return 0.4 + 0.3 * np.sin(2.0 * t)


def _symmetric(kind: Callable[..., object], **directions: Array) -> dict[str, Build]:
    def build(a: fm.Marker, b: fm.Marker, turn: Turn) -> object:
        return kind(a, b, **{argument: turn(x) for argument, x in directions.items()})

    return {"build": build, "swapped": build}


def _rotation_drive(label: str, motion: dict[str, object], planar: bool) -> Case:
    def build(sign: float) -> Build:
        return lambda a, b, turn: fm.RotationDrive(a, b, axis=(0, 0, sign) if planar else sign * turn(N), **motion)

    def guide(a: fm.Marker, b: fm.Marker, turn: Turn) -> object:
        return fm.Revolute(a, b) if planar else fm.Revolute(a, b, axis=turn(N))

    allowed = "Tn Tu" if planar else "Tn Tu Tw Ru Rw"
    name = f"RotationDrive {label}"
    return Case(name, build(1.0), planar, removes=1, allowed=allowed, swapped=build(-1.0), guide=guide)


def _translation_drive(label: str, motion: dict[str, object], planar: bool) -> Case:
    axis = FLAT if planar else N

    def build(sign: float) -> Build:
        return lambda a, b, turn: fm.TranslationDrive(a, b, axis=sign * turn(axis), **motion)

    def guide(a: fm.Marker, b: fm.Marker, turn: Turn) -> object:
        return fm.Prismatic(a, b, axis=turn(axis))

    allowed = "Tu Rz" if planar else "Tu Tw Rn Ru Rw"
    name = f"TranslationDrive {label}"
    return Case(name, build(1.0), planar, 0.4 * axis, removes=1, allowed=allowed, swapped=build(-1.0), guide=guide)


SPEEDS: dict[str, dict[str, object]] = {
    "speed number": {"speed": 1.7},
    "speed callable": {"speed": _swing},
    "speed table": {"speed": (TABLE, np.cos(TABLE))},
    "speed SmoothStep": {"speed": fm.SmoothStep(0.2, 0.9, 0.0, 2.0)},
}
ANGLES: dict[str, dict[str, object]] = {
    "angle number": {"angle": 0.0},
    "angle callable": {"angle": _swing},
    "angle table": {"angle": (TABLE, np.sin(TABLE))},
    "angle SmoothStep": {"angle": fm.SmoothStep(0.2, 0.9, 0.0, 1.0)},
}
POSITIONS: dict[str, dict[str, object]] = {
    "position number": {"position": 0.4},
    "position callable": {"position": _slide},
    "position table": {"position": (TABLE, 0.4 + 0.2 * np.sin(TABLE))},
    "position SmoothStep": {"position": fm.SmoothStep(0.2, 0.9, 0.4, 0.8)},
}


def _link_of(clearance: float) -> Callable[..., object]:
    return partial(fm.MasslessLink, clearance=clearance)


def _gears(a: fm.Marker, b: fm.Marker, turn: Turn) -> object:
    """Each body is the other one's carrier."""
    axis = turn(N) if turn(N).size == 3 else (0, 0, 1)
    return fm.Gears(fm.Revolute(b, a, axis=axis), fm.Revolute(a, b, axis=axis), ratio=0.7)


def _wound(a: fm.Marker, b: fm.Marker, turn: Turn) -> object:
    """A spring that the wheels hold."""
    axis = turn(N) if turn(N).size == 3 else (0, 0, 1)
    return fm.RotationSpringDamper(a, b, axis=axis, stiffness=4.0, angle=0.5)


def _rack(a: fm.Marker, b: fm.Marker, turn: Turn) -> object:
    flat = turn(N).size == 2
    pinion = fm.Revolute(a, b, axis=(0, 0, 1) if flat else turn(N))
    return fm.Rack(pinion, fm.TranslationDrive(a, b, axis=turn(FLAT if flat else U), speed=0.0), radius=0.3)


JOINTS = [
    Case("Spherical", removes=3, allowed="Rn Ru Rw", **_symmetric(fm.Spherical)),
    Case("Revolute", removes=5, allowed="Rn", **_symmetric(fm.Revolute, axis=N)),
    Case("Cylindrical", apart=0.4 * N, removes=4, allowed="Tn Rn", **_symmetric(fm.Cylindrical, axis=N)),
    Case("Prismatic", apart=0.4 * N, removes=5, allowed="Tn", **_symmetric(fm.Prismatic, axis=N)),
    Case(
        "Universal", removes=4, allowed="Ru Rw",
        build=lambda a, b, turn: fm.Universal(a, b, axis_a=turn(U), axis_b=turn(W)),
        swapped=lambda a, b, turn: fm.Universal(a, b, axis_a=turn(W), axis_b=turn(U)),
    ),
    Case("Fixed", removes=6, **_symmetric(fm.Fixed)),
    Case("Planar", apart=0.3 * U - 0.2 * W, removes=3, allowed="Tu Tw Rn", **_symmetric(fm.Planar, normal=N)),
    Case(
        "PointOnLine", lambda a, b, turn: fm.PointOnLine(a, b, axis=turn(N)), apart=0.4 * N, removes=2,
        allowed="Tn Rn Ru Rw",
    ),
    Case(
        "PointOnPlane", lambda a, b, turn: fm.PointOnPlane(a, b, normal=turn(N)), apart=0.3 * U - 0.2 * W, removes=1,
        allowed="Tu Tw Rn Ru Rw",
    ),
    Case("PointOnBeam", lambda a, b, turn: fm.PointOnBeam(a, b), removes=2, allowed="Rn Ru Rw"),
    Case("PointOnBeam", lambda a, b, turn: fm.PointOnBeam(a, b), planar=True, removes=1, allowed="Rz"),
    Case("Gears", _gears, removes=1, allowed="Tn Tu Tw Ru Rw", guide=_wound),
    Case("Gears", _gears, planar=True, removes=1, allowed="Tn Tu", guide=_wound),
    Case("Rack", _rack, apart=0.4 * U, removes=1, allowed="Tn Tw Ru Rw"),
    Case("Rack", _rack, planar=True, apart=0.4 * FLAT, removes=1, allowed="Tu"),
    Case("Distance", apart=0.3 * N + 0.2 * U, removes=1, allowed="Rn Ru Rw An Au Aw", **_symmetric(fm.Distance)),
    Case("MasslessLink", apart=LINK * N, removes=1, allowed="Rn Ru Rw An Au Aw", **_symmetric(_link_of(LINK))),
    Case("Revolute", planar=True, removes=2, allowed="Rz", **_symmetric(fm.Revolute)),
    Case("Prismatic", planar=True, apart=0.4 * FLAT, removes=2, allowed="Tn", **_symmetric(fm.Prismatic, axis=FLAT)),
    Case("Fixed", planar=True, removes=3, **_symmetric(fm.Fixed)),
    Case(
        "PointOnLine", lambda a, b, turn: fm.PointOnLine(a, b, axis=turn(FLAT)), planar=True, apart=0.4 * FLAT, removes=1,
        allowed="Tn Rz",
    ),
    Case("Distance", planar=True, apart=0.3 * FLAT, removes=1, allowed="Rz Az", **_symmetric(fm.Distance)),
    Case(
        "MasslessLink", planar=True, apart=LINK * FLAT, removes=1, allowed="Rz Az",
        **_symmetric(_link_of(LINK)),
    ),
]  # fmt: skip

DRIVES = [
    make(label, motion, planar)
    for planar in (False, True)
    for make, motions in ((_rotation_drive, SPEEDS | ANGLES), (_translation_drive, SPEEDS | POSITIONS))
    for label, motion in motions.items()
]

_spring = {"stiffness": 40.0, "length": 0.2, "damping": 3.0}
_gap = {"stiffness": 40.0, "clearance": 0.2, "damping": 3.0}
_push = np.array([3.0, -4.0, 2.0])


def _twist(a: fm.Marker, b: fm.Marker, turn: Turn, flat: bool, sign: float) -> object:
    axis = (0, 0, 1) if flat else turn(N)
    return fm.RotationSpringDamper(a, b, axis=axis, stiffness=4.0, angle=0.5 * sign, damping=0.3)


def _motor(a: fm.Marker, b: fm.Marker, turn: Turn, flat: bool, sign: float) -> object:
    axis = (0, 0, 1) if flat else turn(N)
    return fm.Feedback(a, b, axis=axis, controller=([2.0], [1.0]), target=0.5 * sign)


def _rubber(a: fm.Marker, b: fm.Marker, turn: Turn, flat: bool) -> object:
    if flat:
        n, u = turn(FLAT), turn(ACROSS)
        axes = np.array([[*n, 0.0], [*u, 0.0], [0.0, 0.0, 1.0]])
        return fm.Bushing(a, b, stiffness=(300.0, 100.0, 4.0), damping=(3.0, 2.0, 0.3), axes=axes)
    mixed = np.diag([300.0, 100.0, 200.0, 4.0, 5.0, 6.0]) + np.outer((9, 4, 0, 1, 0, 1), (9, 4, 0, 1, 0, 1))
    return fm.Bushing(a, b, stiffness=mixed, damping=0.01 * mixed, axes=[turn(N), turn(U), turn(W)])


ELEMENTS = [  # forces between the two bodies
    Case(
        "SpringDamper", lambda a, b, turn: fm.SpringDamper(a, b, **_spring), planar, 0.3 * FLAT - 0.2 * ACROSS,
        swapped=lambda a, b, turn: fm.SpringDamper(a, b, **_spring),
    )
    for planar in (False, True)
] + [
    Case(
        "SpringLink", lambda a, b, turn: fm.SpringLink(a, b, **_gap), planar, 0.3 * FLAT - 0.2 * ACROSS,
        swapped=lambda a, b, turn: fm.SpringLink(a, b, **_gap),
    )
    for planar in (False, True)
] + [
    Case(
        "RotationSpringDamper", lambda a, b, turn, flat=planar: _twist(a, b, turn, flat, 1.0), planar,
        swapped=lambda b, a, turn, flat=planar: _twist(b, a, turn, flat, -1.0),
        guide=lambda a, b, turn, flat=planar: fm.Revolute(a, b, axis=(0, 0, 1) if flat else turn(N)),
    )
    for planar in (False, True)
] + [
    Case(
        "Feedback", lambda a, b, turn, flat=planar: _motor(a, b, turn, flat, 1.0), planar,
        swapped=lambda b, a, turn, flat=planar: _motor(b, a, turn, flat, -1.0),
        guide=lambda a, b, turn, flat=planar: fm.Revolute(a, b, axis=(0, 0, 1) if flat else turn(N)),
    )
    for planar in (False, True)
] + [
    Case("Bushing", lambda a, b, turn, flat=planar: _rubber(a, b, turn, flat), planar) for planar in (False, True)
] + [
    Case(
        "UserForce", lambda a, b, turn: Bushing(a, b), planar, 0.3 * FLAT - 0.2 * ACROSS,
        swapped=lambda a, b, turn: Bushing(a, b),
    )
    for planar in (False, True)
]  # fmt: skip

LOADS = [  # from outside, on b
    Case("PointForce constant", lambda a, b, turn: fm.PointForce(b, turn(_push))),
    Case("PointForce callable", lambda a, b, turn: fm.PointForce(b, lambda t: turn(_push) * np.cos(3.0 * t))),
    Case("PointForce constant", lambda a, b, turn: fm.PointForce(b, turn(5.0 * FLAT)), planar=True),
    Case("FollowerForce constant", lambda a, b, turn: fm.FollowerForce(b, turn(_push))),
    Case("FollowerForce callable", lambda a, b, turn: fm.FollowerForce(b, lambda t: turn(_push) * np.cos(3.0 * t))),
    Case("FollowerForce constant", lambda a, b, turn: fm.FollowerForce(b, turn(5.0 * FLAT)), planar=True),
    Case("Torque constant", lambda a, b, turn: fm.Torque(b, turn(_push))),
    Case("Torque callable", lambda a, b, turn: fm.Torque(b, lambda t: turn(_push) * np.cos(3.0 * t))),
    Case("Torque constant", lambda a, b, turn: fm.Torque(b, 0.7), planar=True),
    Case("Torque callable", lambda a, b, turn: fm.Torque(b, lambda t: 0.7 * np.cos(3.0 * t)), planar=True),
]

BEAM_LOADS = [  # on a link b
    Case("DistributedForce constant", lambda a, b, turn: fm.DistributedForce(b.body, turn(_push))),
    Case("DistributedForce follower", lambda a, b, turn: fm.DistributedForce(b.body, turn(_push), follower=True)),
    Case("DistributedForce constant", lambda a, b, turn: fm.DistributedForce(b.body, turn(5.0 * FLAT)), planar=True),
    Case("DistributedForce follower", lambda a, b, turn: fm.DistributedForce(b.body, turn(FLAT), follower=True), planar=True),
]

CONSTRAINTS = JOINTS + DRIVES
SIMULATED = JOINTS + [case for case in DRIVES if "callable" in case.name]
FORCES = ELEMENTS + LOADS
ALL = CONSTRAINTS + FORCES + BEAM_LOADS


def sides_of(case: Case) -> list[str]:
    """Where a case is tried: loads act on b, cables are spatial, and drives differ in their functions of time only."""
    if case in DRIVES and case not in SIMULATED:
        return ["body-body"]
    if case.kind == "PointOnBeam":  # whose first marker is on one
        return ["beam-body", "beam-beam", *(() if case.planar else ON_CABLES[case.kind])]
    every = SIDES + BEAM_SIDES
    every += () if case.planar else NETWORK_SIDES + ON_CABLES.get(case.name, ON_CABLES.get(case.kind, ()))
    if case in JOINTS + ELEMENTS and not case.planar:
        every += SOLID_SIDES
    if case in BEAM_LOADS:
        return [sides for sides in every if sides.endswith(("beam", "cable"))]
    return [sides for sides in every if not (case in LOADS and sides.endswith("ground"))]


SETTINGS = [(case, sides) for case in ALL for sides in sides_of(case)]
REFUSED = [  # loads on b only
    (case, sides)
    for case in ALL
    for sides in CABLE_SIDES
    if not case.planar and sides not in sides_of(case) and (case not in DRIVES or case in SIMULATED)
    if (case not in LOADS + BEAM_LOADS or sides.endswith("cable")) and case.kind != "PointOnBeam"
]
