"""What the start tells: part, size, who asked for it, and remedies that work."""

from __future__ import annotations

import re
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850.0)


def pendulum(gap: float = 0.0, **motion: Any) -> fm.Model:
    """A rod of half a metre whose pin is drawn with a gap."""
    model = fm.Model("pendulum")
    rod = model.add(fm.PlanarBody("rod", mass=1.0, inertia=0.1, com=(0.5, gap), **motion))
    model.add(fm.Revolute(model.ground.at(0, 0), rod.at(0, gap), name="pin"))
    return model


def driven(speed: Any = 3.0, **motion: Any) -> fm.Model:
    model = pendulum(**motion)
    model.add(fm.RotationDrive(model.ground.at(0, 0), model["rod"].at(0, 0), speed=speed, name="motor"))
    return model


def run(model: fm.Model, **options: Any) -> fm.Solution:
    return model.simulate(2e-3, step=1e-3, energy_tolerance=None, **options)  # two steps are too few for a drive that starts


def crank_and_rod(**motions: dict[str, Any]) -> fm.Model:
    """A slider-crank of rigid bodies, flat at the start: the crank's pin moves upwards, the slider stands still."""
    model = fm.Model("slider-crank")
    crank = model.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-5, com=(0.025, 0), **motions.get("crank", {})))
    rod = model.add(fm.PlanarBody("rod", mass=0.21, inertia=2.5e-4, com=(0.11, 0), **motions.get("rod", {})))
    model.add(fm.Revolute(model.ground.at(0, 0), crank.at(0, 0), name="A"))
    model.add(fm.Revolute(crank.at(0.05, 0), rod.at(0.05, 0), name="B"))
    model.add(fm.PointOnLine(model.ground.at(0, 0), rod.at(0.17, 0), axis=(1, 0), name="guide"))
    return model


def test_a_gap_is_told_with_part_size_joint_and_remedy():
    model = pendulum(1e-3)
    words = r"pendulum: .*'rod' was moved by 0\.286 mm and 0\.00143 rad, 0\.0014 of .*'pin: y of the point' was open by 1 mm\."
    with pytest.warns(fm.InconsistentStart, match=words) as told:
        sol = run(model)
    assert sol.statistics.moved_part == "rod"
    assert sol.statistics.start == (str(told[0].message).removeprefix("pendulum: "),)
    assert sol.notes == sol.statistics.start
    assert str(sol).splitlines()[1] == f"  start: {sol.statistics.start[0]}"
    remedy = re.search(r"assembly_tolerance=([\d.]+)\.", str(told[0].message))
    assert remedy is not None
    quiet = run(model, assembly_tolerance=float(remedy[1]))  # a warning would be an error here
    assert quiet.statistics.start == () and "start" not in str(quiet)
    assert_allclose(quiet.q, sol.q, rtol=0, atol=0)


@pytest.mark.parametrize("gap", [2e-4, 0.01, 0.069])
def test_the_tolerance_that_is_proposed_is_enough(gap: float):
    with pytest.warns(fm.InconsistentStart) as told:
        run(pendulum(gap))
    remedy = re.search(r"assembly_tolerance=([\d.]+)\.", str(told[0].message))
    assert remedy is not None and not run(pendulum(gap), assembly_tolerance=float(remedy[1])).statistics.start


@pytest.mark.parametrize("analysis", ["equilibrium", "modes"])
def test_other_analyses_tell_of_positions(analysis: str):
    model = pendulum(1e-3)
    model.add(fm.SpringDamper(model.ground.at(1, 1), model["rod"].at(1, 0), stiffness=100.0))
    with pytest.warns(fm.InconsistentStart, match=r"'rod' was moved"):
        getattr(model, analysis)()


def test_drawn_to_four_digits_is_quiet():
    assert 5e-5 < run(pendulum(5e-5)).statistics.moved < 1e-4


def test_a_drive_that_starts_elsewhere_is_told():
    model = pendulum()
    motor = fm.RotationDrive(model.ground.at(0, 0), model["rod"].at(0, 0), angle=lambda t: 0.03 + 0.4 * t * t, name="motor")
    model.add(motor)
    with pytest.warns(
        fm.InconsistentStart, match=r"'rod' was moved by 15 mm and 0\.03 rad.*'motor: angle' was open by 0\.03 rad"
    ):
        run(model)


def test_many_bodies_are_counted():
    """The worst ones by name, the others by number."""
    model = fm.Model("chain")
    for k in range(6):
        body = model.add(fm.PlanarBody(f"b{k}", mass=1.0, inertia=0.1, com=(k + 0.5, 0.0)))
        model.add(fm.Revolute(model.ground.at(k, 0.01 * (k + 1)), body.at(k, 0.0), name=f"pin {k}"))
    with pytest.warns(fm.InconsistentStart, match=r"'b5' was moved by .*, 'b4' by .*, 'b3' by .*, and 3 more; 'pin 5: y of"):
        run(model)


def test_velocities_that_a_joint_changes_are_told_and_every_remedy_works():
    motion = {"velocity": (1.0, 2.0), "spin": 0.0}
    words = r"from \(1, 2\) to \(0, 1\.4\d*\) m/s at its centre of mass and the spin of 'rod' from 0 to 2\.85\d rad/s, "
    with pytest.warns(fm.InconsistentStart, match=words + r".* % of the largest speed, .* m/s; 'pin' asks for it") as told:
        sol = run(pendulum(**motion))
    assert "impulse" in str(told[0].message) and sol.statistics.moved_velocity_part == "rod"
    assert not run(pendulum(**motion), initial_velocities="impulse").statistics.start
    assert not run(pendulum()).statistics.start  # left out
    assert not run(pendulum(velocity=(0.0, 1.0), spin=2.0)).statistics.start  # what the joint allows


def test_a_percent_is_quiet():
    """Velocities are given with three digits; the largest speed counts, and what was given is kept as far as that goes."""
    sol = run(pendulum(velocity=(0.0, 1.0), spin=2.01))
    assert 0.0 < sol.statistics.moved_velocity < 0.02


@pytest.mark.parametrize("motion", [{"spin": 0.0}, {"velocity": (0.0, 0.0)}, {"velocity": (0.0, 1.0), "spin": 2.0}])
def test_a_drive_that_contradicts_is_refused_and_every_remedy_works(motion: dict[str, Any]):
    words = (
        r"initial velocities: .* of 'rod' from .* to .*, \d+ % of .*; the drive 'motor' asks for it\. Leave velocity= and spin="
    )
    with pytest.raises(fm.ModelError, match=words):
        run(driven(**motion))
    left_out, sudden = run(driven()), run(driven(**motion), initial_velocities="impulse")
    assert_allclose([left_out.v[0], sudden.v[0]], [(0.0, 1.5, 3.0)] * 2, rtol=0, atol=1e-12)
    assert not left_out.statistics.start and not sudden.statistics.start
    ramp = fm.SmoothStep(0.0, 1e-2, motion.get("spin", 0.0), 3.0)
    assert not run(driven(ramp, **motion)).statistics.start


def test_a_drive_is_named_through_other_bodies():
    """The rod's pin changes its spin, but the motor of the crank is the reason."""
    model = crank_and_rod(rod={"velocity": (0.0, 1.0), "spin": -5.0})
    model.add(fm.RotationDrive(model.ground.at(0, 0), model["crank"].at(0, 0), speed=523.6, name="motor"))
    with pytest.raises(fm.ModelError, match=r"of 'rod' from .* to \(0, 13\.09\) .* from -5 to -218\.2 rad/s.*drive 'motor'"):
        run(model)


def test_a_drive_of_another_mechanism_has_no_say():
    """Beside a heavy driven wheel a rod is caught by its pin: that is told, not refused."""
    model = pendulum(velocity=(1.0, 2.0), spin=0.0)
    wheel = model.add(fm.PlanarBody("wheel", mass=1e6, inertia=1e6, com=(3, 0)))
    model.add(fm.Revolute(model.ground.at(3, 0), wheel.com))
    model.add(fm.RotationDrive(model.ground.at(3, 0), wheel.com, speed=1.0, name="motor"))
    with pytest.warns(fm.InconsistentStart, match=r"of 'rod' from .*; 'pin' asks for it"):
        run(model)


def test_what_was_given_is_kept_and_the_rest_follows():
    """A crank that is given its spin does not share it with a rod that was given nothing."""
    sol = run(crank_and_rod(crank={"spin": 100.0}))
    expected = (0.0, 2.5, 100.0, 0.0, 2.5, -5.0 / 0.12)
    assert_allclose(sol.v[0], expected, rtol=0, atol=1e-9)
    assert not sol.statistics.start
    caught = run(crank_and_rod(crank={"spin": 100.0}), initial_velocities="impulse")
    assert caught.v[0, 2] < 50.0  # as before: the rod is at rest, and the pins catch it


def test_a_spin_alone_moves_the_centre_of_mass():
    """Of a body that was given only its spin, the velocity follows from its hinge."""
    assert_allclose(run(pendulum(spin=2.0)).v[0], (0.0, 1.0, 2.0), rtol=0, atol=1e-9)


def test_strict():
    with pytest.raises(fm.ModelError, match=r"to 3 rad/s.*'motor' asks for it\. Give 'rod' what is asked for.*'complete'"):
        run(driven(), initial_velocities="strict")
    sol = run(driven(velocity=(0.0, 1.5), spin=3.0), initial_velocities="strict")
    assert sol.statistics.moved_velocity < 1e-12
    assert not run(pendulum(), initial_velocities="strict").statistics.start  # at rest, and free to be


def test_unknown_choice():
    with pytest.raises(fm.ModelError, match=r"initial_velocities = 'given' is unknown.*complete, impulse, strict"):
        run(pendulum(), initial_velocities="given")


def test_kinematics_and_equilibrium_do_not_ask_for_velocities():
    """The first has none to choose, the second none at all."""
    model = driven(spin=0.0)
    assert not model.kinematics([0.0, 0.1]).statistics.start
    assert not model.equilibrium().statistics.start


def test_what_was_told_is_stored(tmp_path):
    with pytest.warns(fm.InconsistentStart):
        sol = run(pendulum(1e-3))
    assert fm.load(sol.save(tmp_path / "run.h5")).statistics == sol.statistics
    assert sol.statistics.start[0][:40] in sol.report(tmp_path / "run.html").read_text().replace("&#x27;", "'")


@pytest.mark.parametrize("flexible", [True, False])
def test_moved_bodies_take_their_velocity_along(flexible: bool):
    """A rod that is put 0.05 rad from where it is drawn has its spin there: nothing of it is left to be changed."""
    model = fm.Model("turned")
    if flexible:
        bar = {"section": fm.Rectangle(0.02, 0.02), "material": STEEL, "elements": 2}
        rod = model.add(fm.Beam("rod", start=(0, 0, 0), end=(1, 0, 0), velocity=(0, 0, 0), spin=(0, 0, 2.0), **bar))
        hinge, tip = rod.start, rod.end
    else:
        given = {"velocity": (0, 1.0, 0), "spin": (0, 0, 2.0)}
        rod = model.add(fm.RigidBody("rod", mass=1.0, inertia=(0.01, 0.1, 0.1), com=(0.5, 0, 0), **given))
        hinge, tip = rod.at(0, 0, 0), rod.at(1, 0, 0)
    model.add(fm.Revolute(model.ground.at(0, 0, 0), hinge))
    model.add(fm.RotationDrive(model.ground.at(0, 0, 0), hinge, angle=lambda t: 0.05 + 2.0 * t, name="motor"))
    with pytest.warns(fm.InconsistentStart, match=r"0\.05 rad") as told:
        sol = run(model)
    assert len(told) == 1
    assert_allclose(sol.velocity(tip)[0], (-2.0 * np.sin(0.05), 2.0 * np.cos(0.05), 0.0), rtol=0, atol=1e-7)
    assert sol.energy.elastic[0] < 1e-15


def test_bodies_of_ones_own_need_not_be_movable(monkeypatch: pytest.MonkeyPatch):
    """A model with a body that cannot be moved as a whole starts with the impulse, quietly; positions are told as ever."""

    @runtime_checkable
    class Other(Protocol):
        def something_else(self) -> None: ...

    monkeypatch.setattr("fmbs.solvers.rigid_motions.MovableBody", Other)
    assert_allclose(run(driven(spin=0.0)).v[0], (0.0, 1.5, 3.0), rtol=0, atol=1e-12)
    with pytest.warns(fm.InconsistentStart, match="'rod' was moved"):
        run(pendulum(1e-3))
    with pytest.raises(fm.ModelError, match=r"change those of 'rod' by up to 3 m/s or rad/s"):
        run(driven(), initial_velocities="strict")
