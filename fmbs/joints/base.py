"""What all joints share: two markers, an axis, a name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, shown, unit
from fmbs.core.described import Described
from fmbs.core.equations import Equation, planar
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Joint(Described):
    """Equations between marker a and marker b. A subclass gives `equations`; sol.reaction(joint) is what acts on b's body."""

    a: Marker
    b: Marker
    name: str = field(default="", kw_only=True)

    planar_kind: ClassVar[bool] = True  # is there a planar joint of this kind?

    def __post_init__(self) -> None:
        for argument, marker in (("a", self.a), ("b", self.b)):
            if not isinstance(marker, Marker):
                what = f"{self.label}: {argument} = {shown(marker)}"
                raise ModelError(f"{what} is not a marker; give body.at(...), body.com or m.ground.at(...).")
        if self.a.body is self.b.body:
            raise ModelError(
                f"{self.label}: a and b are both on {self.a.body.name!r}; a joint connects two bodies, so give the other body."
            )
        flat = {marker.planar for marker in (self.a, self.b) if marker.body.size}
        if len(flat) == 2:
            raise ModelError(f"{self.label}: {self.a} and {self.b} mix a planar and a spatial body; use one kind.")
        if planar(self.a, self.b) and not self.planar_kind:
            raise ModelError(f"{self.label}: there is no planar {type(self).__name__}; use spatial bodies (RigidBody).")
        self.equations()  # raises on bad arguments now, not when the model runs

    @property
    def label(self) -> str:
        return self.name or type(self).__name__

    def equations(self) -> list[Equation]:
        raise NotImplementedError(f"{type(self).__name__} gives no equations()")

    def direction_of(self, argument: str, value: ArrayLike, *, normal: bool = False) -> Array:
        """A unit vector argument. In the plane two components are enough, and an axis of rotation is normal to it."""
        flat = planar(self.a, self.b)
        size = 2 if flat and array(self.label, argument, value, "give a direction").size == 2 else 3
        n = np.append(unit(self.label, argument, value, size), np.zeros(3 - size))
        if flat and abs(abs(n[2]) - normal) > 1e-9:
            place = "normal to the plane, (0, 0, 1) or (0, 0, -1)" if normal else "in the plane, (x, y)"
            raise ModelError(f"{self.label}: {argument} = {shown(value)} does not fit planar bodies; give a direction {place}.")
        return n
