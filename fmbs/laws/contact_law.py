"""What a contact law is, for the joints that use it and for users who write one."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.laws._contact_kernels import USER, normal_forces

Array = NDArray[np.float64]

DIFFERENCE = 6e-6  # cube root of round-off: the best relative step of central differences


class ContactLaw(Described):
    """Normal force of two bodies that penetrate each other. A law of your own overrides `normal_force`, and that is all.

    code, parameters: how the compiled kernels know a built-in law; USER marks one that is evaluated in Python
    """

    code: ClassVar[int] = USER

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "normal_force" in vars(cls):
            cls.code = USER  # the kernel of a built-in parent knows nothing of the new formula

    def normal_force(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> Array:
        """Force, N, for penetration, m, its rate, m/s (> 0: going in), and the approach speed of this contact, m/s."""
        raise ModelError(f"{type(self).__name__}: a contact law defines normal_force(depth, rate, impact_speed).")

    def differentiated(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> tuple[Array, Array, Array]:
        """F, dF/ddepth, dF/drate; here by central differences. Whatever the law says: F >= 0, and 0 without contact."""
        d, v, v_0 = (np.array(x, dtype=float) for x in np.broadcast_arrays(depth, rate, impact_speed))
        contact = d > 0.0
        d = np.where(contact, d, 1.0)
        step_d = DIFFERENCE * d
        step_v = DIFFERENCE * np.maximum(np.maximum(np.abs(v), np.abs(v_0)), 1e-6)
        force = np.asarray(self.normal_force(d, v, v_0), dtype=float)
        by_depth = (self.normal_force(d + step_d, v, v_0) - self.normal_force(d - step_d, v, v_0)) / (2.0 * step_d)
        by_rate = (self.normal_force(d, v + step_v, v_0) - self.normal_force(d, v - step_v, v_0)) / (2.0 * step_v)
        off = ~contact | (force <= 0.0)
        force, by_depth, by_rate = (np.where(off, 0.0, x)[()] for x in (force, by_depth, by_rate))
        return force, by_depth, by_rate

    def bound(
        self, part: str, bearing_radius: float | None = None, journal_radius: float | None = None, length: float | None = None
    ) -> Self:
        """The law with what it takes from a joint filled in. `part` is the joint's name, for messages."""
        return self

    def parameters(self) -> Array:
        """Parameter row of the kernels, (8,)."""
        return np.zeros(8)

    @property
    def speed_limit(self) -> float:
        """Approach speed, m/s, above which the law is no longer valid: 1e-5 sqrt(E/rho) (Muvengi2011 sect. II)."""
        return math.inf


class CompiledLaw(ContactLaw):
    """A law of the kernels' closed set.

    kernel_code: stays with laws that users derive from a built-in one, so that super().normal_force() works there
    """

    kernel_code: ClassVar[int]

    def __init_subclass__(cls, **options: Any) -> None:
        if "code" in vars(cls):
            cls.kernel_code = cls.code
        super().__init_subclass__(**options)

    def normal_force(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> Array:
        return self._evaluated(depth, rate, impact_speed)[0]

    def differentiated(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> tuple[Array, Array, Array]:
        """F, dF/ddepth, dF/drate, exact."""
        evaluate = super().differentiated if self.code == USER else self._evaluated
        return evaluate(depth, rate, impact_speed)

    def _evaluated(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> tuple[Array, Array, Array]:
        d, v, v_0 = (np.array(x, dtype=float) for x in np.broadcast_arrays(depth, rate, impact_speed))
        out = np.empty((3, d.size))
        normal_forces(self.kernel_code, self.parameters(), d.ravel(), v.ravel(), v_0.ravel(), out)
        force, by_depth, by_rate = (row.reshape(d.shape)[()] for row in out)
        return force, by_depth, by_rate
