"""What a contact law is, for the joints that use it and for users who write one."""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.errors import ModelError
from fmbs.jit.slots import Slot
from fmbs.laws.law import Array, Law
from fmbs.laws.law_kernels import CONTACT, CONTACT_MEMORY, DIFFERENCE, contact_loads

Triple = tuple[Array, Array, Array]


class DepthRange(NamedTuple):
    """Penetrations for which a law is meant, m, and what is wrong with others, in words."""

    least: float
    most: float
    why: str


class ContactLaw(Law):
    """Normal force of two bodies that penetrate each other.

    A law of your own in Python overrides `normal_force`, and that is all. A compiled one has a kernel, `fmbs.laws.law_kernels`
    has its signature: class Mine(fm.contact.ContactLaw, kernel=my_kernel), with `parameters` if it has any.
    """

    slot: ClassVar[Slot] = CONTACT
    memory_slot: ClassVar[Slot | None] = CONTACT_MEMORY
    formula: ClassVar[str] = "normal_force"
    rigid: ClassVar[bool] = False  # are the surfaces rigid, with impulses in place of forces?

    def normal_force(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> Array:
        """Force, N, for penetration, m, its rate, m/s (> 0: going in), and the approach speed of this contact, m/s."""
        if self.kernel is None:
            raise ModelError(f"{type(self).__name__}: a contact law defines normal_force(depth, rate, impact_speed).")
        return self._evaluated(depth, rate, impact_speed)[0]

    def differentiated(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> Triple:
        """F, dF/ddepth, dF/drate. Whatever the law says: F >= 0, and 0 without contact."""
        evaluate = self._differenced if self.in_python else self._evaluated
        return evaluate(depth, rate, impact_speed)

    def _evaluated(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> Triple:
        """By the kernel, with the derivatives that it has."""
        d, v, v_0 = (np.array(x, dtype=float) for x in np.broadcast_arrays(depth, rate, impact_speed))
        out = np.empty((d.size, 5))
        contact_loads(self.address(), self.row(), d.ravel(), v.ravel(), v_0.ravel(), out)
        force, by_depth, by_rate = (column.reshape(d.shape)[()] for column in out.T[:3])
        return force, by_depth, by_rate

    def _differenced(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> Triple:
        """A law in Python, by central differences."""
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

    @property
    def depths(self) -> DepthRange:
        """Where the law holds, of the largest penetration of a contact."""
        return DepthRange(0.0, math.inf, "")

    @property
    def speed_limit(self) -> float:
        """Approach speed, m/s, above which the law is no longer valid: 1e-5 sqrt(E/rho) (Muvengi2011 sect. II)."""
        return math.inf
