"""Linear spring and damper contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.checks import not_negative, positive
from fmbs.laws._contact_kernels import kelvin_voigt, maxwell, maxwell_memory
from fmbs.laws.contact_law import ContactLaw, Triple


@dataclass(frozen=True, kw_only=True)
class KelvinVoigt(ContactLaw, kernel=kelvin_voigt, units={"damping": "N s/m"}):
    """Spring and damper in parallel: F = K d + c d', cut at zero. Muvengi2011 eq 1.

    The force jumps to c d'(-) at first touch, which no body does: for comparison with the literature.

    stiffness: K, N/m
    damping: c, N s/m
    """

    stiffness: float
    damping: float

    def __post_init__(self) -> None:
        positive("KelvinVoigt", "stiffness", self.stiffness)
        not_negative("KelvinVoigt", "damping", self.damping)

    def parameters(self) -> Sequence[float]:
        return self.stiffness, self.damping


@dataclass(frozen=True, kw_only=True)
class Maxwell(ContactLaw, kernel=maxwell, memory=maxwell_memory, units={"damping": "N s/m"}):
    """Spring and damper in series: F + (c/K) F' = c d', cut at zero. Muvengi2011 eq 2.

    The force depends on what was before. Joints integrate it exactly over each step; `normal_force` on arrays is the force of
    a body that is pressed in at a constant rate from first touch: F = c d' (1 - exp(-K d / (c |d'|))).

    stiffness: K, N/m
    damping: c > 0, N s/m
    """

    stiffness: float
    damping: float

    def __post_init__(self) -> None:
        positive(type(self).__name__, "stiffness", self.stiffness)
        positive(type(self).__name__, "damping", self.damping)

    def parameters(self) -> Sequence[float]:
        return self.stiffness, self.damping, 0.0

    def _evaluated(self, depth: ArrayLike, rate: ArrayLike, impact_speed: ArrayLike) -> Triple:
        """Pressed in at a constant rate from first touch: K_0 d + c d' (1 - exp(-d K / (|d'| c)))."""
        K, c, K_0 = self.parameters()
        d, v, _ = (np.array(x, dtype=float) for x in np.broadcast_arrays(depth, rate, impact_speed))
        fast = np.where(v == 0.0, 1.0, np.abs(v))
        x = np.where(v == 0.0, np.inf, d * K / (fast * c))
        with np.errstate(over="ignore", invalid="ignore"):
            decay = np.exp(-x)
            force = K_0 * d - c * v * np.expm1(-x)
            by_depth, by_rate = K_0 + np.sign(v) * K * decay, c * (1.0 - decay - np.where(np.isinf(x), 0.0, x) * decay)
        off = (d <= 0.0) | (force < 0.0)
        force, by_depth, by_rate = (np.where(off, 0.0, each)[()] for each in (force, by_depth, by_rate))
        return force, by_depth, by_rate


@dataclass(frozen=True, kw_only=True)
class StandardLinearSolid(Maxwell):
    """A spring K_0 beside a Maxwell branch: F + (c/K) F' = K_0 d + (c/K) (K_0 + K) d', cut at zero. Muvengi2011 eq 3.

    parallel_stiffness: K_0, N/m, what is left when the branch has relaxed (E_1 of the paper); others as in Maxwell
    """

    parallel_stiffness: float

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("StandardLinearSolid", "parallel_stiffness", self.parallel_stiffness)

    def parameters(self) -> Sequence[float]:
        return self.stiffness, self.damping, self.parallel_stiffness
