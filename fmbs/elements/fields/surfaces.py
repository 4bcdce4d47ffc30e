"""Surfaces of beams, cables and planar beams with their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Cells, Snapshot
from fmbs.elements.fields.line_frames import carried_frames, planar_frames
from fmbs.elements.fields.strains import BeamStrains, LineStrains, Strains
from fmbs.elements.fields.sweep import SweptSurface
from fmbs.math.hermite import hermite

if TYPE_CHECKING:
    from fmbs.elements.beam import Beam
    from fmbs.elements.elastic_line import ElasticLine

Array = NDArray[np.float64]


class BeamSurface:
    """r(x, y, z) = sum_i (a_i + y b_i + z c_i) e_i on the outline of every slice: linear in q, sections deform as they do."""

    def __init__(self, beam: Beam, per_element: int) -> None:
        self.body, self.sweep = beam, SweptSurface(beam.elements, per_element, beam.section)
        self._shape = beam.interpolation.shape(self.sweep.axis, beam.element_length)
        self._strains = BeamStrains(beam, self.sweep)

    @property
    def cells(self) -> Cells:
        return self.sweep.cells

    def _points(self, q: Array) -> Array:
        """The same map for positions and velocities."""
        vectors = q[self.body.vector_starts()[:, :, None] + np.arange(3)]  # (elements, vectors, 3)
        at = [(f @ vectors).reshape(-1, 1, 3)[self.sweep.slices] for f in (self._shape.a, self._shape.b, self._shape.c)]
        y, z = self.sweep.ring.T[:, :, None]
        points: Array = at[0] + y * at[1] + z * at[2]  # (slices, ring, 3)
        return points.reshape(-1, 3)

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        """At the body's own coordinates."""
        state, points = self._strains(q), self._points(q)
        y, z = self.sweep.ring.T
        axial = state.strain[:, :1] + z * state.curvature[:, 1:2] - y * state.curvature[:, 2:3]  # (slices, ring)
        return Snapshot(points, {"velocity": self._points(v), **_fields(self.body, self.sweep, state, axial)})


class LineSurface:
    """A cable or planar beam: its section stays plane, undeformed and normal to the centre line."""

    def __init__(self, line: ElasticLine, per_element: int) -> None:
        self.body, self.sweep = line, SweptSurface(line.elements, per_element, line.section)
        self._value, self._slope, _ = hermite(self.sweep.axis, line.element_length)
        self._strains = LineStrains(line, self.sweep)

    @property
    def cells(self) -> Cells:
        return self.sweep.cells

    def _centre(self, q: Array) -> tuple[Array, Array]:
        """r and dr/dxi at the slices, three components each."""
        line = self.body
        vectors = np.zeros((line.elements, 4, 3))
        vectors[:, :, : line.dimension] = q[line.vector_starts()[:, :, None] + np.arange(line.dimension)]
        r, slope = (np.einsum("pi,eix->epx", f, vectors).reshape(-1, 3)[self.sweep.slices] for f in (self._value, self._slope))
        return r, slope

    def _ring(self, t: Array) -> Array:
        """The section's points relative to the centre, from unit tangents  # (slices, ring, 3)."""
        y, z = planar_frames(t) if self.body.planar else carried_frames(t)
        ring: Array = np.einsum("rk,ksx->srx", self.sweep.ring, np.stack([y, z]))
        return ring

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        """At the body's own coordinates."""
        (r, slope), (rate, slope_rate) = self._centre(q), self._centre(v)
        size = np.linalg.norm(slope, axis=1)[:, None]
        t = slope / size
        ring = self._ring(t)
        turning = np.cross(t, slope_rate / size)  # the sections turn with the tangent, without roll
        velocity = rate[:, None] + np.cross(turning[:, None], ring)
        state, axes = self._strains(q)
        bending = np.einsum("sxa,sa->sx", axes, state.curvature)  # in global axes: the ring has its own
        axial = state.strain[:, :1] - np.einsum("sx,srx->sr", np.cross(bending, t), ring)
        points = (r[:, None] + ring).reshape(-1, 3)
        return Snapshot(points, {"velocity": velocity.reshape(-1, 3), **_fields(self.body, self.sweep, state, axial)})


def _fields(body: Beam | ElasticLine, sweep: SweptSurface, s: Strains, axial: Array) -> dict[str, Array]:
    """Fields of a surface; axial: strain along the axis  # (slices, ring). von_mises as in `SectionForces.von_mises`."""
    E, G = body.material.E, body.material.G
    shear = sweep.spread(np.linalg.norm(s.force[:, 1:], axis=1) / body.section.area)
    torsion = np.outer(G * np.abs(s.curvature[:, 0]), np.hypot(*sweep.ring.T)).ravel()
    return {
        "axial_strain": axial.ravel(),
        "curvature": sweep.spread(s.curvature),
        "section_force": sweep.spread(s.force),
        "section_moment": sweep.spread(s.moment),
        "von_mises": np.sqrt((E * axial.ravel()) ** 2 + 3.0 * (shear + torsion) ** 2),
    }
