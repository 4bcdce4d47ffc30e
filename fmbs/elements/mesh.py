"""Beam networks from line meshes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.elements.beam import Beam
from fmbs.elements.centre_line import Up
from fmbs.elements.material import Material
from fmbs.elements.section import Section

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

STRAIGHT = np.cos(np.radians(20.0))  # neighbours that turn by less share a node; the others are joined rigidly


@dataclass(frozen=True)
class Chain:
    """Mesh points of a run of lines without branches or corners."""

    points: tuple[int, ...]


def read_mesh(where: str, path: str | Path) -> Any:
    """A mesh file as meshio has it."""
    try:
        import meshio
    except ImportError:
        raise ModelError(f"{where}: needs meshio; install it with pip install 'fmbs[viz]'.") from None
    try:
        return meshio.read(path)
    except (Exception, SystemExit) as error:  # meshio exits where no reader fits
        raise ModelError(f"{where}: {path} cannot be read as a mesh ({error}); meshio reads .msh, .vtk, ...") from None


def read_lines(path: str | Path) -> tuple[Array, Integers]:
    """Points (n, 3) and lines (m, 2) of a mesh file, by meshio."""
    points, lines, _ = _lines_of("beams_from_mesh", path)
    check_lines(f"beams_from_mesh: {path}", points, lines)
    return points, lines


def network_mesh(path: str | Path) -> tuple[Array, Integers, list[str] | None]:
    """Points that lines use, lines, and tags of the lines: names of gmsh's physical groups, else their numbers; None: none."""
    points, lines, tags = _lines_of("BeamNetwork.from_mesh", path)
    used, local = np.unique(lines, return_inverse=True)
    return points[used], local.reshape(lines.shape), tags


def _lines_of(where: str, path: str | Path) -> tuple[Array, Integers, list[str] | None]:
    mesh = read_mesh(where, path)
    blocks = [k for k, block in enumerate(mesh.cells) if block.type == "line"]
    if not blocks:
        raise ModelError(f"{where}: {path} has no line cells; export the wire frame as 2-node lines.")
    points = np.zeros((len(mesh.points), 3))
    points[:, : mesh.points.shape[1]] = mesh.points
    lines = np.concatenate([mesh.cells[k].data for k in blocks]).astype(np.int64)
    if "gmsh:physical" not in mesh.cell_data:
        return points, lines, None
    names = {int(number): name for name, (number, dimension) in mesh.field_data.items() if dimension == 1}
    numbers = np.concatenate([np.asarray(mesh.cell_data["gmsh:physical"][k]) for k in blocks]).astype(np.int64)
    known, which = np.unique(numbers, return_inverse=True)
    return points, lines, np.array([names.get(int(number), str(number)) for number in known])[which].tolist()


def check_lines(where: str, points: Array, lines: Integers, line: str = "line", point: str = "point") -> None:
    """Every line once, with a length, and all of them in one piece."""
    lengths = np.linalg.norm(points[lines[:, 1]] - points[lines[:, 0]], axis=1)
    if not np.isfinite(lengths).all() or lengths.min() <= 1e-9 * lengths.max():
        a, b = lines[int(np.argmin(np.where(np.isfinite(lengths), lengths, -1.0)))]
        raise ModelError(f"{where} has a {line} from {point} {a} to {point} {b} without a length; remove it or merge its ends.")
    once, counts = np.unique(np.sort(lines, axis=1), axis=0, return_counts=True)
    if counts.max() > 1:
        a, b = once[int(counts.argmax())]
        raise ModelError(f"{where} has {counts.max()} {line}s between the {point}s {a} and {b}; keep one of them.")
    used, local = np.unique(lines, return_inverse=True)
    rows, columns = local.reshape(lines.shape).T
    pieces, _ = scipy.sparse.csgraph.connected_components(
        scipy.sparse.coo_array((np.ones(len(lines)), (rows, columns)), shape=(used.size,) * 2), directed=False
    )
    if pieces > 1:
        raise ModelError(
            f"{where} has {pieces} pieces that are not connected; merge points that lie at the same place, or give each piece "
            "a file of its own."
        )


def chains(points: Array, lines: Integers) -> list[Chain]:
    """Cut the wire frame at branches, free ends and corners."""
    neighbours: dict[int, list[int]] = {}
    for a, b in lines.tolist():
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)

    def passes(node: int) -> bool:
        if len(neighbours[node]) != 2:
            return False
        a, b = (points[other] - points[node] for other in neighbours[node])
        return bool(-a @ b > STRAIGHT * np.linalg.norm(a) * np.linalg.norm(b))

    ends = [node for node in neighbours if not passes(node)] or [min(neighbours)]  # a smooth ring is cut anywhere
    used: set[frozenset[int]] = set()
    found: list[Chain] = []
    for end in ends:
        for second in neighbours[end]:
            if frozenset((end, second)) in used:
                continue
            run = [end, second]
            used.add(frozenset(run))
            while passes(run[-1]) and run[-1] != end:
                following = next(node for node in neighbours[run[-1]] if node != run[-2])
                used.add(frozenset((run[-1], following)))
                run.append(following)
            middle = len(run) // 2
            # a joint connects two beams, so a chain that comes back to its start is cut in two
            halves = [run] if run[0] != run[-1] else [run[: middle + 1], run[middle:]]
            found.extend(Chain(tuple(half)) for half in halves)
    return found


def chain_beams(
    points: Array, runs: list[Chain], section: Section, material: Material, *, name: str, refine: int, up: Up | None,
    options: dict[str, Any],
) -> list[Beam]:  # fmt: skip
    """One beam a chain, with `refine` elements for each line of the mesh."""
    beams = []
    for k, run in enumerate(runs):
        along = points[list(run.points)]
        axis = along[-1] - along[0] if np.linalg.norm(along[-1] - along[0]) > 1e-9 else along[1] - along[0]
        direction: Up = up if up is not None else np.eye(3)[[2, 0][int(abs(axis[2]) > 0.9 * np.linalg.norm(axis))]]
        place: dict[str, Any] = {"start": along[0], "end": along[-1]} if len(along) == 2 else {"curve": along}
        count = refine * (len(along) - 1)
        beams.append(Beam(f"{name}{k}", section=section, material=material, elements=count, up=direction, **place, **options))
    return beams
