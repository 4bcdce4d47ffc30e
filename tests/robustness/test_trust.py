"""The sweep of trust: every run is within its energy tolerance, or warned of, or refused."""

from __future__ import annotations

import pytest

from tests.robustness.trust_cases import FAMILIES, cases, judged


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_no_run_is_silently_wrong(family: str):
    """Judged by what is known of the models, not by the guard itself."""
    outcomes = [judged(case) for case in cases() if case.family == family]
    assert len(outcomes) >= 80
    assert not [each for each in outcomes if each.silent]
    assert {each.said for each in outcomes} >= {"quiet", "warned"}


@pytest.mark.parametrize("place", range(0, 725, 29))
def test_some_of_the_sweep(place: int):
    """One in 29 of its runs."""
    assert not judged(cases()[place]).silent


def test_the_sweep_is_wide():
    found = cases()
    assert len(found) == 725
    assert {case.family for case in found} == set(FAMILIES)
    assert {case.rho_inf for case in found} == {0.0, 0.5, 0.8, 1.0}
