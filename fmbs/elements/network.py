"""Beam networks: beams that meet share nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from fmbs.core.cells import Surface
from fmbs.core.checks import choice, not_negative, number, vector, whole
from fmbs.core.described import Described
from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.rigid_motion import displaced_vectors, vector_rates
from fmbs.core.vectors import FRAME, LINEAR, Vector
from fmbs.core.words import given
from fmbs.elements.flexible_link import RigidMotion
from fmbs.elements.interpolation import INTERPOLATIONS
from fmbs.elements.material import Material
from fmbs.elements.mesh import network_mesh
from fmbs.elements.network_batch import NetworkKind, axis_points
from fmbs.elements.network_checks import checked_network, kinds_of, upright
from fmbs.elements.network_layout import axes_of, layout_of
from fmbs.elements.network_mass import mass_triplets, shares_of
from fmbs.elements.network_strut import Strut
from fmbs.elements.section import Section
from fmbs.elements.structural_tables import stiffness_of

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

# Stiffness with which a node of three directors keeps its shape, relative to that of the sections of its struts.
# A frame's corner is rigid: the moment of a strut of three diameters turns it by 1e-4 of what it bends the strut.
NODE = 100.0


class BeamNetwork(Described):
    """Straight beams that share the nodes where they meet: a frame, a lattice, a wire mesh. One body without joints.

    Where beams of different directions meet the node has its position and three directors, and the section directions of each
    beam are constant combinations of them; elsewhere it has the position and two, as a Beam. M is constant.

    nodes: points, m  # (n, 3); struts: numbers of their ends  # (m, 2)
    section, material: of all struts, or {tag: one}; tags: of each strut, whole numbers or text  # (m,)
    elements: of each strut; interpolation: "quadratic" or "cubic"; the formulation is that of Reissner's beam ("structural")
    up: global direction of the sections' z axes, one or each strut's own (m, 3); None: z, or x for vertical struts
    rayleigh: (alpha, beta): damping alpha M + beta K on top of the material's, 1/s and s
    velocity, spin, about: rigid initial motion: velocity of the point `about` (default: the origin), m/s, and rad/s; what is
                           not given is completed from the joints and drives, and is zero where they ask for nothing
    """

    planar: Final = False

    def __init__(
        self, name: str, *, nodes: ArrayLike, struts: ArrayLike, section: Section | Mapping[Any, Section],
        material: Material | Mapping[Any, Material], tags: Sequence[Any] | NDArray[Any] | None = None, elements: int = 1,
        interpolation: str = "cubic", up: ArrayLike | None = None, velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None, about: ArrayLike = (0.0, 0.0, 0.0), rayleigh: tuple[float, float] = (0.0, 0.0),
    ) -> None:  # fmt: skip
        self.name, self.elements = name, whole(name, "elements", elements)
        choice(name, "interpolation", interpolation, ("quadratic", "cubic"))
        self.interpolation = INTERPOLATIONS[interpolation]
        self.points, self.struts = checked_network(name, nodes, struts)
        self.tags, self.kinds, self.kind = kinds_of(name, section, material, tags, len(self.struts))
        self._given = section, material
        alpha, beta = vector(name, "rayleigh", rayleigh, 2)
        self.mass_damping, self._beta = not_negative(name, "rayleigh alpha", alpha), not_negative(name, "rayleigh beta", beta)
        self._up = up
        self.lengths, self.axes = axes_of(self.points, self.struts, upright(name, self.points, self.struts, up))
        if not np.isfinite(self.axes).all():
            strut = int(np.flatnonzero(~np.isfinite(self.axes).all(axis=(1, 2)))[0])
            raise ModelError(
                f"{name}: up is parallel to strut {strut}; it is the global direction of the section's z axis, so give another "
                "one, or one for each strut."
            )
        self.layout = layout_of(self.points, self.struts, self.axes, self.elements, self.interpolation.nodes.size - 1)
        self._motion = RigidMotion.of(name, velocity, spin, about)
        self.batch = NetworkKind(interpolation)

    @classmethod
    def from_mesh(
        cls, path: str | Path, *, section: Section | Mapping[Any, Section], material: Material | Mapping[Any, Material],
        name: str = "network", scale: float = 1.0, **options: Any,
    ) -> BeamNetwork:  # fmt: skip
        """The lines of a mesh file that meshio reads (gmsh, VTK, ...). Tags: the names of gmsh's physical groups, or numbers.

        scale: metres of the mesh's unit, 1e-3 for millimetres
        options: elements, interpolation, up, ... of the class
        """
        points, struts, tags = network_mesh(path)
        size = number(name, "scale", scale)
        return cls(name, nodes=size * points, struts=struts, section=section, material=material, tags=tags, **options)

    def _facts(self) -> dict[str, Any]:
        sizes = {"nodes": len(self.points), "struts": len(self.struts), "elements": self.elements, "mass": self.mass}
        kinds = {"section": self._given[0], "material": self._given[1]} if len(self.kinds) == 1 else {"kinds": len(self.kinds)}
        motion = {"velocity": self._motion.velocity, "spin": self._motion.spin}
        return {**sizes, **kinds, **given(motion, self.given)}

    def arguments(self) -> dict[str, Any]:
        """What the constructor takes."""
        motion, tags = self._motion, [str(tag) for tag in self.tags]
        of_tag = {tag: self.kinds[k] for tag, k in zip(tags, self.kind, strict=True)}
        section, material = ({tag: pair[k] for tag, pair in of_tag.items()} for k in range(2))
        one = len(of_tag) == 1
        return {
            "name": self.name, "nodes": self.points, "struts": self.struts, "elements": self.elements,
            "section": self.kinds[0][0] if one else section, "material": self.kinds[0][1] if one else material,
            "tags": tags if any(tags) else None, "interpolation": self.interpolation.name, "up": self._up,
            "about": motion.about, "rayleigh": (self.mass_damping, self._beta),
            **given({"velocity": motion.velocity, "spin": motion.spin}, self.given),
        }  # fmt: skip

    @property
    def mass(self) -> float:
        """kg."""
        per = np.array([section.area * material.density for section, material in self.kinds])
        return float(self.lengths @ per[self.kind])

    @property
    def size(self) -> int:
        return int(3 * len(self.layout.vectors))

    @property
    def given(self) -> tuple[bool, bool]:
        return self._motion.given

    def at(self, *place: float) -> Marker:
        """The marker at a place (x, y, z) of the drawn shape, m: a node, or a point on the axis of a strut."""
        if len(place) == 1:  # as files keep places on struts: number of the strut + share of its length
            strut = min(int(place[0]), len(self.struts) - 1)
            return self.strut(strut).at(float(place[0]) - strut)
        x = vector(self.name, "at", place)
        distance, node = self._tree.query(x)
        if distance <= self._near:
            return Marker(self, self.points[node])
        a, along = self.points[self.struts[:, 0]], self.lengths[:, None] * self.axes[:, 0]
        share = np.clip(np.einsum("si,si->s", x - a, along) / self.lengths**2, 0.0, 1.0)
        off = np.linalg.norm(a + share[:, None] * along - x, axis=1)
        strut = int(np.argmin(off))
        if off[strut] <= self._near:
            return self.strut(strut).at(float(share[strut]))
        nearest, at = ", ".join(f"{c:.6g}" for c in self.points[node]), ", ".join(f"{c:.6g}" for c in x)
        raise ModelError(f"{self.name}: there is no node or strut at ({at}); the nearest node is {node} at ({nearest}).")

    def node(self, k: int) -> Marker:
        """The marker at node k."""
        if not 0 <= number(self.name, "k", k) < len(self.points) or k != int(k):
            raise ModelError(f"{self.name}: node {k} does not exist; there are nodes 0 to {len(self.points) - 1}.")
        return Marker(self, self.points[int(k)])

    def strut(self, k: int) -> Strut:
        """Strut k, with markers along it: network.strut(3).at(0.5). `sol.section` takes it too."""
        if not 0 <= number(self.name, "k", k) < len(self.struts) or k != int(k):
            raise ModelError(f"{self.name}: strut {k} does not exist; there are struts 0 to {len(self.struts) - 1}.")
        return Strut(self, int(k))

    def struts_of(self, tag: object) -> Integers:
        """Numbers of the struts with a tag."""
        found = np.flatnonzero(self.tags == str(tag))
        if not found.size:
            known = ", ".join(map(repr, np.unique(self.tags)[:12].tolist()))
            raise ModelError(f"{self.name}: no strut has the tag {tag!r}; there are {known}.")
        return found

    def nodes_of(self, tag: object) -> Integers:
        """Numbers of the nodes at the ends of the struts with a tag."""
        nodes: Integers = np.unique(self.struts[self.struts_of(tag)])
        return nodes

    @cached_property
    def _tree(self) -> Any:
        return scipy.spatial.cKDTree(self.points)

    @property
    def _near(self) -> float:
        return 1e-6 * float(self.lengths.min())

    # As a body

    def initial_position(self) -> Array:
        return self.layout.vectors.ravel().copy()

    def initial_velocity(self) -> Array:
        arms, motion = self.layout.vectors.copy(), self._motion
        arms[self.layout.points] -= motion.about
        moving: Array = np.cross(motion.spin, arms)
        moving[self.layout.points] += motion.velocity
        return moving.ravel()

    def rigid_rates(self, q: Array) -> Array:
        return vector_rates(q.reshape(-1, 3), self.layout.points).reshape(-1, 6)

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        return displaced_vectors(q.reshape(-1, 3), self.layout.points, centre, shift, turn).ravel()

    def is_length(self) -> NDArray[np.bool_]:
        return np.repeat(self.layout.points, 3)

    def mass_matrix(self) -> Triplets:
        """int rho (A a a^T + I_z b b^T + I_y c c^T) ds (x) 1 of every element, in the vectors of its nodes."""
        return mass_triplets(self)

    def weight(self, gravity: Array) -> Array:
        """int rho A a ds (x) g."""
        places, share = shares_of(self)
        force = np.zeros((len(self.layout.vectors), 3))
        np.add.at(force, places // 3, share[..., None] * np.asarray(gravity))
        return force.ravel()

    def equations(self) -> list[Equation]:
        return []

    def point(self, marker: Marker) -> Vector:
        strut, node = self._place(marker)
        if strut is None:
            return Vector(self, LINEAR, (1.0,), (int(self.layout.start[node]),), is_point=True)
        starts, shape = strut.centre(marker)
        return Vector(self, LINEAR, tuple(shape.tolist()), tuple(starts.tolist()), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        """n in the orthonormal frame of the second and third director of a node, or of those of a strut's section."""
        strut, node = self._place(marker)
        if strut is not None:
            return strut.direction(marker, components)
        own, solid, start = self.layout.frames[node], bool(self.layout.solid[node]), int(self.layout.start[node])
        n = own @ components if solid else own[[2, 0, 1]] @ components
        skip = 3 if solid else 0
        return Vector(self, FRAME, (*n.tolist(), 1.0, 1.0), (start + 3 + skip, start + 6 + skip))

    def _place(self, marker: Marker) -> tuple[Strut | None, int]:
        """Strut of a marker, or None and its node."""
        if marker.s is None:
            return None, int(self._tree.query(marker.position)[1])
        return self.strut(min(int(marker.s), len(self.struts) - 1)), -1

    # As a batch of elements

    @property
    def element_length(self) -> Array:
        """Of every element, m."""
        return np.repeat(self.lengths / self.elements, self.elements)

    @property
    def element_kind(self) -> Integers:
        """Of every element, among `kinds`: pairs of section and material."""
        return np.repeat(self.kind, self.elements)

    @property
    def constants(self) -> Array:
        """D, D_s and the retardation time of every element  # (elements, 8)."""
        name = self.interpolation.name
        rows = [np.append(stiffness_of(s, m, name), m.damping + self._beta) for s, m in self.kinds]
        return np.array(rows)[self.element_kind]

    @property
    def hold(self) -> Array:
        """Stiffness of the nodes at both ends, J, and the retardation time of every element  # (elements, 3)."""
        own = self.constants
        stiffness = NODE * own[:, 6] * np.repeat(self.lengths, self.elements)
        return np.column_stack([np.where(self.layout.joined, stiffness[:, None], 0.0), own[:, 7]])

    @property
    def reference_strains(self) -> Array:
        """None, but for the turned sections where axes at a node are all but parallel  # (elements, points, 9)."""
        from fmbs.elements.network_strains import strains_at

        axis, _, _ = axis_points(self.interpolation.name)
        strains = np.zeros((len(self.element_length), axis.size, 9))
        square = np.swapaxes(self.layout.mix.reshape(-1, 2, 2, 3), 2, 3)
        off = np.abs(np.swapaxes(square, 2, 3) @ square - np.eye(2)).max(axis=(1, 2, 3))
        some = np.flatnonzero(off > 1e-14)
        if some.size:
            found, _ = strains_at(self, some, axis, self.initial_position())
            strains[some] = found
        return strains

    def surface(self, per_element: int) -> Surface:
        from fmbs.elements.fields.network_surface import NetworkSurface

        return NetworkSurface(self, per_element)
