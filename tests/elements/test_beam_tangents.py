"""Exact tangents of beams, damping included, against the package's own and this file's differences of the residual."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.assembly.system import Coefficients
from tests.elements.beam_cases import BAR, KINDS, SHAPES, alone, beam

Array = np.ndarray
RUBBER = fm.Material(E=1e3, nu=0.3, density=1000.0)  # stiffness of the size of masses and of velocities
VISCOUS = fm.Material(E=1e3, nu=0.3, density=1000.0, damping=0.4)
SECTIONS = {
    "rectangle": BAR,
    "pipe": fm.Pipe(0.08, 0.05),
    "circle": fm.Circle(0.07),
    "general": fm.GeneralSection(A=0.02, I_y=4e-5, I_z=1e-5, Jt=2e-5, k_y=0.8, k_z=0.7),
}


@pytest.mark.parametrize("material", [RUBBER, VISCOUS], ids=["elastic", "Kelvin-Voigt"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_tangent(kind: tuple[str, str], shape: str, material: fm.Material):
    """At a random, strongly strained place with random velocities: 1e-6 of the largest entry."""
    check(beam(kind, shape, elements=2, material=material))


@pytest.mark.parametrize("section", SECTIONS)
def test_tangent_of_sections(section: str):
    for formulation in ("structural",) if section == "general" else ("structural", "enhanced", "continuum"):
        check(beam(("quadratic", formulation), elements=1, material=VISCOUS, section=SECTIONS[section]))


@pytest.mark.parametrize("formulation", ["enhanced", "continuum", "structural"])
def test_beams_of_different_sections_in_one_model(formulation: str):
    """They are one batch although a circle is integrated over more points: each has the force it has alone."""
    kind = ("hermite", formulation)
    model, forces = fm.Model("two"), []
    for shape, section in (("straight", BAR), ("curved", SECTIONS["circle"])):
        own, _ = alone(beam(kind, shape, section=section, material=VISCOUS, name=f"{shape} beam"))
        model.add(beam(kind, shape, section=section, material=VISCOUS, name=f"{shape} beam"))
        q, v = _anywhere(own.system())
        forces.append((q, v, own.system().force(0.0, q, v)))
    q, v, force = (np.concatenate(arrays) for arrays in zip(*forces, strict=True))
    assert_allclose(model.system().force(0.0, q, v), force, rtol=0, atol=1e-13 * np.abs(force).max())


def _anywhere(system) -> tuple[Array, Array]:
    rng = np.random.default_rng(6)
    return system.initial_position + 0.1 * rng.standard_normal(system.size), rng.standard_normal(system.size)


def check(part: fm.Beam) -> None:
    model, part = alone(part)
    system = model.system()
    q, v = _anywhere(system)
    for c in (
        Coefficients(stiffness=1.0),
        Coefficients(damping=1.0),
        Coefficients(*np.random.default_rng(7).uniform(0.5, 2.0, 4)),
    ):
        exact = system.jacobian(0.0, q, v, np.zeros(0), c).toarray()
        own = c.mass * system.mass_matrix.toarray()
        own += c.stiffness * _differences(lambda x: system.force(0.0, x, v), q)
        own += c.damping * _differences(lambda x: system.force(0.0, q, x), v)
        allowed = 1e-6 * max(np.abs(exact).max(), 1e-12)
        assert_allclose(exact, own, rtol=0, atol=allowed)
        assert_allclose(exact, system.jacobian(0.0, q, v, np.zeros(0), c, "numerical").toarray(), rtol=0, atol=allowed)


def _differences(function, x: Array, h: float = 1e-4) -> Array:
    """Fourth order."""
    derivative = np.empty((x.size, x.size))
    for i, e in enumerate(np.eye(x.size)):
        near, far = (function(x + k * h * e) - function(x - k * h * e) for k in (1.0, 2.0))
        derivative[:, i] = (8.0 * near - far) / (12.0 * h)
    return derivative


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_undamped_tangent_is_symmetric(kind: tuple[str, str]):
    """It is the second derivative of an energy."""
    model, _ = alone(beam(kind, "twisted", material=RUBBER))
    system = model.system()
    q = system.initial_position + 0.05 * np.random.default_rng(7).standard_normal(system.size)
    matrix = system.jacobian(0.0, q, 0.0 * q, np.zeros(0), Coefficients(stiffness=1.0)).toarray()
    assert_allclose(matrix, matrix.T, rtol=0, atol=1e-12 * np.abs(matrix).max())


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_damping_dissipates(kind: tuple[str, str]):
    """Power f(q, v).v - f(q, 0).v of the viscous part is what the ledger calls dissipated, and >= 0 at small strain."""
    model, _ = alone(beam(kind, "curved", material=VISCOUS))
    system = model.system()
    rng = np.random.default_rng(8)
    for _ in range(4):
        q = system.initial_position + 0.01 * rng.standard_normal(system.size)
        v = rng.standard_normal(system.size)
        power = (system.force(0.0, q, v) - system.force(0.0, q, 0.0 * v)) @ v
        assert power > 0.0
        assert_allclose(system.element_energy(0.0, q, v).dissipated, power, rtol=1e-11)


@pytest.mark.parametrize("formulation", ["structural", "enhanced", "continuum"])
def test_simulation_with_the_numerical_tangent_is_the_same(formulation: str):
    """Newton's method ends at the same step with either tangent."""

    def tip(tangent: str) -> Array:
        model = fm.Model("cantilever", gravity=(0.0, 0.0, -9.81))
        soft = fm.Material(E=1e7, nu=0.3, density=1000.0, damping=1e-3)
        part = model.add(
            fm.Beam(
                "beam",
                start=(0, 0, 0),
                end=(1, 0, 0),
                section=fm.Rectangle(0.05, 0.05),
                material=soft,
                elements=2,
                formulation=formulation,
            )
        )
        model.add(fm.Fixed(model.ground.at(0, 0, 0), part.start))
        return model.simulate(0.1, step=5e-3, tangent=tangent).position(part.end)

    assert_allclose(tip("numerical"), tip("exact"), rtol=0, atol=1e-8)
