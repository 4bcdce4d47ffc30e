"""Planar beams against their spatial twins, the elastica and planar bodies."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.elements.lines import ELASTICA, STEEL, cantilever, differenced, tangent_errors, tip_error

RUBBER = fm.Material(E=3e5, density=1000.0, damping=0.02)
SHAPES = {
    "straight": {"start": (0, 0), "end": (1, 0.3)},
    "curved": {"curve": lambda s: (np.sin(2 * s), 1 - np.cos(2 * s))},
}


def beam(shape: str = "straight", name: str = "beam", **options) -> fm.PlanarBeam:
    return fm.PlanarBeam(
        name, **{"section": fm.Rectangle(0.1, 0.2), "material": RUBBER, "elements": 3} | SHAPES[shape] | options
    )


def alone(body: fm.PlanarBeam, **options):
    model = fm.Model("alone", **options)
    model.add(body)
    return model


@pytest.mark.parametrize("load", [1, 10])
def test_elastica(load: int):
    """reference.json, inextensible: a section of L/1000 stretches by 1e-6; 8 elements."""
    force = load * STEEL.E * 0.001**4 / 12.0
    found = cantilever(fm.PlanarBeam, 8, height=0.001, width=0.001, length=1.0, force=force)
    row = ELASTICA[str(load)]
    assert_allclose(found, (-row["u_over_L"], row["w_over_L"]), rtol=0, atol=5e-5)


def test_order_of_convergence():
    errors = [tip_error(fm.PlanarBeam, n) for n in (4, 8, 16)]
    assert errors[1] < 1.1e-5 and errors[2] < 7e-7
    assert np.log2(errors[0] / errors[1]) > 3.8 and np.log2(errors[1] / errors[2]) > 3.8


def test_equals_the_cable():
    options = {"height": 0.1, "width": 0.1, "length": 2.0, "force": 1.3e6}
    assert_allclose(
        cantilever(fm.PlanarBeam, 5, **options), cantilever(fm.Cable, 5, **options), rtol=0, atol=1e-10
    )  # Newton's last increment


def test_roll_up():
    """M = 2 pi EI/L bends a cantilever into a full circle: the tip returns to the clamp (16 elements)."""
    model, moment = fm.Model("roll-up"), 2.0 * np.pi * STEEL.E * 0.01**4 / 12.0
    body = model.add(beam(section=fm.Rectangle(0.01, 0.01), material=STEEL, elements=16, start=(0, 0), end=(1, 0)))
    clamp = model.add(fm.Fixed(model.ground.at(0, 0), body.start))
    model.add(fm.Torque(body.end, moment))
    sol = model.equilibrium(load_steps=8)
    assert_allclose(sol.position(body.end)[-1], (0, 0), rtol=0, atol=2e-4)
    assert_allclose(sol.position(body.at(0.5))[-1], (0, 1.0 / np.pi), rtol=0, atol=2e-4)
    assert_allclose(sol.reaction(clamp).moment[-1], -moment, rtol=1e-9)
    assert_allclose(sol.rotation(body.at(0.25))[-1][:2, 0], (0, 1), rtol=0, atol=1e-3)


@pytest.mark.parametrize("shape", SHAPES)
def test_force_and_tangents(shape: str):
    """Force = gradient of the energy, tangents = gradients of the force, dissipation = power of the damping force."""
    rng = np.random.default_rng(1)
    system = alone(beam(shape)).system()
    q = system.initial_position + 0.05 * rng.standard_normal(system.size)
    v, still = rng.standard_normal(system.size), np.zeros(system.size)
    force = system.force(0.0, q, still)
    gradient = differenced(lambda x: np.array([system.element_energy(0.0, x, still).stored]), q)[0]
    assert_allclose(gradient, force, rtol=0, atol=1e-7 * np.abs(force).max())
    assert max(tangent_errors(system, q, v, np.empty(0))) < 1e-6
    power = (system.force(0.0, q, v) - force) @ v
    assert_allclose(system.element_energy(0.0, q, v).dissipated, power, rtol=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("angle", [0.0, 0.7, 3.1])
def test_rigid_motion_is_free(shape: str, angle: float):
    system = alone(beam(shape)).system()
    scale = np.abs(system.force(0.0, 1.01 * system.initial_position, np.zeros(system.size))).max()
    cos, sin = np.cos(angle), np.sin(angle)
    vectors = system.initial_position.reshape(-1, 2) @ np.array([[cos, sin], [-sin, cos]])
    moving = 1.7 * vectors @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    vectors[::2] += (30.0, -4.0)
    assert np.abs(system.force(0.0, vectors.ravel(), moving.ravel())).max() < 1e-11 * scale


def test_falls_without_rotating():
    body = beam("curved")
    sol = alone(body, gravity=(0, -9.81)).simulate(0.1, step=1e-2)
    assert sol.position(body.end).shape == (11, 2)
    assert_allclose(sol.position(body.at(0.37))[-1] - body.at(0.37).position[:2], (0, -0.5 * 9.81 * 0.01), rtol=0, atol=1e-12)
    assert_allclose(sol.spin(body.at(0.6)), 0.0, rtol=0, atol=1e-10)


def test_frequencies_of_a_cantilever():
    """Euler-Bernoulli; the section's y lies in the plane."""
    model = fm.Model("reed")
    section = fm.Rectangle(0.004, 0.05)
    body = model.add(beam(section=section, material=STEEL, elements=12, start=(0, 0), end=(0, 1)))
    model.add(fm.Fixed(model.ground.at(0, 0), body.start))
    beta = np.array([1.8751040687, 4.6940911330, 7.8547574382])
    omega = beta**2 * np.sqrt(STEEL.E * 0.004**2 / 12.0 / STEEL.density)
    assert_allclose(model.modes(3).omega, omega, rtol=1e-3)


def test_pendulum_keeps_its_energy():
    """Falling from the horizontal over more than half a swing, with a sag of a fifth of its length."""
    model = fm.Model("pendulum", gravity=(0, -9.81))
    soft = fm.Material(E=2e6, density=1000.0)
    body = model.add(beam(section=fm.Rectangle(0.04, 0.04), material=soft, elements=6, start=(0, 0), end=(1, 0)))
    model.add(fm.Revolute(model.ground.at(0, 0), body.start))
    sol = model.simulate(1.0, step=1e-3, integrator=fm.GeneralizedAlpha(rho_inf=1.0))
    assert sol.position(body.end)[:, 0].min() < -0.9
    assert sol.energy.elastic.max() > 1e-3 * np.ptp(sol.energy.potential)
    assert np.abs(sol.energy.balance).max() < 1e-4 * np.ptp(sol.energy.potential)


def test_stiff_pendulum_is_a_rigid_one():
    """The same swing as a planar body with m L^2/12 + m h^2/12."""
    model, twin = fm.Model("beam", gravity=(0, -9.81)), fm.Model("body", gravity=(0, -9.81))
    stiff = fm.Material(E=2e11, density=1000.0)
    body = model.add(beam(section=fm.Rectangle(0.2, 0.1), material=stiff, elements=2, start=(0, 0), end=(1, 0)))
    rigid = twin.add(fm.PlanarBody("body", mass=20.0, inertia=20.0 * (1.0 + 0.04) / 12.0, com=(0.5, 0)))
    model.add(fm.Revolute(model.ground.at(0, 0), body.start))
    twin.add(fm.Revolute(twin.ground.at(0, 0), rigid.at(0, 0)))
    sol, other = (m.simulate(0.5, step=1e-3) for m in (model, twin))
    assert_allclose(sol.position(body.end), other.position(rigid.at(1, 0)), rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"elements": 1.5}, "elements"),
        ({"section": None}, "not a section"),
        ({"material": "steel"}, "not a material"),
        ({"end": (0, 0)}, "coincide"),
        ({"end": (1, 0, 0)}, "end"),
        ({"start": None, "end": None, "curve": [(0, 0, 0), (1, 0, 0)]}, "points"),
        ({"curve": lambda s: (s, 0)}, "both curve"),
        ({"spin": (0, 0, 1)}, "spin"),
        ({"about": (0, 0, 0)}, "about"),
    ],
)
def test_bad_input(options: dict, words: str):
    with pytest.raises(fm.ModelError, match=words):
        beam(**options)


def test_no_mixing_with_spatial_bodies():
    with pytest.raises(fm.ModelError, match="mix"):
        fm.Fixed(beam().end, fm.RigidBody("body", mass=1.0, inertia=(1, 1, 1), com=(1, 0.3, 0)).com)
