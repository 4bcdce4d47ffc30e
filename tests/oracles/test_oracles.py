"""The oracles against each other, against finite differences, balances, and numbers known from elsewhere."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh
from scipy.optimize import brentq, minimize
from scipy.special import ellipj, ellipk

from . import double_pendulum as pendulum
from . import four_bar, rigid_body, slider_crank, spatial_four_bar, spring_mass, statics
from ._common import Array, cross2

UP = np.array([0.0, 1.0])
STENCIL = np.array([-1, 9, -45, 0, 45, -9, 1]) / 60  # sixth-order first difference


def rate(f: Callable[[Array], Array], t: Array, h: float) -> Array:
    """Derivative of f by time at each t, from f alone."""
    return sum(weight * f(t + k * h) for k, weight in zip(range(-3, 4), STENCIL, strict=True)) / h


# ---------------------------------------------------------------------------------------------------- slider-crank

SLIDER_CRANK = slider_crank.SliderCrank(omega=20.0, phi0=0.3)
T_CRANK = np.linspace(0.0, 2 * np.pi / 20.0, 41)


def test_slider_crank_derivatives_are_those_of_the_positions():
    m = slider_crank.solve(SLIDER_CRANK, T_CRANK)
    for name in ("x", "theta"):
        for level in ("", "_t"):
            got = rate(lambda t, n=name + level: getattr(slider_crank.solve(SLIDER_CRANK, t), n), T_CRANK, 1e-3)
            want = getattr(m, name + level + ("_t" if not level else "t"))
            assert_allclose(got, want, atol=1e-6 * np.abs(want).max())  # truncation of the sixth-order difference
    assert_allclose(np.hypot(m.pin[:, 0] - m.x, m.pin[:, 1]), SLIDER_CRANK.l, rtol=1e-14)


def test_slider_crank_forces_balance_inertia_on_every_body():
    """Newton-Euler per body, with momenta differentiated numerically (no acceleration of the oracle is used)."""
    p, h = SLIDER_CRANK, 1e-3

    def second(f: Callable[[slider_crank.SliderCrankMotion], Array]) -> Array:
        return rate(lambda t: rate(lambda s: f(slider_crank.solve(p, s)), t, h), T_CRANK, h)

    m = slider_crank.solve(p, T_CRANK)
    scale = np.abs(m.ground_on_crank).max() * 1e-6
    slider = m.rod_on_slider + np.outer(m.ground_on_slider - p.m3 * p.g, UP)
    assert_allclose(slider, p.m3 * second(lambda s: np.stack([s.x, 0 * s.x], 1)), atol=scale)
    rod = m.crank_on_rod - m.rod_on_slider - p.m2 * p.g * UP
    assert_allclose(rod, p.m2 * second(lambda s: s.rod_centre), atol=scale)
    crank = m.ground_on_crank - m.crank_on_rod - p.m1 * p.g * UP
    assert_allclose(crank, p.m1 * second(lambda s: 0.5 * s.pin), atol=scale)
    end = np.stack([m.x, 0 * m.x], 1)
    moment = cross2(m.pin - m.rod_centre, m.crank_on_rod) - cross2(end - m.rod_centre, m.rod_on_slider)
    assert_allclose(moment, p.J2 * second(lambda s: s.theta), atol=scale * p.l)
    about_centre = cross2(-0.5 * m.pin, m.ground_on_crank) - cross2(0.5 * m.pin, m.crank_on_rod) + m.drive_moment
    assert_allclose(about_centre, 0.0, atol=1e-12)  # constant speed: no angular momentum change


def test_slider_crank_power_and_published_peak_acceleration():
    m = slider_crank.solve(SLIDER_CRANK, T_CRANK)
    power = rate(lambda t: slider_crank.solve(SLIDER_CRANK, t).energy, T_CRANK, 1e-3)
    assert_allclose(m.drive_moment * SLIDER_CRANK.omega, power, atol=1e-7 * np.abs(power).max())
    press = slider_crank.SliderCrank(r=0.025, l=1.02, omega=100 * np.pi / 30)
    peak = np.abs(slider_crank.solve(press, np.linspace(0, 0.6, 601)).x_tt).max()
    assert peak == pytest.approx(2.81, abs=0.005)  # Chen2020, ideal joints at 100 rpm, printed to three digits


# -------------------------------------------------------------------------------------------------------- four-bar


def make_four_bar(branch: int = 1) -> four_bar.FourBar:
    return four_bar.FourBar(
        ground=0.8,
        crank=four_bar.Link(length=0.2, mass=0.5, J=0.002),
        coupler=four_bar.Link(length=0.7, mass=1.2, J=0.05),
        rocker=four_bar.Link(length=0.5, mass=0.9, J=0.02),
        omega=-6.0,
        phi0=0.4,
        branch=branch,
    )


@pytest.mark.parametrize("branch", [1, -1])
def test_four_bar_kinematics(branch: int):
    p = make_four_bar(branch)
    t = np.linspace(0.0, 1.1, 41)
    m = four_bar.solve(p, t)
    assert_allclose(np.linalg.norm(m.b - m.a, axis=1), p.coupler.length, rtol=1e-14)
    assert_allclose(np.linalg.norm(m.b - [p.ground, 0], axis=1), p.rocker.length, rtol=1e-14)
    a, b, c, d = p.crank.length, p.coupler.length, p.rocker.length, p.ground
    freudenstein = d / a * np.cos(m.rocker) - d / c * np.cos(m.phi) + (a**2 - b**2 + c**2 + d**2) / (2 * a * c)
    assert_allclose(freudenstein, np.cos(m.phi - m.rocker), atol=1e-13)
    assert np.all(branch * cross2(np.array([d, 0]) - m.a, m.b - m.a) > 0)
    for name in ("coupler", "rocker", "coupler_t", "rocker_t"):
        want = getattr(m, name + ("t" if name.endswith("_t") else "_t"))
        got = rate(lambda s, n=name: getattr(four_bar.solve(p, s), n), t, 1e-3)
        assert_allclose(got, want, atol=1e-8 * np.abs(want).max())


@pytest.mark.parametrize("branch", [1, -1])
def test_four_bar_dynamics(branch: int):
    """Force and moment sums per body, and the power of the drive (which knows no joint force)."""
    p, h = make_four_bar(branch), 1e-3
    t = np.linspace(0.0, 1.1, 41)
    m = four_bar.solve(p, t)
    pivot = np.array([p.ground, 0.0])

    def second(f: Callable[[four_bar.FourBarMotion], Array]) -> Array:
        return rate(lambda u: rate(lambda s: f(four_bar.solve(p, s)), u, h), t, h)

    crank = m.ground_on_crank - m.crank_on_coupler - p.crank.mass * p.g * UP
    coupler = m.crank_on_coupler - m.coupler_on_rocker - p.coupler.mass * p.g * UP
    rocker = m.coupler_on_rocker + m.ground_on_rocker - p.rocker.mass * p.g * UP
    assert_allclose(crank, p.crank.mass * second(lambda s: 0.5 * s.a), atol=1e-6)
    assert_allclose(coupler, p.coupler.mass * second(lambda s: 0.5 * (s.a + s.b)), atol=1e-6)
    assert_allclose(rocker, p.rocker.mass * second(lambda s: 0.5 * (s.b + pivot)), atol=1e-6)
    half = 0.5 * (m.b - m.a)
    assert_allclose(
        -cross2(half, m.crank_on_coupler + m.coupler_on_rocker), p.coupler.J * second(lambda s: s.coupler), atol=1e-7
    )
    half = 0.5 * (m.b - pivot)
    assert_allclose(cross2(half, m.coupler_on_rocker - m.ground_on_rocker), p.rocker.J * second(lambda s: s.rocker), atol=1e-7)
    power = rate(lambda s: four_bar.solve(p, s).energy, t, h)
    assert_allclose(m.drive_moment * p.omega, power, atol=1e-8)


def test_four_bar_refuses_what_cannot_close():
    p = make_four_bar()
    with pytest.raises(ValueError, match="closed"):
        four_bar.solve(four_bar.FourBar(**{**vars(p), "ground": 2.0}), [0.0])


# ------------------------------------------------------------------------------------------------- spatial four-bar

INPUT = spatial_four_bar.Crank(
    pivot=(0, 0, 0), axis=(0, 0, 2), ball=(0.1, 0, 0.02), inertia=0.02, mass=0.4, centre=(0.05, 0.01, 0)
)
OUTPUT = spatial_four_bar.Crank(
    pivot=(0.3, 0.1, 0), axis=(0.2, 1, 0.1), ball=(0.35, 0.1, 0.3), inertia=0.05, mass=0.7, centre=(0.3, 0.1, 0.2)
)


@pytest.mark.parametrize("branch", [1, -1])
def test_rssr_motion_and_drive_torque(branch: int):
    t, omega, length = np.linspace(0.0, 2.0, 41), 3.5, 0.38

    def solve(s: Array) -> spatial_four_bar.SpatialFourBarMotion:
        return spatial_four_bar.solve(INPUT, OUTPUT, length, omega, s, phi0=0.2, branch=branch)

    m = solve(t)
    assert_allclose(np.linalg.norm(m.a - m.b, axis=1), length, rtol=1e-14)
    axis = np.asarray(OUTPUT.axis) / np.linalg.norm(OUTPUT.axis)
    velocity = np.cross(m.psi_t[:, None] * axis, m.b - OUTPUT.pivot)
    assert_allclose(rate(lambda s: solve(s).b, t, 1e-3), velocity, atol=1e-10)  # right-handed about the axis
    assert_allclose(rate(lambda s: solve(s).psi_t, t, 1e-3), m.psi_tt, atol=1e-8 * np.abs(m.psi_tt).max())
    assert_allclose(rate(lambda s: solve(s).energy, t, 1e-3), m.drive_moment * omega, atol=1e-9)
    push = -m.coupler_force[:, None] * (m.a - m.b) / length  # on the input at a
    centre = INPUT.turned(INPUT.centre, m.phi)[0]
    weight = INPUT.mass * np.array([0, 0, -9.81])
    about_axis = (np.cross(m.a, push) + np.cross(centre, weight))[:, 2] + m.drive_moment
    assert_allclose(about_axis, 0.0, atol=1e-12)  # the same torque from forces instead of energy


def test_rssr_with_parallel_axes_is_the_planar_four_bar():
    p = make_four_bar()
    t = np.linspace(0.0, 1.1, 31)
    planar = four_bar.solve(p, t)
    crank = spatial_four_bar.Crank(pivot=(0, 0, 0), axis=(0, 0, 1), ball=(p.crank.length, 0, 0))
    rocker = spatial_four_bar.Crank(pivot=(p.ground, 0, 0), axis=(0, 0, 1), ball=(p.ground + p.rocker.length, 0, 0))
    m = spatial_four_bar.solve(crank, rocker, p.coupler.length, p.omega, t, phi0=p.phi0, branch=-1)
    assert_allclose(np.exp(1j * m.psi), np.exp(1j * planar.rocker), atol=1e-13)
    assert_allclose(m.psi_t, planar.rocker_t, atol=1e-12)
    assert_allclose(m.psi_tt, planar.rocker_tt, atol=1e-11)


def test_rssr_contains_the_bennett_linkage():
    """Bennett 1903: opposite links equal, sin(alpha)/a = sin(beta)/b; tan(phi/2) and tan(psi/2) keep a fixed ratio."""
    a, b, alpha = 1.0, 0.6, 1.1
    beta = np.arcsin(b / a * np.sin(alpha))
    crank = spatial_four_bar.Crank(pivot=(0, 0, 0), axis=(0, 0, 1), ball=(b, 0, 0))
    rocker = spatial_four_bar.Crank(pivot=(a, 0, 0), axis=(0, -np.sin(alpha), np.cos(alpha)), ball=(a + b, 0, 0))
    t = np.linspace(0.3, 2.8, 26)
    ratios = [
        np.tan(spatial_four_bar.solve(crank, rocker, a, 1.0, t, branch=branch).psi / 2) / np.tan(t / 2) for branch in (1, -1)
    ]
    for ratio, twist in zip(ratios, (beta, np.pi - beta), strict=True):  # both twists have the sine asked for
        assert_allclose(ratio, -np.sin((alpha + twist) / 2) / np.sin((alpha - twist) / 2), rtol=1e-10)


# -------------------------------------------------------------------------------------------------------- pendulums


def test_simple_pendulum_against_elliptic_functions():
    """Released from the horizontal: sin(half the angle from hanging) = k sn(K - w t); positions of pendulum_A01."""
    t = np.array([0.0, 1.0, 5.0, 10.0])
    m = pendulum.simple_pendulum(1.0, 1.0, t, angle=np.pi)
    w, k2 = np.sqrt(9.81), 0.5
    assert 4 * ellipk(k2) / w == pytest.approx(2.3678419475762373, rel=1e-14)
    sn = ellipj(ellipk(k2) - w * t, k2)[0]
    assert_allclose(m.angle, 1.5 * np.pi - 2 * np.arcsin(np.sqrt(k2) * sn), atol=1e-10)
    known = [[0.986291751132, -0.165010853126], [-0.942305435044, -0.334754338414], [-0.275087462576, -0.961419205099]]
    assert_allclose(m.end[1:], known, atol=2e-11)  # reference.json pendulum_A01
    assert_allclose(np.sum(m.ground_on_body * m.end, axis=1), 3 * 9.81 * m.end[:, 1], atol=1e-9)  # T = 3 m g cos


def test_pinned_rod_with_torque():
    def torque(t: float, angle: float, speed: float) -> float:
        return 3.0 * np.sin(2 * t) - 0.2 * speed

    t = np.linspace(0.01, 1.5, 16)

    def solve(s: Array) -> pendulum.PendulumMotion:
        return pendulum.pinned_rod(0.6, 1.5, 0.05, s, angle=0.4, rate=-1.0, torque=torque)

    m = solve(t)
    assert_allclose(rate(lambda s: solve(s).rate, t, 1e-3), m.acceleration, atol=1e-8)
    centre_tt = rate(lambda u: rate(lambda s: 0.5 * solve(s).end, u, 1e-3), t, 1e-3)
    assert_allclose(m.ground_on_body - 1.5 * 9.81 * UP, 1.5 * centre_tt, atol=1e-5)
    applied = np.array([torque(*s) for s in zip(t, m.angle, m.rate, strict=True)])
    assert_allclose(applied - cross2(0.5 * m.end, m.ground_on_body), 0.05 * m.acceleration, atol=1e-12)


LENGTHS, MASSES, INERTIAS = (0.5, 0.8), (1.2, 0.7), (0.03, 0.05)


def test_double_pendulum_energy_and_pin_forces():
    t = np.linspace(0.0, 3.0, 301)
    m = pendulum.double_pendulum(LENGTHS, MASSES, INERTIAS, t, angles=(0.3, 1.0), rates=(2.0, -1.0))
    assert_allclose(m.energy, m.energy[0], atol=1e-9)
    fine = np.linspace(0.5, 0.512, 13)

    def solve(s: Array) -> pendulum.DoublePendulumMotion:
        return pendulum.double_pendulum(LENGTHS, MASSES, INERTIAS, s, angles=(0.3, 1.0), rates=(2.0, -1.0))

    def second(f: Callable[[pendulum.DoublePendulumMotion], Array]) -> Array:
        return rate(lambda u: rate(lambda s: f(solve(s)), u, 1e-3), fine, 1e-3)

    n = solve(fine)
    rod1 = n.ground_on_rod1 - n.rod1_on_rod2 - MASSES[0] * 9.81 * UP
    assert_allclose(rod1, MASSES[0] * second(lambda s: 0.5 * s.elbow), atol=1e-5)
    rod2 = n.rod1_on_rod2 - MASSES[1] * 9.81 * UP
    assert_allclose(rod2, MASSES[1] * second(lambda s: 0.5 * (s.elbow + s.tip)), atol=1e-5)
    moment1 = -cross2(0.5 * n.elbow, n.ground_on_rod1 + n.rod1_on_rod2)
    moment2 = -cross2(0.5 * (n.tip - n.elbow), n.rod1_on_rod2)
    assert_allclose(np.stack([moment1, moment2], 1), n.accelerations * INERTIAS, atol=1e-11)


def test_double_pendulum_swings_at_its_natural_frequencies():
    w = spring_mass.double_pendulum_frequencies(LENGTHS, MASSES, INERTIAS)
    (l1, l2), (_, m2), (_, j2) = LENGTHS, MASSES, INERTIAS
    t = np.linspace(0.0, 2.0, 21)
    for square in w**2:
        shape = np.array([(0.5 * m2 * l2 * 9.81 - square * (j2 + 0.25 * m2 * l2**2)), square * 0.5 * m2 * l1 * l2])
        swing = 1e-4 * shape / np.abs(shape).max()
        m = pendulum.double_pendulum(LENGTHS, MASSES, INERTIAS, t, angles=tuple(swing - np.pi / 2))
        assert_allclose(m.angles + np.pi / 2, np.outer(np.cos(np.sqrt(square) * t), swing), atol=1e-10)


def test_double_pendulum_with_massless_second_rod_is_a_pinned_rod():
    t = np.linspace(0.0, 2.0, 5)
    m = pendulum.double_pendulum(LENGTHS, (1.2, 1e-12), (0.03, 1e-12), t, angles=(0.3, 1.0))
    assert_allclose(m.angles[:, 0], pendulum.pinned_rod(0.5, 1.2, 0.03, t, angle=0.3).angle, atol=1e-9)


# ------------------------------------------------------------------------------------------------------- rigid body


def test_free_body_conserves_and_accelerates():
    """Global torque: L(t) = L0 + torque t; the force moves the centre on a parabola; omega is that of R."""
    j = np.array([[2.0, 0.1, -0.2], [0.1, 3.0, 0.3], [-0.2, 0.3, 4.0]])
    p0 = np.array([0.5, -0.5, 0.5, 0.5])
    torque, omega0 = np.array([1.0, -2.0, 0.5]), np.array([3.0, 0.2, -1.0])
    t = np.linspace(0.01, 2.0, 9)

    def solve(s: Array) -> rigid_body.RigidMotion:
        return rigid_body.free_body(
            5.0, j, s, force=(0, 0, -10), torque=torque, velocity=(1, 2, 3), euler_parameters=p0, omega=omega0
        )

    m = solve(t)
    momentum = np.einsum("nij,jk,nlk,nl->ni", m.R, j, m.R, m.omega)
    start = rigid_body.rotation(p0) @ j @ rigid_body.rotation(p0).T @ omega0
    assert_allclose(momentum, start + np.outer(t, torque), atol=1e-9)
    assert_allclose(m.R @ np.swapaxes(m.R, 1, 2), np.tile(np.eye(3), (9, 1, 1)), atol=1e-10)
    spin = rate(lambda s: solve(s).R, t, 1e-3) @ np.swapaxes(m.R, 1, 2)  # tilde(omega global) = R' R^T
    assert_allclose(np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], 1), m.omega, atol=1e-9)
    assert_allclose(m.position[-1], [2.0, 4.0, 6.0 - 0.5 * 2.0 * 4.0], atol=1e-13)


def test_torque_free_body_against_elliptic_functions():
    j, t = (1.0, 2.0, 3.5), np.linspace(0.0, 10.0, 41)
    closed = rigid_body.torque_free_omega(j, 1.0, 0.9, t)
    m = rigid_body.free_body(1.0, np.diag(j), t, omega=(1.0, 0.0, 0.9))
    assert_allclose(m.omega_body, closed, atol=1e-10)
    with pytest.raises(ValueError, match="axis 1"):
        rigid_body.torque_free_omega(j, 2.0, 0.5, t)


TOP = {"mass": 15.0, "J": np.diag([0.234375, 0.46875, 0.234375]), "centre": (0.0, 1.0, 0.0)}


def test_heavy_top_reproduces_the_reference_at_two_tenths_of_a_second():
    """reference.json heavy_top (parameters of Exudyn's heavyTop.py): t = 0.2 s from R = I, its omega in body axes."""
    m = rigid_body.heavy_top(**TOP, t=[0.0, 0.2], omega_body=(0.0, 150.0, -4.61538))
    assert_allclose(m.euler_parameters[1], [-0.70827915, 0.43878109, 0.5457284, 0.08939975], atol=1e-8)
    assert_allclose(m.position[1], [0.60555056, 0.59895768, -0.52398303], atol=1e-8)
    assert_allclose(m.omega_body[1], [-2.69159091, 150.0, 4.91726099], atol=1e-8)


def test_heavy_top_invariants_and_pivot_force():
    t = np.linspace(0.0, 0.1, 11)
    m = rigid_body.heavy_top(**TOP, t=t, omega_body=(0.0, 150.0, -4.61538))
    about_pivot = TOP["J"] + 15.0 * np.diag([1.0, 0.0, 1.0])
    kinetic = 0.5 * np.einsum("ni,ij,nj->n", m.omega_body, about_pivot, m.omega_body)
    energy = kinetic + 15.0 * 9.81 * m.position[:, 2]
    assert_allclose(energy, energy[0], atol=1e-6)
    vertical = np.einsum("ni,ij,nj->n", m.R[:, 2], about_pivot, m.omega_body)
    assert_allclose(vertical, vertical[0], atol=1e-8)  # momentum about the vertical
    assert_allclose(m.omega_body[:, 1], 150.0, atol=1e-9)  # spin of a symmetric top
    inner = t[1:-1]

    def velocity(s: Array) -> Array:
        return rigid_body.heavy_top(**TOP, t=s, omega_body=(0.0, 150.0, -4.61538)).velocity

    want = 15.0 * (rate(velocity, inner, 1e-3) + np.array([0.0, 0.0, 9.81]))
    got = m.force[1:-1]
    assert_allclose(got, want, atol=1e-4 * np.abs(got).max())
    assert_allclose(m.velocity, np.cross(m.omega, m.position), atol=1e-10)


# --------------------------------------------------------------------------------------- springs, frequencies, statics


def test_two_masses():
    """Centre of mass falls freely, relative swirl stays, the damper takes d L'^2; a 1D case in closed form."""
    g, t = np.array([0.0, 0.0, -9.81]), np.linspace(0.0, 2.0, 41)
    m1, m2 = 1.0, 2.5
    start = {"positions": ([0, 0, 0], [1.0, 0.2, -0.1]), "velocities": ([0.0, 1.0, 0.5], [0.3, -0.4, 0.0])}
    m = spring_mass.two_masses((m1, m2), 50.0, 0.4, 0.8, t, **start)
    centre = (m1 * m.r1 + m2 * m.r2) / (m1 + m2)
    v0 = (m1 * m.v1[0] + m2 * m.v2[0]) / (m1 + m2)
    assert_allclose(centre, centre[0] + np.outer(t, v0) + 0.5 * np.outer(t**2, g), atol=1e-10)

    def energy(s: Array) -> Array:
        n = spring_mass.two_masses((m1, m2), 50.0, 0.4, 0.8, s, **start)
        stretch = np.linalg.norm(n.r2 - n.r1, axis=1) - 0.8
        kinetic = 0.5 * m1 * np.sum(n.v1**2, axis=1) + 0.5 * m2 * np.sum(n.v2**2, axis=1)
        return kinetic + 25.0 * stretch**2 - m1 * n.r1 @ g - m2 * n.r2 @ g

    gap = m.r2 - m.r1
    speed = np.sum(gap * (m.v2 - m.v1), axis=1) / np.linalg.norm(gap, axis=1)
    assert_allclose(rate(energy, t[1:], 1e-3), -0.4 * speed[1:] ** 2, atol=1e-7)
    swirl = np.cross(m.r2 - m.r1, m.v2 - m.v1)
    assert_allclose(swirl, np.tile(swirl[0], (41, 1)), atol=1e-10)
    line = spring_mass.two_masses((m1, m2), 50.0, 0.0, 0.8, t, positions=([0, 0, 0], [0.9, 0, 0]), gravity=(0, 0, 0))
    w = np.sqrt(50.0 * (1 / m1 + 1 / m2))
    assert_allclose(line.tension, 50.0 * 0.1 * np.cos(w * t), atol=1e-9)
    assert np.all(line.v1[1, 0] > 0)  # stretched: mass 1 is pulled towards mass 2


@pytest.mark.parametrize(("ends", "first", "last"), [("fixed", 1, 1), ("fixed-free", 1, 0), ("free", 0, 0)])
def test_chain_frequencies(ends, first: int, last: int):
    n, mass, k = 6, 0.7, 40.0
    matrix = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    matrix[0, 0], matrix[-1, -1] = 1 + first, 1 + last
    want = np.sqrt(np.maximum(np.linalg.eigvalsh(matrix), 0) * k / mass)
    assert_allclose(spring_mass.chain_frequencies(n, mass, k, ends), want, atol=1e-6)


def test_suspended_block_closed_cases():
    """Hung on two vertical springs: bounce 2k/m, and sway and pitch coupled through the prestress."""
    mass, j, k, half, up, free, g = 3.0, 0.2, 900.0, 0.3, 0.1, 0.5, 9.81
    stretched = free + mass * g / (2 * k)
    points = [[-half, up], [half, up]]
    pose, w = spring_mass.suspended_block(mass, j, points, [[-half, up + stretched], [half, up + stretched]], k, free)
    assert_allclose(pose, 0.0, atol=1e-12)
    side = mass * g / stretched  # two tensions over their length
    stiff = np.array([[side, -side * up], [-side * up, side * up**2 + 2 * k * half**2 + mass * g * up]])
    others = np.linalg.eigvals(np.linalg.solve(np.diag([mass, j]), stiff)).real
    assert_allclose(np.sort(w**2), np.sort([2 * k / mass, *others]), rtol=1e-10)


def test_suspended_block_without_symmetry():
    """Pose and frequencies from the potential energy alone, minimised and differenced twice."""
    points = np.array([[-0.3, 0.1], [0.25, 0.15], [0.1, -0.2]])
    anchors = np.array([[-0.5, 0.7], [0.4, 0.9], [0.6, -0.5]])
    k, free = np.array([300.0, 450.0, 200.0]), np.array([0.45, 0.6, 0.5])

    def energy(q: Array) -> float:
        turn = np.array([[np.cos(q[2]), -np.sin(q[2])], [np.sin(q[2]), np.cos(q[2])]])
        lengths = np.linalg.norm(q[:2] + points @ turn.T - anchors, axis=1)
        return 0.5 * k @ (lengths - free) ** 2 + 3.0 * 9.81 * q[1]

    pose, w = spring_mass.suspended_block(3.0, 0.2, points, anchors, k, free)
    assert abs(pose[2]) > 0.02
    assert_allclose(minimize(energy, np.zeros(3), tol=1e-9).x, pose, atol=1e-5)
    steps = 1e-3 * np.eye(3)
    hessian = [
        [sum(s * r * energy(pose + s * a + r * b) for s in (-1, 1) for r in (-1, 1)) / 4e-6 for a in steps] for b in steps
    ]
    assert_allclose(w**2, eigh(hessian, np.diag([3.0, 3.0, 0.2]), eigvals_only=True), rtol=1e-4)


def test_suspended_block_pendulum_limit():
    """One very stiff spring: bounce goes to infinity, the other two are a double pendulum (string, then the block)."""
    mass, j, string, arm = 2.0, 0.05, 0.7, 0.2
    _, w = spring_mass.suspended_block(mass, j, [[0, arm]], [[0, arm + string]], 1e9, string)
    m = np.array([[mass * string**2, mass * string * arm], [mass * string * arm, mass * arm**2 + j]])
    k = mass * 9.81 * np.diag([string, arm])
    assert_allclose(w[:2] ** 2, np.sort(np.linalg.eigvals(np.linalg.solve(m, k)).real), rtol=1e-6)


def test_rod_on_spring():
    found = statics.rod_on_spring(1.0, 2.0, 60.0, 0.4, (0.3, 1.2))
    assert found and any(e.stable for e in found)
    for e in found:
        tip = np.array([np.cos(e.angle), np.sin(e.angle)])
        assert cross2(tip, e.spring_on_rod) - 0.5 * 2.0 * 9.81 * tip[0] == pytest.approx(0.0, abs=1e-10)
        assert_allclose(e.spring_on_rod + e.ground_on_rod, [0.0, 2.0 * 9.81])
        towards = np.array([0.3, 1.2]) - tip
        assert_allclose(e.spring_on_rod, e.tension * towards / np.linalg.norm(towards), atol=1e-12)
    assert [e.stable for e in found] == [not e.stable for e in found[1:]] + [not found[0].stable]  # they alternate
    slack = statics.rod_on_spring(1.0, 2.0, 0.0, 0.0, (3.0, 0.0))
    assert_allclose([e.angle for e in slack if e.stable], [-np.pi / 2])


@pytest.mark.parametrize(("n", "span", "rise"), [(2, 1.2, 0.0), (5, 3.0, 0.4), (12, 7.0, -2.0), (12, 11.5, 0.0)])
def test_hanging_chain(n: int, span: float, rise: float):
    chain = statics.hanging_chain(n, 1.0, 0.8, span, rise)
    assert_allclose(chain.joints[-1], [span, rise], atol=1e-10)
    assert_allclose(chain.angles, statics.hanging_chain_by_energy(n, 1.0, span, rise), atol=2e-6)
    ends = chain.forces[1:] - chain.forces[:-1]
    assert_allclose(ends, np.tile([0.0, 0.8 * 9.81], (n, 1)), atol=1e-11)
    moment = cross2(np.diff(chain.joints, axis=0), chain.forces[1:] + chain.forces[:-1])
    assert_allclose(moment, 0.0, atol=1e-9)


def test_hanging_chain_refuses_supports_too_far_apart():
    with pytest.raises(ValueError, match="too short"):
        statics.hanging_chain(4, 1.0, 1.0, 4.0, 0.5)


def test_long_hanging_chain_tends_to_the_catenary():
    """Sag of a cable of length 4 over a span of 3: a cosh(x/a) with 2 a sinh(1.5/a) = 4."""
    a = brentq(lambda a: 2 * a * np.sinh(1.5 / a) - 4, 0.3, 10)
    sag = a * (np.cosh(1.5 / a) - 1)
    errors = [-statics.hanging_chain(n, 4 / n, 1 / n, 3.0).joints[:, 1].min() - sag for n in (20, 40, 80)]
    assert np.abs(errors[-1]) < 1e-3
    assert_allclose(np.array(errors[:-1]) / errors[1:], 4.0, rtol=0.05)  # second order in the link length
