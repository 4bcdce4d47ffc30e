"""Beams in ideal joints: constraints met, reactions equal to the loads, motions those of the mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.elements.beam_cases import KINDS

Array = np.ndarray
SECTION = fm.Rectangle(y=0.02, z=0.03)
STEEL = fm.Material(E=207e9, nu=0.3, density=7800.0)
RUBBER = fm.Material(E=2e7, nu=0.3, density=1200.0, damping=1e-3)
kinds = pytest.mark.parametrize("kind", KINDS, ids="-".join)


def link(name: str, start: object, end: object, kind: tuple[str, str] = ("cubic", "structural"), **options: object) -> fm.Beam:
    given = {"section": SECTION, "material": RUBBER, "elements": 2, **options}
    return fm.Beam(name, start=start, end=end, interpolation=kind[0], formulation=kind[1], **given)


@kinds
def test_clamp_carries_force_and_moment(kind: tuple[str, str]):
    """A cantilever of steel: the clamp holds -F, and -(r x F) - M about itself."""
    model = fm.Model("clamp", gravity=(0.0, 0.0, -9.81))
    beam = model.add(link("beam", (0.1, 0.2, 0.3), (0.6, 0.2, 0.3), kind, material=STEEL))
    clamp = model.add(fm.Fixed(model.ground.at(0.1, 0.2, 0.3), beam.start))
    force, moment = np.array([30.0, 5.0, -20.0]), np.array([2.0, -1.0, 3.0])
    model.add(fm.PointForce(beam.end, force))
    model.add(fm.Torque(beam.end, moment))
    sol = model.equilibrium()
    assert_allclose(sol.drift, 0.0, rtol=0, atol=1e-12)
    weight = np.array([0.0, 0.0, -9.81 * STEEL.density * SECTION.area * 0.5])
    got, arm = sol.reaction(clamp), sol.position(beam.end)[-1] - (0.1, 0.2, 0.3)
    assert_allclose(got.force[-1], -(force + weight), rtol=0, atol=1e-6)
    centre = np.mean([sol.position(beam.at(s))[-1] for s in np.linspace(0.025, 0.975, 20)], axis=0) - (0.1, 0.2, 0.3)
    assert_allclose(got.moment[-1], -(np.cross(arm, force) + np.cross(centre, weight) + moment), rtol=0, atol=2e-4)


@kinds
def test_rigid_body_clamped_to_a_beam(kind: tuple[str, str]):
    """A body at the tip keeps its place and angle relative to the tip's section through a fall of both."""
    model = fm.Model("hammer", gravity=(0.0, 0.0, -9.81))
    beam = model.add(link("handle", (0, 0, 0), (0.5, 0, 0), kind))
    head = model.add(fm.RigidBody("head", mass=0.3, inertia=(2e-4, 3e-4, 4e-4), com=(0.55, 0.01, 0.02)))
    model.add(fm.Revolute(model.ground.at(0, 0, 0), beam.start, axis=(0, 1, 0)))
    model.add(fm.Fixed(beam.end, head.at(0.5, 0, 0)))
    sol = model.simulate(0.1, step=5e-3)
    assert_allclose(sol.drift, 0.0, rtol=0, atol=1e-10)
    assert_allclose(sol.rotation(head.com), sol.rotation(beam.end), rtol=0, atol=1e-8)
    offset = np.einsum("fij,j->fi", sol.rotation(head.com), (0.05, 0.01, 0.02))
    assert_allclose(sol.position(head.com), sol.position(beam.end) + offset, rtol=0, atol=1e-8)
    assert sol.position(beam.end)[-1, 2] < -0.04  # 3/2 g t^2/2 = 0.07 for a rigid rod


def test_a_heavy_body_on_a_beam_is_a_spring():
    """First frequency of a body on a light cantilever: sqrt(3 EI/(m l^3)) to 1 % (the beam's mass and the body's inertia)."""
    model = fm.Model("spring")
    light = fm.Material(E=207e9, nu=0.3, density=1.0)
    beam = model.add(link("beam", (0, 0, 0), (1, 0, 0), material=light))
    mass = model.add(fm.RigidBody("mass", mass=5.0, inertia=np.full(3, 1e-3), com=(1, 0, 0)))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    model.add(fm.Fixed(beam.end, mass.com))
    expected = np.sqrt(3.0 * light.E * np.array([SECTION.Iz, SECTION.Iy]) / 5.0)
    assert_allclose(model.modes(2).omega, expected, rtol=0.01)


@kinds
def test_revolute_between_two_beams(kind: tuple[str, str]):
    """A chain of two beams that hangs from the ground, pulled aside: it lies along its forces, the hinge carries the pull."""
    model = fm.Model("chain")
    first = model.add(link("first", (0, 0, 0), (0.5, 0, 0), kind, material=STEEL))
    second = model.add(link("second", (0.5, 0, 0), (1.0, 0, 0), kind, material=STEEL))
    top = model.add(fm.Revolute(model.ground.at(0, 0, 0), first.start, axis=(0, 1, 0)))
    hinge = model.add(fm.Revolute(first.end, second.start, axis=(0, 1, 0)))
    force = np.array([40.0, 0.0, -30.0])
    model.add(fm.PointForce(second.end, force))
    sol = model.equilibrium()
    direction = force / 50.0
    assert_allclose(sol.position(second.end)[-1], direction, rtol=0, atol=1e-5)  # stretched by F l/EA = 4e-7
    assert_allclose(sol.position(first.end)[-1], 0.5 * direction, rtol=0, atol=1e-5)
    assert_allclose(sol.reaction(hinge).force[-1], -force, rtol=0, atol=1e-5)
    assert_allclose(sol.reaction(top).force[-1], -force, rtol=0, atol=1e-5)
    assert_allclose(sol.reaction(hinge).moment[-1], 0.0, rtol=0, atol=1e-5)


def test_revolute_between_two_beams_keeps_the_axis():
    """In motion, out of plane: ends together, axes parallel."""
    model = fm.Model("chain", gravity=(0.0, 3.0, -9.81))
    first, second = model.add(link("first", (0, 0, 0), (0.5, 0, 0))), model.add(link("second", (0.5, 0, 0), (0.8, 0.3, 0)))
    model.add(fm.Revolute(model.ground.at(0, 0, 0), first.start, axis=(0, 1, 0)))
    model.add(fm.Revolute(first.end, second.start, axis=(0, 1, 0)))
    sol = model.simulate(0.2, step=5e-3)
    assert_allclose(sol.position(first.end), sol.position(second.start), rtol=0, atol=1e-10)
    axes = [sol.rotation(marker)[:, :, 1] for marker in (first.end, second.start)]
    assert_allclose(axes[0], axes[1], rtol=0, atol=1e-9)
    assert np.abs(sol.rotation(first.end)[-1] - sol.rotation(second.start)[-1]).max() > 0.05  # and it did turn


@pytest.mark.parametrize("joint", [fm.Prismatic, fm.Cylindrical])
def test_slider_on_a_beam_end(joint: type):
    """A beam clamped at the left, its right end in a guide along x: it hangs, shortens freely, and the guide takes half."""
    model = fm.Model("guided", gravity=(0.0, 0.0, -9.81))
    beam = model.add(link("beam", (0, 0, 0), (1, 0, 0), elements=4))
    clamp = model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    guide = model.add(joint(model.ground.at(1, 0, 0), beam.end, axis=(1, 0, 0)))
    sol = model.equilibrium(load_steps=4)
    tip, weight = sol.position(beam.end)[-1], 9.81 * RUBBER.density * SECTION.area
    assert_allclose(tip[1:], 0.0, rtol=0, atol=1e-12)
    assert -0.02 < tip[0] - 1.0 < -1e-5
    assert_allclose(sol.rotation(beam.end)[-1], np.eye(3), rtol=0, atol=1e-9)
    assert_allclose(sol.reaction(clamp).force[-1], (0, 0, 0.5 * weight), rtol=0, atol=1e-3 * weight)
    assert_allclose(sol.reaction(guide).force[-1], (0, 0, 0.5 * weight), rtol=0, atol=1e-3 * weight)
    assert abs(sol.reaction(guide).force[-1][0]) < 1e-8 * weight  # a guide does not push along itself


def test_driven_slider_pulls_a_beam():
    """The end is drawn along the axis by a drive: the driving force is EA times the strain."""
    model = fm.Model("tension")
    beam = model.add(link("beam", (0, 0, 0), (1, 0, 0), elements=1))
    start, rail = model.ground.at(0, 0, 0), model.ground.at(1, 0, 0)
    clamp = model.add(fm.Fixed(start, beam.start))
    model.add(fm.Prismatic(rail, beam.end, axis=(1, 0, 0)))
    drive = model.add(fm.TranslationDrive(rail, beam.end, axis=(1, 0, 0), position=fm.SmoothStep(0.0, 0.5, 0.0, 0.01)))
    sol = model.simulate(0.8, step=0.01)
    assert_allclose(sol.position(beam.end)[-1], (1.01, 0, 0), rtol=0, atol=1e-12)
    pull = RUBBER.E * SECTION.area * 0.01
    assert_allclose(sol.reaction(drive).force[-1], (pull, 0, 0), rtol=2e-2, atol=1e-6)  # it still rings
    assert_allclose(sol.reaction(clamp).force[-1], (-pull, 0, 0), rtol=2e-2, atol=1e-6)


def test_marker_between_nodes():
    """A load at 3/8 of the length of a cantilever: F x^3/(3 EI) + F x/(k GA) there, the same slope from there on."""
    model = fm.Model("cantilever")
    beam = model.add(link("beam", (0, 0, 0), (1, 0, 0), material=STEEL, elements=8))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    middle = beam.at(0.375)
    model.add(fm.PointForce(middle, (0.0, 0.0, 1.0)))
    sol = model.equilibrium()
    _, k = SECTION.shear_factors(STEEL.nu)
    expected = 0.375**3 / (3.0 * STEEL.E * SECTION.Iy) + 0.375 / (k * STEEL.G * SECTION.area)
    assert_allclose(sol.position(middle)[-1][2], expected, rtol=1e-6)
    slope = 0.375**2 / (2.0 * STEEL.E * SECTION.Iy)
    assert_allclose(sol.position(beam.end)[-1][2], expected + slope * 0.625, rtol=1e-6)


def test_simply_supported_beam():
    """Revolute and a point on a line: 5 w l^4/(384 EI) + w l^2/(8 k GA) in the middle, half the weight at each end."""
    model = fm.Model("bridge", gravity=(0.0, 0.0, -9.81))
    beam = model.add(link("beam", (0, 0, 0), (1, 0, 0), material=STEEL, elements=4))
    left = model.add(fm.Revolute(model.ground.at(0, 0, 0), beam.start, axis=(0, 1, 0)))
    right = model.add(fm.PointOnLine(model.ground.at(1, 0, 0), beam.end, axis=(1, 0, 0)))
    sol = model.equilibrium()
    w, (_, k) = 9.81 * STEEL.density * SECTION.area, SECTION.shear_factors(STEEL.nu)
    sag = 5.0 * w / (384.0 * STEEL.E * SECTION.Iy) + w / (8.0 * k * STEEL.G * SECTION.area)
    assert_allclose(-sol.position(beam.at(0.5))[-1][2], sag, rtol=1e-5)
    for support in (left, right):
        assert_allclose(sol.reaction(support).force[-1][2], 0.5 * w, rtol=1e-6)
