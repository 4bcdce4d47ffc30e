"""N four-bars in a row, a benchmark of the field: twice a turn all links lie in line, where the equations lose their rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fmbs as fm

ROD = {"mass": 1.0, "inertia": 1.0 / 12.0}  # of a metre


def four_bars(loops: int, speed: float = 1.0) -> fm.Model:
    """Rockers that stand upright and couplers that move at 1 m/s: one freedom, and a loop for every coupler."""
    m = fm.Model("four-bars", gravity=(0, -9.81))
    places = [float(k) for k in range(loops + 1)]
    rockers = [
        m.add(fm.PlanarBody(f"rocker {k}", com=(x, 0.5), velocity=(0.5 * speed, 0), spin=-speed, **ROD))
        for k, x in enumerate(places)
    ]
    for k, (x, rocker) in enumerate(zip(places, rockers, strict=True)):
        m.add(fm.Revolute(m.ground.at(x, 0), rocker.at(x, 0), name=f"foot {k}"))
    for k in range(loops):
        coupler = m.add(fm.PlanarBody(f"coupler {k}", com=(k + 0.5, 1.0), velocity=(speed, 0), **ROD))
        for end in (k, k + 1):
            m.add(fm.Revolute(rockers[end].at(end, 1), coupler.at(end, 1), name=f"tip {end} of coupler {k}"))
    return m


@pytest.mark.parametrize(
    ("loops", "options"),
    [
        (40, {"step": 1e-3}),
        (40, {"step": 1e-4, "output_step": 1e-3}),
        (40, {"step": 1e-3, "integrator": fm.GeneralizedAlpha(1.0)}),
        (40, {"tolerance": 1e-4}),
        (40, {"tolerance": 1e-4, "integrator": fm.GeneralizedAlpha()}),
        (100, {"step": 1e-3}),
    ],
    ids=str,
)
def test_a_singular_position_is_crossed(loops: int, options: dict[str, Any]):
    """Once "diverged" at 0.72 s, sooner with shorter steps. Couplers stay level, energy is kept to 2e-3 of what falls."""
    sol = four_bars(loops).simulate(0.9, progress=False, **options)
    couplers = [body for body in sol.model.bodies if body.name.startswith("coupler")]
    assert max(np.abs(sol.angle(body)).max() for body in couplers) < 1e-8
    assert sol.angle(sol.model["rocker 0"])[-1] < -2.0  # beyond the line, which is at -pi/2
    energy = sol.energy.kinetic + sol.energy.potential
    assert np.abs(energy - energy[0]).max() < 2e-3 * np.ptp(sol.energy.potential)


def test_what_cannot_be_crossed_is_named_with_a_remedy_that_helps():
    """A tolerance that asks for more than round-off leaves there."""
    run: dict[str, Any] = {"integrator": fm.GeneralizedAlpha(), "progress": False}
    with pytest.raises(fm.ConvergenceError, match=r"singular position at t = \d.* s, where 'tip .*' and \d+ more can har") as e:
        four_bars(40).simulate(2.0, tolerance=1e-7, **run)
    assert e.value.status is fm.Status.SINGULAR_POSITION and "a larger tolerance=" in e.value.remedy
    rocker = e.value.solution.angle(e.value.solution.model["rocker 0"])
    assert abs(np.cos(rocker[-1])) < 0.02 or abs(np.sin(rocker[-1])) > 0.98
    assert four_bars(40).simulate(2.0, tolerance=1e-6, output_step=0.01, **run).t[-1] == 2.0


def test_a_start_in_line_is_refused():
    m = fm.Model("flat")
    left = m.add(fm.PlanarBody("left", com=(0.5, 0), **ROD))
    middle = m.add(fm.PlanarBody("middle", com=(1.5, 0), **ROD))
    right = m.add(fm.PlanarBody("right", com=(1.5, 0), **ROD))
    m.add(fm.Revolute(m.ground.at(0, 0), left.at(0, 0)))
    m.add(fm.Revolute(left.at(1, 0), middle.at(1, 0)))
    m.add(fm.Revolute(middle.at(2, 0), right.at(2, 0)))
    m.add(fm.Revolute(right.at(1, 0), m.ground.at(1, 0)))
    with pytest.raises(fm.ModelError, match="starts in a singular position"):
        m.simulate(1.0, step=1e-3)
