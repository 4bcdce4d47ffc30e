"""Cables against the elastica, beam theory and their own energy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from tests.elements.lines import ELASTICA, STEEL, cantilever, differenced, tangent_errors, tip_error

RUBBER = fm.Material(E=3e5, density=1000.0, damping=0.02)
SHAPES = {
    "straight": {"start": (0, 0, 0), "end": (1, 0.3, 0.2)},
    "curved": {"curve": lambda s: (np.sin(2 * s), 1 - np.cos(2 * s), 0.3 * s)},
}


def cable(shape: str = "straight", **options) -> fm.Cable:
    return fm.Cable("cable", **{"section": fm.Circle(0.05), "material": RUBBER, "elements": 3} | SHAPES[shape] | options)


def alone(body: fm.Cable, **options):
    model = fm.Model("alone", **options)
    model.add(body)
    return model


@pytest.mark.parametrize("load", [1, 10])
def test_elastica(load: int):
    """reference.json, inextensible: a section of L/1000 stretches by 1e-6; 8 elements."""
    force = load * STEEL.E * 0.001**4 / 12.0
    found = cantilever(fm.Cable, 8, height=0.001, width=0.001, length=1.0, force=force)
    row = ELASTICA[str(load)]
    assert_allclose(found, (-row["u_over_L"], row["w_over_L"]), rtol=0, atol=5e-5)


@pytest.mark.parametrize("height", [0.1, 0.01])
def test_order_of_convergence(height: float):
    """Order 4 whatever the slenderness; Exudyn's ANCFCable: 3.9e-5 with 8 and 9e-7 with 16 elements of 0.1 x 0.1."""
    errors = [tip_error(fm.Cable, n, height) for n in (4, 8, 16)]
    assert errors[1] < 1.1e-5 and errors[2] < 7e-7
    assert np.log2(errors[0] / errors[1]) > 3.8 and np.log2(errors[1] / errors[2]) > 3.8


@pytest.mark.parametrize("shape", SHAPES)
def test_force_and_tangents(shape: str):
    """Force = gradient of the energy, tangents = gradients of the force, dissipation = power of the damping force."""
    rng = np.random.default_rng(1)
    system = alone(cable(shape)).system()
    q = system.initial_position + 0.05 * rng.standard_normal(system.size)
    v, still = rng.standard_normal(system.size), np.zeros(system.size)
    force = system.force(0.0, q, still)
    gradient = differenced(lambda x: np.array([system.element_energy(0.0, x, still).stored]), q)[0]
    assert_allclose(gradient, force, rtol=0, atol=1e-7 * np.abs(force).max())
    assert max(tangent_errors(system, q, v, np.empty(0))) < 1e-6
    power = (system.force(0.0, q, v) - force) @ v
    assert_allclose(system.element_energy(0.0, q, v).dissipated, power, rtol=1e-10)
    assert power > 0.0


@pytest.mark.parametrize("shape", SHAPES)
def test_rigid_motion_is_free(shape: str):
    """No force in the drawn shape, in any rigid position of it, nor from any rigid velocity."""
    body = cable(shape)
    system = alone(body).system()
    scale = np.abs(system.force(0.0, 1.01 * system.initial_position, np.zeros(system.size))).max()
    for turn in ([0, 0, 0], [0.3, -1.2, 2.5], [0, 0, 3.1]):
        vectors = Rotation.from_rotvec(turn).apply(system.initial_position.reshape(-1, 3))
        moving = np.cross((1.5, -0.7, 0.9), vectors)
        vectors[::2] += (30.0, -4.0, 7.0)
        moving[::2] += (0.2, 0.1, -3.0)
        assert np.abs(system.force(0.0, vectors.ravel(), moving.ravel())).max() < 1e-11 * scale
        assert abs(system.element_energy(0.0, vectors.ravel(), moving.ravel()).stored) < 1e-14 * scale


def test_falls_without_rotating():
    """Gravity and inertia come from the same shape functions."""
    body = cable("curved")
    model = alone(body, gravity=(0, 0, -9.81))
    sol = model.simulate(0.1, step=1e-2)
    fall = sol.position(body.at(0.37)) - body.at(0.37).position
    assert_allclose(fall[-1], (0, 0, -0.5 * 9.81 * 0.01), rtol=0, atol=1e-12)
    assert_allclose(sol.q[-1].reshape(-1, 2, 3)[:, 1], sol.q[0].reshape(-1, 2, 3)[:, 1], rtol=0, atol=1e-11)


def test_inertia_of_a_rigid_rod():
    """T = 1/2 m v^2 + 1/2 m (L^2/12 + r^2/4) w^2 of a cylinder that does not roll."""
    body = fm.Cable(
        "rod", section=fm.Circle(0.05), material=STEEL, elements=3, start=(-1, 0, 0), end=(1, 0, 0), velocity=(3.0, 0, 1.0),
        spin=(7.0, 0, 2.0),
    )  # fmt: skip
    system, mass = alone(body).system(), STEEL.density * np.pi * 0.05**2 * 2.0
    expected = 0.5 * mass * 10.0 + 0.5 * mass * (4.0 / 12.0 + 0.05**2 / 4.0) * 4.0
    assert_allclose(system.kinetic_energy(system.initial_velocity), expected, rtol=1e-13)


def test_frequencies_of_a_cantilever():
    """Euler-Bernoulli, both planes: omega = (beta/L)^2 sqrt(EI/(rho A)); damping ratio tau omega/2."""
    model = fm.Model("reed")
    steel = fm.Material(E=2.07e11, density=7850.0, damping=1e-5)
    section = fm.Circle(0.004)
    body = model.add(fm.Cable("reed", section=section, material=steel, elements=12, start=(0, 0, 0), end=(0, 0, 1)))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), body.start))
    found = model.modes(6)
    beta = np.repeat([1.8751040687, 4.6940911330, 7.8547574382], 2)
    omega = beta**2 * np.sqrt(steel.E * section.Iz / (steel.density * section.area))
    assert_allclose(found.omega, omega, rtol=1e-3)
    assert_allclose(found.damping, 0.5e-5 * found.omega, rtol=1e-6)


def test_damped_swing_in_space():
    """A bent, damped cable under a load that leaves every plane: energy is accounted for."""
    model = fm.Model("whip", gravity=(0, 0, -9.81))
    rope = fm.Material(E=1e7, density=1000.0, damping=1e-3)
    body = model.add(fm.Cable("rope", section=fm.Circle(0.01), material=rope, elements=6, start=(0, 0, 0), end=(1, 0, 0)))
    model.add(fm.Spherical(model.ground.at(0, 0, 0), body.start))
    model.add(fm.PointForce(body.at(0.6), lambda t: (0.0, 0.5 * np.sin(7.0 * t), 0.0)))
    energy = model.simulate(0.5, step=1e-3, integrator=fm.GeneralizedAlpha(rho_inf=1.0)).energy
    assert energy.dissipated[-1] > 1e-4
    assert np.abs(energy.balance).max() < 1e-3 * np.ptp(energy.potential)


def test_clamp_reaction():
    """Fixed holds the tangent; its moment balances the load."""
    model = fm.Model("clamp")
    body = model.add(fm.Cable("reed", section=fm.Circle(0.02), material=STEEL, elements=4, start=(0, 0, 0), end=(1, 0, 0)))
    hub = model.add(fm.RigidBody("hub", mass=1.0, inertia=(1, 1, 1), com=(0, 0, 0)))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), hub.com))
    clamp = model.add(fm.Fixed(hub.at(0, 0, 0), body.start))
    assert len(clamp.equations()) == 5
    model.add(fm.PointForce(body.end, (0.0, 100.0, -50.0)))
    sol = model.equilibrium()
    reaction, tip = sol.reaction(clamp), sol.position(body.end)[-1]
    assert_allclose(reaction.force[-1], (0, -100.0, 50.0), rtol=0, atol=1e-6)
    assert_allclose(reaction.moment[-1], -np.cross(tip, (0.0, 100.0, -50.0)), rtol=0, atol=1e-6)


def test_markers():
    body = cable("curved", elements=5)
    system = alone(body).system()
    for marker, s in ((body.start, 0.0), (body.end, 1.0), (body.node(2), 0.4), (body.at(0.33), 0.33)):
        assert marker.s == pytest.approx(s)
        assert_allclose(marker.position, SHAPES["curved"]["curve"](s), rtol=0, atol=2e-3)  # s is the share of the length
        tangent = marker.direction(marker.axis)
        blocks = system.initial_position[np.array(tangent.blocks)[:, None] + np.arange(3)]
        assert_allclose(tangent.coefficients @ blocks, marker.axis, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"section": fm.Rectangle(0.1, 0.2)}, "does not know its roll"),
        ({"elements": 0}, "elements"),
        ({"section": "round"}, "not a section"),
        ({"material": 2e11}, "not a material"),
        ({"end": (0, 0, 0)}, "coincide"),
        ({"end": (1, 0)}, "end"),
        ({"end": None}, "end="),
        ({"spin": 3.0}, "spin"),
        ({"rayleigh": (-1.0, 0.0)}, "rayleigh"),
    ],
)
def test_bad_input(options: dict, words: str):
    with pytest.raises(fm.ModelError, match=words):
        cable(**options)


def test_no_twist():
    """What needs a frame is refused and says why."""
    model = fm.Model("refused")
    one, two = cable(), cable()
    model.add(one)
    with pytest.raises(fm.ModelError, match="no twist"):
        fm.Revolute(model.ground.at(0, 0, 0), one.start, axis=(0, 0, 1))
    with pytest.raises(fm.ModelError, match="two cables"):
        fm.Fixed(one.end, two.end)
    with pytest.raises(fm.ModelError, match="no twist"):
        fm.Torque(one.end, (0, 0, 1))
    with pytest.raises(fm.ModelError, match=r"outside \[0, 1\]"):
        one.at(1.2)
    with pytest.raises(fm.ModelError, match="node 4"):
        one.node(4)
