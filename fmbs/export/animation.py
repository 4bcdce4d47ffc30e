"""Frames of a solution packed for the page's viewer: whole numbers, changes from frame to frame, deflated, base64."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.export.files import thinned
from fmbs.export.joint_views import curves, joint_views
from fmbs.export.packing import pack
from fmbs.export.scene import Beams, Bodies, GroundBlock, scene

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

Array = NDArray[np.float64]

MOST_FRAMES = 500
BUDGET = 10_000_000  # characters of the packed surfaces; the page stays below 15 MB with figures and parameters
PROBE = 8  # frames that tell how well the others will deflate
POSITIONS, COLOURS = 65534, 255  # steps of the whole numbers
FIELDS = (("axial_strain", "strain along the axis", "", "both"), ("von_mises", "von Mises stress", " Pa", "one"))
PAINT = ((0.34, 0.71, 0.91), (0.90, 0.62, 0.0), (0.0, 0.62, 0.45), (0.80, 0.47, 0.65), (0.84, 0.37, 0.0))  # Okabe & Ito
GREY = (0.6, 0.6, 0.6)


def animation(sol: Solution, **options: Any) -> tuple[dict[str, Any], str]:
    """Data of the viewer, and a sentence on what was left out; options: see `scene`."""
    options = {"per_element": _slices(sol), **options}
    layers = scene(sol, **options)
    every = max(1, -(-(len(sol) - 1) // (MOST_FRAMES - 1)))
    while (frames := thinned(len(sol), every))[2:] and _length(_bent(layers, frames[:PROBE])) * len(frames) / PROBE > BUDGET:
        every *= 2
    bent = _bent(layers, frames)
    rigid = _rigid(layers, frames)
    low, high = extent(layers, frames)
    gaps = joint_views(sol, frames, options.get("magnify"))
    data = {
        "t": sol.t[frames].tolist(), "bent": bent, "rigid": rigid, "centre": (0.5 * (low + high)).tolist(),
        "size": max(float(np.linalg.norm(high - low)), 1e-9), "flat": all(body.planar for body in sol.system.dofs.bodies),
        "clock": "load factor" if sol.static else "t", "unit": "" if sol.static else " s", "gaps": gaps, "curves": curves(sol),
        "low": low.tolist(), "high": high.tolist(),
    }  # fmt: skip
    shown = f"All {len(sol)} frames are here." if every == 1 else (
        f"One frame in {every} is here, {len(frames)} of {len(sol)}, so that the page stays small; the solution and its VTK "
        "files have the others."
    )  # fmt: skip
    return data, shown


def _slices(sol: Solution) -> int:
    """Along an element: fewer in large models."""
    elements = sum(getattr(body, "elements", 0) for body in sol.system.dofs.bodies)
    return 4 if elements <= 60 else 2 if elements <= 200 else 1


def _bent(layers: list[Any], frames: list[int]) -> dict[str, Any]:
    """Surfaces of flexible bodies."""
    beams = next((layer for layer in layers if isinstance(layer, Beams)), None)
    if beams is None:
        empty = pack(np.empty(0, np.int16))
        return {"points": 0, "positions": empty, "triangles": empty, "fields": [], "origin": [0, 0, 0], "unit": [1, 1, 1]}
    shots = [beams.snapshot(frame) for frame in frames]
    points = np.array([shot.points for shot in shots], dtype=np.float32)  # (frames, n, 3)
    low, high = points.min(axis=(0, 1)).astype(float), points.max(axis=(0, 1)).astype(float)
    unit = np.maximum(high - low, 1e-9 * max(float((high - low).max()), 1e-12)) / POSITIONS
    whole = np.rint((points - low) / unit - POSITIONS // 2).astype(np.int16)
    fields = []
    for name, title, suffix, ramp in FIELDS:
        values = np.array([shot.fields[name] for shot in shots])
        most = max(float(np.abs(values).max()), 1e-30)
        least = -most if ramp == "both" else 0.0
        steps = np.rint((values - least) / (most - least) * COLOURS).astype(np.uint8)
        ends = {"low": f"{least:.3g}{suffix}", "high": f"{most:.3g}{suffix}"}
        fields.append({"name": title, "ramp": ramp, "values": pack(_changes(steps)), **ends})
    return {
        "points": points.shape[1], "positions": pack(_changes(whole)), "origin": (low + POSITIONS // 2 * unit).tolist(),
        "unit": unit.tolist(), "triangles": pack(beams.cells.triangles().astype(np.uint32)), "fields": fields,
    }  # fmt: skip


def _rigid(layers: list[Any], frames: list[int]) -> dict[str, Any]:
    """Rigid bodies and the ground: points at t = 0, and matrices (frames, pieces, 4, 4) by columns."""
    points: list[Array] = []
    faces: list[NDArray[np.int64]] = []
    pieces: list[dict[str, Any]] = []
    matrices: list[Array] = []
    first = 0
    for layer in layers:
        if not isinstance(layer, (Bodies, GroundBlock)):
            continue
        start = layer.snapshot(frames[0]).points if isinstance(layer, GroundBlock) else layer.reference
        triangles = layer.cells.triangles()
        owner = np.zeros(len(start), np.int64) if isinstance(layer, GroundBlock) else layer.owner
        order = np.argsort(owner[triangles[:, 0]], kind="stable")
        counts = np.bincount(owner[triangles[:, 0]])
        place = sum(map(len, points))
        faces.append(triangles[order] + place)
        points.append(start)
        for k, count in enumerate(counts):
            colour = GREY if isinstance(layer, GroundBlock) else PAINT[k % len(PAINT)]
            pieces.append({"first": first, "count": 3 * int(count), "colour": colour})
            first += 3 * int(count)
            matrices.append(
                np.tile(np.eye(4), (len(frames), 1, 1)) if isinstance(layer, GroundBlock) else layer.motion(k)[frames]
            )
    moved = np.swapaxes(np.array(matrices).reshape(len(pieces), len(frames), 4, 4), 0, 1)  # (frames, pieces, 4, 4)
    return {
        "positions": pack(np.concatenate([np.empty((0, 3)), *points]).astype(np.float32)), "pieces": pieces,
        "triangles": pack(np.concatenate([np.empty((0, 3)), *faces]).astype(np.uint32)),
        "matrices": pack(np.swapaxes(moved, 2, 3).astype(np.float32)),
    }  # fmt: skip


def extent(layers: list[Any], frames: list[int]) -> tuple[Array, Array]:
    """Corners of the box that holds the motion, from some of the frames."""
    some = frames[:: max(1, len(frames) // 20)]
    points = np.concatenate([layer.snapshot(frame).points for layer in layers for frame in some])
    return points.min(axis=0), points.max(axis=0)


def _changes(whole: NDArray[Any]) -> NDArray[Any]:
    """From frame to frame, wrapping round as the viewer's sums do: small numbers, which deflate well."""
    changes = whole.copy()
    changes[1:] -= whole[:-1]
    return changes


def _length(bent: dict[str, Any]) -> int:
    """Characters of the packed arrays that grow with the frames."""
    return sum(map(len, (bent["positions"], *(field["values"] for field in bent["fields"]))))
