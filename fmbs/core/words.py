"""What printing needs: units of arguments by their names, numbers of things, small tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

UNITS = {
    "mass": "kg", "inertia": "kg m^2", "com": "m", "angle": "rad", "velocity": "m/s", "spin": "rad/s", "gravity": "m/s^2",
    "E": "Pa", "density": "kg/m^3", "damping": "s", "length": "m", "radius": "m", "outer": "m", "inner": "m",
    "y": "m", "z": "m", "A": "m^2", "I_y": "m^4", "I_z": "m^4", "Jt": "m^4", "rotary_y": "m^4", "rotary_z": "m^4",
    "clearance": "m", "axial_clearance": "m", "bearing_radius": "m", "journal_radius": "m", "width": "m", "position": "m",
    "force": "N", "moment": "N m", "stiffness": "N/m", "parallel_stiffness": "N/m", "viscosity": "Pa s", "hardness": "Pa",
    "v0": "m/s", "v1": "m/s", "stribeck_speed": "m/s", "smooth_speed": "m/s", "viscous": "s/m", "diameter": "m", "zeta": "m",
    "pressure": "Pa", "cavitation_pressure": "Pa", "begin": "s", "end": "s", "t": "s", "t_end": "s",
}  # fmt: skip
"""Units of the arguments of fmbs's own classes; a class says what differs: class Drive(Described, units={...})."""


def given(values: Mapping[str, Any], was_given: Iterable[bool]) -> dict[str, Any]:
    """Those of the values that the user gave."""
    return {key: value for (key, value), said in zip(values.items(), was_given, strict=True) if said}


def counted(number: int, what: str) -> str:
    """1 body, 2 bodies."""
    many = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{number} {what if number == 1 else many}"


def table(rows: Iterable[Sequence[str]], width: int = 128) -> str:
    """Rows of text in columns, cut where they are too long for a line."""
    kept = [[*row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*kept, strict=True)]
    lines = ["  " + "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip() for row in kept]
    return "\n".join(line if len(line) <= width else f"{line[: width - 4]} ..." for line in lines)
