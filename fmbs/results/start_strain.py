"""Strains that flexible bodies have at the start, because their joints did not fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.optional import SectionedBody
from fmbs.results.section import section_forces
from fmbs.solvers.moved_bodies import OpenEquations
from fmbs.solvers.start import Start
from fmbs.solvers.start_words import told_of_strain

Array = NDArray[np.float64]

STRAIN_SHARE = 1e-4  # what is strained by more is told: a steel beam then has 20 MPa
PLACES = 400  # along a link, at most


def strain_told(system: System, start: Start) -> list[str]:
    """Of the flexible body that assembly has strained most, in words, if it is more than STRAIN_SHARE."""
    if not start.bodies.bent:
        return []
    links = [body for body in system.dofs.bodies if isinstance(body, SectionedBody)]
    strains = [largest_strain(system, link, start.state.q) for link in links]
    if max(strains, default=0.0) <= STRAIN_SHARE:
        return []
    worst = int(np.argmax(strains))
    t, q, still = start.state.t, start.state.q, np.zeros(system.size)
    energy = system.element_energy(t, q, still).stored - system.element_energy(t, start.bodies.unbent, still).stored
    asked, gap = OpenEquations(system, t, system.initial_position).at(links[worst])
    return [told_of_strain(links[worst].name, strains[worst], energy, asked, gap)]


def largest_strain(system: System, link: SectionedBody, q: Array) -> float:
    """Along a link: of its axis, and of its outermost fibres by bending and twist, as for a rectangle of the same I/A."""
    section = link.section
    depth = float(np.sqrt(3.0 * max(section.Iy, section.Iz) / section.area))
    found = section_forces(link, np.linspace(0.0, 1.0, min(2 * link.elements, PLACES) + 1), q[None], system.dofs)
    strain = np.linalg.norm(found.strain[0], axis=1) + depth * np.linalg.norm(found.curvature[0], axis=1)
    return float(strain.max())
