"""Files for other programs: sol.to_vtk and sol.to_meshio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fmbs.core.cells import Cells
from fmbs.core.checks import checked_path, number, whole
from fmbs.core.defaults import FRAMES_SIZE, PER_ELEMENT
from fmbs.core.errors import ModelError
from fmbs.core.files import writing
from fmbs.core.spelling import spelled
from fmbs.export.scene import Layer, scene
from fmbs.export.shapes import Shape
from fmbs.export.vtkhdf import write_vtkhdf
from fmbs.export.vtu import write_pvd, write_vtu

if TYPE_CHECKING:
    from fmbs.results.solution import Solution


BYTES = 2000  # more than a cell takes
SOLID = "beams", "solids", "bodies", "ground"  # layers that are surfaces of parts


@spelled
def to_vtk(
    sol: Solution, path: str | Path, *, shapes: Mapping[Any, Shape] | None = None, per_element: int = PER_ELEMENT,
    every: int | None = None, magnify: float | None = None,
) -> list[Path]:  # fmt: skip
    """Files for ParaView; returns them, the one to open first.

    path: run.pvd: a list of files, one a frame and kind, in the folder run/ beside it; opens everywhere
          run.vtkhdf: run_beams.vtkhdf, run_bodies.vtkhdf, ..., all frames of a kind in one file; ParaView >= 5.12
    shapes: {body or its name: fm.shapes.Box(...), Cylinder, Sphere, STL}; without one a body is drawn by its markers
    per_element: slices along each flexible element
    every: take every so many frames; the last is always there. None: all of them, or every second, third, ... where the files
           would take more than 2 GB
    magnify: how many times its size the gap of clearance joints is drawn; None: so that it can be seen. The field
             `magnification` of the layer `journals` says it
    """
    path = checked_path("to_vtk", "path", path)
    if path.suffix not in (".pvd", ".vtkhdf"):
        raise ModelError(f"to_vtk: {path.name} must end with .pvd (opens everywhere) or .vtkhdf (one file a kind).")
    layers = scene(sol, shapes=shapes, per_element=per_element, magnify=magnify, volumes=True)
    frames = thinned(len(sol), _fitting(sol, layers) if every is None else every)
    times = [float(sol.t[frame]) for frame in frames]
    if any(b <= a for a, b in pairwise(times)):  # a path that turns back: programs expect times to increase
        times = [float(frame) for frame in frames]
    with writing(path):
        if path.suffix == ".vtkhdf":
            files = [path.with_name(f"{path.stem}_{layer.name}.vtkhdf") for layer in layers]
            for layer, file in zip(layers, files, strict=True):
                write_vtkhdf(file, layer.cells, times, lambda k, layer=layer: layer.snapshot(frames[k]))  # type: ignore[misc]
            return files
        folder = path.with_suffix("")
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*_[0-9][0-9][0-9][0-9][0-9].vtu"):
            old.unlink()  # frames of the list that is replaced
        entries = []
        for k, (frame, time) in enumerate(zip(frames, times, strict=True)):
            for part, layer in enumerate(layers):
                still = layer.name == "ground"
                file = folder / (f"{layer.name}.vtu" if still else f"{layer.name}_{k:05d}.vtu")
                if k == 0 or not still:
                    write_vtu(file, layer.cells, layer.snapshot(frame))
                entries.append((time, part, layer.name, file.relative_to(path.parent)))
        write_pvd(path, entries)
        return [path, *dict.fromkeys(path.parent / file for *_, file in entries)]


@spelled
def to_meshio(
    sol: Solution, path: str | Path, *, t: float | None = None, shapes: Mapping[Any, Shape] | None = None,
    per_element: int = PER_ELEMENT,
) -> Path:  # fmt: skip
    """The surfaces of one frame in any format that meshio writes, by the path's ending.

    t: time, s (load factor of an equilibrium); the nearest frame is taken, the last without it
    """
    try:
        import meshio
    except ImportError:
        raise ModelError("to_meshio: needs meshio; install it with pip install 'fmbs[viz]'.") from None
    path, frame = checked_path("to_meshio", "path", path), frame_at(sol, t)
    layers = [layer for layer in scene(sol, shapes=shapes, per_element=per_element) if layer.name in SOLID]
    shots = [layer.snapshot(frame) for layer in layers]
    cells = Cells.merged([(layer.cells, len(shot.points)) for layer, shot in zip(layers, shots, strict=True)])
    points = np.concatenate([shot.points for shot in shots])
    faces = cells.triangles()
    wanted = ("displacement", "velocity", "von_mises", "axial_strain")
    fields = {}
    for name in wanted:
        width = (3,) if name in ("displacement", "velocity") else ()
        fields[name] = np.concatenate([shot.fields.get(name, np.zeros((len(shot.points), *width))) for shot in shots])
    try:
        with writing(path):
            meshio.Mesh(points, [("triangle", faces)], point_data=fields).write(path)
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(f"to_meshio: {path.name} cannot be written ({error}).") from None
    return path


def _fitting(sol: Solution, layers: Sequence[Layer]) -> int:
    """Every how many frames fit into FRAMES_SIZE, in single precision."""
    if len(sol) * sum(layer.cells.types.size for layer in layers) < FRAMES_SIZE // BYTES:
        return 1
    shots = [layer.snapshot(0) for layer in layers]
    size = sum(4 * x.size for shot in shots for x in (shot.points, *shot.fields.values()))
    return -(-len(sol) * size // FRAMES_SIZE)


def frame_at(sol: Solution, t: float | None) -> int:
    """The frame nearest to a time (or load factor); the last one if none is given."""
    if t is None:
        return len(sol) - 1
    if not sol.t.min() - 1e-9 <= number("frame", "t", t) <= sol.t.max() + 1e-9:
        what, where, unit = ("load factor", "path", "") if sol.static else ("t", "run", " s")
        raise ModelError(f"{what} = {t!r}{unit} is outside the {where}, {sol.t.min():g} ... {sol.t.max():g}{unit}.")
    return int(np.abs(sol.t - t).argmin())


def thinned(count: int, every: int) -> list[int]:
    """Every so many of a number of frames, the last always."""
    frames = list(range(0, count, whole("frames", "every", every)))
    return frames if frames[-1] == count - 1 else [*frames, count - 1]
