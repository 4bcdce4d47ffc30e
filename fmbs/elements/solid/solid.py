"""Solid: an elastic body of any shape, from a mesh of its volume."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_matrix, csr_matrix

from fmbs.core.cells import Surface
from fmbs.core.checks import choice, mapping, number, positive, shown, vector, whole
from fmbs.core.described import Described
from fmbs.core.equations import Equation, Term, dot, fixed
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import Patch
from fmbs.core.protocols import Triplets
from fmbs.core.rigid_motion import displaced_vectors, vector_rates
from fmbs.core.spelling import spelled
from fmbs.core.vectors import LINEAR, Vector
from fmbs.core.words import given
from fmbs.elements._checks import check_material
from fmbs.elements.flexible_link import RigidMotion
from fmbs.elements.material import Material
from fmbs.elements.solid.block import block_mesh
from fmbs.elements.solid.interface import KINDS, Interface
from fmbs.elements.solid.layout import SolidLayout
from fmbs.elements.solid.locate import located
from fmbs.elements.solid.mesh_checks import checked_mesh, warn_of_locking, warn_of_units
from fmbs.elements.solid.pieces import MODES, Piece, mass_blocks, pieces_of
from fmbs.elements.solid.reading import read_volumes
from fmbs.elements.solid.shapes import HEXA8
from fmbs.elements.solid.volume_batch import VolumeKind

if TYPE_CHECKING:
    from fmbs.elements.reduced.reduced_body import ReducedBody

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

ELASTICITY = "st-venant-kirchhoff", "neo-hookean"
BENDING = "modes", "none"
COM = "com"  # what a marker at the centre of mass is on


class Solid(Described):
    """Volume cells in total Lagrangian form: q holds the positions of the nodes, so M is constant and F = sum x_i (grad N_i)^T.

    Cells: tetrahedra of 4 and 10 nodes, hexahedra of 8, 20 and 27, also mixed.

    points: nodes at t = 0, m  # (n, 3)
    cells: {"tetra10": numbers of points (cells, 10), ...}: tetra, tetra10, hexahedron, hexahedron20, hexahedron27; nodes as in
           VTK and meshio
    sets: {name: numbers of points (k,), or corners of faces of the skin (faces, 3 or 4)}, for interfaces and pressures
    elasticity: "st-venant-kirchhoff", S = lambda tr(E) 1 + 2 mu E, for bodies that strain little; "neo-hookean" (Bonet & Wood
                2008, eq 6.28) for large strains. Both have the material's Kelvin-Voigt damping
    bending: "modes": cells of 8 nodes have the internal modes of Taylor, Beresford & Wilson 1976, or they lock in bending
    interfaces: {name of a set: "rigid" or "average"}, as by `interface`
    velocity, spin, about: rigid motion at t = 0: velocity of the point `about`, m/s, and rad/s
    """

    planar: Final = False
    mass_damping: Final = 0.0

    def __init__(
        self, name: str, points: ArrayLike, cells: Mapping[str, ArrayLike], *, material: Material,
        sets: Mapping[str, ArrayLike] | None = None, elasticity: str = ELASTICITY[0], bending: str = BENDING[0],
        interfaces: Mapping[str, str] | None = None, velocity: ArrayLike | None = None, spin: ArrayLike | None = None,
        about: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:  # fmt: skip
        self.name = name
        self.material = check_material(name, material)
        self.elasticity = choice(name, "elasticity", elasticity, ELASTICITY)
        self.bending = choice(name, "bending", bending, BENDING)
        self.mesh = checked_mesh(name, points, cells, sets or {})
        warn_of_locking(name, self.mesh, self.bending == BENDING[0])
        self._motion = RigidMotion.of(name, velocity, spin, about)
        self.batch = VolumeKind(self.elasticity == ELASTICITY[1])
        self._interfaces: dict[str, Interface] = {}
        self._numbered = False
        for key, kind in mapping(name, "interfaces", interfaces or {}, "interfaces").items():
            self.interface(key, kind=kind)

    @classmethod
    @spelled
    def from_mesh(
        cls, path: str | Path, *, material: Material, name: str | None = None, scale: float | None = None,
        order: int | None = None, **options: Any,
    ) -> Self:  # fmt: skip
        """A solid from a file that meshio reads (gmsh .msh, Abaqus .inp, VTK, ...); gmsh's physical groups become sets.

        name: of the body; the file's without one
        scale: metres of a unit of the file, 1e-3 for millimetres; None: 1, with a warning where the size makes that unlikely
        order: 2: put a node in the middle of every edge of linear cells; None: take cells as they are
        options: as of `fm.Solid`
        """
        name = Path(path).stem if name is None and isinstance(path, (str, Path)) else str(name)
        points, cells, sets = read_volumes(name, path)
        if scale is None:
            warn_of_units(name, points)
        else:
            points = points * positive(name, "scale", scale)
        if order not in (None, 2):
            raise ModelError(f"{name}: order = {shown(order)} must be 2, or None for cells as they are in the file.")
        if order == 2:
            mesh = checked_mesh(name, points, cells, sets).quadratic()
            points, cells, sets = mesh.points, dict(mesh.cells), dict(mesh.sets)
        return cls(name, points, cells, material=material, sets=sets, **options)

    @classmethod
    @spelled
    def block(
        cls, name: str, *, size: ArrayLike, divisions: ArrayLike, material: Material, kind: str = "hexahedron20",
        corner: ArrayLike = (0.0, 0.0, 0.0), **options: Any,
    ) -> Self:  # fmt: skip
        """A box with the sets "x-", "x+", "y-", "y+", "z-" and "z+" of its sides.

        size: lengths of its edges, m; corner: its lowest corner, m; divisions: cells along each edge; kind: of the cells
        """
        mesh = block_mesh(name, size, divisions, kind, corner)
        return cls(name, mesh.points, mesh.cells, material=material, sets=mesh.sets, **options)

    def _facts(self) -> dict[str, Any]:
        cells = {kind: len(cells) for kind, cells in self.mesh.cells.items()}
        moving = {"velocity": self._motion.velocity, "spin": self._motion.spin}
        sizes = {"mass": self.mass, "nodes": len(self.mesh.points), "cells": cells, "material": self.material}
        return {**sizes, "interfaces": {x.name: x.kind for x in self._interfaces.values()}, **given(moving, self.given)}

    def arguments(self) -> dict[str, Any]:
        motion = {"velocity": self._motion.velocity, "spin": self._motion.spin}
        return {
            "name": self.name, "points": self.mesh.points, "cells": dict(self.mesh.cells), "material": self.material,
            "sets": dict(self.mesh.sets), "elasticity": self.elasticity, "bending": self.bending,
            "interfaces": {x.name: x.kind for x in self._interfaces.values()}, "about": self._motion.about,
            **given(motion, self.given),
        }  # fmt: skip

    @property
    def sets(self) -> list[str]:
        """Names of sets, for interfaces and pressures."""
        return sorted(self.mesh.sets)

    @property
    def moduli(self) -> tuple[float, float, float]:
        """lambda, mu, Pa, and the retardation time, s."""
        return self.material.lame, self.material.G, self.material.damping

    def interface(self, name: str, *, kind: str | None = None, at: ArrayLike | None = None) -> Marker:
        """The marker of a set of nodes, with a frame: joints, clearance joints, loads and drives take it.

        kind: "rigid" (the default): the nodes keep their shape, as if a stiff part were pressed in
              "average": only the resultant counts: forces are spread over the nodes by their shares of the area, and the marker
              moves as they do on average
        at: another point that moves with the frame of the interface, m; its centre without one
        """
        known = self._interfaces.get(name) if isinstance(name, str) else None
        if kind is not None:
            choice(self.name, "kind", kind, KINDS)
        if known is not None and kind not in (None, known.kind):
            raise ModelError(f"{self.name}: interface {name!r} is {known.kind} already; it cannot be {kind} too.")
        if known is None:
            known = Interface.of(self.name, self.mesh, name, kind or KINDS[0])
            if self._numbered:
                raise ModelError(
                    f"{self.name}: interface {name!r} comes after the model was computed; ask for all interfaces before, or "
                    "make the solid anew."
                )
            SolidLayout.of(self.name, self.mesh, self._modes, [*self._interfaces.values(), known])  # or says what overlaps
            self._interfaces[name] = known
            for made in "layout", "pieces":
                self.__dict__.pop(made, None)
        return Marker(self, known.position if at is None else vector(self.name, "at", at), on=name)

    def node(self, k: int) -> Marker:
        """The marker at point k of the mesh; it has no directions."""
        if not 0 <= number(self.name, "k", k) < len(self.mesh.points) or k != int(k):
            raise ModelError(f"{self.name}: point {shown(k)} does not exist; there are 0 to {len(self.mesh.points) - 1}.")
        return Marker(self, self.mesh.points[int(k)])

    def at(self, *position: float) -> Marker:
        """The marker at the body point that has these global coordinates at t = 0, m; it has no directions."""
        place = vector(self.name, "at", position)
        located(self.name, self.mesh, place)
        return Marker(self, place)

    @property
    def com(self) -> Marker:
        """The marker at the centre of mass; it has no directions."""
        return Marker(self, self._shares[: len(self.mesh.points)] @ self.mesh.points / self.mass, on=COM)

    @property
    def mass(self) -> float:
        """kg."""
        cells = ((shape, self.mesh.points[nodes]) for shape, nodes in self.mesh.shaped())
        return float(sum(mass_blocks(shape, x, 0, self.material.density).sum() for shape, x in cells))

    @property
    def _modes(self) -> list[int]:
        """Internal modes of the cells of each kind."""
        return [MODES if kind == HEXA8.name and self.bending == BENDING[0] else 0 for kind in self.mesh.cells]

    @cached_property
    def layout(self) -> SolidLayout:
        return SolidLayout.of(self.name, self.mesh, self._modes, list(self._interfaces.values()))

    @cached_property
    def pieces(self) -> list[Piece]:
        """Elements that are alike."""
        found = []
        for (shape, _), places in zip(self.mesh.shaped(), self.layout.places, strict=True):
            found += pieces_of(shape, places, self.mesh.points, self.layout)
        return found

    @property
    def size(self) -> int:
        inner = sum(own * len(cells) for own, cells in zip(self._modes, self.mesh.cells.values(), strict=True))
        held = sum(x.nodes.size for x in self._interfaces.values() if x.rigid)
        return 3 * (len(self.mesh.points) + inner - held + 4 * len(self._interfaces))

    @property
    def given(self) -> tuple[bool, bool]:
        return self._motion.given

    def initial_position(self) -> Array:
        return self.layout.drawn.ravel()

    def initial_velocity(self) -> Array:
        vectors, motion = self.layout.drawn.copy(), self._motion
        vectors[self.layout.is_point] -= motion.about
        moving: Array = np.cross(motion.spin, vectors)
        moving[self.layout.is_point] += motion.velocity
        return moving.ravel()

    def is_length(self) -> NDArray[np.bool_]:
        return np.repeat(self.layout.is_length, 3)

    def rigid_rates(self, q: Array) -> Array:
        return vector_rates(q.reshape(-1, 3), self.layout.is_point).reshape(-1, 6)

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        return displaced_vectors(q.reshape(-1, 3), self.layout.is_point, centre, shift, turn).ravel()

    @cached_property
    def place_mass(self) -> csr_matrix:
        """Of the places: nodes and internal modes, kg."""
        count = self.layout.carriers.shape[0]
        total = csr_matrix((count, count))
        for (shape, cells), places, modes in zip(self.mesh.shaped(), self.layout.places, self._modes, strict=True):
            width = places.shape[1]
            blocks = mass_blocks(shape, self.mesh.points[cells], modes, self.material.density)
            row = np.repeat(places.astype(np.int32), width, axis=1).ravel()
            column = np.tile(places.astype(np.int32), (1, width)).ravel()
            total = total + coo_matrix((blocks.ravel(), (row, column)), shape=(count, count)).tocsr()
        return total

    @cached_property
    def _shares(self) -> Array:
        """Momentum of the places in a unit velocity of the body, kg: int rho N_i dV, and of internal modes int rho M_k dV."""
        count = len(self.mesh.points)
        moving: Array = self.place_mass @ np.append(np.ones(count), np.zeros(self.place_mass.shape[0] - count))
        return moving

    def mass_matrix(self) -> Triplets:
        """int rho N_i N_j dV (x) 1 of the nodes, carried over to the blocks."""
        self._numbered = True
        carriers = self.layout.carriers
        blocks = (carriers.T @ self.place_mass @ carriers).tocoo()
        axes = np.arange(3)
        row, column = (3 * x[:, None].astype(np.int64) + axes for x in (blocks.row, blocks.col))
        return Triplets(row.ravel(), column.ravel(), np.repeat(blocks.data, 3))

    def weight(self, gravity: Array) -> Array:
        """M times gravity at every node, since N_i add up to 1."""
        return np.outer(self.layout.carriers.T @ self._shares, gravity).ravel()

    def equations(self) -> list[Equation]:
        """What keeps the frames of interfaces orthonormal, and averaged ones at the average of their nodes."""
        found = []
        for interface in self._interfaces.values():
            r, d = self._frame(interface.name)
            found += [Equation(f"{interface.name}: |d_{k + 1}|", (Term(0.5, d[k], d[k]),), 0.5) for k in range(3)]
            found += [dot(f"{interface.name}: d_{a + 1}.d_{b + 1}", d[a], d[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
            if not interface.rigid:
                found += self._attached(interface, r, d)
        return found

    def _attached(self, interface: Interface, r: Vector, d: list[Vector]) -> list[Equation]:
        """r = sum w_i x_i and sum m_ia d_a x x_i = 0: along d_k f_b . d_c - f_c . d_b with f_a = sum m_ia x_i."""
        label, w = interface.name, interface.weights
        mean = self._places(interface.nodes, w, is_point=True)
        arms = self.mesh.points[interface.nodes] - interface.position
        scale = 1.0 / float((interface.moments * arms).sum())
        f = [self._places(interface.nodes, scale * interface.moments[:, k]) for k in range(3)]
        found = [
            Equation(f"{label}: mean of {axis}", (Term(1.0, fixed(e), r), Term(-1.0, fixed(e), mean)))
            for axis, e in zip("xyz", np.eye(3), strict=True)
        ]
        for k in range(3):
            b, c = (k + 1) % 3, (k + 2) % 3
            found.append(Equation(f"{label}: mean rotation {'xyz'[k]}", (Term(1.0, f[b], d[c]), Term(-1.0, f[c], d[b]))))
        return found

    def _frame(self, name: str) -> tuple[Vector, list[Vector]]:
        first = 3 * self.layout.frames[name]
        r = Vector(self, LINEAR, (1.0,), (first,), is_point=True)
        return r, [Vector(self, LINEAR, (1.0,), (first + 3 * k,)) for k in (1, 2, 3)]

    def _places(self, nodes: Integers, weights: Array, *, is_point: bool = False) -> Vector:
        coefficients, blocks = self.layout.combined(nodes, weights)
        return Vector(self, LINEAR, coefficients, blocks, is_point)

    def point(self, marker: Marker) -> Vector:
        if marker.on == COM:
            return self._places(np.arange(self._shares.size), self._shares / self.mass, is_point=True)
        if marker.on:
            arm = marker.position - self._interfaces[marker.on].position
            return self._of_frame(marker.on, np.append(1.0, np.where(np.abs(arm) > 1e-15, arm, 0.0)), is_point=True)
        return self._places(*located(self.name, self.mesh, marker.position), is_point=True)

    def node_point(self, k: int) -> Vector:
        """The position of point k of the mesh."""
        return self._places(np.array([k]), np.ones(1), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        if marker.on not in self._interfaces:
            raise ModelError(
                f"{self.name}: {marker} is a point of a solid, without directions; take {self.name}.interface(...) of a "
                "set of nodes, or Spherical, PointOnLine, Distance or forces at points."
            )
        return self._of_frame(marker.on, np.append(0.0, components), is_point=False)

    def _of_frame(self, name: str, coefficients: Array, *, is_point: bool) -> Vector:
        first = 3 * self.layout.frames[name]
        kept = [(float(c), first + 3 * k) for k, c in enumerate(coefficients) if abs(c) > 1e-15]
        return Vector(self, LINEAR, tuple(c for c, _ in kept), tuple(block for _, block in kept), is_point)

    def patches(self, surface: str) -> list[Patch]:
        """Faces of a set, for pressures."""
        found = []
        for facets in self.mesh.facets_of(self.name, surface):
            nodes, faces = np.unique(facets.nodes, return_inverse=True)
            x, w = facets.shape.rule
            vectors = [self.node_point(int(k)) for k in nodes]
            faces = faces.reshape(facets.nodes.shape)
            found.append(Patch(vectors, self.mesh.points[nodes], faces, facets.shape.value(x), facets.shape.slope(x), w))
        return found

    def corners(self, surface: str) -> tuple[Marker, ...]:
        """The two points of a set that lie farthest from each other along an axis."""
        facets = self.mesh.facets_of(self.name, surface)
        if not facets:
            raise ModelError(
                f"{self.name}: the set {surface!r} has no faces on the skin of the mesh; give faces, or all nodes of some."
            )
        nodes = np.unique(np.concatenate([x.nodes.ravel() for x in facets]))
        axis = int(np.ptp(self.mesh.points[nodes], axis=0).argmax())
        order = nodes[np.argsort(self.mesh.points[nodes, axis])]
        return self.node(int(order[0])), self.node(int(order[-1]))

    def positions(self, q: Array) -> Array:
        """Of the points of the mesh at the body's own coordinates, or their velocities for v  # (points, 3)."""
        places: Array = self.layout.carriers[: len(self.mesh.points)] @ q.reshape(-1, 3)
        return places

    def reduced(
        self, modes: int = 20, interfaces: Iterable[str] | Mapping[str, str] | None = None, *, name: str | None = None,
        **options: Any,
    ) -> ReducedBody:  # fmt: skip
        """The same body by few modes: for small strains, and as fast as some hundred coordinates are (see `fm.ReducedBody`).

        modes: eigenmodes with the interfaces held, besides six static modes of each interface
        interfaces: names of sets, rigid ones, or {name: "rigid" or "average"}; None: those that the solid has
        name: of the body; None: that of the solid
        options: damping (the material's), modal_damping, velocity, spin, about (the solid's)
        """
        from fmbs.elements.reduced.reduced_solid import reduced_solid

        count = whole(self.name, "modes", modes, least=0)
        return reduced_solid(self, count, interfaces, self.name if name is None else name, **options)

    def surface(self, per_element: int) -> Surface:
        from fmbs.elements.solid.drawing import SolidSkin

        return SolidSkin(self)

    def volume(self) -> Surface:
        from fmbs.elements.solid.drawing import SolidVolume

        return SolidVolume(self)
