"""A wire frame of beams, joined rigidly where chains meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fmbs.core.checks import whole
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.elements.beam import Beam
from fmbs.elements.centre_line import Up
from fmbs.elements.material import Material
from fmbs.elements.mesh import chain_beams, chains, read_lines
from fmbs.elements.section import Section
from fmbs.joints.fixed import Fixed


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

    def at(self, point: int) -> Marker:
        """The marker at a mesh point that is an end, a branch or a corner."""
        if point not in self.ends:
            known = ", ".join(str(known) for known in sorted(self.ends)[:12])
            raise ModelError(
                f"beams_from_mesh: at({point!r}) is no end, branch or corner; these are the mesh points {known}"
                f"{', ...' if len(self.ends) > 12 else ''}. beam.at(s) of network.beams reaches the places between."
            )
        return self.ends[point]


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
