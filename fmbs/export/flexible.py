"""Surfaces of beams, cables and planar beams with their fields."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fmbs.elements._line_kernels import line_strains
from fmbs.elements._structural_kernels import structural_strains
from fmbs.elements.beam import Beam
from fmbs.elements.beam_batch import beam_shape, section_stiffness
from fmbs.elements.elastic_line import ElasticLine
from fmbs.elements.line_batch import line_shape
from fmbs.export.line_frames import carried_frames, planar_frames
from fmbs.export.mesh import Cells, Snapshot
from fmbs.export.sweep import Sweep
from fmbs.math.hermite import hermite

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Strains:
    """At the stations of a surface, in section axes: Gamma, kappa, N, M  # (stations, 3) each."""

    strain: Array
    curvature: Array
    force: Array
    moment: Array


def _fields(body: Beam | ElasticLine, sweep: Sweep, s: Strains, axial: Array) -> dict[str, Array]:
    """Fields of a surface; axial: strain along the axis at its points. von_mises as in `SectionForces.von_mises`."""
    E, G = body.material.E, body.material.G
    shear = sweep.spread(np.linalg.norm(s.force[:, 1:], axis=1) / body.section.area)
    torsion = np.outer(G * np.abs(s.curvature[:, 0]), np.hypot(*sweep.ring.T)).ravel()
    return {
        "axial_strain": axial,
        "curvature": sweep.spread(s.curvature),
        "section_force": sweep.spread(s.force),
        "section_moment": sweep.spread(s.moment),
        "von_mises": np.sqrt((E * axial) ** 2 + 3.0 * (shear + torsion) ** 2),
    }


class BeamSurface:
    """r(x, y, z) = sum_i (a_i + y b_i + z c_i) e_i on the outline of every station: linear in q, sections deform as they do."""

    def __init__(self, beam: Beam, per_element: int) -> None:
        self.body, self.sweep = beam, Sweep(beam.elements, per_element, beam.section)
        self._shape = beam.interpolation.shape(self.sweep.axis, beam.element_length)

    @property
    def cells(self) -> Cells:
        return self.sweep.cells

    def _points(self, q: Array) -> Array:
        """The same map for positions and velocities."""
        beam, sweep = self.body, self.sweep
        vectors = q[beam.vector_starts()[:, :, None] + np.arange(3)]  # (elements, vectors, 3)
        a, b, c = (np.einsum("pi,eix->epx", f, vectors) for f in (self._shape.a, self._shape.b, self._shape.c))
        at = [f.reshape(-1, 1, 3)[sweep.stations] for f in (a, b, c)]
        y, z = sweep.ring.T[:, :, None]
        points: Array = at[0] + y * at[1] + z * at[2]  # (stations, ring, 3)
        return points.reshape(-1, 3)

    @cached_property
    def _reference(self) -> tuple[Array, NDArray[np.int64], Array, Array]:
        """Points, elements, shape tables and strains of the drawn shape."""
        beam, sweep = self.body, self.sweep
        shape = beam_shape(beam, sweep.axis, beam.reference_speed(sweep.axis))
        shape = np.ascontiguousarray(shape.reshape(-1, *shape.shape[2:])[sweep.stations])
        element = np.repeat(np.arange(beam.elements), sweep.axis.size)[sweep.stations]
        q = beam.initial_position()
        return self._points(q), element, shape, self._director_strains(q, element, shape, np.zeros((element.size, 9)))

    def _director_strains(self, q: Array, element: NDArray[np.int64], shape: Array, start: Array) -> Array:
        strains, frames = np.empty((element.size, 9)), np.empty((element.size, 3, 3))
        first = self.body.nodes * self.body.width
        structural_strains(q, first, self.body.interpolation.per_node, element, shape, start, strains, frames)
        return strains

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        """At the body's own coordinates."""
        reference, element, shape, start = self._reference
        strains = self._director_strains(q, element, shape, start)
        gamma, kappa, stiffness = strains[:, :3], strains[:, 3:6], section_stiffness(self.body)
        y, z = self.sweep.ring.T
        axial = gamma[:, :1] + z * kappa[:, 1:2] - y * kappa[:, 2:3]  # (stations, ring)
        state = Strains(gamma, kappa, gamma * stiffness[:3], kappa * stiffness[3:6])
        points = self._points(q)
        moving = {"displacement": points - reference, "velocity": self._points(v)}
        return Snapshot(points, {**moving, **_fields(self.body, self.sweep, state, axial.ravel())})


class LineSurface:
    """A cable or planar beam: its section stays plane, undeformed and normal to the centre line."""

    def __init__(self, line: ElasticLine, per_element: int) -> None:
        self.body, self.sweep = line, Sweep(line.elements, per_element, line.section)
        self._value = hermite(self.sweep.axis, line.element_length)[0]
        shape, _ = line_shape(line, self.sweep.axis)  # (tables, points, 2, 4)
        every = np.tile(shape, (line.elements // len(shape), 1, 1, 1))
        self._shape = np.ascontiguousarray(every.reshape(-1, 2, 4)[self.sweep.stations])
        self._element = np.repeat(np.arange(line.elements), self.sweep.axis.size)[self.sweep.stations]

    @property
    def cells(self) -> Cells:
        return self.sweep.cells

    def _centre(self, q: Array) -> tuple[Array, Array, Array]:
        """r, r' and r'' at the stations, three components each."""
        line, sweep = self.body, self.sweep
        vectors = np.zeros((line.elements, 4, 3))
        vectors[:, :, : line.dimension] = q[line.vector_starts()[:, :, None] + np.arange(line.dimension)]
        r = np.einsum("pi,eix->epx", self._value, vectors).reshape(-1, 3)[sweep.stations]
        slopes = np.einsum("pki,pix->kpx", self._shape, vectors[self._element])
        return r, slopes[0], slopes[1]

    def _offsets(self, slope: Array) -> tuple[Array, Array]:
        """Unit tangents and the section's points relative to the centre  # (stations, 3), (stations, ring, 3)."""
        t = slope / np.linalg.norm(slope, axis=1)[:, None]
        y, z = planar_frames(t) if self.body.planar else carried_frames(t)
        return t, np.einsum("rk,ksx->srx", self.sweep.ring, np.stack([y, z]))

    def _strains(self, q: Array) -> Array:  # (stations, 2)
        out = np.empty((self._element.size, 2))
        line_strains(q, self.body.nodes * self.body.width, self.body.dimension, self._element, self._shape, out)
        return out

    @cached_property
    def _reference(self) -> tuple[Array, Array]:
        """Points and curvature of the drawn shape."""
        q = self.body.initial_position()
        r, slope, _ = self._centre(q)
        curvature = np.zeros(r.shape[0]) if self.body.line.straight else self._strains(q)[:, 1]
        return (r[:, None] + self._offsets(slope)[1]).reshape(-1, 3), curvature

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        """At the body's own coordinates."""
        reference, natural = self._reference
        r, slope, second = self._centre(q)
        rate, slope_rate, _ = self._centre(v)
        t, ring = self._offsets(slope)
        size = np.linalg.norm(slope, axis=1)[:, None]
        turning = np.cross(t, slope_rate / size)  # the sections turn with the tangent, without roll
        velocity = rate[:, None] + np.cross(turning[:, None], ring)
        strains = self._strains(q)
        bending: Array = strains[:, 1] - natural
        # a fibre at d from the centre is shorter by d . (dt/ds), towards the centre of curvature
        towards = (second - np.einsum("ij,ij->i", second, t)[:, None] * t) / size
        towards *= (bending / np.where(strains[:, 1] == 0.0, 1.0, strains[:, 1]))[:, None]
        axial = strains[:, :1] - np.einsum("sx,srx->sr", towards, ring)
        E, none = self.body.material.E, np.zeros_like(bending)
        gamma, kappa = np.stack([strains[:, 0], none, none], axis=1), np.stack([none, none, bending], axis=1)
        state = Strains(gamma, kappa, E * self.body.section.area * gamma, E * self.body.inertia * kappa)
        points = (r[:, None] + ring).reshape(-1, 3)
        moving = {"displacement": points - reference, "velocity": velocity.reshape(-1, 3)}
        return Snapshot(points, {**moving, **_fields(self.body, self.sweep, state, axial.ravel())})


def surface(body: Beam | ElasticLine, per_element: int) -> BeamSurface | LineSurface:
    """The surface of a flexible body."""
    return BeamSurface(body, per_element) if isinstance(body, Beam) else LineSurface(body, per_element)
