"""Starts that used to be silent and wrong: beams drawn short, beams driven from rest, gaps closed by the last element."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.solvers.linear import linear_solver
from fmbs.solvers.start import Start, consistent_start

STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850.0)
BAR = {"section": fm.Rectangle(0.02, 0.02), "material": STEEL}
MASS = 7850.0 * 4e-4  # of a metre of it, kg


def start_of(model: fm.Model, **options: Any) -> Start:
    system = model.system()
    return consistent_start(system, linear_solver("auto", system.size + system.multipliers), **options)


def between_walls(length: float, width: float, elements: int) -> tuple[fm.Model, fm.Beam]:
    model = fm.Model("strut")
    rod = model.add(fm.Beam("rod", start=(0, 0, 0), end=(length, 0, 0), elements=elements, **BAR))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), rod.start, name="clamp"))
    model.add(fm.Spherical(model.ground.at(width, 0, 0), rod.end, name="pin"))
    return model, rod


@pytest.mark.parametrize("elements", [1, 4])
def test_a_beam_drawn_a_centimetre_short_is_stretched_evenly_and_told(elements: int):
    """Once 59 % of strain in the last element and 52 kJ, without a word. Now EA/(2 L) dL^2, the least there is."""
    model, rod = between_walls(0.49, 0.5, elements)
    energy = 0.5 * STEEL.E * 4e-4 / 0.49 * 0.01**2
    strain = rf"'rod' was deformed to make them fit: .* strains up to 0\.02 and {energy:.3g}".replace("+", r"\+")
    with (
        pytest.warns(fm.InconsistentStart, match=r"'rod' was moved by 10 mm.*'pin: x of the point' was open by 10 mm"),
        pytest.warns(fm.InconsistentStart, match=strain + r".* J of elastic energy; 'pin: x of the point' was open by 10 mm"),
    ):
        sol = model.simulate(1e-5, step=1e-6)
    assert_allclose(sol.energy.elastic[0], energy, rtol=1e-6)
    assert_allclose(sol.section(rod, np.linspace(0, 1, 9)).strain[0, :, 0], 0.01 / 0.49, rtol=1e-5)


def test_strain_is_told_however_large_the_tolerance():
    """That parts may be moved does not mean that they may be strained."""
    model, _ = between_walls(0.49, 0.5, 2)
    with pytest.warns(fm.InconsistentStart, match="strains up to") as told:
        model.simulate(1e-5, step=1e-6, assembly_tolerance=0.03)
    assert len(told) == 1


def test_remedies_of_a_strained_beam():
    """Drawn as long as its place, or freed, it has no strain; drawn to five digits, too little to tell."""
    for length, energy in ((0.5, 1e-15), (0.49999, 1.0)):
        assert between_walls(length, 0.5, 2)[0].simulate(1e-5, step=1e-6).energy.elastic[0] <= energy
    model = fm.Model("freed")
    rod = model.add(fm.Beam("rod", start=(0, 0, 0), end=(0.49, 0, 0), elements=2, **BAR))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), rod.start))
    model.add(fm.PointOnLine(model.ground.at(0.5, 0, 0), rod.end, axis=(1, 0, 0)))
    assert model.simulate(1e-5, step=1e-6).energy.elastic[0] < 1e-12


@pytest.mark.parametrize("kind", ["Beam", "Cable", "PlanarBeam"])
def test_a_chain_that_can_be_assembled_starts_undeformed(kind: str):
    """Two links that are drawn 3 cm apart at their common pin: both turn, neither bends (|a| + |b| > 1 leaves a triangle)."""
    flat = kind == "PlanarBeam"
    model, points = fm.Model("tent"), [(0, 0, 0), (0.55, 0.2, 0), (0.56, 0.17, 0), (1, 0, 0)]
    section = fm.Circle(0.01) if kind == "Cable" else fm.Rectangle(0.02, 0.02)
    options = {"section": section, "material": STEEL, "elements": 3}
    if flat:
        points = [p[:2] for p in points]
    left = model.add(getattr(fm, kind)("left", start=points[0], end=points[1], **options))
    right = model.add(getattr(fm, kind)("right", start=points[2], end=points[3], **options))
    joint = fm.Revolute if flat else fm.Spherical
    model.add(joint(model.ground.at(*points[0]), left.start))
    model.add(joint(left.end, right.start, name="ridge"))
    model.add(joint(right.end, model.ground.at(*points[3])))
    with pytest.warns(fm.InconsistentStart, match=r"was moved by .*'ridge: . of the point' was open by 30 mm") as told:
        sol = model.simulate(1e-5, step=1e-6)
    assert len(told) == 1  # of positions; nothing is strained
    assert sol.energy.elastic[0] < 1e-12
    assert sol.statistics.drift < 1e-10


def driven_arm(elements: int, speed: float = 1.0, **motion: Any) -> tuple[fm.Model, fm.Beam]:
    """A metre of steel on a hinge that turns at constant speed from the first instant."""
    model = fm.Model("arm")
    arm = model.add(fm.Beam("arm", start=(0, 0, 0), end=(1, 0, 0), elements=elements, **BAR, **motion))
    hinge = model.ground.at(0, 0, 0)
    model.add(fm.Revolute(hinge, arm.start, axis=(0, 0, 1), name="hinge"))
    model.add(fm.RotationDrive(hinge, arm.start, axis=(0, 0, 1), speed=speed, name="motor"))
    return model, arm


@pytest.mark.parametrize("elements", [1, 4])
def test_a_drive_turns_a_beam_as_a_whole(elements: int):
    """Nodes have w x r, directors w x d, to round-off: no strain rate anywhere, and the energy is 1/2 J w^2."""
    model, arm = driven_arm(elements, speed=3.0)
    state = start_of(model).state
    vectors = state.q.reshape(-1, 3)
    assert_allclose(state.v.reshape(-1, 3), np.cross((0, 0, 3.0), vectors), rtol=0, atol=1e-11)
    inertia = MASS * (1.0 / 3.0 + 0.02**2 / 12.0)
    assert_allclose(model.system().kinetic_energy(state.v), 0.5 * inertia * 9.0, rtol=1e-10)
    assert arm.given == (False, False)


@pytest.mark.parametrize("rho_inf", [0.0, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("elements", [1, 4])
def test_a_driven_beam_runs_cleanly(elements: int, rho_inf: float):
    """Once 8.6e5 J of kinetic energy with rho_inf = 0, and twice what is right with others; 5 % are the integrator's start."""
    model, arm = driven_arm(elements)
    for step in (4e-3, 1e-3):
        sol = model.simulate(0.1, step=step, integrator=fm.GeneralizedAlpha(rho_inf=rho_inf))
        rigid = 0.5 * MASS * (1.0 / 3.0 + 0.02**2 / 12.0)
        assert (sol.energy.kinetic + sol.energy.elastic).max() < 1.05 * rigid
        circle = np.stack([np.cos(sol.t), np.sin(sol.t), 0.0 * sol.t], axis=1)
        assert np.abs(sol.position(arm.end) - circle).max() < 1e-4


def test_a_sudden_start_is_there_for_those_who_want_it():
    """The hinge alone moves: an impulse, which leaves the rest of the beam where it was."""
    model, arm = driven_arm(4, velocity=(0, 0, 0), spin=(0, 0, 0))
    with pytest.raises(fm.ModelError, match=r"spin of 'arm' from \(0, 0, 0\) to \(0, 0, 1\) rad/s.*the drive 'motor' asks"):
        model.simulate(0.01, step=1e-4)
    sol = model.simulate(0.01, step=1e-4, initial_velocities="impulse")
    assert np.abs(sol.velocity(arm.end)[0]).max() < 1e-4
    assert_allclose(sol.spin(arm.start)[0], (0, 0, 1), rtol=0, atol=1e-9)


def test_a_flexible_slider_crank_starts_like_a_rigid_one():
    """Crank, rod and slider were given nothing: rigid motions of all three together, from the drive."""
    model, speed = fm.Model("slider-crank"), 100.0
    crank = model.add(fm.PlanarBeam("crank", start=(0, 0), end=(0.03, 0.04), elements=2, **BAR))
    rod = model.add(fm.PlanarBeam("rod", start=(0.03, 0.04), end=(0.03 + 0.153, 0.0), elements=3, **BAR))
    slider = model.add(fm.PlanarBody("slider", mass=0.14, inertia=1e-4, com=(0.183, 0)))
    model.add(fm.Revolute(model.ground.at(0, 0), crank.start))
    model.add(fm.Revolute(crank.end, rod.start))
    model.add(fm.Revolute(rod.end, slider.com))
    model.add(fm.Prismatic(model.ground.at(0, 0), slider.com, axis=(1, 0)))
    model.add(fm.RotationDrive(model.ground.at(0, 0), crank.start, speed=speed))
    sol = model.simulate(1e-6, step=1e-6)
    turning = -speed * 0.03 / 0.153  # the rod's end stays on the line: 0.03 speed + 0.153 spin = 0
    assert_allclose(sol.spin(rod.at(0.3))[0], turning, rtol=1e-9)
    assert_allclose(sol.velocity(slider.com)[0], (-0.04 * speed + 0.04 * turning, 0.0), rtol=0, atol=1e-9)
    ends = np.linspace(0, 1, 7)
    for link, spin in ((crank, speed), (rod, turning)):
        apart = np.array([sol.position(link.at(s))[0] - sol.position(link.start)[0] for s in ends])
        moving = np.array([sol.velocity(link.at(s))[0] - sol.velocity(link.start)[0] for s in ends])
        assert_allclose(moving, spin * apart[:, ::-1] * (-1, 1), rtol=0, atol=1e-9)


@pytest.mark.parametrize("elements", [2, 8])
def test_forced_deformation_is_spread_and_told(elements: int):
    """A clamped beam whose other end is pushed sideways at once: the velocities of a cubic, 3 s^2 - 2 s^3, without a jump."""
    model = fm.Model("pushed")
    rod = model.add(fm.Beam("rod", start=(0, 0, 0), end=(1, 0, 0), elements=elements, **BAR))
    block = model.add(fm.RigidBody("block", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(1, 0, 0)))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), rod.start, name="clamp"))
    model.add(fm.Fixed(block.com, rod.end, name="weld"))
    model.add(fm.Prismatic(model.ground.at(1, 0, 0), block.com, axis=(0, 0, 1), name="guide"))
    model.add(fm.TranslationDrive(model.ground.at(1, 0, 0), block.com, axis=(0, 0, 1), speed=2.0, name="pusher"))
    words = r"'rod' has to deform from the first instant, with up to 0\.\d+ m/s .*'pusher' asks for it.*SmoothStep"
    with pytest.warns(fm.InconsistentStart, match=words):
        sol = model.simulate(1e-5, step=1e-6)
    s = np.linspace(0, 1, 9)
    sideways = [sol.velocity(rod.at(x))[0, 2] for x in s]
    assert_allclose(sideways, 2.0 * (3.0 * s**2 - 2.0 * s**3), rtol=0, atol=0.01)  # shear adds a little
    assert model.simulate(1e-5, step=1e-6, initial_velocities="impulse").statistics.start == ()


def test_models_that_fit_pay_nothing(monkeypatch: pytest.MonkeyPatch):
    """Neither rigid motions nor stiffnesses are looked at where drawn positions and given velocities fit."""
    for module in ("assembled", "initial_velocities", "contradictions", "moved_bodies"):
        monkeypatch.setattr(f"fmbs.solvers.{module}.RigidMotions", None)
    model, _ = driven_arm(4, velocity=(0, 0, 0), spin=(0, 0, 1.0))
    assert start_of(model).moved_velocity < 1e-12
