"""A, B, C and D against closed forms and differences; spinning rotors against theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.core.equations import Equation, along
from fmbs.core.state import State
from fmbs.solvers.linear import linear_solver
from fmbs.solvers.linearised import small_motions
from fmbs.solvers.saddle import accelerations
from fmbs.solvers.start import consistent_start, project_position, project_velocity

RUBBER = fm.Material(E=1e8, nu=0.3, density=1000.0, damping=1e-3)


def test_pendulum():
    """J phi'' = -m g l phi + u, J = 0.3 + 2; the centre is 1 m below the pin."""
    m = fm.Model("pendulum", gravity=(0, -9.81))
    arm = m.add(fm.PlanarBody("arm", mass=2.0, inertia=0.3, com=(0, -1)))
    m.add(fm.Revolute(m.ground.at(0, 0), arm.at(0, 0)))
    u = fm.Input("torque")
    m.add(fm.Torque(arm.com, u))
    outputs = {"angle": lambda sol: sol.angle(arm), "acceleration": lambda sol: sol.acceleration(arm.com)}
    linear = m.linearise(inputs=[u], outputs=outputs)
    per_radian = linear.C[0, 0]  # rad of one unit of x
    assert_allclose(linear.A, [[0.0, 1.0], [-2.0 * 9.81 / 2.3, 0.0]], atol=1e-9)
    assert_allclose(linear.B[1] * per_radian, 1.0 / 2.3, rtol=1e-9)
    assert_allclose(linear.C[1], [-2.0 * 9.81 / 2.3 * per_radian, 0.0], rtol=1e-8, atol=1e-9)
    assert_allclose(linear.D[:, 0], [0.0, 1.0 / 2.3, 0.0], atol=1e-9)
    assert linear.inputs == ("torque",) and linear.outputs == ("angle", "acceleration[0]", "acceleration[1]")
    system = linear.to_scipy()
    assert_allclose(np.abs(np.linalg.eigvals(system.A)), np.sqrt(2.0 * 9.81 / 2.3))


def moving() -> tuple[fm.Model, Any]:
    """A slider-crank with a flexible rod and an oiled pin, moved by a motor; something of all that has a tangent."""
    m = fm.Model("crank", gravity=(0, -9.81))
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-4, com=(0.025, 0)))
    rod = m.add(
        fm.PlanarBeam("rod", start=(0.05, 0), end=(0.17, 0), section=fm.Rectangle(0.01, 0.01), material=RUBBER, elements=2)
    )
    slider = m.add(fm.PlanarBody("slider", mass=0.14, inertia=1e-4, com=(0.17, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0)))
    m.add(fm.Revolute(crank.at(0.05, 0), rod.start))
    m.add(fm.Prismatic(m.ground.at(0, 0), slider.com, axis=(1, 0)))
    film = fm.film.ShortBearing(0.4)
    m.add(fm.ClearanceRevolute(rod.end, slider.com, bearing_radius=0.01, clearance=1e-4, length=0.02, film=film, name="pin"))
    m.add(fm.SpringDamper(m.ground.at(0, 0.3), slider.com, stiffness=100.0, damping=3.0))
    m.add(fm.RotationDrive(m.ground.at(0, 0), crank.at(0, 0), angle=lambda t: 20.0 * t + 30.0 * t * t))
    return m, slider


def test_moving_state_against_differences():
    """Accelerations of the nonlinear equations at states a little aside, put back onto the constraints."""
    m, slider = moving()
    run = m.simulate(0.02, step=1e-4)
    system = m.system()
    linear = linear_solver("auto", system.size + system.multipliers)
    base = consistent_start(system, linear).state
    q = project_position(system, linear, 0.02, run.q[-1])
    v = project_velocity(system, linear, 0.02, q, run.v[-1])
    history = run.history[-1]

    def nonlinear(q: Any, v: Any) -> tuple[Any, Any, Any, Any]:
        q = project_position(system, linear, 0.02, q)
        v = project_velocity(system, linear, 0.02, q, v)
        system.contacts.begin(0.02, q, v, history)
        a, lam = accelerations(system, linear, 0.02, q, v)
        return q, v, a, lam

    _, _, a, lam = nonlinear(q, v)
    small = small_motions(system, State(0.02, q, v, a, lam, a, history=history))
    d, step = small.basis.shape[1], 1e-9
    assert base.q.size == system.size and d == 18 - 7
    for k in range(2 * d):
        sides = [nonlinear(q + s * small.position[:, k], v + s * small.velocity[:, k]) for s in (-step, step)]
        dq, dv, da, dlam = ((right - left) / (2.0 * step) for left, right in zip(*sides, strict=True))
        for known, found in ((small.position, dq), (small.velocity, dv), (small.acceleration, da), (small.multipliers, dlam)):
            assert_allclose(known[:, k], found, rtol=0.0, atol=1e-6 * max(1.0, np.abs(known).max()))
        assert_allclose(small.A[d:, k], small.basis.T @ da, rtol=0.0, atol=1e-6 * np.abs(small.A).max())
    public = m.linearise(at=run, outputs=[lambda sol: sol.position(slider.com)[:, 0]])
    assert_allclose(np.sort(np.abs(public.eigenvalues)), np.sort(np.abs(np.linalg.eigvals(small.A))), rtol=1e-5)


def test_an_equilibrium_has_the_frequencies_of_modes():
    m = fm.Model("hanging", gravity=(0, -9.81))
    rubber = fm.Material(E=1e8, nu=0.3, density=1000.0)
    strip = m.add(
        fm.PlanarBeam("strip", start=(0, 0), end=(1, 0), section=fm.Rectangle(0.02, 0.02), material=rubber, elements=2)
    )
    m.add(fm.Fixed(m.ground.at(0, 0), strip.start))
    rest = m.equilibrium()
    linear, modes = m.linearise(at=rest), m.modes(4, at=rest)
    assert_allclose(linear.modes(4).frequencies, modes.frequencies, rtol=1e-6)
    assert np.abs(linear.modes(4).damping).max() < 1e-6


def test_journal_on_its_film():
    """Eight coefficients of the film at the place where it carries the weight."""
    spin, mass = 100.0, 40.0
    film = fm.film.ShortBearing(0.05)
    known = fm.film.coefficients(film, load=(0.0, -9.81 * mass), spin=spin, radius=0.03, length=0.02, clearance=1e-4)
    m = fm.Model("journal", gravity=(0, -9.81))
    journal = m.add(fm.PlanarBody("journal", mass=mass, inertia=0.018, com=(0, 0), spin=spin))
    size = {"bearing_radius": 0.0301, "clearance": 1e-4, "length": 0.02}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), journal.com, film=film, **size))
    steady = m.steady()
    assert_allclose(steady.position(journal.com)[0], known.eccentricity, rtol=1e-6)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-known.stiffness / mass, -known.damping / mass]])
    found = m.linearise(at=steady).eigenvalues
    found = found[np.abs(found) > 1e-3]  # without the angle
    assert_allclose(np.sort_complex(found), np.sort_complex(np.linalg.eigvals(A)), rtol=1e-6)
    sol = m.simulate(0.02, step=2e-4, start=steady)
    assert np.abs(sol.position(journal.com) - steady.position(journal.com)).max() < 1e-10


def gyroscope(speed: float) -> fm.Model:
    """A disc that spins about x on springs at two points of its axis."""
    m = fm.Model("gyroscope")
    disc = m.add(
        fm.RigidBody("disc", mass=5.0, inertia=(0.08, 0.05, 0.05), com=(0, 0, 0), spin=(speed, 0, 0), velocity=(0, 0, 0))
    )
    for x in (-0.2, 0.2):
        for y, z in ((1.0, 0.0), (0.0, 1.0)):
            m.add(fm.SpringDamper(m.ground.at(x, y, z), disc.at(x, 0, 0), stiffness=1e4, length=1.0))
    return m


@pytest.mark.parametrize("speed", [50.0, 400.0])
def test_gyroscopic_splitting(speed: float):
    """J_t w^2 - J_p speed w - k_t = 0 of the tilting modes, forward and backward; the bounce stays at sqrt(2 k/m)."""
    k_t, j_t, j_p = 2e4 * 0.2**2, 0.05, 0.08
    w = np.roots([j_t, -j_p * speed, -k_t])
    expected = sorted([*np.abs(w), np.sqrt(2e4 / 5.0), np.sqrt(2e4 / 5.0)])
    m = gyroscope(speed)
    for shift in (0.0, 0.013):  # whatever the angle of the disc
        linear = m.linearise(at=m.simulate(shift, step=5e-4)) if shift else m.linearise(at=m.steady())
        found = 2.0 * np.pi * linear.modes().frequencies
        assert_allclose(found[found > 1e-2 * w.max()], expected, rtol=2e-4 if shift else 1e-6)


@dataclass(frozen=True, eq=False)
class Axial(fm.Joint):
    """The marker of b stays in the plane across x through that of a."""

    planar_kind = False

    def equations(self) -> list[Equation]:
        return [along("axial", self.a.direction(np.array([1.0, 0.0, 0.0])), self.a, self.b)]


LENGTH, THICK, MASS = 0.6, 0.025, 12.0  # of the shaft, m, and of the disc, kg
FILM, SIZE = fm.film.ShortBearing(0.02), {"clearance": 6e-5, "length": 0.012}


def rotor(speed: float) -> fm.Model:
    """A light shaft with a disc in its middle on two short films."""
    m = fm.Model("rotor", gravity=(0, 0, -9.81))
    steel = fm.Material(E=2.1e11, nu=0.3, density=100.0)
    shaft = m.add(
        fm.Beam("shaft", start=(0, 0, 0), end=(LENGTH, 0, 0), section=fm.Circle(THICK / 2), material=steel, elements=2)
    )
    disc = m.add(fm.RigidBody("disc", mass=MASS, inertia=(0.06, 0.03, 0.03), com=(LENGTH / 2, 0, 0)))
    m.add(fm.Fixed(shaft.at(0.5), disc.com, name="hub"))
    for end, x in ((shaft.start, 0.0), (shaft.end, LENGTH)):
        m.add(fm.ClearanceCylindrical(m.ground.at(x, 0, 0), end, axis=(1, 0, 0), bearing_radius=0.01506, film=FILM, **SIZE))
    m.add(Axial(m.ground.at(0, 0, 0), shaft.start))
    m.add(fm.RotationDrive(m.ground.at(0, 0, 0), shaft.start, axis=(1, 0, 0), speed=speed))
    return m


def shaft_stiffness() -> float:
    """Of a beam on two supports with the load in its middle, with shear, N/m."""
    area, inertia = np.pi * THICK**2 / 4.0, np.pi * THICK**4 / 64.0
    shear = 0.886 * 2.1e11 / 2.6 * area
    return float(1.0 / (LENGTH**3 / (48.0 * 2.1e11 * inertia) + LENGTH / (4.0 * shear)))


def whirl_threshold() -> float:
    """Lund's threshold of a disc on a massless shaft of stiffness k_s: m w^2 = K k_s/(K + k_s), rad/s.

    K = (k_xx c_yy + k_yy c_xx - k_xy c_yx - k_yx c_xy)/(c_xx + c_yy), w^2 = ((K - k_xx)(K - k_yy) - k_xy k_yx)/det c
    """
    k_s = shaft_stiffness()

    def excess(speed: float) -> float:
        size = {"radius": 0.015, "length": 0.012, "clearance": 6e-5}
        known = fm.film.coefficients(FILM, load=(0.0, -9.81 * MASS / 2.0), spin=speed, **size)
        k, c = 2.0 * known.stiffness, 2.0 * known.damping
        K = (k[0, 0] * c[1, 1] + k[1, 1] * c[0, 0] - k[0, 1] * c[1, 0] - k[1, 0] * c[0, 1]) / (c[0, 0] + c[1, 1])
        w2 = ((K - k[0, 0]) * (K - k[1, 1]) - k[0, 1] * k[1, 0]) / np.linalg.det(c)
        return float(MASS * w2 - K * k_s / (K + k_s))

    low, high = 200.0, 1000.0
    while high - low > 1e-3:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) < 0.0 else (low, middle)
    return low


def test_whirl_of_a_flexible_rotor_on_films():
    expected = whirl_threshold()
    found = fm.studies.stability_threshold(rotor, 0.98 * expected, 1.02 * expected, tolerance=1e-3)
    assert_allclose(found, expected, rtol=0.01)
    with pytest.raises(fm.ModelError, match=r"is stable still at fast = .* widen the range"):
        fm.studies.stability_threshold(rotor, 0.5 * expected, 0.9 * expected)


@pytest.mark.slow
def test_whirl_in_time_agrees_with_the_threshold():
    """Across its axis: the disc on the stiffness of the shaft, a light journal in two films. Growth rates of small whirls below
    and above change their sign where Lund's formula says.
    """
    expected, rates = whirl_threshold(), []
    stiffness = shaft_stiffness()
    for share in (0.97, 1.03):
        m = fm.Model("whirl", gravity=(0, -9.81))
        journal = m.add(fm.PlanarBody("journal", mass=0.05, inertia=1e-3, com=(0, 0), spin=share * expected))
        disc = m.add(fm.PlanarBody("disc", mass=MASS, inertia=0.06, com=(0, 0), spin=share * expected))
        m.add(fm.Bushing(journal.com, disc.com, stiffness=(stiffness, stiffness, 1e3), damping=(0.0, 0.0, 0.0)))
        for _ in range(2):
            m.add(fm.ClearanceRevolute(m.ground.at(0, 0), journal.com, bearing_radius=0.01506, film=FILM, **SIZE))
        steady = m.steady()
        m.add(fm.PointForce(disc.com, lambda t: (0.0, 0.5 * np.sin(np.pi * t / 5e-3) ** 2 if t < 5e-3 else 0.0)))
        sol = m.simulate(1.0, step=1e-4, output_step=2e-4, start=steady)
        x = np.abs(sol.position(disc.com)[:, 0] - steady.position(disc.com)[0, 0])
        high = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] > x[2:]) & (sol.t[1:-1] > 0.3)) + 1
        rates.append(np.polyfit(sol.t[high], np.log(x[high]), 1)[0])
    assert rates[0] < 0.0 < rates[1]
    found = 0.97 - 0.06 * rates[0] / (rates[1] - rates[0])
    assert_allclose(found, 1.0, atol=0.01)


def test_campbell_diagram_of_the_gyroscope():
    speeds = np.linspace(10.0, 300.0, 6)
    found = fm.studies.campbell(gyroscope, speeds, modes=4)
    w = np.array([np.sort(np.abs(np.roots([0.05, -0.08 * s, -800.0]))) for s in speeds])
    bounce = np.full((6, 2), np.sqrt(2e4 / 5.0))
    assert_allclose(2.0 * np.pi * found.frequencies, np.sort(np.hstack([w, bounce]), axis=1), rtol=1e-5)
    assert np.isnan(found.threshold)
    backward = np.sqrt(800.0 / (0.05 + 0.08))  # w = speed: J_t w^2 + J_p w^2 = k_t
    assert any(abs(critical - backward) < 5.0 for critical in found.critical)
    assert len(found.figure().axes) == 2


def test_bad_input():
    m = fm.Model("arm")
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.1, com=(0, 0), velocity=(1.0, 0.0)))
    cases = [
        ({"inputs": [3.0]}, r"inputs: 3.0 is no input; make one, u = fm.Input\('torque'\)"),
        ({"outputs": ["x"]}, "outputs: y0 = 'x' is no function of a solution"),
        ({"outputs": [lambda sol: 1.0]}, "the output 'y0' gave an array of shape"),
        ({"t": 1.0}, "t = 1.0 is a time of a solution; give that too"),
        ({"at": 1.0}, "start = 1.0 is not a solution"),
    ]
    for options, words in cases:
        with pytest.raises(fm.ModelError, match=words):
            m.linearise(**options)
    with pytest.raises(fm.ModelError, match="'arm' moves at 1 m/s, and in a steady spin points rest"):
        m.steady()
    assert arm.given == (True, False)
