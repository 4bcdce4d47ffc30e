"""Bad input is refused by a ModelError that names part, argument and remedy; failed runs keep what they computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

NAN = float("nan")
GOOD = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0), "com": (1.0, 0.0, 0.0)}
FLAT = {"mass": 1.0, "inertia": 1.0, "com": (1.0, 0.0)}


def refused(words: str, action: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    """The action raises a ModelError with these words in this order."""
    with pytest.raises(fm.ModelError) as caught:
        action(*arguments, **options)
    text, place = str(caught.value), 0
    for word in words.split(" | "):
        assert word in text[place:], f"{word!r} is not (in order) in: {text}"
        place = text.index(word, place) + len(word)


def model_with_body(planar: bool = True) -> tuple[fm.Model, Any]:
    model = fm.Model("mechanism", gravity=(0, -9.81, 0))
    return model, model.add(fm.PlanarBody("arm", **FLAT) if planar else fm.RigidBody("arm", **GOOD))


def pendulum() -> tuple[fm.Model, fm.PlanarBody]:
    model, arm = model_with_body()
    model.add(fm.Revolute(model.ground.at(0, 0), arm.at(0, 0), name="pin"))
    return model, arm


BODIES = {
    "negative mass": ({"mass": -1.0}, "arm | mass = -1 | must be positive | check its sign"),
    "zero mass": ({"mass": 0.0}, "arm | mass = 0 | must be positive"),
    "NaN mass": ({"mass": NAN}, "arm | mass = nan | not finite | give a finite number"),
    "infinite mass": ({"mass": np.inf}, "arm | mass = inf | not finite"),
    "mass in words": ({"mass": "heavy"}, "arm | mass = 'heavy' | not a number"),
    "indefinite inertia": ({"inertia": (1.0, -1.0, 1.0)}, "arm | inertia | must all be positive | check the signs"),
    "rod without inertia": ({"inertia": (0.0, 1.0, 1.0)}, "arm | inertia | must all be positive | small moment about its axis"),
    "asymmetric inertia": ({"inertia": np.eye(3) + np.eye(3, k=1) * 0.1}, "arm | inertia | not symmetric | must match"),
    "triangle inequality": ({"inertia": (1.0, 1.0, 3.0)}, "arm | inertia | no mass distribution | Check the axis order"),
    "NaN inertia": ({"inertia": (1.0, NAN, 1.0)}, "arm | inertia | not a finite 3 x 3 matrix | give it about the com"),
    "inertia of wrong size": ({"inertia": np.eye(2)}, "arm | inertia | not a finite 3 x 3 matrix"),
    "inertia in words": ({"inertia": "big"}, "arm | inertia = 'big' | not a finite 3 x 3 matrix"),
    "NaN com": ({"com": (NAN, 0, 0)}, "arm | com | not finite | give 3 finite numbers"),
    "com of wrong size": ({"com": (1, 0)}, "arm | com = (1, 0) | give 3 numbers"),
    "NaN velocity": ({"velocity": (0, NAN, 0)}, "arm | velocity | not finite"),
    "NaN spin": ({"spin": (0, 0, NAN)}, "arm | spin | not finite"),
    "spin of a planar body": ({"spin": 3.0}, "arm | spin = 3.0 | give 3 numbers"),
}


@pytest.mark.parametrize("name", BODIES)
def test_rigid_body(name: str):
    change, words = BODIES[name]
    refused(words, fm.RigidBody, "arm", **(GOOD | change))


PLANAR_BODIES = {
    "negative mass": ({"mass": -1.0}, "arm | mass = -1 | must be positive"),
    "negative inertia": ({"inertia": -1.0}, "arm | inertia = -1 | must be positive"),
    "inertia tensor": ({"inertia": np.eye(3)}, "arm | inertia | not a number"),
    "com in space": ({"com": (1, 0, 0)}, "arm | com = (1, 0, 0) | give 2 numbers"),
    "NaN angle": ({"angle": NAN}, "arm | angle = nan | not finite"),
    "NaN velocity": ({"velocity": (NAN, 0)}, "arm | velocity | not finite"),
    "spin vector": ({"spin": (0, 0, 1)}, "arm | spin = (0, 0, 1) | not a number"),
}


@pytest.mark.parametrize("name", PLANAR_BODIES)
def test_planar_body(name: str):
    change, words = PLANAR_BODIES[name]
    refused(words, fm.PlanarBody, "arm", **(FLAT | change))


def test_wrong_number_of_coordinates():
    model, arm = model_with_body()
    _, block = model_with_body(planar=False)
    refused("arm | at(1, 2, 3) has 3 coordinates | takes x, y", arm.at, 1, 2, 3)
    refused("arm | at = (1, 2) | give 3 numbers", block.at, 1, 2)
    refused("ground | at(1,) has 1 coordinates | give x, y or x, y, z", model.ground.at, 1)
    refused("arm | at | not finite", block.at, 1, NAN, 0)
    refused("arm | at | not a vector | give 3 numbers", block.at, "a", "b", "c")
    refused("ground | at | not finite", model.ground.at, 1, NAN)


JOINTS = {
    "zero axis": (fm.Revolute, {"axis": (0, 0, 0)}, "hinge | axis = (0, 0, 0) | no direction | non-zero length"),
    "NaN axis": (fm.Revolute, {"axis": (0, NAN, 1)}, "hinge | axis | not finite"),
    "axis of wrong size": (fm.Prismatic, {"axis": (1, 0)}, "hinge | axis = (1, 0) | give 3 numbers"),
    "zero normal": (fm.Planar, {"normal": (0, 0, 0)}, "hinge | normal | no direction"),
    "zero arm of a cross": (fm.Universal, {"axis_a": (0, 0, 0), "axis_b": (0, 0, 1)}, "hinge | axis_a | no direction"),
    "crooked cross": (
        fm.Universal, {"axis_a": (1, 0, 0), "axis_b": (1, 0, 1)},
        "hinge | axis_a = (1, 0, 0) and axis_b = (1, 0, 1) | not perpendicular | two arms",
    ),
    "negative length": (fm.Distance, {"length": -1.0}, "hinge | length = -1 | must be positive"),
    "zero drive axis": (fm.RotationDrive, {"axis": (0, 0, 0), "speed": 1.0}, "hinge | axis | no direction"),
    "neither speed nor angle": (fm.RotationDrive, {}, "hinge | neither of speed= or angle= | give exactly one"),
    "both speed and angle": (
        fm.RotationDrive, {"speed": 1.0, "angle": 0.0}, "hinge | both of speed= or angle= | give exactly one",
    ),
    "both speed and position": (
        fm.TranslationDrive, {"axis": (1, 0, 0), "speed": 1.0, "position": 1.0}, "hinge | both of speed= or position=",
    ),
    "NaN speed": (fm.RotationDrive, {"speed": NAN}, "hinge | speed = nan | not finite"),
    "speed in words": (fm.RotationDrive, {"speed": "fast"}, "hinge | speed = 'fast' | not a number"),
    "NaN at the start": (fm.RotationDrive, {"speed": lambda t: NAN}, "hinge | speed(0) = nan | not finite"),
    "no number at the start": (fm.RotationDrive, {"speed": lambda t: None}, "hinge | speed(0) = None | not a number"),
    "vertical start": (fm.RotationDrive, {"angle": np.sqrt}, "hinge | angle has no derivatives at t = 0 | smooth"),
    "angle that starts elsewhere": (
        fm.RotationDrive, {"angle": lambda t: 1.0 + t}, "hinge | angle(0) = 1 rad | drawn at 0 rad | let it start at 0",
    ),
    "position that starts elsewhere": (
        fm.TranslationDrive, {"axis": (1, 0, 0), "position": lambda t: 3.0 + t},
        "hinge | position(0) = 3 m | drawn 1 m apart | start it there",
    ),
    "table with one column": (fm.RotationDrive, {"speed": ([0, 1, 2],)}, "hinge | speed | not a table | (times, values)"),
    "table of unequal columns": (fm.RotationDrive, {"speed": ([0, 1, 2], [1, 2])}, "hinge | speed | equal lists"),
    "table with one row": (fm.RotationDrive, {"speed": ([0], [1])}, "hinge | speed | 2 or more"),
    "table that goes back": (fm.RotationDrive, {"speed": ([0, 2, 1], [1, 2, 3])}, "hinge | speed | times that increase"),
    "table with NaN": (fm.RotationDrive, {"speed": ([0, 1], [1, NAN])}, "hinge | speed | finite values"),
    "table of words": (fm.RotationDrive, {"speed": (["a", "b"], [1, 2])}, "hinge | speed | not a table"),
    "angle table that starts elsewhere": (fm.RotationDrive, {"angle": ([0, 1], [2, 3])}, "hinge | angle(0) = 2 rad"),
}  # fmt: skip


@pytest.mark.parametrize("name", JOINTS)
def test_joint_arguments(name: str):
    kind, options, words = JOINTS[name]
    model, block = model_with_body(planar=False)
    refused(words, kind, model.ground.at(0, 0, 0), block.com, name="hinge", **options)


def test_parts_without_a_name_are_named_by_their_kind():
    model, block = model_with_body(planar=False)
    refused("Cylindrical | axis | no direction", fm.Cylindrical, model.ground.at(0, 0, 0), block.com, axis=(0, 0, 0))


PLANAR_JOINTS = {
    "spherical": (fm.Spherical, {}, "hinge | no planar Spherical | use spatial bodies"),
    "cylindrical": (fm.Cylindrical, {"axis": (1, 0, 0)}, "hinge | no planar Cylindrical"),
    "hinge in the plane": (fm.Revolute, {"axis": (1, 0, 0)}, "hinge | axis = (1, 0, 0) | normal to the plane, (0, 0, 1)"),
    "drive in the plane": (fm.RotationDrive, {"axis": (1, 0, 0), "speed": 1.0}, "hinge | axis | normal to the plane"),
    "rail out of the plane": (fm.Prismatic, {"axis": (0, 0, 1)}, "hinge | axis = (0, 0, 1) | in the plane, (x, y)"),
    "line askew": (fm.PointOnLine, {"axis": (1, 0, 1)}, "hinge | axis = (1, 0, 1) | in the plane"),
    "zero axis": (fm.Prismatic, {"axis": (0, 0)}, "hinge | axis = (0, 0) | no direction"),
}


@pytest.mark.parametrize("name", PLANAR_JOINTS)
def test_planar_joint_arguments(name: str):
    kind, options, words = PLANAR_JOINTS[name]
    model, arm = model_with_body()
    refused(words, kind, model.ground.at(0, 0), arm.com, name="hinge", **options)


@pytest.mark.parametrize("kind", [fm.Fixed, fm.Spherical, fm.Distance])
def test_markers_of_joints(kind: type):
    model, block = model_with_body(planar=False)
    _, arm = model_with_body()
    ground = model.ground.at(0, 0, 0)
    refused("hinge | a = | not a marker | body.at(...)", kind, block, ground, name="hinge")
    refused("hinge | b = (1, 2, 3) | not a marker", kind, ground, (1, 2, 3), name="hinge")
    refused("hinge | b = None | not a marker", kind, ground, None, name="hinge")
    refused("hinge | both on 'arm' | give the other body", kind, block.com, block.at(0, 0, 0), name="hinge")
    refused("hinge | both on 'ground'", kind, ground, model.ground.at(1, 0, 0), name="hinge")
    refused("hinge | mix a planar and a spatial body | use one kind", kind, block.com, arm.com, name="hinge")


def test_coinciding_points():
    model, arm = model_with_body()
    refused("bar | coincide | length > 0", fm.Distance, model.ground.at(1, 0), arm.com, name="bar")
    spring = {"stiffness": 1.0, "length": 0.5, "name": "spring"}
    refused("spring | coincide | no direction | length=0", fm.SpringDamper, model.ground.at(1, 0), arm.com, **spring)


def test_forces():
    model, arm = model_with_body()
    _, block = model_with_body(planar=False)
    ground = model.ground.at(0, 0)
    refused("push | marker | not a marker", fm.PointForce, arm, (1, 0), name="push")
    refused("push | force = 3.0 | give 3 numbers", fm.PointForce, arm.com, 3.0, name="push")
    refused("push | force = (1, 2) | give 3 numbers", fm.PointForce, block.com, (1, 2), name="push")
    refused("push | force | not finite", fm.PointForce, arm.com, (1, NAN), name="push")
    refused("push | force | not finite", fm.PointForce, arm.com, lambda t: (1, NAN), name="push")
    refused("PointForce | force | not a vector", fm.PointForce, arm.com, "up")
    refused("twist | moment = nan | not finite", fm.Torque, arm.com, NAN, name="twist")
    refused("twist | moment = 1.0 | give 3 numbers", fm.Torque, block.com, 1.0, name="twist")
    refused("twist | moment = (1, 2) | give 3 numbers", fm.Torque, arm.com, (1, 2), name="twist")
    refused("twist | marker | not a marker", fm.Torque, None, 1.0, name="twist")
    refused("spring | stiffness = -1 | must not be negative", fm.SpringDamper, ground, arm.com, stiffness=-1, name="spring")
    refused("spring | damping = -1", fm.SpringDamper, ground, arm.com, stiffness=1, damping=-1, name="spring")
    refused("spring | stiffness = nan", fm.SpringDamper, ground, arm.com, stiffness=NAN, name="spring")
    refused("spring | length = -1", fm.SpringDamper, ground, arm.com, stiffness=1, length=-1, name="spring")
    refused("spring | b = | not a marker", fm.SpringDamper, ground, arm, stiffness=1, name="spring")
    refused("spring | both on 'arm'", fm.SpringDamper, arm.at(0, 0), arm.com, stiffness=1, name="spring")
    refused("SmoothStep | end = 1 | later than begin = 1 | give end > begin", fm.SmoothStep, 1, 1, 0, 5)
    refused("SmoothStep | high = nan | not finite", fm.SmoothStep, 0, 1, 0, NAN)


def test_model():
    refused("m | gravity | not finite", fm.Model, "m", gravity=(0, NAN, 0))
    refused("m | gravity = 9.81 | give 3 numbers", fm.Model, "m", gravity=9.81)
    model, arm = model_with_body()
    refused("mechanism | 'ladder' is no part | add bodies", model.add, "ladder")
    refused("mechanism | arm | is in the model already | add every part once", model.add, arm)
    refused("mechanism | called 'arm' already | its own name", model.add, fm.PlanarBody("arm", **FLAT))
    other, stranger = model_with_body()
    hinge = {"name": "hinge"}
    refused("hinge | 'arm', which is not in model | add that body first",
            model.add, fm.Revolute(model.ground.at(0, 0), stranger.at(0, 0), **hinge))  # fmt: skip
    refused("hinge | 'ground', which is not in model 'mechanism' | the ground from this model",
            model.add, fm.Revolute(other.ground.at(0, 0), arm.at(0, 0), **hinge))  # fmt: skip
    refused("push | not in model", model.add, fm.PointForce(stranger.com, (1, 0), name="push"))
    pin = model.add(fm.Revolute(model.ground.at(0, 0), arm.at(0, 0), name="pin"))
    refused("mechanism | pin | is in the model already", model.add, pin)
    refused("mechanism | called 'pin' already", model.add, fm.PointForce(arm.com, (1, 0), name="pin"))
    refused("empty | no body | m.add(fm.RigidBody", fm.Model("empty").simulate, 1.0, step=0.1)
    refused("empty | no body", fm.Model("empty").system)


SIMULATE = {
    "t_end zero": ({"t_end": 0.0}, "mechanism | t_end = 0 | must be positive"),
    "t_end negative": ({"t_end": -1.0}, "mechanism | t_end = -1 | must be positive"),
    "t_end NaN": ({"t_end": NAN}, "mechanism | t_end = nan | not finite"),
    "t_end infinite": ({"t_end": np.inf}, "mechanism | t_end = inf | not finite"),
    "t_end in words": ({"t_end": "long"}, "mechanism | t_end = 'long' | not a number"),
    "step negative": ({"step": -0.1}, "mechanism | step = -0.1 | must be positive"),
    "step zero": ({"step": 0.0}, "mechanism | step = 0 | must be positive"),
    "step NaN": ({"step": NAN}, "mechanism | step = nan | not finite"),
    "tolerance negative": ({"step": None, "tolerance": -1e-3}, "mechanism | tolerance = -0.001 | must be positive"),
    "both": ({"tolerance": 1e-3}, "mechanism | both step and tolerance | give step= for a fixed step or tolerance="),
    "neither": ({"step": None}, "mechanism | neither step nor tolerance | give step="),
    "output_step negative": ({"output_step": -1.0}, "mechanism | output_step = -1 | must be positive"),
    "assembly_tolerance": ({"assembly_tolerance": 0.0}, "mechanism | assembly_tolerance = 0 | must be positive"),
    "linear solver": ({"linear_solver": "sciipy"}, "linear_solver = 'sciipy' | unknown | Did you mean 'scipy'? | Known: auto"),
    "linear solver of PETSc": ({"linear_solver": "petsc:"}, "linear_solver = 'petsc:' | unknown"),
    "tangent": ({"tangent": "exakt"}, "mechanism | tangent = 'exakt' | unknown | Did you mean 'exact'?"),
}


@pytest.mark.parametrize("name", SIMULATE)
def test_simulate(name: str):
    change, words = SIMULATE[name]
    model, _ = pendulum()
    options = {"t_end": 1.0, "step": 0.1} | change
    refused(words, model.simulate, options.pop("t_end"), **options)


def test_integrators():
    refused("GeneralizedAlpha | rho_inf = 1.1 | outside [0, 1]", fm.GeneralizedAlpha, 1.1)
    refused("GeneralizedAlpha | rho_inf = -0.1 | outside [0, 1]", fm.GeneralizedAlpha, -0.1)
    refused("GeneralizedAlpha | rho_inf = nan | not finite", fm.GeneralizedAlpha, NAN)
    refused("GeneralizedAlpha | newton_tolerance = 0 | must be positive", fm.GeneralizedAlpha, newton_tolerance=0.0)
    refused("BaumgarteODE | method = 'BFD' | unknown | 'BDF'", fm.BaumgarteODE, method="BFD")
    refused("BaumgarteODE | alpha = -1 | must be positive", fm.BaumgarteODE, alpha=-1.0)
    refused("AugmentedLagrangian | penalty = 0 | must be positive", fm.AugmentedLagrangian, penalty=0.0)
    refused("CoordinatePartitioning | rtol = nan | not finite", fm.CoordinatePartitioning, rtol=NAN)


def test_other_analyses():
    model, _ = pendulum()
    refused("1 degree of freedom | not driven | add drives", model.kinematics, [0.0, 1.0])
    refused("mechanism | t must be finite times", model.kinematics, [1.0, 0.5])
    refused("mechanism | t must be finite times", model.kinematics, [0.0, NAN])
    refused("mechanism | load_steps = 0 | 1 or more", model.equilibrium, load_steps=0)
    refused("mechanism | n = 0 | 1 or more", model.modes, 0)
    for value in (0, -3, 2.5, "many", True):
        refused(f"mechanism | load_steps = {value!r} | whole number of 1 or more", model.equilibrium, load_steps=value)
        refused(f"mechanism | max_iterations = {value!r} | whole number of 1 or more", model.equilibrium, max_iterations=value)
        refused(f"mechanism | n = {value!r} | whole number of 1 or more", model.buckling, value)
    refused("mechanism | tolerance = 0 | must be positive", model.equilibrium, tolerance=0.0)
    refused("mechanism | tolerance = nan | not finite", model.equilibrium, tolerance=NAN)
    refused("mechanism | follow = 'arch' | Did you mean 'arc'? | load", model.equilibrium, follow="arch")
    refused("mechanism | load_steps = 3 | follow = 'arc' | leave load_steps out", model.equilibrium, load_steps=3, follow="arc")


def test_buckling_of_what_does_not_buckle():
    model, _ = pendulum()
    refused("mechanism | no stiffness | hold it", model.buckling)
    refused("mechanism | at is not an equilibrium", model.buckling, at=model.simulate(0.01, step=1e-3))
    refused("mechanism | at = 'there' | not a solution", model.buckling, at="there")
    other, _ = model_with_body(planar=False)
    refused("mechanism | at has 3 coordinates | 12", other.modes, at=model.equilibrium())
    held = fm.Model("held")
    body = held.add(fm.PlanarBody("arm", mass=1.0, inertia=1.0, com=(1.0, 0.0)))
    held.add(fm.SpringDamper(held.ground.at(0.0, 0.0), body.com, stiffness=1.0, length=1.0))
    refused("held | neither gravity nor a load", held.buckling)
    held.add(fm.Prismatic(held.ground.at(0.0, 0.0), body.com, axis=(1.0, 0.0)))
    held.add(fm.PointForce(body.com, (1e-3, 0.0)))
    refused("held | no multiple of these loads | directions of the loads", held.buckling)


def test_questions_to_a_solution():
    model, _ = pendulum()
    sol = model.simulate(0.01, step=1e-3)
    refused("reaction | no joint 'pni' | Did you mean 'pin'?", sol.reaction, "pni")
    _, stranger = model_with_body(planar=False)
    refused("'arm' of this marker is not in the solution's model", sol.position, stranger.com)
    refused("angle | 'arm' is not a planar body | sol.rotation", sol.angle, stranger)


@dataclass(frozen=True, eq=False)
class Wind(fm.UserForce):
    """A force of time and position, as the test says."""

    marker: fm.Marker
    law: Callable[[float, fm.MarkerState], Any]

    def force(self, t: float, state: fm.MarkerState) -> list[Any]:
        return [self.law(t, state)]


def blown(law: Callable[[float, fm.MarkerState], Any]) -> fm.Model:
    model, arm = pendulum()
    model.add(Wind(arm.com, law, name="wind"))
    return model


@pytest.mark.parametrize("value", [NAN, np.inf])
def test_force_that_is_nan_at_the_start(value: float):
    model = blown(lambda t, s: (value, 0))
    refused("initial forces | on 'arm' | NaN or infinite | check forces", model.simulate, 1.0, step=0.1)


def breaks_down(model: fm.Model, after: float) -> fm.ConvergenceError:
    """The error of a run of 0.05 s; checks that it carries everything up to the time it names."""
    with pytest.raises(fm.ConvergenceError) as caught:
        model.simulate(0.05, step=1e-3)
    error = caught.value
    assert after - 2e-3 < error.time < after + 8e-3  # noise may pass for a few steps of 1e-3 s
    assert "mechanism" in str(error) and f"t = {error.time:.6g} s" in str(error)
    assert error.remedy and error.remedy in str(error) and error.status is not fm.Status.CONVERGED
    assert isinstance(error.solution, fm.Solution) and len(error.solution) > 10
    assert after - 2e-3 < error.solution.t[-1] <= error.time
    assert np.isfinite(error.solution.q).all() and np.isfinite(error.solution.energy.balance).all()
    return error


@pytest.mark.parametrize("value", [NAN, np.inf])
def test_force_that_becomes_nan(value: float):
    breaks_down(blown(lambda t, s: (value if t > 0.0405 else 1.0, 0)), after=0.04)


def test_force_without_a_solution():
    """Its value depends on when it is asked: Newton's method cannot converge."""
    rng = np.random.default_rng(0)
    breaks_down(blown(lambda t, s: 1e6 * rng.standard_normal(2) if t > 0.0405 else (0, 0)), after=0.04)


def test_infinitely_stiff_force():
    """A spring of 1e12 N/m that appears on the way: follow it, or say that it cannot be done."""

    def wall(t: float, state: fm.MarkerState) -> Any:
        return 1e12 * ((1.0, 0.0) - state.r[:2]) if t > 0.0405 else (0.0, 0.0)

    with pytest.warns(fm.UnbalancedEnergy, match=r"99 % of the .* J exchanged, went missing"):
        sol = blown(wall).simulate(0.1, step=1e-3)
    assert np.abs(sol.drift).max() < 1e-6


def test_drive_that_becomes_nan():
    model, arm = pendulum()
    model.add(fm.RotationDrive(model.ground.at(0, 0), arm.at(0, 0), speed=lambda t: 1.0 if t < 0.0405 else NAN))
    breaks_down(model, after=0.04)


def test_load_that_becomes_nan():
    model, arm = pendulum()
    model.add(fm.PointForce(arm.com, lambda t: (NAN if t > 0.0405 else 1.0, 0.0), name="push"))
    with pytest.raises((fm.ModelError, fm.ConvergenceError), match=r"push: force = .*nan.* is not finite; give"):
        model.simulate(0.1, step=1e-3)


def test_error_control_breaks_down_as_well():
    with pytest.raises(fm.ConvergenceError) as caught:
        blown(lambda t, s: (NAN if t > 0.0405 else 1.0, 0)).simulate(0.1, tolerance=1e-6)
    assert len(caught.value.solution) > 1
    assert_allclose(caught.value.time, 0.0405, rtol=0, atol=1e-6)


@pytest.mark.parametrize("options", [{"step": 1e-3}, {"tolerance": 1e-6}])
def test_interrupted(options: dict[str, float]):
    """Ctrl-C: a KeyboardInterrupt for the caller, with the frames."""

    def press(t: float, state: fm.MarkerState) -> tuple[float, float]:
        if t > 0.0405:
            raise KeyboardInterrupt
        return 0.0, 0.0

    with pytest.raises(fm.Interrupted) as caught:
        blown(press).simulate(0.1, **options)
    error = caught.value
    assert isinstance(error, KeyboardInterrupt) and "interrupted at t" in str(error)
    assert len(error.solution) > 1 and 0.02 < error.time <= 0.0405
    assert error.solution.t[-1] == error.time


def test_partial_solution_is_the_beginning_of_the_whole():
    whole = blown(lambda t, s: (1.0, 0)).simulate(0.1, step=1e-3)
    part = breaks_down(blown(lambda t, s: (NAN if t > 0.0405 else 1.0, 0)), after=0.04).solution
    frames = part.t <= 0.0400001
    assert_allclose(part.q[frames], whole.q[: frames.sum()], rtol=0, atol=1e-12)


def test_nan_is_called_nan():
    error = breaks_down(blown(lambda t, s: (NAN if t > 0.0405 else 1.0, 0)), after=0.04)
    assert error.status is fm.Status.NOT_FINITE


def test_force_that_throws_the_model_away():
    """A force of 1e8 N that changes sign: whatever the motion, the pin must hold, or the run must stop."""

    def chatter(t: float, state: fm.MarkerState) -> tuple[float, float]:
        return (0.0, -1e8 * np.sign(state.r[1] + 0.005)) if t > 0.0405 else (0.0, 0.0)

    try:
        sol = blown(chatter).simulate(0.05, step=1e-3)
    except fm.ConvergenceError as error:
        sol = error.solution
    assert np.abs(sol.drift).max() < 1e-6


def test_users_own_exception():
    with pytest.raises(fm.ConvergenceError, match="division by zero") as caught:
        blown(lambda t, s: (1.0 / max(0.0405 - t, 0.0), 0)).simulate(0.1, step=1e-3)
    assert len(caught.value.solution) > 10


def test_load_that_becomes_nan_keeps_the_frames():
    model, arm = pendulum()
    model.add(fm.PointForce(arm.com, lambda t: (NAN if t > 0.0405 else 1.0, 0.0), name="push"))
    assert "push" in str(breaks_down(model, after=0.04))


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("mechanism | integrator = 'newmark'", lambda m: m.simulate(1.0, step=0.1, integrator="newmark")),
        ("mechanism | tangent = 'exakt'", lambda m: m.equilibrium(tangent="exakt")),
        ("mechanism | t", lambda m: m.kinematics("soon")),
    ],
)
def test_unchecked_options(words: str, action: Callable[[fm.Model], Any]):
    refused(words, action, pendulum()[0])


NOT_NUMBERS = {"text": "1.0", "decimal": Decimal("1.0"), "fraction": Fraction(1, 3), "flag": True, "complex": 1j, "bytes": b"1"}


@pytest.mark.parametrize("name", NOT_NUMBERS)
def test_what_only_looks_like_a_number(name: str):
    value = NOT_NUMBERS[name]
    refused("arm | mass | not a number | give a finite number", fm.RigidBody, "arm", **(GOOD | {"mass": value}))
    refused("arm | com | not a vector | give 3 numbers", fm.RigidBody, "arm", **(GOOD | {"com": (value, "x", 0)}))


def test_huge_numbers():
    refused("arm | mass = 1000 | ... | 0000 is not finite", fm.RigidBody, "arm", **(GOOD | {"mass": 10**400}))
    refused("arm | mass = a | int is not finite", fm.RigidBody, "arm", **(GOOD | {"mass": 10**5000}))
    refused("arm | com | not a vector", fm.RigidBody, "arm", **(GOOD | {"com": (10**400, 0, 0)}))
    model, _ = pendulum()
    refused("mechanism | t_end = 1e+300 s has 1e+303 times step = 0.001 s", model.simulate, 1e300, step=1e-3)
    refused("mechanism | t_end = 1e+300 s is longer than 1e+10 s | unit", model.simulate, 1e300, tolerance=1e-3)
    refused("mechanism | n = 1000000000000000000 | from 1 to 10000000", model.modes, 10**18)


def test_kinematics_far_away_asks_for_times_in_between():
    model, arm = pendulum()
    model.add(fm.RotationDrive(model.ground.at(0, 0), arm.at(0, 0), speed=3.0))
    refused("kinematics | t = 1000 s is too far | times in between", model.kinematics, [1000.0])
    assert_allclose(model.kinematics(np.linspace(0.0, 200.0, 3001)).t[-1], 200.0)


def test_functions_that_fail_are_named():
    model, arm = model_with_body()
    ground, end = model.ground.at(0, 0), arm.at(0, 0)
    fails = {
        "force": lambda: fm.PointForce(end, lambda t: 1 / t, name="push"),
        "drive": lambda: fm.RotationDrive(ground, end, speed=lambda t: 1 / t, name="push"),
        "spring": lambda: fm.SpringDamper(ground, arm.com, stiffness=lambda t: 1 / t, name="push"),
    }
    for make in fails.values():
        with pytest.raises(fm.ModelError, match=r"^push: .*\(0\) raises ZeroDivisionError") as caught:
            make()
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
