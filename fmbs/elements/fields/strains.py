"""Strains and section forces at the slices of a surface, the same as `sol.section` gives, for all slices at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.elements._structural_kernels import structural_strains
from fmbs.elements.beam_batch import AXIAL_POINTS
from fmbs.elements.fields.beam_section import Stresses  # the one place where solid stresses are integrated over sections
from fmbs.elements.fields.line_section import line_section
from fmbs.elements.fields.places import Places
from fmbs.elements.fields.sweep import SweptSurface
from fmbs.elements.structural_tables import beam_shape, section_stiffness
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.beam import Beam
    from fmbs.elements.elastic_line import ElasticLine

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Strains:
    """In section axes, 1 along the normal: Gamma, kappa, N, M  # (slices, 3) each."""

    strain: Array
    curvature: Array
    force: Array
    moment: Array


class BeamStrains:
    """Of a beam: by the polynomial through the axial Gauss points of each element (see `fmbs.elements.fields.beam_section`)."""

    def __init__(self, beam: Beam, sweep: SweptSurface) -> None:
        x, _ = gauss(AXIAL_POINTS[beam.interpolation.name, beam.formulation])
        self._beam, self._points, self._row = beam, x.size, sweep.element
        shape = beam_shape(beam, x, beam.reference_speed(x))
        self._shape = np.ascontiguousarray(shape.reshape(-1, *shape.shape[2:]))
        self._element = np.repeat(np.arange(beam.elements), x.size)
        self._smooth = Places(sweep.element, sweep.xi, np.ones(sweep.xi.size)).weights(x)  # (slices, points)
        self._start = np.zeros((self._element.size, 9))
        self._start = self._directors(beam.initial_position())[0]
        solid = beam.formulation != "structural"
        self._stresses = Stresses(beam, np.arange(beam.elements), x.size) if solid else None

    def _directors(self, q: Array) -> tuple[Array, Array]:
        strains, frames = np.empty((self._element.size, 9)), np.empty((self._element.size, 3, 3))
        first, per = self._beam.nodes * self._beam.width, self._beam.interpolation.per_node
        structural_strains(q, first, per, self._element, self._shape, self._start, strains, frames)
        return strains, frames

    def _at_slices(self, values: Array) -> Array:  # (elements, points, 6) -> (slices, 6)
        smooth: Array = np.einsum("sp,spc->sc", self._smooth, values[self._row])
        return smooth

    def __call__(self, q: Array) -> Strains:
        strains, frames = self._directors(q)
        strain = self._at_slices(strains[:, :6].reshape(-1, self._points, 6))
        if self._stresses is None:
            force = section_stiffness(self._beam)[:6] * strain
        else:
            force = self._at_slices(self._stresses.resultants(q, frames.reshape(-1, self._points, 3, 3)))
        return Strains(strain[:, :3], strain[:, 3:], force[:, :3], force[:, 3:])


class LineStrains:
    """Of a cable or planar beam (see `fmbs.elements.fields.line_section`)."""

    def __init__(self, line: ElasticLine, sweep: SweptSurface) -> None:
        speed = line.reference_speed(sweep.axis).reshape(-1)[sweep.slices]
        self._line, self._places = line, Places(sweep.element, sweep.xi, speed)

    def __call__(self, q: Array) -> tuple[Strains, Array]:
        """And the section's axes, global components of its columns  # (slices, 3, 3)."""
        *found, axes = (values[0] for values in line_section(self._line, self._places, q[None]))
        return Strains(*found), axes
