"""A reduced body as one HDF5 file."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from fmbs.core.errors import FileError
from fmbs.core.files import check_target, writing
from fmbs.elements.material import Material
from fmbs.elements.reduced.interface import Seat
from fmbs.elements.reduced.mode_space import ModeSpace

FORMAT = "fmbs reduced body 1"


def write_body(path: str | Path, arguments: dict[str, Any]) -> Path:
    """What the class is called with."""
    import h5py

    target = Path(path)
    check_target(target)
    space: ModeSpace = arguments["space"]
    part = target.with_name(target.name + ".part")
    with writing(target):
        with h5py.File(part, "w") as file:
            file.attrs["format"] = FORMAT
            for key, value in arguments.items():
                if key not in ("space", "faces", "mesh"):
                    file.attrs[key] = value
            for field in fields(space):
                if field.name != "seats":
                    file[f"space/{field.name}"] = getattr(space, field.name)
            for number, seat in enumerate(space.seats):
                group = file.create_group(f"space/seats/{number}")
                group.attrs["name"], group.attrs["rigid"] = seat.name, seat.rigid
                for key in ("nodes", "at", "centre", "axes", "moments", "weights", "shares"):
                    group[key] = getattr(seat, key)
            faces = arguments.get("faces", ())
            file["faces/nodes"] = np.array([node for face in faces for node in face], dtype=np.int64)
            file["faces/sizes"] = np.array([len(face) for face in faces], dtype=np.int64)
            if "mesh" in arguments:
                _write_mesh(file.create_group("mesh"), arguments["mesh"])
        part.replace(target)
    return target


def read_body(path: str | Path) -> dict[str, Any]:
    """The same again."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") != FORMAT:
                raise FileError(f"{path}: is not a file of a reduced body; fm.load reads runs.")
            arguments: dict[str, Any] = {key: file.attrs[key] for key in file.attrs if key != "format"}
            groups = file["space/seats"]
            seats = tuple(
                Seat(
                    str(groups[k].attrs["name"]), groups[k]["nodes"][:], bool(groups[k].attrs["rigid"]),
                    *(groups[k][key][:] for key in ("at", "centre", "axes", "moments", "weights", "shares")),
                )
                for k in sorted(groups, key=int)
            )  # fmt: skip
            arrays = {field.name: file[f"space/{field.name}"][:] for field in fields(ModeSpace) if field.name != "seats"}
            ends = np.cumsum(file["faces/sizes"][:])
            mesh = _read_mesh(file["mesh"]) if "mesh" in file else None
            faces = [face.tolist() for face in np.split(file["faces/nodes"][:], ends)[:-1]]
    except (OSError, KeyError) as error:
        raise FileError(
            f"{path}: cannot be read as a reduced body ({error}); give a file that ReducedBody.save has written."
        ) from None
    known: dict[str, Any] = {"faces": faces} if mesh is None else {"mesh": mesh}
    arguments |= {key: float(arguments[key]) for key in ("damping", "modal_damping")}
    return {**arguments, "name": str(arguments["name"]), "space": ModeSpace(**arrays, seats=seats), **known}


def _write_mesh(group: Any, mesh: dict[str, Any]) -> None:
    """The mesh of a solid."""
    group["points"], group.attrs["bending"] = mesh["points"], mesh["bending"]
    for kind, cells in mesh["cells"].items():
        group[f"cells/{kind}"] = cells
    for key, value in asdict(mesh["material"]).items():
        group.attrs[f"material {key}"] = value


def _read_mesh(group: Any) -> dict[str, Any]:
    material = {key.removeprefix("material "): float(group.attrs[key]) for key in group.attrs if key != "bending"}
    cells = {kind: group["cells"][kind][:] for kind in group["cells"]}
    return {
        "points": group["points"][:],
        "cells": cells,
        "material": Material(**material),
        "bending": str(group.attrs["bending"]),
    }
