"""Initial positions and velocities: projected onto the constraints, reported, refused if too far."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.assembly.linkages import bar


def pendulum(gap: float, planar: bool) -> tuple[fm.Model, fm.PlanarBody | fm.RigidBody]:
    """A rod of half a metre whose pin is drawn with a gap."""
    model = fm.Model("pendulum", gravity=(0, -9.81, 0))
    if planar:
        rod = model.add(fm.PlanarBody("rod", mass=1.0, inertia=0.1, com=(0.5, gap)))
        model.add(fm.Revolute(model.ground.at(0, 0), rod.at(0, gap), name="pin"))
    else:
        rod = model.add(fm.RigidBody("rod", mass=1.0, inertia=(0.1, 0.12, 0.1), com=(0.5, gap, 0)))
        model.add(fm.Revolute(model.ground.at(0, 0, 0), rod.at(0, gap, 0), name="pin"))
    return model, rod


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("gap", [1e-6, 1e-3, 0.03])
def test_gap_is_closed_and_reported(gap: float, planar: bool):
    """The rod turns by gap * (0.5 / 0.1) / (1 + 0.25 / 0.1): the least mass-weighted change."""
    model, rod = pendulum(gap, planar)
    sol = model.simulate(0.01, step=1e-3, assembly_tolerance=0.05)
    assert_allclose(sol.statistics.moved, gap / 0.7, rtol=2e-3)
    assert sol.statistics.moved_part == "rod"
    assert np.abs(sol.drift[0]).max() < 1e-12
    assert_allclose(np.linalg.norm(sol.position(rod.com), axis=1), 0.5, rtol=0, atol=1e-10)


def test_least_change_of_the_mass_weighted_position():
    """The heavy body stays, the light one comes: by their masses, as nothing turns."""
    model = fm.Model("rail")
    light = model.add(fm.PlanarBody("light", mass=1.0, inertia=1.0, com=(0, 0)))
    heavy = model.add(fm.PlanarBody("heavy", mass=9.0, inertia=1.0, com=(0, 0.1)))
    model.add(fm.Revolute(light.com, heavy.com))
    sol = model.simulate(0.01, step=1e-3, assembly_tolerance=2.0)
    assert_allclose(sol.position(heavy.com)[0], (0, 0.09), rtol=0, atol=1e-13)
    assert_allclose(sol.position(light.com)[0], (0, 0.09), rtol=0, atol=1e-13)


@pytest.mark.parametrize("planar", [True, False])
def test_too_large_a_gap_is_refused(planar: bool):
    model, _ = pendulum(0.3, planar)
    words = r"'rod' had to be moved by 0\.\d+ .*assembly_tolerance = 0\.1; 'pin: y of the point' is off by 0\.3.*closer"
    with pytest.raises(fm.ModelError, match=words):
        model.simulate(0.01, step=1e-3)
    assert model.simulate(0.01, step=1e-3, assembly_tolerance=0.5).statistics.moved > 0.1


def test_a_tighter_tolerance():
    model, _ = pendulum(1e-3, planar=True)
    with pytest.raises(fm.ModelError, match=r"assembly_tolerance = 0\.0001"):
        model.simulate(0.01, step=1e-3, assembly_tolerance=1e-4)


def test_parts_that_cannot_meet():
    """Links too short to close the loop."""
    model = fm.Model("open")
    for name, x in (("left", 0.0), ("right", 3.0)):
        link = model.add(fm.PlanarBody(name, mass=1.0, inertia=0.1, com=(x, 0.3)))
        model.add(fm.Revolute(model.ground.at(x, 0), link.at(x, 0)))
    left, right = model.bodies
    model.add(fm.Revolute(left.at(0, 1), right.at(3, 1), name="gap"))
    with pytest.raises(fm.ModelError, match=r"initial positions: .*gap: x of the point' is off by 3.* Check the link lengths"):
        model.simulate(0.1, step=1e-3)


def test_rounded_four_bar_with_redundant_equations():
    """Drawn a little open in the plane of motion: closed before the spare equations are judged."""
    model = fm.Model("rounded", gravity=(0, -9.81, 0))
    crank = bar(model, "crank", (0, 0), (0.3, 0.4), planar=False)
    coupler = bar(model, "coupler", (0.3, 0.4), (1.203, 0.798), planar=False)
    rocker = bar(model, "rocker", (1.2, 0.8), (1, 0), planar=False)
    model.add(fm.Revolute(model.ground.at(0, 0, 0), crank.at(0, 0, 0)))
    model.add(fm.Revolute(crank.at(0.3, 0.4, 0), coupler.at(0.3, 0.4, 0)))
    model.add(fm.Revolute(coupler.at(1.203, 0.798, 0), rocker.at(1.2, 0.8, 0)))
    model.add(fm.Revolute(rocker.at(1, 0, 0), model.ground.at(1.002, -0.001, 0)))
    with pytest.warns(fm.RedundantConstraints, match="3 redundant equations"):
        sol = model.simulate(0.1, step=1e-3, assembly_tolerance=0.01)
    assert 1e-3 < sol.statistics.moved < 1e-2
    assert sol.statistics.drift < 1e-10


def test_velocities_are_projected():
    """A rod that is pushed at its centre takes up what its pin allows: an impulse at the pin."""
    model = fm.Model("pushed")
    rod = model.add(fm.PlanarBody("rod", mass=1.0, inertia=0.1, com=(0.5, 0), velocity=(1.0, 2.0)))
    model.add(fm.Revolute(model.ground.at(0, 0), rod.at(0, 0)))
    sol = model.simulate(0.01, step=1e-3, initial_velocities="impulse")
    spin = 1.0 * 0.5 * 2.0 / (0.1 + 0.25)  # angular momentum about the pin is kept
    assert_allclose(sol.v[0], (0.0, 0.5 * spin, spin), rtol=0, atol=1e-13)
    assert_allclose(sol.statistics.moved_velocity, spin, rtol=1e-12)


@pytest.mark.parametrize("planar", [True, False])
def test_drive_starts_a_model_at_rest(planar: bool):
    model, rod = pendulum(0.0, planar)
    pin = model.ground.at(0, 0, 0)
    model.add(fm.RotationDrive(pin, rod.at(0, 0) if planar else rod.at(0, 0, 0), speed=3.0))
    sol = model.simulate(0.01, step=1e-3)
    assert_allclose(sol.spin(rod.com)[0] if planar else sol.spin(rod.com)[0, 2], 3.0, rtol=0, atol=1e-12)
    assert_allclose(sol.velocity(rod.com)[0, :2], (0.0, 1.5), rtol=0, atol=1e-12)
    assert sol.statistics.moved == 0.0 and sol.statistics.moved_velocity >= 1.5


def test_consistent_start_is_left_alone():
    model, rod = pendulum(0.0, planar=True)
    sol = model.simulate(0.01, step=1e-3)
    assert (sol.statistics.moved, sol.statistics.moved_velocity) == (0.0, 0.0)
    assert_allclose(sol.acceleration(rod.com)[0], (0.0, -9.81 * 0.25 / 0.35), rtol=1e-12, atol=1e-12)


def test_users_objects_are_not_changed():
    """The model can be simulated again and gives the same."""
    model, rod = pendulum(1e-3, planar=True)
    first, again = (model.simulate(0.01, step=1e-3, assembly_tolerance=0.01) for _ in range(2))
    assert_allclose(rod.com.position, (0.5, 1e-3, 0.0), rtol=0, atol=0)
    assert_allclose(again.q, first.q, rtol=0, atol=0)
