"""Figures show what was computed, with units; the numbers behind them against closed forms."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fmbs as fm
from fmbs.models import SliderCrankPlanar
from fmbs.plots.clearance import friction_velocity, orbit, penetration_loop
from fmbs.plots.signals import amplitudes, stroboscope
from fmbs.plots.style import scaled
from tests.conftest import require

require("matplotlib")


@pytest.fixture(scope="module")
def sol() -> fm.Solution:
    return SliderCrankPlanar().build().simulate(0.036, step=1e-4, progress=False)


@pytest.fixture
def figures(sol: fm.Solution) -> dict[str, Any]:
    slider, plot = sol.model["slider"].com, sol.plot
    return {
        "history": plot.history(slider),
        "reaction": plot.reaction("wrist pin"),
        "drive": plot.drive("motor"),
        "energy": plot.energy(),
        "spectrum": plot.spectrum(slider),
        "poincare": plot.poincare(slider, period=0.012),
        "velocity_acceleration": plot.velocity_acceleration(slider),
        "step_size": plot.step_size(),
    }


def test_axes_have_units(figures: dict[str, Any], tmp_path: Path) -> None:
    for name, figure in figures.items():
        for axes in figure.axes:
            assert "[" in axes.get_ylabel(), name
        assert "[" in figure.axes[-1].get_xlabel(), name
        figure.savefig(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 10_000


def test_history_draws_the_solution(sol: fm.Solution, figures: dict[str, Any]) -> None:
    position, velocity, _ = figures["history"].axes
    slider = sol.model["slider"].com
    assert position.get_ylabel() == "position [mm]" and velocity.get_ylabel() == "velocity [m/s]"
    assert_allclose(position.lines[0].get_xdata(), 1e3 * sol.t)
    assert_allclose(position.lines[0].get_ydata(), 1e3 * sol.position(slider)[:, 0])
    assert_array_equal(velocity.lines[0].get_ydata(), sol.velocity(slider)[:, 0])


def test_drive_of_a_spatial_model_is_about_its_axis() -> None:
    """Raising a pendulum's weight: the moment about the axis is m g l cos(angle) at constant speed."""
    m = fm.Model("arm", gravity=(0, 0, -9.81))
    arm = m.add(
        fm.RigidBody("arm", mass=2.0, inertia=(0.01, 0.01, 0.01), com=(0.5, 0, 0), spin=(0, -1, 0), velocity=(0, 0, 0.5))
    )
    m.add(fm.Revolute(m.ground.at(0, 0, 0), arm.at(0, 0, 0), axis=(0, -1, 0)))
    m.add(fm.RotationDrive(m.ground.at(0, 0, 0), arm.at(0, 0, 0), axis=(0, -1, 0), speed=1.0, name="motor"))
    sol = m.simulate(0.5, step=1e-2, progress=False)
    drawn = sol.plot.drive("motor").axes[0].lines[0].get_ydata()
    assert_allclose(drawn, 2.0 * 9.81 * 0.5 * np.cos(sol.t), rtol=1e-4)


def test_poincare_of_a_periodic_motion_is_one_point(sol: fm.Solution) -> None:
    slider = sol.model["slider"].com
    x, v = stroboscope(sol.t, sol.position(slider)[:, 0], sol.velocity(slider)[:, 0], 0.012, 0.0)
    assert x.size == 4
    assert np.ptp(x) < 1e-7 and np.ptp(v) < 1e-3


def test_spectrum_of_a_sine() -> None:
    """A peak of its amplitude at its frequency, from frames at unequal times too."""
    t = np.linspace(0.0, 1.0, 2001)
    for times in (t, t + 1e-4 * np.sin(6.0 * np.pi * t)):
        frequency, amplitude = amplitudes(times, 5.0 + 3.0 * np.sin(2.0 * np.pi * 40.0 * times))
        assert frequency[amplitude.argmax()] == pytest.approx(40.0, rel=2e-3)
        assert amplitude.max() == pytest.approx(3.0, rel=5e-3)


def test_prefixes() -> None:
    for value, factor, unit in ((1.5e-5, 1e6, "µm"), (0.05, 1e3, "mm"), (1.0, 1.0, "m"), (2e4, 1.0, "m"), (0.0, 1.0, "m")):
        values, name = scaled(np.array([value, -value / 2]), "m")
        assert name == unit
        assert_allclose(values, [factor * value, -factor * value / 2])
    assert scaled(np.array([2e4]), "N")[1] == "kN"


@dataclass(frozen=True)
class Record:
    """What sol.clearance gives, for a journal that whirls and bounces."""

    eccentricity: np.ndarray
    penetration: np.ndarray
    normal_force: np.ndarray
    friction_force: np.ndarray
    slip: np.ndarray
    ends: tuple[str, ...] = ("A", "W")


@pytest.fixture
def record() -> Record:
    t = np.linspace(0.0, 1.0, 2000)
    angle, size = 2 * np.pi * (3 * t[:, None] + [0.0, 0.3]), 5e-5 * (0.8 + 0.22 * np.sin(40 * t[:, None] + [0.0, 1.0]))
    depth = size - 5e-5
    rate = np.gradient(depth, t, axis=0)
    force = np.where(depth > 0.0, 1e10 * np.maximum(depth, 0.0) ** 1.5 * (1.0 + 200.0 * rate), 0.0)
    speed = 0.3 * np.cos(angle)
    path, slip = size[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1), np.stack([speed, 0 * speed], axis=-1)
    return Record(path, depth, force, -0.1 * force[..., None] * np.tanh(slip / 0.01), slip)


def test_orbit_lies_in_its_circle(record: Record) -> None:
    model = fm.Model("bush", gravity=(0, 0, 0))
    pin = model.add(fm.RigidBody("pin", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), com=(0, 0, 0)))
    joint = fm.ClearanceCylindrical(
        model.ground.at(0, 0, 0), pin.com, axis=(0, 0, 1), bearing_radius=0.01, clearance=5e-5, length=0.02,
        contact=fm.contact.Hertz(stiffness=1e10),
    )  # fmt: skip
    figure = orbit(record, joint, "pin")
    assert len(figure.axes) == 2
    for end, axes in enumerate(figure.axes):
        circle, path, _ = axes.lines
        assert_allclose(np.hypot(*circle.get_data()), 50.0)
        assert_allclose(np.array(path.get_data()).T, 1e6 * record.eccentricity[:, end])
        assert axes.get_xlabel() == "$e_x$ [µm]" and axes.get_aspect() == 1.0


def test_loop_and_friction(record: Record) -> None:
    loop = penetration_loop(record, "pin").axes[0]
    x, y = loop.lines[0].get_data()
    assert np.isnan(x).any() and np.nanmin(x) > 0.0 and np.nanmax(y) == pytest.approx(record.normal_force[:, 0].max())
    points = friction_velocity(record, "pin").axes[0].collections[0].get_offsets()
    assert np.abs(points[:, 1]).max() == pytest.approx(0.1, rel=1e-3)
    free = Record(record.eccentricity, -np.abs(record.penetration), *3 * (record.penetration,))
    with pytest.raises(fm.ModelError, match="no frame is in contact"):
        penetration_loop(free, "pin")


def test_figures_of_a_real_joint() -> None:
    """A ball dropped into a bearing of 0.1 mm clearance: the orbit starts at the centre and ends at the wall, below."""
    m = fm.Model("drop", gravity=(0, -9.81))
    ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=1e-3, com=(0, 0)))
    law = fm.contact.LankaraniNikravesh(restitution=0.5, stiffness=1e9)
    joint = m.add(
        fm.ClearanceRevolute(
            m.ground.at(0, 0), ball.com, bearing_radius=0.01, clearance=1e-4, length=0.01, contact=law, name="bearing"
        )
    )
    sol = m.simulate(0.03, tolerance=1e-4, progress=False)
    circle, path, _ = sol.plot.orbit("bearing").axes[0].lines
    assert_allclose(np.hypot(*circle.get_data()), 100.0)
    assert np.abs(np.array(path.get_data())[:, 0]).max() < 1e-6
    assert path.get_ydata().min() < -100.0 < -99.0 < path.get_ydata().max()
    depth = sol.clearance(joint).penetration
    assert np.nanmax(sol.plot.penetration_loop(joint).axes[0].lines[0].get_xdata()) == pytest.approx(1e6 * depth.max())
    assert "[" in sol.plot.reaction(joint).axes[0].get_ylabel()


def test_bad_input(sol: fm.Solution) -> None:
    slider = sol.model["slider"].com
    with pytest.raises(fm.ModelError, match="'acceleration'"):
        sol.plot.history(slider, quantities=("aceleration",))
    with pytest.raises(fm.ModelError, match="axis = 2"):
        sol.plot.spectrum(slider, axis=2)
    with pytest.raises(fm.ModelError, match="no whole period"):
        sol.plot.poincare(slider, period=0.012, skip=1.0)
    with pytest.raises(fm.ModelError, match="no time steps"):
        SliderCrankPlanar().build().kinematics([0.0, 0.001]).plot.step_size()
