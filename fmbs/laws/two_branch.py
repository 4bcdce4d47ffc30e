"""A spring that is softer on the way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fmbs.core.checks import flag, positive
from fmbs.core.errors import ModelError
from fmbs.laws._branch_kernels import two_branch
from fmbs.laws.contact_law import ContactLaw
from fmbs.laws.elastic import check_restitution


@dataclass(frozen=True, kw_only=True)
class TwoBranch(ContactLaw, kernel=two_branch):
    """Spring with a branch each way: F = K d going in, e K d coming out. Muvengi2011 sect. II.B.3, below eq 3.

    The work given back is e times the work taken, so a body leaves with the square root of e times its approach speed: 0.949
    for e = 0.9. `calibrated=True` takes e^2 in place of e and delivers e. The force jumps where the rate turns; here it
    changes smoothly between rates of plus and minus `blend` times the approach speed, so that a body pressed on with less
    than K d and more than e K d can come to rest.

    stiffness: K, N/m
    restitution: e in (0, 1]
    blend: of the approach speed, in (0, 1)
    """

    stiffness: float
    restitution: float
    calibrated: bool = False
    blend: float = 0.01

    def __post_init__(self) -> None:
        positive("TwoBranch", "stiffness", self.stiffness)
        check_restitution("TwoBranch", self.restitution)
        flag("TwoBranch", "calibrated", self.calibrated)
        if positive("TwoBranch", "blend", self.blend) >= 1.0:
            raise ModelError(
                f"TwoBranch: blend = {self.blend:g} must be below 1, a share of the approach speed; 0.01 is the default."
            )

    def parameters(self) -> Sequence[float]:
        share = self.restitution**2 if self.calibrated else self.restitution
        return self.stiffness, share, self.blend
