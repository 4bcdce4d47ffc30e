"""Solids by few modes against the solids themselves."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

STEEL = fm.Material(E=2.07e11, nu=0.3, density=7850.0, damping=1e-5)


def bar(kind: str = "hexahedron20", *, interfaces: str = "rigid", divisions=(6, 1, 1), **options) -> fm.Solid:
    ends = dict.fromkeys(("x-", "x+"), interfaces)
    size, corner = (0.5, 0.02, 0.02), (0.0, -0.01, -0.01)
    return fm.Solid.block(
        "bar", size=size, divisions=divisions, material=STEEL, kind=kind, corner=corner, interfaces=ends, **options
    )


def clamped(body: fm.Solid | fm.ReducedBody, *names: str) -> fm.Model:
    m = fm.Model("clamped")
    m.add(body)
    for name in names:
        marker = body.interface(name)
        m.add(fm.Fixed(m.ground.at(*marker.position), marker))
    return m


@pytest.mark.parametrize(("kind", "ends"), [("hexahedron20", "rigid"), ("hexahedron", "average")])
def test_frequencies_of_the_solid(kind: str, ends: str):
    """Kept modes, also of cells with internal modes and of faces that may warp: 1e-6 is asked for."""
    solid = bar(kind, interfaces=ends)
    small = solid.reduced(6)
    assert small.size < solid.size
    full = clamped(solid, "x-", "x+").modes(6).frequencies
    assert_allclose(clamped(small, "x-", "x+").modes(6).frequencies, full, rtol=1e-7)
    assert_allclose(small.frequencies, full, rtol=1e-7)
    assert_allclose((small.mass, *small.com.position), (solid.mass, *solid.com.position), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", ["hexahedron20", "tetra10"])
def test_averaged_faces_of_second_order(kind: str):
    """A moment on a face is spread by int N_i X dA, not by shares times arms: the bar turns by M L/(E I), as the solid does."""
    turns = []
    for body in (solid := bar(kind, interfaces="average"), solid.reduced(0)):
        m = clamped(body, "x-")
        m.add(fm.Torque(body.interface("x+"), (0.0, 0.0, 0.5)))
        turns.append(m.equilibrium().rotation(body.interface("x+"))[-1][1, 0])
    assert_allclose(turns[0], 0.5 * 0.5 / (STEEL.E * 0.02**4 / 12), rtol=1e-5)
    assert_allclose(turns[1], turns[0], rtol=1e-7)


def test_stresses_of_the_solid():
    """Bent by 0.1 mm and turned by 40 degrees: components of the tensor in global axes, on all nodes."""
    shots = []
    for body in (solid := bar(), solid.reduced(2)):
        m = clamped(body, "x-")
        m.add(fm.PointForce(body.interface("x+"), (50.0, 0.0, -10.0)))
        q = m.equilibrium().q[-1]
        shots.append(body.volume().snapshot(body.displaced(q, np.zeros(3), np.ones(3), np.array([0.0, 0.7, 0.2])), 0 * q))
    full, small = (shot.fields for shot in shots)
    for name in ("stress", "von_mises", "principal_stress"):
        assert_allclose(small[name], full[name], rtol=0, atol=2e-3 * np.abs(full[name]).max())
    assert_allclose(shots[1].points, shots[0].points, atol=2e-7)


def test_bends_as_the_solid_does():
    """Tip rotation 0.045 rad: the rigid end is not stiff in its own plane by turning; what is left is of second order."""
    tips = []
    for body in (solid := bar(), solid.reduced(0)):
        m = clamped(body, "x-")
        m.add(fm.PointForce(body.interface("x+"), (0.0, 0.0, -1000.0)))
        tips.append(m.equilibrium().position(body.interface("x+"))[-1, 2])
    assert_allclose(tips[1], tips[0], rtol=2e-3)


def test_says_where_it_bends_too_far():
    body = bar().reduced(0)
    m = clamped(body, "x-")
    m.add(fm.PointForce(body.interface("x+"), (0.0, 0.0, -7000.0)))
    assert any("within the body, whose strains are linear" in note for note in m.equilibrium().notes)


def slider_crank(rod: fm.Solid | fm.ReducedBody, speed: float) -> fm.Model:
    m = fm.Model("slider-crank", gravity=(0, 0, -9.81))
    crank = m.add(fm.RigidBody("crank", mass=0.5, inertia=(1e-3, 1e-3, 1e-3), com=(-0.05, 0, 0)))
    m.add(rod)
    slider = m.add(fm.RigidBody("slider", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), com=(0.5, 0, 0)))
    main, turning = m.ground.at(-0.1, 0, 0), fm.SmoothStep(0.0, 0.02, 0.0, speed)
    m.add(fm.Revolute(main, crank.at(-0.1, 0, 0), axis=(0, 0, 1), name="main"))
    m.add(fm.RotationDrive(main, crank.at(-0.1, 0, 0), axis=(0, 0, 1), speed=turning, name="motor"))
    m.add(fm.Revolute(crank.at(0, 0, 0), rod.interface("x-"), axis=(0, 0, 1), name="crank pin"))
    m.add(fm.Spherical(rod.interface("x+"), slider.com, name="wrist pin"))
    m.add(fm.Prismatic(m.ground.at(0.5, 0, 0), slider.com, axis=(1, 0, 0), name="guide"))
    return m


def deflection(sol: fm.Solution, rod: fm.Solid | fm.ReducedBody) -> np.ndarray:
    """Of the middle of the rod from the line between its pins, m."""
    a, b = (sol.position(rod.interface(name)) for name in ("x-", "x+"))
    middle = sol.position(rod.at(0.25, 0.01, 0.01)) - 0.5 * (a + b)
    along = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]
    return along[:, 0] * middle[:, 1] - along[:, 1] * middle[:, 0] - 0.01


@pytest.mark.parametrize("t_end", [0.02, pytest.param(0.1, marks=pytest.mark.slow)])
def test_slider_crank_with_a_reduced_rod(t_end: float):
    """Within 1 % of the solid's deflection: the axial force, which reduced bodies do not see, is 0.3 % of the buckling load."""
    found = []
    for rod in (solid := bar(divisions=(6, 2, 1)), solid.reduced(20)):
        sol = slider_crank(rod, 60.0).simulate(t_end, step=1e-4, output_step=1e-3)
        found.append(deflection(sol, rod))
    assert np.abs(found[0]).max() > 5e-5
    assert_allclose(found[1], found[0], atol=0.01 * np.abs(found[0]).max())


def test_saved_and_read_again(tmp_path):
    body = bar("hexahedron").reduced(2, {"x-": "average"}, spin=(0.0, 0.0, 1.0))
    other = fm.ReducedBody.load(body.save(tmp_path / "bar.h5"))
    assert other.interfaces == ("x-",) and other.damping == STEEL.damping and other.given == (False, True)
    q, v = body.initial_position(), body.initial_velocity()
    assert_allclose(other.initial_velocity(), v, rtol=0, atol=0)
    for one, two in ((body.volume(), other.volume()), (body.surface(1), other.surface(1))):
        assert_allclose(two.snapshot(1.01 * q, v).fields["von_mises"], one.snapshot(1.01 * q, v).fields["von_mises"])
    m = fm.Model("run")
    m.add(body)
    m.add(fm.Revolute(m.ground.at(0, 0, 0), body.interface("x-"), axis=(0, 0, 1), name="pin"))
    run = m.simulate(1e-2, step=1e-3)
    run.save(tmp_path / "run.h5")
    read = fm.load(tmp_path / "run.h5")
    assert_allclose(read.reaction("pin").force, run.reaction("pin").force, rtol=1e-9, atol=1e-9)
    assert read.to_vtk(tmp_path / "vtk" / "run.pvd")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"interfaces": ["x--"]}, "x-"),
        ({"interfaces": 3}, "give names of sets"),
        ({"interfaces": {"x-": "glued"}}, "'glued' is unknown"),
        ({"modes": 0, "interfaces": []}, "leave no modes"),
        ({"modes": 2.5}, "modes = 2.5"),
        ({"damping": -1.0}, "damping = -1"),
        ({"interfaces": ["x-", "y-"]}, "two rigid interfaces"),
    ],
    ids=str,
)
def test_bad_input(change: dict, told: str):
    with pytest.raises(fm.ModelError, match=told):
        bar().reduced(**change)
