"""VTK's XML files for unstructured grids (.vtu) and the list of them over time (.pvd), written without VTK.

Arrays are appended raw (VTK's "appended" format): a header in XML, then the bytes, each array behind its length.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Cells, Snapshot

NAMES = {"float32": "Float32", "float64": "Float64", "int32": "Int32", "int64": "Int64", "uint8": "UInt8"}


def write_vtu(path: Path, cells: Cells, shot: Snapshot, dtype: str = "float32") -> None:
    """One mesh at one instant."""
    blocks: list[bytes] = []

    def array(name: str, values: NDArray[Any]) -> str:
        values = values.astype(dtype) if values.dtype.kind == "f" else values
        start = sum(map(len, blocks))
        blocks.append(np.uint64(values.nbytes).tobytes() + np.ascontiguousarray(values).tobytes())
        width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
        return f'<DataArray type="{NAMES[values.dtype.name]}" Name="{name}"{width} format="appended" offset="{start}"/>'

    lines = [
        '<?xml version="1.0"?>',
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
        f'<UnstructuredGrid><Piece NumberOfPoints="{len(shot.points)}" NumberOfCells="{len(cells)}">',
        "<PointData>", *(array(name, values) for name, values in shot.fields.items()), "</PointData>",
        "<Points>", array("Points", shot.points), "</Points>",
        "<Cells>", array("connectivity", cells.connectivity), array("offsets", cells.offsets[1:]), array("types", cells.types),
        "</Cells>", "</Piece></UnstructuredGrid>", '<AppendedData encoding="raw">', "_",
    ]  # fmt: skip
    with path.open("wb") as file:
        file.write("\n".join(lines).encode())
        file.writelines(blocks)
        file.write(b"\n</AppendedData></VTKFile>\n")


def write_pvd(path: Path, entries: list[tuple[float, int, str, Path]]) -> None:
    """The list of files that ParaView opens: (time, part, its name, file beside the list)."""
    lines = [
        f'<DataSet timestep="{time!r}" part="{part}" name={quoteattr(name)} file={quoteattr(file.as_posix())}/>'
        for time, part, name, file in entries
    ]
    head = '<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">\n<Collection>\n'
    path.write_text(head + "\n".join(lines) + "\n</Collection>\n</VTKFile>\n")
