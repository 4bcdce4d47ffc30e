"""Section forces along cantilevers against statics: F(s) = F, M(s) = T + (r_tip - r(s)) x F in the deformed shape."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.core.state import State
from tests.elements.beam_cases import KINDS

Array = np.ndarray
Link = fm.Beam | fm.Cable | fm.PlanarBeam
STEEL = fm.Material(E=207e9, nu=0.3, density=7800.0)
PLAIN = fm.Material(E=207e9, nu=0.0, density=7800.0)
SECTION, SQUARE = fm.Rectangle(y=0.02, z=0.03), fm.Rectangle(0.02, 0.02)
FORCE, MOMENT = np.array([300.0, 50.0, -80.0]), np.array([6.0, -4.0, 5.0])
PLACES = np.linspace(0.0, 1.0, 21)
LIMITS = {  # of the force and of the moment, of their largest values: 8 elements of Beam, 16 of the lines
    "hermite-structural": (5e-5, 0.07), "quadratic-structural": (1e-4, 2e-4), "cubic-structural": (1e-6, 1e-5),
    "hermite-enhanced": (2e-3, 0.07), "quadratic-enhanced": (1e-4, 2e-4), "cubic-enhanced": (1e-5, 1e-4),
    "hermite-continuum": (2e-3, 0.07), "cubic-continuum": (1e-2, 1e-4),
    "cable": (1e-3, 1e-4), "planar beam": (1e-3, 1e-4),
}  # fmt: skip


def cantilever(kind: str) -> tuple[fm.Solution, Link, Array, Array]:
    """Clamped at the origin, along x, 1 m: the equilibrium, the beam, the force and the moment at its tip."""
    model, force, moment = fm.Model("cantilever"), FORCE, MOMENT
    given = {"material": STEEL, "start": (0, 0, 0), "end": (1, 0, 0)}
    if kind == "cable":
        beam, moment = fm.Cable("beam", section=SQUARE, elements=16, **given), np.zeros(3)
    elif kind == "planar beam":
        given |= {"start": (0, 0), "end": (1, 0)}
        beam = fm.PlanarBeam("beam", section=SECTION, elements=16, **given)
        force, moment = FORCE * (1, 1, 0), MOMENT * (0, 0, 1)
    else:
        interpolation, formulation = kind.split("-")
        given |= {"interpolation": interpolation, "formulation": formulation}
        given["material"] = PLAIN if formulation == "continuum" else STEEL
        beam = fm.Beam("beam", section=SECTION, elements=8, **given)
    model.add(beam)
    model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    model.add(fm.PointForce(beam.end, force))
    if kind != "cable":
        model.add(fm.Torque(beam.end, moment))
    return model.equilibrium(load_steps=2), beam, force, moment


def places(sol: fm.Solution, beam: Link) -> Array:
    r = np.array([sol.position(beam.at(float(s)))[-1] for s in PLACES])
    return np.pad(r, ((0, 0), (0, 3 - r.shape[1])))


@pytest.mark.parametrize("kind", LIMITS)
def test_statics_of_a_cantilever(kind: str):
    """At 21 places, ends and nodes among them.

    The hermite element's directors are linear, so its moment is constant in each element: an error of half an element's share.
    """
    sol, beam, force, moment = cantilever(kind)
    got, r = sol.section(beam, PLACES), places(sol, beam)
    assert got.force.shape == got.moment.shape == got.strain.shape == got.curvature.shape == (2, 21, 3)
    axes = got.frame[-1]
    assert_allclose(np.swapaxes(axes, 1, 2) @ axes, np.tile(np.eye(3), (21, 1, 1)), rtol=0, atol=1e-12)
    expected = moment + np.cross(r[-1] - r, force)
    allowed = LIMITS[kind]
    found = np.einsum("sca,sa->sc", axes, got.force[-1]), np.einsum("sca,sa->sc", axes, got.moment[-1])
    assert_allclose(found[0], np.tile(force, (21, 1)), rtol=0, atol=allowed[0] * np.linalg.norm(force))
    assert_allclose(found[1], expected, rtol=0, atol=allowed[1] * np.abs(expected).max())


def test_quadratic_continuum_beams_lock_in_shear():
    """Full integration: a moment to 5 %, and no shear force worth the name; docs/beams.md says so."""
    sol, beam, force, moment = cantilever("quadratic-continuum")
    got, r = sol.section(beam, PLACES), places(sol, beam)
    expected = moment + np.cross(r[-1] - r, force)
    found = np.einsum("sca,sa->sc", got.frame[-1], got.moment[-1])
    assert_allclose(found, expected, rtol=0, atol=0.05 * np.abs(expected).max())


@pytest.mark.parametrize("kind", ["-".join(kind) for kind in KINDS] + ["planar beam", "cable"])
def test_stress_is_bending_plus_tension(kind: str):
    """sigma = N/A + M_y z/I_y - M_z y/I_z at any point of the section."""
    sol, beam, _, _ = cantilever(kind)
    got, section = sol.section(beam, [0.2, 0.7]), beam.section
    y, z = 0.4 * 0.02, -0.4 * 0.02
    by_hand = got.force[-1, :, 0] / section.area + got.moment[-1] @ (0.0, z / section.Iy, -y / section.Iz)
    assert_allclose(got.axial_stress(y, z)[-1], by_hand, rtol=0.02 if "-enhanced" in kind or "-continuum" in kind else 1e-10)
    worst = [np.abs(got.axial_stress(*corner)[-1]) for corner in section.outline()]
    assert (got.von_mises()[-1] >= np.max(worst, axis=0)).all()


@pytest.mark.parametrize("kind", ["cubic-structural", "cubic-enhanced", "planar beam"])
def test_pure_bending(kind: str):
    """An end moment alone: constant M and kappa = M/EI, no force, sigma = -M y/I to 1e-6."""
    model = fm.Model("bending")
    size = 2 if kind == "planar beam" else 3
    given = {"section": SECTION, "material": STEEL, "elements": 4, "start": (0,) * size, "end": (1, 0, 0)[:size]}
    if size == 3:
        given["formulation"] = kind.split("-")[1]
    beam = model.add((fm.Beam if size == 3 else fm.PlanarBeam)("beam", **given))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    model.add(fm.Torque(beam.end, 20.0 if size == 2 else (0.0, 0.0, 20.0)))
    got = model.equilibrium().section(beam, PLACES)
    assert_allclose(got.moment[-1], np.tile([0.0, 0.0, 20.0], (21, 1)), rtol=0, atol=2e-4)
    assert_allclose(got.curvature[-1, :, 2], 20.0 / (STEEL.E * SECTION.Iz), rtol=1e-4)
    assert_allclose(got.force[-1], 0.0, rtol=0, atol=2e-2)  # N of 20 N m
    assert_allclose(got.axial_stress(0.01, 0.0)[-1], -20.0 * 0.01 / SECTION.Iz, rtol=1e-4)


def test_von_mises_of_tension_and_torsion():
    """A shaft: sigma = N/A and tau = T r/J at the surface."""
    model, section = fm.Model("shaft"), fm.Circle(0.01)
    beam = model.add(fm.Beam("beam", section=section, material=STEEL, elements=2, start=(0, 0, 0), end=(1, 0, 0)))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    model.add(fm.PointForce(beam.end, (5000.0, 0.0, 0.0)))
    model.add(fm.Torque(beam.end, (30.0, 0.0, 0.0)))
    got = model.equilibrium().section(beam, 0.5)
    expected = np.hypot(5000.0 / section.area, np.sqrt(3.0) * 30.0 * 0.01 / section.J)
    assert_allclose(got.von_mises()[-1], expected, rtol=1e-4)


@pytest.mark.parametrize("shape", ["beam", "planar beam", "cable"])
def test_drawn_shapes_have_no_section_forces(shape: str):
    """A curved link as drawn; then opened by a force, with the force and the moment of statics near its root."""

    def turn(s: float) -> tuple[float, float, float]:
        return (np.sin(1.5 * s), 1.0 - np.cos(1.5 * s), 0.0)

    given = {"section": SQUARE, "material": STEEL, "elements": 16, "curve": turn}
    model = fm.Model("hook")
    if shape == "planar beam":
        link = fm.PlanarBeam("hook", **{**given, "curve": lambda s: turn(s)[:2]})
    else:
        link = fm.Beam("hook", **given) if shape == "beam" else fm.Cable("hook", **given)
    model.add(link)
    model.add(fm.Fixed(model.ground.at(*link.start.position), link.start))
    model.add(fm.PointForce(link.end, (40.0, 0.0) if shape == "planar beam" else (40.0, 0.0, 0.0)))
    # A cable rolls freely, so that a curved one that is opened would rather leave its plane than be bent back.
    with pytest.warns(fm.UnstableEquilibrium) if shape == "cable" else nullcontext():
        sol = model.equilibrium()
    start = fm.Solution.from_states(sol.system, [_drawn(sol)], sol.statistics).section(link, PLACES)
    assert_allclose(start.moment, 0.0, rtol=0, atol=1e-6)
    assert_allclose(start.force, 0.0, rtol=0, atol=1e-4)
    lever = sol.position(link.end)[-1, 1]
    got = sol.section(link, (0.0, 1.0 / 32.0))  # lines have a constant shear force an element: right in its middle
    assert_allclose(got.moment[-1, 0, 2], -40.0 * lever, rtol=2e-3)
    assert_allclose(got.frame[-1, 1] @ got.force[-1, 1], (40.0, 0.0, 0.0), rtol=0, atol=0.1)


def _drawn(sol: fm.Solution) -> State:
    q = sol.system.initial_position
    return State(0.0, q, 0.0 * q, 0.0 * q, np.zeros(sol.system.multipliers), q)


def test_distributed_load():
    """V = w (l - s) and M = w (l - s)^2/2 under a load along the line, for every kind of link."""
    load = 100.0
    for make, size in ((fm.Beam, 3), (fm.Cable, 3), (fm.PlanarBeam, 2)):
        model = fm.Model("load")
        given = {"section": fm.Rectangle(0.1, 0.1), "material": STEEL, "start": (0,) * size, "end": (1, 0, 0)[:size]}
        link = model.add(make("link", elements=8, **given))
        model.add(fm.Fixed(model.ground.at(0, 0, 0), link.start))
        model.add(fm.DistributedForce(link, (0.0, load, 0.0)[:size]))
        got = model.equilibrium().section(link, PLACES)
        world = np.einsum("sca,sa->sc", got.frame[-1], got.force[-1]), np.einsum("sca,sa->sc", got.frame[-1], got.moment[-1])
        assert_allclose(world[0][:, 1], load * (1.0 - PLACES), rtol=0, atol=0.07 * load)  # linear V, cubic r: an element's half
        assert_allclose(world[1][:, 2], 0.5 * load * (1.0 - PLACES) ** 2, rtol=0, atol=2e-3 * load)


def test_bad_places():
    sol, beam, _, _ = cantilever("cubic-structural")
    for places in ([0.2, 1.1], -0.1, np.nan, "end", [[0.1, 0.2]], []):
        with pytest.raises(fm.ModelError, match=r"numbers in \[0, 1\]"):
            sol.section(beam, places)
    with pytest.raises(fm.ModelError, match="not in the solution's model"):
        sol.section(fm.Beam("other", section=SECTION, material=STEEL, elements=1, start=(0, 0, 0), end=(1, 0, 0)), 0.5)
    with pytest.raises(fm.ModelError, match="not flexible"):
        sol.section(fm.RigidBody("body", mass=1.0, inertia=(1, 1, 1), com=(0, 0, 0)), 0.5)
    with pytest.raises(fm.ModelError, match="not a Beam, PlanarBeam or Cable"):
        fm.DistributedForce(beam.end, (0.0, 0.0, 1.0))
    cable = fm.Cable("cable", section=SQUARE, material=STEEL, elements=1, start=(0, 0, 0), end=(1, 0, 0))
    with pytest.raises(fm.ModelError, match="no twist"):
        fm.DistributedForce(cable, (0.0, 0.0, 1.0), follower=True)
