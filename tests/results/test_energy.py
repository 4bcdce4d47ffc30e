"""The energy ledger: what is stored, dissipated and put in adds up."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.literature.mechanisms import DOUBLE, SLOW, double_pendulum, error, slider_crank
from tests.oracles import slider_crank as crank_oracle
from tests.oracles.double_pendulum import double_pendulum as double_oracle


def sliding_mass(**spring: float) -> tuple[fm.Model, fm.PlanarBody]:
    """2 kg along x, from x = 1.5 m at rest; on a spring of 50 N/m and free length 1 m if damping is given."""
    m = fm.Model("oscillator")
    mass = m.add(fm.PlanarBody("mass", mass=2.0, inertia=1.0, com=(1.5, 0.0)))
    m.add(fm.Prismatic(m.ground.at(0.0, 0.0), mass.com, axis=(1.0, 0.0)))
    if spring:
        m.add(fm.SpringDamper(m.ground.at(0.0, 0.0), mass.com, stiffness=50.0, length=1.0, **spring))
    return m, mass


def test_undamped_double_pendulum_keeps_its_energy() -> None:
    """10 s with rho_inf = 1, h = 1e-3 s: 2e-3 of the 6 J turned over, as large in the first half as in the second."""
    p = double_pendulum(**DOUBLE)
    sol = p.model.simulate(10.0, step=1e-3, output_step=0.01, integrator=fm.GeneralizedAlpha(1.0))
    turned_over = np.ptp(sol.energy.kinetic)
    balance = np.abs(sol.energy.balance)
    assert balance.max() < 2e-3 * turned_over
    assert balance[500:].max() < 2.0 * balance[:500].max()
    assert not sol.energy.work.any() and not sol.energy.dissipated.any() and not sol.energy.elastic.any()
    short = p.model.simulate(1.0, step=1e-3, integrator=fm.GeneralizedAlpha(1.0))
    stored = short.energy.kinetic + short.energy.potential
    exact = double_oracle(**DOUBLE, t=short.t).energy
    assert_allclose(stored - stored[0], exact - exact[0], rtol=0, atol=1e-4 * turned_over)


def test_undamped_heavy_top_keeps_its_energy() -> None:
    """1 s, 150 rad, rho_inf = 1, h = 1e-4 s, natural coordinates: to 1e-5 of 5.4 kJ."""
    omega, com = np.array([0.0, 150.0, -4.61538]), np.array([0.0, 1.0, 0.0])
    m = fm.Model("heavy top", gravity=(0.0, 0.0, -9.81))
    inertia = (0.234375, 0.46875, 0.234375)
    top = m.add(fm.RigidBody("top", mass=15.0, inertia=inertia, com=com, velocity=np.cross(omega, com), spin=omega))
    m.add(fm.Spherical(m.ground.at(0.0, 0.0, 0.0), top.at(0.0, 0.0, 0.0)))
    sol = m.simulate(1.0, step=1e-4, output_step=0.01, integrator=fm.GeneralizedAlpha(1.0))
    assert np.abs(sol.energy.balance).max() < 1e-5 * sol.energy.kinetic[0]


def test_work_of_a_drive_is_the_energy_it_brings() -> None:
    """Driven slider-crank, h = 5e-4 s: 1e-3 of the energy that goes to and fro, against the closed form."""
    sol = slider_crank(SLOW).model.simulate(0.3, step=5e-4)
    exact = crank_oracle.solve(SLOW, sol.t).energy
    assert_allclose(sol.energy.work, exact - exact[0], rtol=0, atol=1e-3 * np.ptp(exact))
    assert np.abs(sol.energy.balance).max() < 1e-3 * np.ptp(exact)


@pytest.mark.parametrize(
    ("method", "options"),
    [(fm.GeneralizedAlpha(1.0), {"step": 1e-3}), (fm.BaumgarteODE(), {})],
    ids=["alpha", "BDF"],
)
def test_dissipation_of_a_damper_is_the_energy_lost(method, options) -> None:
    """Oscillator with damping ratio 0.2 against x = exp(-d t) (cos + d/w sin): 1e-5 of its energy at h = 1e-3 s."""
    m, mass = sliding_mass(damping=4.0)
    sol = m.simulate(2.0, output_step=0.05, integrator=method, **options)
    d, w = 1.0, np.sqrt(24.0)
    x = 0.5 * np.exp(-d * sol.t) * (np.cos(w * sol.t) + d / w * np.sin(w * sol.t))
    v = -0.5 * np.exp(-d * sol.t) * 25.0 / w * np.sin(w * sol.t)
    stored = 25.0 * x**2 + v**2
    assert_allclose(sol.position(mass.com)[:, 0], 1.0 + x, rtol=0, atol=1e-5)
    assert_allclose(sol.energy.elastic, 25.0 * x**2, rtol=0, atol=1e-4 * stored[0])
    assert_allclose(sol.energy.kinetic, v**2, rtol=0, atol=1e-4 * stored[0])
    assert_allclose(sol.energy.dissipated, stored[0] - stored, rtol=0, atol=1e-5 * stored[0])
    assert np.abs(sol.energy.balance).max() < 1e-5 * stored[0]
    assert not sol.energy.work.any()


def test_numerical_damping_is_an_entry_of_its_own() -> None:
    """rho_inf = 0 takes energy out of a fast oscillator, which no damper explains: the ledger says how much, to round-off,
    since the forces of this oscillator are linear."""
    m, _ = sliding_mass(damping=0.0)
    with pytest.warns(
        fm.NumericalDamping, match=r"energy adds up .*; numerical damping took 11 % of that .* rho_inf nearer to 1"
    ):
        sol = m.simulate(2.0, step=0.05, integrator=fm.GeneralizedAlpha(0.0))
    lost = sol.energy.kinetic[-1] + sol.energy.elastic[-1] - sol.energy.elastic[0]
    assert -sol.energy.numerical[-1] == pytest.approx(lost)
    assert np.abs(sol.energy.balance).max() < 1e-12 * sol.energy.elastic[0]
    assert lost < -0.1 * sol.energy.elastic[0]


def test_work_of_point_forces() -> None:
    """Constant and growing forces on a free mass: W = F s, and the integral of F(t) v(t), 1e-6 at h = 1e-3 s."""
    m, mass = sliding_mass()
    m.add(fm.PointForce(mass.com, (3.0, 5.0)))  # the guide takes the 5 N
    m.add(fm.PointForce(mass.com, lambda t: (4.0 * t, 0.0)))
    sol = m.simulate(1.0, step=1e-3, integrator=fm.GeneralizedAlpha(1.0))
    v = 1.5 * sol.t + sol.t**2
    assert_allclose(sol.energy.work, v**2, rtol=0, atol=1e-6 * v[-1] ** 2)  # all of it becomes 1/2 m v^2, m = 2 kg
    assert_allclose(sol.energy.balance, 0.0, rtol=0, atol=1e-6 * v[-1] ** 2)


def test_work_of_torques() -> None:
    """A moment of 3 N m on a rod pinned at its end does 3 N m times its angle, in the plane and in space."""
    flat = fm.Model("rod")
    rod = flat.add(fm.PlanarBody("rod", mass=1.0, inertia=1 / 12, com=(0.5, 0.0)))
    flat.add(fm.Revolute(flat.ground.at(0.0, 0.0), rod.at(0.0, 0.0)))
    flat.add(fm.Torque(rod.com, 3.0))
    space = fm.Model("rod")
    twin = space.add(fm.RigidBody("rod", mass=1.0, inertia=(0.01, 1 / 12, 1 / 12), com=(0.5, 0.0, 0.0)))
    space.add(fm.Revolute(space.ground.at(0.0, 0.0, 0.0), twin.at(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)))
    space.add(fm.Torque(twin.com, (7.0, 0.0, 3.0)))  # the pin takes the 7 N m
    for m in (flat, space):
        sol = m.simulate(0.5, step=5e-4, integrator=fm.GeneralizedAlpha(1.0))
        angle = 0.5 * 9.0 * sol.t**2  # J = 1/3 about the pin
        assert_allclose(sol.energy.work, 3.0 * angle, rtol=0, atol=1e-4 * 3.0 * angle[-1])
        assert error(sol.energy.kinetic, 3.0 * angle) < 1e-4
