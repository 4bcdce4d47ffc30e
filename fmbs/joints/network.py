"""A wire frame of beams, joined rigidly where chains meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import vector, whole
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.elements.beam import Beam
from fmbs.elements.centre_line import Up
from fmbs.elements.material import Material
from fmbs.elements.mesh import chain_beams, chains, read_lines
from fmbs.elements.section import Section
from fmbs.joints.fixed import Fixed

NEAR = 1e-6  # of the longest beam: as exactly as a place is given


@dataclass(frozen=True)
class JoinedBeams(Described):
    """Beams of a mesh, the joints between them, and the mesh points where something can take hold.

    `for part in network: m.add(part)` puts it into a model; `network.at(point)` is the marker at a mesh point where chains end.
    """

    beams: tuple[Beam, ...]
    joints: tuple[Fixed, ...]
    ends: dict[int, Marker]

    def _facts(self) -> dict[str, Any]:
        return {"beams": len(self.beams), "joints": len(self.joints), "ends": len(self.ends)}

    def __iter__(self) -> Iterator[Beam | Fixed]:
        return iter((*self.beams, *self.joints))

    def at(self, *place: float) -> Marker:
        """The marker at a mesh point that is an end, a branch or a corner: by its number, or by its coordinates, m."""
        if len(place) == 3:
            return self._nearest(vector("beams_from_mesh", "at", place))
        point = place[0] if len(place) == 1 else place
        if point not in self.ends:
            known = ", ".join(str(known) for known in sorted(self.ends)[:12])
            raise ModelError(
                f"beams_from_mesh: at({point!r}) is no end, branch or corner; these are the mesh points {known}"
                f"{', ...' if len(self.ends) > 12 else ''}. beam.at(s) of network.beams reaches the places between."
            )
        return self.ends[int(point)]

    def _nearest(self, place: NDArray[np.float64]) -> Marker:
        markers = list(self.ends.values())
        far = np.linalg.norm([marker.position - place for marker in markers], axis=1)
        k, size = int(np.argmin(far)), max(beam.line.length for beam in self.beams)
        if far[k] > NEAR * size:
            raise ModelError(
                f"beams_from_mesh: at{tuple(place.tolist())} is no end, branch or corner; the nearest one is {markers[k]}, "
                f"{far[k]:.3g} m away."
            )
        return markers[k]


def beams_from_mesh(
    path: str | Path, section: Section, material: Material, *, name: str = "beam", refine: int = 1, up: Up | None = None,
    **options: Any,
) -> JoinedBeams:  # fmt: skip
    """Beams along the lines of a mesh file that meshio reads (gmsh, VTK, ...).

    Lines that follow each other smoothly become one beam and share nodes; at branches and corners beams are joined rigidly.

    refine: elements for each line of the mesh
    up: global direction of the sections' z axis (default: z, or x for vertical beams)
    options: interpolation, formulation, ... of fm.Beam
    """
    refine = whole("beams_from_mesh", "refine", refine)
    points, lines = read_lines(path)
    runs = chains(points, lines)
    beams = chain_beams(points, runs, section, material, name=name, refine=refine, up=up, options=options)
    ends: dict[int, Marker] = {}
    joints: list[Fixed] = []
    for run, beam in zip(runs, beams, strict=True):
        for point, marker in ((run.points[0], beam.start), (run.points[-1], beam.end)):
            if point in ends and ends[point].body is not beam:
                joints.append(Fixed(ends[point], marker, name=f"{name} joint {len(joints)}"))
            else:
                ends.setdefault(point, marker)
    return JoinedBeams(tuple(beams), tuple(joints), ends)
