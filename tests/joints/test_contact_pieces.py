"""Contacts close to the ends of a step: what is left of the step must not be so short that round-off / h^2 shakes the rest."""

from __future__ import annotations

import numpy as np
import pytest

from fmbs.models import SliderCrankLuGre
from tests.oracles.plain_loop import textbook

FIRST = 5.0999918e-4  # s: the first impact of this mechanism, whatever the step


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("left", [1e-4, 1e-3, 0.5, 0.999, 0.9999])
def test_energy_is_kept_wherever_a_step_is_cut(left: float, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The impact falls `left` of a step before the end of step 510. Pieces of 1e-4 of a step once made 9 J of nothing."""
    if not compiled:
        textbook(monkeypatch)
    step = FIRST / (510 - left)
    model = SliderCrankLuGre(joint="dry", friction="none").build()
    sol = model.simulate(600 * step, step=step, output_step=5 * step, progress=False)
    assert sol.impacts[0].t == pytest.approx(FIRST, abs=0.01 * step)
    assert np.abs(sol.energy.balance).max() < 1e-3  # of 16 kJ
    assert np.abs(sol.reaction("motor").moment).max() == pytest.approx(430.0, rel=0.05)
