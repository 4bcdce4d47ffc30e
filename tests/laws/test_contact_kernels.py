"""Contact kernels against differences, quadrature, and the differential equations they solve."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad, solve_ivp

import fmbs as fm
from fmbs.laws._contact_kernels import cylinder_contact
from tests.laws.law_cases import branch, contact

STEEL = fm.Material(E=207e9, nu=0.3, density=7850)
PAIR = (STEEL, STEEL)
SIZE = (0.01, 0.00995, 0.02)  # bearing radius, journal radius, length

LAWS = {
    "Hertz": fm.contact.Hertz(materials=PAIR),
    "Hertz, n = 2.2": fm.contact.Hertz(stiffness=1e12, exponent=2.2),
    "LankaraniNikravesh": fm.contact.LankaraniNikravesh(restitution=0.9, materials=PAIR),
    "LankaraniNikravesh, n = 1": fm.contact.LankaraniNikravesh(restitution=0.5, stiffness=1e8, exponent=1.0),
    "HuntCrossley": fm.contact.HuntCrossley(restitution=0.5, materials=PAIR),
    "Flores": fm.contact.Flores(restitution=0.3, materials=PAIR),
    "Flores, calibrated": fm.contact.Flores(restitution=0.2, materials=PAIR, calibrated=True),
    "KelvinVoigt": fm.contact.KelvinVoigt(stiffness=1e8, damping=1e3),
    "Maxwell": fm.contact.Maxwell(stiffness=1e8, damping=1e3),
    "StandardLinearSolid": fm.contact.StandardLinearSolid(stiffness=1e8, damping=1e3, parallel_stiffness=3e7),
    "TwoBranch": fm.contact.TwoBranch(stiffness=1e8, restitution=0.6),
    "DubowskyFreudenstein": fm.contact.DubowskyFreudenstein(materials=PAIR),
    "ESDU78035": fm.contact.ESDU78035(materials=PAIR, restitution=0.7),
}
every_law = pytest.mark.parametrize("law", [law.bound("joint", *SIZE) for law in LAWS.values()], ids=list(LAWS))


def states(count: int, seed: int = 1) -> np.ndarray:
    """depth, rate, impact speed, depth_0, memory_0, h: (count, 6)."""
    rng = np.random.default_rng(seed)
    depth = 10.0 ** rng.uniform(-9, -4, count)
    impact_speed = 10.0 ** rng.uniform(-3, 1, count)
    rate = impact_speed * rng.uniform(-8, 8, count)
    h = 10.0 ** rng.uniform(-9, -3, count)
    return np.column_stack(
        [depth, rate, impact_speed, depth * rng.uniform(-0.1, 2, count), 10.0 ** rng.uniform(-2, 3, count), h]
    )


@every_law
def test_derivatives_are_those_of_the_force(law: fm.contact.ContactLaw) -> None:
    pushing = 0
    for depth, rate, speed, *history in states(300):
        force, by_depth, by_rate, _, _ = contact(law, depth, rate, speed, *history)
        d, v = 1e-5 * depth, 1e-5 * abs(rate)
        deeper, shallower = (contact(law, depth + s * d, rate, speed, *history)[0] for s in (1, -1))
        faster, slower = (contact(law, depth, rate + s * v, speed, *history)[0] for s in (1, -1))
        if min(force, deeper, shallower, faster, slower) > 0.0:
            pushing += 1
            assert_allclose((deeper - shallower) / (2 * d), by_depth, rtol=1e-7, atol=1e-9 * force / depth)
            assert_allclose((faster - slower) / (2 * v), by_rate, rtol=1e-7, atol=1e-9 * force / abs(rate))
        elif force == 0.0:
            assert by_depth == by_rate == 0.0
    assert pushing > 100


@every_law
def test_no_law_pulls_and_none_acts_without_contact(law: fm.contact.ContactLaw) -> None:
    for depth, rate, speed, *history in states(300, seed=2):
        for fast in (rate, -1e3 * abs(rate)):
            force, *_, stored = contact(law, depth, fast, speed, *history)
            assert force >= 0.0 and stored >= 0.0
            assert contact(law, -depth, fast, speed, *history) == (0.0,) * 5
    assert (law.normal_force(np.linspace(-1e-5, 1e-5, 21)[:, None], np.linspace(-50, 50, 20), 0.1) >= 0.0).all()


@every_law
def test_arrays_broadcast_and_carry_exact_derivatives(law: fm.contact.ContactLaw) -> None:
    depth, rate = np.array([[-1e-6], [1e-7], [3e-6]]), np.array([-0.05, 0.01, 0.1, 0.15])
    force, by_depth, by_rate = law.differentiated(depth, rate, 0.1)
    assert force.shape == by_depth.shape == by_rate.shape == (3, 4)
    assert_allclose(force, law.normal_force(depth, rate, 0.1))
    ahead, behind = (law.normal_force(depth * (1 + s * 1e-5), rate, 0.1) for s in (1, -1))
    assert_allclose(by_depth, (ahead - behind) / (2e-5 * depth), rtol=1e-6, atol=1e-6 * by_depth.max())
    ahead, behind = (law.normal_force(depth, rate * (1 + s * 1e-5), 0.1) for s in (1, -1))
    assert_allclose(by_rate, (ahead - behind) / (2e-5 * rate), rtol=1e-6, atol=1e-6 * by_rate.max())


@every_law
def test_nan_stays_nan(law: fm.contact.ContactLaw) -> None:
    assert np.isnan(law.normal_force(np.nan, 0.1, 1.0))


@pytest.mark.parametrize("name", ["Hertz", "Hertz, n = 2.2", "DubowskyFreudenstein", "ESDU78035"])
def test_stored_energy_is_the_work_of_slow_loading(name: str) -> None:
    law = LAWS[name].bound("joint", *SIZE)
    for depth in (1e-7, 1e-5, 1.9e-4):
        work = quad(lambda d: contact(law, d, 0.0, 1.0, 0.0, 0.0, 0.0)[0], 0.0, depth, epsabs=0, epsrel=1e-11)[0]
        assert_allclose(contact(law, depth, 0.0, 1.0, 0.0, 0.0, 0.0)[4], work, rtol=1e-9)


@pytest.mark.parametrize(("law", "log_length"), [(fm.contact.DubowskyFreudenstein, None), (fm.contact.ESDU78035, 4.0)])
def test_cylinder_laws_are_inverted(law: type[fm.contact.ContactLaw], log_length: float | None) -> None:
    """Muvengi2011 eqs 9, 10 (corrected), written out here, to 1e-10 on the whole branch up to 3.3 clearances."""
    R_b, R_j, L = SIZE
    s = 2 * (1 - 0.3**2) / 207e9
    top = 4 * L * (R_b - R_j) / s if log_length else L**3 * (R_b - R_j) / (R_b * R_j * s)
    depth = np.geomspace(1e-15, 3.3 * (R_b - R_j), 200)
    force = law(materials=PAIR).bound("joint", *SIZE).normal_force(depth, 0.0, 1.0)
    assert_allclose(force * s / L * (np.log(top / force) + 1), depth, rtol=1e-10)
    assert (np.diff(force) > 0).all() and force[-1] < 0.5 * top


def test_cylinder_laws_go_on_along_their_tangent_beyond_the_branch() -> None:
    law = fm.contact.ESDU78035(materials=PAIR).bound("joint", *SIZE)
    depth = np.linspace(1e-4, 1e-3, 1001)  # clearance 5e-5: the formula ends at 2e-4
    force, slope, _ = law.differentiated(depth, 0.0, 1.0)
    assert np.isfinite(force).all() and (np.diff(force) > 0).all() and (np.diff(slope) >= 0).all()
    assert slope[-1] == slope[200]


@pytest.mark.parametrize("parallel", [0.0, 3e7])
@pytest.mark.parametrize("tau", [1e-2, 1e-5, 1e-8])
def test_maxwell_branch_is_exact_at_constant_rate(parallel: float, tau: float) -> None:
    """F' = K d' - F/tau for a start with a force, against its closed form; steps from tau/1e4 to 1e4 tau."""
    K, rate, start, h = 1e8, 0.3, 50.0, 1e-5
    law = branch(K, K * tau, parallel)
    force, _, _, memory, stored = contact(law, 1e-6 + rate * h, rate, 1.0, 1e-6, start, h)
    exact = start * np.exp(-h / tau) - K * rate * tau * np.expm1(-h / tau)
    assert_allclose(memory, exact, rtol=1e-12)
    assert_allclose(force, exact + parallel * (1e-6 + rate * h), rtol=1e-12)
    assert_allclose(stored, exact**2 / (2 * K) + parallel * (1e-6 + rate * h) ** 2 / 2, rtol=1e-12)
    assert contact(law, 1e-6, rate, 1.0, 1e-6, start, 0.0)[0] == pytest.approx(start + parallel * 1e-6)


@pytest.mark.parametrize("name", ["Maxwell", "StandardLinearSolid"])
def test_viscoelastic_force_follows_its_differential_equation(name: str) -> None:
    """A depth that goes in and turns: second order in the step against DOP853 on Muvengi2011 eqs 2, 3."""
    law = LAWS[name]
    K, tau, K_0 = 1e8, 1e-5, law.parameters()[2]
    depth = lambda t: 1e-5 * np.sin(2e4 * t)  # noqa: E731
    rate = lambda t: 0.2 * np.cos(2e4 * t)  # noqa: E731
    equation = lambda t, F: (K_0 * depth(t) + tau * (K_0 + K) * rate(t) - F) / tau  # noqa: E731
    end = 8e-5
    exact = solve_ivp(equation, (0, end), [0.0], method="DOP853", rtol=1e-12, atol=1e-9).y[0, -1]
    errors = []
    for steps in (100, 200, 400):
        memory = force = 0.0
        for t0, t1 in zip(np.linspace(0, end, steps + 1)[:-1], np.linspace(0, end, steps + 1)[1:]):
            force, _, _, memory, _ = contact(law, depth(t1), rate(t1), 0.2, depth(t0), memory, t1 - t0)
        errors.append(abs(force / exact - 1))
    assert errors[-1] < 1e-4
    assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2.0, atol=0.1)


@pytest.mark.parametrize("name", ["Maxwell", "StandardLinearSolid"])
def test_viscoelastic_arrays_are_constant_rate_loading(name: str) -> None:
    law = LAWS[name]
    depth, rate = 4e-6, 0.2
    force = contact(law, depth, rate, 1.0, 0.0, 0.0, depth / rate)[0]
    assert law.normal_force(depth, rate, 1.0) == pytest.approx(force, rel=1e-13)
    assert law.normal_force(depth, 0.0, 1.0) == pytest.approx(law.parameters()[2] * depth)


def test_a_contact_that_begins_at_rest_is_not_damped_without_bound() -> None:
    """The ratio d'/d'(-) is exact up to 5 and levels off at 6: the dissipative part stays a fraction of the elastic one."""
    law, depth = fm.contact.LankaraniNikravesh(restitution=0.5, stiffness=1e9), 1e-6
    elastic, a = 1e9 * depth**1.5, 0.75 * (1 - 0.5**2)
    assert_allclose(law.normal_force(depth, [0.5, -0.13], 0.1), elastic * (1 + a * np.array([5.0, -1.3])), rtol=1e-14)
    assert_allclose(law.normal_force(depth, [1.0, 1e3], 0.0), elastic * (1 + 6 * a), rtol=1e-12)
    assert_allclose(law.normal_force(depth, [0.8, 1e3], 0.1), elastic * (1 + 6 * a), rtol=1e-2)
    assert law.normal_force(depth, -1.0, 1e-9) == 0.0
    assert law.normal_force(depth, 0.0, 0.0) == pytest.approx(elastic)


def test_cylinder_kernel_is_shared() -> None:
    esdu, dubowsky = fm.contact.ESDU78035(materials=PAIR), fm.contact.DubowskyFreudenstein(materials=PAIR)
    assert esdu.kernel is dubowsky.kernel is cylinder_contact and esdu.address() == dubowsky.address()
