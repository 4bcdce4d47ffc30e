"""Flexible pendulum and two-link flexible double pendulum with ideal joints, released from the horizontal.

Links of 0.5 m, 0.02 x 0.02, as soft as rubber (E = 1e7 or 5e7 Pa): they bend by centimetres. Kelvin-Voigt damping where the
error of the time step is measured, so that no vibration is faster than the steps.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

Array = np.ndarray
LENGTH, SIDE, DENSITY, GRAVITY = 0.5, 0.02, 2700.0, (0.0, 0.0, -9.81)
links = pytest.mark.parametrize("count", [1, 2], ids=["pendulum", "double pendulum"])


@cache
def swing(
    count: int, step: float, t_end: float = 0.3, *, E: float = 1e7, damping: float = 5e-3, elements: int = 2,
    kind: str = "cubic-structural", rho_inf: float = 1.0,
) -> tuple[fm.Solution, fm.Marker, fm.Revolute]:  # fmt: skip
    """The run, the marker at the free end, the joint on the ground."""
    interpolation, formulation = kind.split("-")
    material = fm.Material(E=E, nu=0.3, density=DENSITY, damping=damping)
    model = fm.Model("pendulum", gravity=GRAVITY)
    above, joints = model.ground.at(0, 0, 0), []
    for k in range(count):
        beam = model.add(
            fm.Beam(
                f"link {k + 1}",
                start=(k * LENGTH, 0, 0),
                end=((k + 1) * LENGTH, 0, 0),
                section=fm.Rectangle(SIDE, SIDE),
                material=material,
                elements=elements,
                interpolation=interpolation,
                formulation=formulation,
            )
        )
        joints.append(model.add(fm.Revolute(above, beam.start, axis=(0, 1, 0))))
        above = beam.end
    exact = fm.GeneralizedAlpha(rho_inf=rho_inf, newton_tolerance=1e-11)  # differences of 1e-9 m are looked at
    return model.simulate(t_end, step=step, integrator=exact), above, joints[0]


@links
def test_second_order_in_time(count: int):
    """Halving the step divides the differences of position, velocity and reaction by 4 +- 10 %.

    With the default damping: rho_inf = 1 keeps the start's jump of the multipliers, as noise of the same order, for ever.
    """
    runs = [swing(count, step, rho_inf=0.8) for step in (4e-3, 2e-3, 1e-3)]
    for quantity in (
        [sol.position(tip)[-1] for sol, tip, _ in runs],
        [sol.velocity(tip)[-1] for sol, tip, _ in runs],
        [sol.reaction(joint).force[-1] for sol, _, joint in runs],
    ):
        rough, fine = np.linalg.norm(np.diff(quantity, axis=0), axis=1)
        assert 3.6 < rough / fine < 4.4


@links
@pytest.mark.parametrize(("kind", "order"), [("cubic-structural", 4.5), ("quadratic-structural", 3.2)])
def test_convergence_with_elements(count: int, kind: str, order: float):
    """Tip at t = 0.3 s against 16 elements: at least these orders between 2 and 8 elements (measured 6 and 4)."""
    place = {n: swing(count, 1e-3, elements=n, kind=kind) for n in (2, 4, 8, 16)}
    tips = {n: sol.position(tip)[-1] for n, (sol, tip, _) in place.items()}
    errors = np.array([np.linalg.norm(tips[n] - tips[16]) for n in (2, 4, 8)])
    assert (-np.diff(np.log2(errors)) > order).all()
    assert errors[-1] < 1e-4 * LENGTH


@links
@pytest.mark.parametrize("damping", [0.0, 5e-3], ids=["elastic", "Kelvin-Voigt"])
def test_energy_balance(count: int, damping: float):
    """rho_inf = 1, h = 1 ms: kinetic + elastic + potential + dissipated stay to 1e-4 of the energy exchanged."""
    sol, _, _ = swing(count, 1e-3, 0.6, E=5e7, damping=damping)
    energy = sol.energy
    exchanged = energy.kinetic.max()
    assert exchanged > 0.9  # J, of a mass of 0.54 kg falling a quarter of a metre, or more
    assert np.abs(energy.balance).max() < 1e-4 * exchanged
    assert_allclose(sol.drift, 0.0, rtol=0, atol=1e-10)
    assert (energy.dissipated[-1] > 1e-4 * exchanged) == (damping > 0.0)
    assert energy.elastic.max() > 1e-3 * exchanged


@links
def test_stiff_links_swing_like_rigid_ones(count: int):
    """E = 2e11 against rigid bodies of the same mass and inertia: 1e-5 m at t = 0.3 s."""
    sol, tip, joint = swing(count, 1e-3, E=2e11, damping=1e-6, rho_inf=0.8)
    mass = DENSITY * SIDE**2 * LENGTH
    across, along = mass * (LENGTH**2 + SIDE**2) / 12.0, mass * SIDE**2 / 6.0
    model = fm.Model("rigid", gravity=GRAVITY)
    above, joints = model.ground.at(0, 0, 0), []
    for k in range(count):
        body = fm.RigidBody(f"link {k + 1}", mass=mass, inertia=(along, across, across), com=((k + 0.5) * LENGTH, 0, 0))
        model.add(body)
        joints.append(model.add(fm.Revolute(above, body.at(k * LENGTH, 0, 0), axis=(0, 1, 0))))
        above = body.at((k + 1) * LENGTH, 0, 0)
    rigid = model.simulate(0.3, step=1e-3)
    assert_allclose(sol.position(tip)[-1], rigid.position(above)[-1], rtol=0, atol=1e-5)
    pull = rigid.reaction(joints[0]).force[-1]
    assert_allclose(sol.reaction(joint).force[-1], pull, rtol=0, atol=1e-2 * np.linalg.norm(pull))


@pytest.mark.parametrize("kind", ["hermite-enhanced", "quadratic-enhanced", "cubic-enhanced", "hermite-structural"])
def test_other_kinds_swing_alike(kind: str):
    """Within 5e-3 of the length of the cubic structural beam, with 8 elements."""
    reference = swing(1, 4e-3, elements=8)
    sol, tip, _ = swing(1, 4e-3, elements=8, kind=kind)
    assert_allclose(sol.position(tip)[-1], reference[0].position(reference[1])[-1], rtol=0, atol=5e-3 * LENGTH)
