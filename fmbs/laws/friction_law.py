"""What a friction law is, for the joints that use it and for users who write one."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.errors import ModelError
from fmbs.jit.slots import Slot
from fmbs.laws.law import Array, Law
from fmbs.laws.law_kernels import DIFFERENCE, FRICTION, FRICTION_MEMORY, FRICTION_OUT, friction_coefficients


class FrictionLaw(Law):
    """Coefficient of friction as a function of slip.

    A law of your own in Python overrides `mu`. A compiled one has a kernel, `fmbs.laws.law_kernels` has its signature:
    class Mine(fm.friction.FrictionLaw, kernel=my_kernel), with `parameters` if it has any.
    """

    slot: ClassVar[Slot] = FRICTION
    memory_slot: ClassVar[Slot | None] = FRICTION_MEMORY
    formula: ClassVar[str] = "mu"

    @property
    def further_states(self) -> int:
        """Numbers that a contact remembers for this law besides the bristle, out[8] and on of its kernel."""
        return 0

    def mu(self, slip: ArrayLike) -> Array:
        """Coefficient of steady sliding at these signed slip speeds, m/s; it has the sign of the slip."""
        if self.kernel is None:
            raise ModelError(f"{type(self).__name__}: a friction law defines mu(slip).")
        v = np.array(slip, dtype=float)
        out, states = np.empty(v.size), np.zeros(self.further_states)
        friction_coefficients(self.address(), self.row(), v.ravel(), states, np.empty(FRICTION_OUT + states.size), out)
        values: Array = out.reshape(v.shape)[()]
        return values

    def differentiated(self, slip: ArrayLike) -> tuple[Array, Array]:
        """mu as a vector along the slip (2,), and its derivative with respect to the slip (2, 2), by central differences."""
        v = np.array(slip, dtype=float)
        step = DIFFERENCE * max(float(np.linalg.norm(v)), 1e-6)

        def vector(x: Array) -> Array:
            speed = float(np.linalg.norm(x))
            return float(self.mu(speed)) * x / speed if speed > 0.0 else np.zeros(2)

        columns = [(vector(v + e) - vector(v - e)) / (2.0 * step) for e in step * np.eye(2)]
        return vector(v), np.array(columns).T
