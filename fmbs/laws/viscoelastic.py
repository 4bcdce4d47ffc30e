"""Linear spring and damper contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fmbs.core.checks import not_negative, positive
from fmbs.laws._contact_kernels import KELVIN_VOIGT, MAXWELL
from fmbs.laws.contact_law import Array, CompiledLaw


@dataclass(frozen=True, kw_only=True)
class KelvinVoigt(CompiledLaw, units={"damping": "N s/m"}):
    """Spring and damper in parallel: F = K d + c d', cut at zero. Muvengi2011 eq 1.

    The force jumps to c d'(-) at first touch, which no body does: for comparison with the literature.

    stiffness: K, N/m
    damping: c, N s/m
    """

    stiffness: float
    damping: float
    code: ClassVar[int] = KELVIN_VOIGT

    def __post_init__(self) -> None:
        positive("KelvinVoigt", "stiffness", self.stiffness)
        not_negative("KelvinVoigt", "damping", self.damping)

    def parameters(self) -> Array:
        row = np.zeros(8)
        row[:2] = self.stiffness, self.damping
        return row


@dataclass(frozen=True, kw_only=True)
class Maxwell(CompiledLaw, units={"damping": "N s/m"}):
    """Spring and damper in series: F + (c/K) F' = c d', cut at zero. Muvengi2011 eq 2.

    The force depends on what was before. Joints integrate it exactly over each step; `normal_force` on arrays is the force of
    a body that is pressed in at a constant rate from first touch: F = c d' (1 - exp(-K d / (c |d'|))).

    stiffness: K, N/m
    damping: c > 0, N s/m
    """

    stiffness: float
    damping: float
    code: ClassVar[int] = MAXWELL

    def __post_init__(self) -> None:
        positive(type(self).__name__, "stiffness", self.stiffness)
        positive(type(self).__name__, "damping", self.damping)

    def parameters(self) -> Array:
        row = np.zeros(8)
        row[:2] = self.stiffness, self.damping
        return row


@dataclass(frozen=True, kw_only=True)
class StandardLinearSolid(Maxwell):
    """A spring K_0 beside a Maxwell branch: F + (c/K) F' = K_0 d + (c/K) (K_0 + K) d', cut at zero. Muvengi2011 eq 3.

    parallel_stiffness: K_0, N/m, what is left when the branch has relaxed (E_1 of the paper); others as in Maxwell
    """

    parallel_stiffness: float

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("StandardLinearSolid", "parallel_stiffness", self.parallel_stiffness)

    def parameters(self) -> Array:
        row = super().parameters()
        row[2] = self.parallel_stiffness
        return row
