"""A linear elastic structure of any shape that moves and turns freely, by few modes and with a constant mass matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from fmbs.core.cells import Surface
from fmbs.core.checks import choice, not_negative, vector, whole
from fmbs.core.described import Described
from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.rigid_motion import displaced_vectors, vector_rates
from fmbs.core.vectors import LINEAR, Vector
from fmbs.core.words import given
from fmbs.elements.flexible_link import RigidMotion
from fmbs.elements.reduced.component_modes import component_modes
from fmbs.elements.reduced.faces import Skin, faces_of
from fmbs.elements.reduced.frames import SeatFrames
from fmbs.elements.reduced.interface import NodeSet, seats_of
from fmbs.elements.reduced.matrices import structure_of
from fmbs.elements.reduced.mode_space import ModeSpace, mode_space
from fmbs.elements.reduced.reduced_batch import ReducedKind

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

COM = "com"  # what a marker at the centre of mass is on
TURN = 0.1  # rad of an interface within the body: errors of linear strains are of its square
HERE = 1e-9  # distance from a node or an interface, relative to the body's size, that is round-off


class ReducedBody(Described):
    """A structure with a few modes, r(x, t) = sum_a b_a(x) q_a(t) (Pechstein, Reischl & Gerstmayr 2013).

    The functions b_a span the affine motion and nine fields of every mode: whatever turns the body takes, its modes turn with
    it. So M is constant, q' = v, and U = 1/2 y.K y with y = R^T q - x: the stiffness turns with the frame R of the interfaces,
    the rotation that is nearest to their mean deformation. Strains are small and rotations within the body too; those of the
    body as a whole are not limited.

    space: functions and matrices, which `from_matrices` makes
    faces: how it is drawn: polygons by the numbers of their nodes
    damping: retardation time of Kelvin and Voigt, a force damping K y', s
    modal_damping: share of critical damping of every mode
    velocity, spin, about: at t = 0 the point `about`, m, moves with this velocity, m/s, and the body turns with this spin,
                           rad/s; what is not given is completed from the joints and drives
    """

    planar: Final = False
    mass_damping: Final = 0.0

    def __init__(
        self, name: str, *, space: ModeSpace, faces: Sequence[Sequence[int]] | None = None, damping: float = 0.0,
        modal_damping: float = 0.0, velocity: ArrayLike | None = None, spin: ArrayLike | None = None,
        about: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:  # fmt: skip
        self.name, self.space = name, space
        self.faces = faces_of(name, faces, len(space.nodes))
        self.damping = not_negative(name, "damping", damping)
        self.modal_damping = not_negative(name, "modal_damping", modal_damping)
        self._motion = RigidMotion.of(name, velocity, spin, about)

    @classmethod
    def from_matrices(
        cls, M: Any, K: Any, nodes: ArrayLike, interfaces: Mapping[str, NodeSet | Sequence[int] | Integers],
        modes: int = 20, *, name: str = "body", dofs: ArrayLike | None = None, **options: Any,
    ) -> Self:  # fmt: skip
        """From the matrices of a finite-element program.

        M, K: mass, kg, and stiffness, N/m, of the free structure: of SciPy, arrays, or paths of Matrix Market files  # (3n, 3n)
        nodes: coordinates at t = 0, m  # (n, 3)
        interfaces: nodes of each, {"big end": [12, 13, ...]}, or fm.NodeSet(nodes, kind="average", at=...)
        modes: eigenmodes with the interfaces held, besides the six static ones of each interface
        dofs: rows of x, y, z of each node, from 0 on  # (n, 3); None: node by node
        options: faces, damping, modal_damping, velocity, spin, about, as the class has them
        """
        count = whole(name, "modes", modes, least=0)
        structure = structure_of(name, M, K, nodes, dofs)
        seats = seats_of(name, interfaces, structure.nodes)
        if not seats and not count:
            raise ModelError(f"{name}: modes = 0 and no interfaces leave no modes; give one of both.")
        return cls(name, space=mode_space(structure, seats, component_modes(name, structure, seats, count)), **options)

    @classmethod
    def load(cls, path: str | Path) -> ReducedBody:
        """A body that `save` has written."""
        from fmbs.elements.reduced.reduced_file import read_body

        arguments = read_body(path)
        if "mesh" in arguments and cls is ReducedBody:
            from fmbs.elements.reduced.reduced_solid import ReducedSolid

            return ReducedSolid(**arguments)
        return cls(**arguments)

    def save(self, path: str | Path) -> Path:
        """Into one HDF5 file: functions, matrices, nodes, interfaces, and what the class is called with besides."""
        from fmbs.elements.reduced.reduced_file import write_body

        return write_body(path, self.arguments())

    def _facts(self) -> dict[str, Any]:
        space = self.space
        names = tuple(seat.name for seat in space.seats if seat.name)
        moving = given({"velocity": self._motion.velocity, "spin": self._motion.spin}, self.given)
        return {"mass": self.mass, "modes": space.omega.size, "interfaces": names, "nodes": len(space.nodes), **moving}

    def arguments(self) -> dict[str, Any]:
        motion = self._motion
        return {
            "name": self.name, "space": self.space, "faces": self.faces, "damping": self.damping,
            "modal_damping": self.modal_damping, "about": motion.about,
            **given({"velocity": motion.velocity, "spin": motion.spin}, self.given),
        }  # fmt: skip

    @cached_property
    def _frames(self) -> SeatFrames:
        return SeatFrames(self.space.seats, len(self.space.constant))

    @cached_property
    def _drawn(self) -> Array:  # (vectors, 3)
        return np.concatenate([self.space.drawn, self._frames.added])

    @cached_property
    def _constant(self) -> Array:  # (vectors,)
        return np.append(self.space.constant, np.zeros(len(self._frames.added)))

    @property
    def size(self) -> int:
        return int(self._drawn.size)

    @property
    def mass(self) -> float:
        """kg."""
        c = self.space.constant
        return float(c @ self.space.mass @ c)

    @property
    def frequencies(self) -> Array:
        """Of the eigenmodes with the interfaces held, Hz."""
        return self.space.omega / (2.0 * np.pi)

    @property
    def interfaces(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(seat.name for seat in self.space.seats if seat.name)

    @property
    def given(self) -> tuple[bool, bool]:
        return self._motion.given

    @property
    def batch(self) -> ReducedKind:
        by_modes = self.modal_damping > 0.0
        return ReducedKind(len(self.space.constant), len(self.guides), self.damping > 0.0 or by_modes, by_modes)

    @cached_property
    def damping_matrix(self) -> Array:
        """N s/m: the share of critical damping of the free body's modes."""
        mass = np.kron(self.space.mass, np.eye(3))
        squares, modes = scipy.linalg.eigh(self.space.stiffness, mass)
        modes = mass @ modes[:, 6:]  # but for rigid motions
        found: Array = (modes * (2.0 * self.modal_damping * np.sqrt(squares[6:]))) @ modes.T
        return found

    @cached_property
    def guides(self) -> Integers:
        """Vectors that R follows: slopes at all interfaces."""
        return np.concatenate(self._frames.slopes)

    @cached_property
    def guide_axes(self) -> Array:
        """What they were drawn along  # (guides, 3)."""
        return np.concatenate([seat.axes[: seat.slopes] for seat in self.space.seats])

    def initial_position(self) -> Array:
        return self._drawn.ravel().copy()

    def initial_velocity(self) -> Array:
        motion = self._motion
        turning = np.cross(motion.spin, self._drawn - np.outer(self._constant, motion.about))
        return (turning + np.outer(self._constant, motion.velocity)).ravel()

    def rigid_rates(self, q: Array) -> Array:
        rates = vector_rates(q.reshape(-1, 3), np.zeros(q.size // 3, bool))
        rates[:, :, :3] = self._constant[:, None, None] * np.eye(3)
        return rates.reshape(-1, 6)

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        share = self._constant[:, None]
        arms = q.reshape(-1, 3) - share * centre
        moved = displaced_vectors(arms, np.zeros(len(arms), bool), centre, shift, turn)
        return (moved + share * (centre + shift)).ravel()

    def is_length(self) -> NDArray[np.bool_]:
        lengths = np.arange(len(self._drawn)) < len(self.space.constant)
        lengths[self.guides] = False
        return np.repeat(lengths, 3)

    def mass_matrix(self) -> Triplets:
        row, column = np.nonzero(self.space.mass)
        value = np.repeat(self.space.mass[row, column], 3)
        row, column = ((3 * x[:, None] + np.arange(3)).ravel() for x in (row, column))
        return Triplets(row, column, value)

    def weight(self, gravity: Array) -> Array:
        force = np.outer(self.space.mass @ self.space.constant, gravity)
        return np.append(force.ravel(), np.zeros(self._frames.added.size))

    def equations(self) -> list[Equation]:
        return self._frames.equations(self)

    def interface(self, name: str, *, at: ArrayLike | None = None) -> Marker:
        """The marker of an interface. at: another point that moves with its frame, m; the interface's own without one."""
        choice(self.name, "interface", name, self.interfaces)
        seat = next(seat for seat in self.space.seats if seat.name == name)
        return Marker(self, seat.at.copy() if at is None else vector(self.name, "at", at), on=name)

    def node(self, k: int) -> Marker:
        """The marker at a node of the mesh: a point without directions."""
        return Marker(self, self.space.nodes[whole(self.name, "node", k, least=0, most=len(self.space.nodes) - 1)].copy())

    def at(self, *position: float) -> Marker:
        """The marker at the node that has this place at t = 0, m: a point without directions."""
        marker = Marker(self, vector(self.name, "at", position))
        self.point(marker)
        return marker

    def point(self, marker: Marker) -> Vector:
        number = self._frames.named(marker.on)
        if number is not None:
            return self._frames.point(self, number, marker.position)
        if marker.on == COM:
            return self._sum(self.space.mass @ self.space.constant / self.mass)
        distance = np.linalg.norm(self.space.nodes - marker.position, axis=1)
        node = int(np.argmin(distance))
        if distance[node] > self._near:
            raise ModelError(
                f"{self.name}: there is no node at {marker}; the nearest one, {node}, is {distance[node]:.3g} m away. Take "
                f"node({node}), or an interface ({', '.join(map(repr, self.interfaces)) or 'there are none'})."
            )
        return self._sum(self.space.functions[node])

    def _sum(self, shares: Array) -> Vector:
        kept = np.flatnonzero(np.abs(shares) > 1e-14)
        return Vector(self, LINEAR, tuple(shares[kept].tolist()), tuple((3 * kept).tolist()), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        number = self._frames.named(marker.on)
        if number is None:
            raise ModelError(
                f"{self.name}: nodes have no directions, and {marker} is none of its interfaces; make one with three nodes or "
                "more around it, or use Spherical, PointOnLine, Distance or forces at points there."
            )
        return self._frames.direction(self, number, components)

    def limits(self, sol: Any) -> tuple[str, ...]:
        """Where a run left small rotations within the body."""
        own, largest, where = sol.system.dofs.coordinates_of(self), 0.0, ""
        for q in sol.q[:, own]:
            turn = self.frame(q)
            for number, name in enumerate(self.interfaces):
                slopes = self._frames.slopes[number]
                f = self._own(q)[slopes].T @ self.space.seats[number].axes[: slopes.size]
                angle = float(np.arccos(np.clip(0.5 * (np.trace(nearest_rotation(f) @ turn.T) - 1.0), -1.0, 1.0)))
                if angle > largest:
                    largest, where = angle, name
        if largest <= TURN:
            return ()
        told = f"{self.name}: interface {where!r} turned by {largest:.2g} rad within the body, whose strains are linear: errors"
        return (
            f"{told} are of the order of {100.0 * largest**2:.2g} %. Cut it into several, or take the solid or beam itself.",
        )

    def surface(self, per_element: int) -> Surface:
        return Skin(self)

    @cached_property
    def _near(self) -> float:
        return HERE * float(np.ptp(self.space.nodes, axis=0).max())

    def relative(self, q: Array) -> Array:
        """Displacement of all nodes from the drawn shape in axes that turn with the body, m, then internal ones  # (n, 3)."""
        moved, space = self._own(q), self.space
        turned = moved @ self.frame(q)  # R^T q
        origin = space.constant[:, None]
        change = turned - origin * turned[0] - (space.drawn - origin * space.drawn[0])
        found: Array = space.functions @ change
        return found

    def _own(self, q: Array) -> Array:  # (s, 3)
        """Vectors of the functions, without directions of interfaces that have no mass."""
        return q.reshape(-1, 3)[: len(self.space.constant)]

    def places(self, q: Array) -> Array:
        """Positions of nodes, then what internal vectors of elements are; of velocities, theirs  # (n, 3)."""
        found: Array = self.space.functions @ self._own(q)
        return found

    def positions(self, q: Array) -> Array:
        """Of every node; of velocities or accelerations, theirs  # (nodes, 3)."""
        return self.places(q)[: len(self.space.nodes)]

    @property
    def com(self) -> Marker:
        """The marker at the centre of mass: a point without directions."""
        space = self.space
        return Marker(self, space.constant @ space.mass @ space.drawn / self.mass, on=COM)

    def frame(self, q: Array) -> Array:
        """R: the rotation from t = 0 that is nearest to the mean deformation of the interfaces  # (3, 3)."""
        return nearest_rotation(self._own(q)[self.guides].T @ self.guide_axes)


def nearest_rotation(f: Array) -> Array:
    """R with R^T F symmetric."""
    left, _, right = np.linalg.svd(f)
    turn: Array = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right
    return turn
