"""VTK's HDF5 format, transient: one file holds all frames of a mesh (VTKHDF 2.0; ParaView >= 5.12, vtk >= 9.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Cells, Snapshot

CHUNK_BYTES = 1 << 20


def write_vtkhdf(path: Path, cells: Cells, times: Sequence[float], snapshot: Callable[[int], Snapshot]) -> None:
    """Cells are written once, points and fields frame after frame.

    NSteps and the tables under Steps are written before any frame is: readers crash where NSteps is below their length.
    """
    first = snapshot(0)
    frames, points = len(times), len(first.points)
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array([2, 0], np.int64)
        root.attrs.create("Type", b"UnstructuredGrid", dtype=h5py.string_dtype("ascii", 16))
        root["NumberOfPoints"], root["NumberOfCells"] = np.array([points]), np.array([len(cells)])
        root["NumberOfConnectivityIds"] = np.array([cells.connectivity.size])
        root["Connectivity"], root["Offsets"], root["Types"] = cells.connectivity, cells.offsets, cells.types
        steps = root.create_group("Steps")
        steps.attrs["NSteps"] = np.int64(frames)
        steps["Values"] = np.asarray(times, float)
        for name in ("PartOffsets", "PointOffsets", "NumberOfParts"):
            rows = {"PartOffsets": 0, "PointOffsets": points, "NumberOfParts": 0}[name]
            steps[name] = rows * np.arange(frames) + (name == "NumberOfParts")
        for name in ("CellOffsets", "ConnectivityIdOffsets"):
            steps[name] = np.zeros((frames, 1), np.int64)
        for name in first.fields:
            steps[f"PointDataOffsets/{name}"] = points * np.arange(frames)
        tables = {"Points": first.points, **{f"PointData/{name}": values for name, values in first.fields.items()}}
        datasets = {name: _table(root, name, values, frames) for name, values in tables.items()}
        for frame in range(frames):
            shot = snapshot(frame)
            now = slice(frame * points, (frame + 1) * points)
            datasets["Points"][now] = shot.points
            for name, values in shot.fields.items():
                datasets[f"PointData/{name}"][now] = values


def _table(root: Any, name: str, values: NDArray[Any], frames: int) -> Any:
    """Rows of all frames, one after the other."""
    shape = (frames * len(values), *values.shape[1:])
    dtype = np.float32 if values.dtype.kind == "f" else values.dtype
    row = int(np.prod(values.shape[1:])) * np.dtype(dtype).itemsize
    rows = max(1, min(shape[0], max(len(values), CHUNK_BYTES // row)))
    return root.create_dataset(name, shape, chunks=(rows, *values.shape[1:]), dtype=dtype)
