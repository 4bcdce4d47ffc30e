"""Rotational springs: several turns in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.test_bad_input import refused


def wheel(planar: bool, spin: float = 20.0, **spring: float) -> tuple[fm.Model, fm.RotationSpringDamper]:
    m = fm.Model("wheel")
    if planar:
        body = m.add(fm.PlanarBody("wheel", mass=1.0, inertia=0.5, com=(0, 0), spin=spin))
        m.add(fm.Revolute(m.ground.at(0, 0), body.com))
    else:
        body = m.add(fm.RigidBody("wheel", mass=1.0, inertia=(0.4, 0.5, 0.5), spin=(0, 0, spin)))
        m.add(fm.Revolute(m.ground.at(0, 0, 0), body.com))
    return m, m.add(
        fm.RotationSpringDamper(m.ground.at(*body.com.position[: 2 if planar else 3]), body.com, **spring, name="s")
    )


@pytest.mark.parametrize("planar", [True, False])
def test_three_turns_and_back(planar: bool, tmp_path):
    """J phi'' + c phi' + k (phi - phi_0) = 0 in closed form, with steps of up to a quarter of a radian."""
    m, spring = wheel(planar, stiffness=0.5, damping=0.05, angle=1.0)
    sol = m.simulate(4.0, tolerance=1e-6, integrator=fm.Radau())
    decay = 0.05
    omega = np.sqrt(1.0 - decay**2)
    expected = 1.0 + np.exp(-decay * sol.t) * (
        (20.0 - decay) / omega * np.sin(omega * sol.t) - np.cos(omega * sol.t)
    )  # phi - phi_0 = -1 at t = 0
    assert expected.max() > 6.0 * np.pi
    assert_allclose(sol.coordinate(spring), expected, rtol=0, atol=1e-4)
    rate = np.gradient(expected, sol.t)
    moment = sol.reaction(spring).moment
    middle = slice(2, -2)
    found = (moment if planar else moment[:, 2])[middle]
    assert_allclose(found, (-0.5 * (expected - 1.0) - 0.05 * rate)[middle], rtol=0, atol=0.05)
    assert np.abs(sol.energy.balance).max() < 1e-3
    sol.save(tmp_path / "run.h5")
    assert_allclose(fm.load(tmp_path / "run.h5").reaction("s").moment, moment, rtol=0, atol=0)


def test_equilibrium_and_mode():
    """A bar of 1 m on a torsion spring: k phi = m g l cos(phi), and the square of the frequency (k + m g l sin(phi)) / J."""
    m = fm.Model("bar", gravity=(0, -9.81))
    bar = m.add(fm.PlanarBody("bar", mass=1.0, inertia=0.5, com=(1, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), bar.at(0, 0)))
    spring = m.add(fm.RotationSpringDamper(m.ground.at(0, 0), bar.at(0, 0), stiffness=15.0))
    rest = m.equilibrium()
    phi = rest.coordinate(spring)[-1]
    assert 15.0 * phi == pytest.approx(-9.81 * np.cos(phi), rel=1e-9)
    assert m.modes(1, at=rest).omega[0] == pytest.approx(np.sqrt((15.0 - 9.81 * np.sin(phi)) / 1.5), rel=1e-9)


def test_bad_input():
    m, spring = wheel(False, stiffness=1.0)
    a, b = spring.markers
    refused("s | stiffness = -1 | must not be negative", fm.RotationSpringDamper, a, b, stiffness=-1.0, name="s")
    refused("RotationSpringDamper | axis | no direction", fm.RotationSpringDamper, a, b, stiffness=1.0, axis=(0, 0, 0))
    refused("RotationSpringDamper | a and b are both on", fm.RotationSpringDamper, b, b, stiffness=1.0)
    refused("RotationSpringDamper | b = 3 | not a marker", fm.RotationSpringDamper, a, 3, stiffness=1.0)
    flat = m.add(fm.PlanarBody("flat", mass=1.0, inertia=1.0, com=(0, 0)))
    refused("RotationSpringDamper | axis | planar bodies", fm.RotationSpringDamper, a, flat.com, stiffness=1.0, axis=(1, 0, 0))


def test_a_run_goes_on_from_another_one():
    """Turns are taken over by name; a spring that is new finds its angle, beyond a quarter of a turn too."""
    m, spring = wheel(True, stiffness=0.5, damping=0.0)
    whole, first = m.simulate(2.0, step=4e-3), m.simulate(1.0, step=4e-3)
    assert first.coordinate(spring)[-1] > 2.0 * np.pi
    rest = m.simulate(2.0, step=4e-3, start=first)
    assert rest.coordinate(spring)[0] == first.coordinate(spring)[-1]
    assert rest.coordinate(spring)[-1] == pytest.approx(whole.coordinate(spring)[-1], abs=1e-4)
    bare = fm.Model("wheel")
    body = bare.add(fm.PlanarBody("wheel", mass=1.0, inertia=0.5, com=(0, 0), spin=2.5))
    bare.add(fm.Revolute(bare.ground.at(0, 0), body.com))
    turned = bare.simulate(1.0, step=1e-2)
    new = bare.add(fm.RotationSpringDamper(bare.ground.at(0, 0), body.com, stiffness=1.0))
    assert bare.simulate(1.1, step=1e-2, start=turned).coordinate(new)[0] == pytest.approx(2.5, abs=1e-9)
