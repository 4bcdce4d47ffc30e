"""Outputs by name: "position(tip).z", "force(wrist pin)", "moment(motor)", "eccentricity(wrist pin)", "energy(kinetic)"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fmbs as fm
from fmbs.core.checks import nearest
from fmbs.core.checks import text as words
from fmbs.core.errors import ModelError
from fmbs.core.optional import CentredBody

Array = NDArray[np.float64]

UNITS = {
    "position": "m", "velocity": "m/s", "acceleration": "m/s^2", "force": "N", "moment": "N m", "eccentricity": "m",
    "penetration": "m", "normal_force": "N", "friction_force": "N", "energy": "J",
}  # fmt: skip
CLEARANCE = ("eccentricity", "penetration", "normal_force", "friction_force")
AXES = "xyz"
PATTERN = re.compile(r"(\w+)\(([^()]+)\)(?:\.([xyz]))?")


@dataclass(frozen=True)
class Quantity:
    """kind(part).axis; without an axis the size of a vector, over all ends of a journal the largest."""

    kind: str
    part: str
    axis: str = ""

    @classmethod
    def parse(cls, text: str) -> Quantity:
        match = PATTERN.fullmatch(words("study", "quantity", text).strip())
        if match is None:
            raise ModelError(f"quantity {text!r} is not of the form kind(part) or kind(part).axis, as position(slider).x.")
        kind, part, axis = match.groups(default="")
        if kind not in UNITS:
            raise ModelError(f"quantity {text!r}: the kind {kind!r} is unknown.{nearest(kind, UNITS)}")
        return cls(kind, part.strip(), axis)

    @property
    def unit(self) -> str:
        return UNITS[self.kind]

    @property
    def needs_clearance(self) -> bool:
        return self.kind in CLEARANCE

    def __str__(self) -> str:
        return f"{self.kind}({self.part})" + (f".{self.axis}" if self.axis else "")

    def of(self, solution: fm.Solution, model: fm.Model, points: dict[str, fm.Marker] | None = None) -> Array:
        """Values of all frames  # (frames,)."""
        values = self._values(solution, model, points or {})
        if self.axis and values.ndim == 2:
            if AXES.index(self.axis) >= values.shape[1]:
                raise ModelError(f"quantity {str(self)!r}: there is no axis {self.axis!r} in the plane; take x or y.")
            return values[:, AXES.index(self.axis)]
        if values.ndim > 1 and self.kind != "penetration":
            values = np.linalg.norm(values, axis=-1)
        return values if values.ndim == 1 else values.max(axis=1)

    def _values(self, solution: fm.Solution, model: fm.Model, points: dict[str, fm.Marker]) -> Array:
        if self.kind in ("force", "moment"):
            found: Any = solution.reaction(self.part)
        elif self.needs_clearance:
            found = solution.clearance(self.part)
        elif self.kind == "energy":
            entries = ("kinetic", "elastic", "potential", "dissipated", "work", "balance")
            if self.part not in entries:
                raise ModelError(f"quantity {str(self)!r}: the ledger has no {self.part!r}.{nearest(self.part, entries)}")
            return np.asarray(getattr(solution.energy, self.part))
        else:
            centres = {body.name: body.com for body in model.bodies if isinstance(body, CentredBody)}
            known = {**centres, **points}
            if self.part not in known:
                raise ModelError(f"quantity {str(self)!r}: there is no point {self.part!r}.{nearest(self.part, known)}")
            marker = known[self.part]
            return np.asarray(getattr(solution, self.kind)(marker))
        return np.asarray(getattr(found, self.kind))
