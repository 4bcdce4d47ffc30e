"""Natural frequencies of straight beams against Timoshenko's theory, rods and shafts (tests/oracles/timoshenko.py)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.oracles import timoshenko

Array = np.ndarray
LENGTH = 2.0
BAR = fm.Rectangle(y=0.1, z=0.16)
STEEL = fm.Material(E=207e9, nu=0.3, density=7800.0)
EDGES = [("free", "free"), ("clamped", "free"), ("clamped", "clamped")]
ELEMENTS = {"cubic": 8, "quadratic": 16, "hermite": 90}
LIMIT = 1e-3


def modes(kind: str, ends: tuple[str, str], section: fm.Section, count: int, elements: int = 0) -> dict[str, Array]:
    """Frequencies, rad/s, sorted by what moves: y, z (bending), x (stretch), turn (torsion), and rigid."""
    interpolation, formulation = kind.split("-")
    model = fm.Model("beam")
    beam = model.add(
        fm.Beam(
            "beam",
            start=(0, 0, 0),
            end=(LENGTH, 0, 0),
            section=section,
            material=STEEL,
            elements=elements or ELEMENTS[interpolation],
            interpolation=interpolation,
            formulation=formulation,
        )
    )
    for marker, edge in ((beam.start, ends[0]), (beam.end, ends[1])):
        if edge == "clamped":
            model.add(fm.Fixed(model.ground.at(*marker.position), marker))
    found = model.modes(count)
    sorted_modes: dict[str, list[float]] = {"x": [], "y": [], "z": [], "turn": [], "rigid": []}
    for omega, shape in zip(found.omega, found.shapes.T, strict=True):
        vectors = shape.reshape(beam.node_count, -1, 3)
        motion = np.abs(vectors[:, 0]).max(axis=0)  # of the centre line, m; directors turn by motion / length or more
        twists = motion.max() < 1e-4 * LENGTH * np.abs(vectors[:, -2:]).max()
        name = "rigid" if omega == 0.0 else "turn" if twists else "xyz"[int(motion.argmax())]
        sorted_modes[name].append(float(omega))
    return {name: np.array(values) for name, values in sorted_modes.items()}


def theory(ends: tuple[str, str], section: fm.Section) -> dict[str, Array]:
    density, E, G = STEEL.density, STEEL.E, STEEL.G
    k_y, k_z = section.shear_factors(STEEL.nu)
    plane = {
        axis: timoshenko.Beam(LENGTH, E * I, k * G * section.area, density * section.area, density * I)
        for axis, I, k in (("y", section.Iz, k_y), ("z", section.Iy, k_z))
    }
    return {axis: timoshenko.bending(beam, ends, 3) for axis, beam in plane.items()} | {
        "x": timoshenko.waves(LENGTH, E, density, ends, 1),
        "turn": timoshenko.waves(LENGTH, G * section.J, density * (section.Iy + section.Iz), ends, 2),
    }


@pytest.mark.parametrize("ends", EDGES, ids="-".join)
@pytest.mark.parametrize("kind", ["cubic-structural", "quadratic-structural", "hermite-structural"])
def test_structural_beams(kind: str, ends: tuple[str, str]):
    """Three bending modes in both planes, one of stretch, two of torsion, to 0.1 %. Free: six rigid modes of frequency 0."""
    got, expected = modes(kind, ends, BAR, 22), theory(ends, BAR)
    assert got["rigid"].size == (6 if ends == ("free", "free") else 0)
    for name, values in expected.items():
        assert_allclose(got[name][: values.size], values, rtol=LIMIT, err_msg=name)


@pytest.mark.parametrize("section", [fm.Circle(0.06), fm.Pipe(0.08, 0.06)], ids=["circle", "pipe"])
def test_round_sections(section: fm.Section):
    ends = ("clamped", "free")
    got, expected = modes("cubic-structural", ends, section, 16), theory(ends, section)
    bending = np.sort(np.concatenate([got["y"], got["z"]]))[:6]
    assert_allclose(bending, np.repeat(expected["y"], 2), rtol=LIMIT)  # any plane
    for name in ("x", "turn"):
        assert_allclose(got[name][:1], expected[name][:1], rtol=LIMIT, err_msg=name)


@pytest.mark.parametrize("kind", ["cubic-enhanced", "quadratic-enhanced", "hermite-enhanced"])
def test_enhanced_beams(kind: str):
    """Bending and stretch to 0.1 % too."""
    ends = ("clamped", "free")
    got, expected = modes(kind, ends, BAR, 16), theory(ends, BAR)
    for name in ("x", "y", "z"):
        assert_allclose(got[name][: expected[name].size], expected[name], rtol=LIMIT, err_msg=name)


STRIP = fm.Rectangle(y=0.2, z=0.04)


@pytest.mark.parametrize("section", [BAR, STRIP, fm.Circle(0.06), fm.Pipe(0.08, 0.06)], ids=["bar", "strip", "circle", "pipe"])
@pytest.mark.parametrize("kind", ["cubic-enhanced", "quadratic-enhanced", "hermite-enhanced"])
def test_torsion_of_enhanced_beams(kind: str, section: fm.Section):
    """With Saint-Venant's G J, which is 12 % (bar) and 83 % (strip) below that of a section that stays plane.

    Free at both ends: a clamp holds the section's frame and not its shape, which adds a layer of the section's size.
    """
    ends = ("free", "free")
    got = modes(kind, ends, section, 28)["turn"][:2]
    assert_allclose(got, theory(ends, section)["turn"], rtol=LIMIT)


def test_torsion_of_the_papers_element():
    """A warning to users: the continuum element's sections stay plane, so that it twists with G (I_y + I_z) instead of G J."""
    ends = ("free", "free")
    polar = BAR.Iy + BAR.Iz
    plane = timoshenko.waves(LENGTH, STEEL.G * polar, STEEL.density * polar, ends, 2)
    assert_allclose(modes("cubic-continuum", ends, BAR, 26)["turn"][:2], plane, rtol=LIMIT)
    assert polar > 1.1 * BAR.J


def test_many_elements_take_the_sparse_solver():
    """The same frequencies by Lanczos' method (more than 500 coordinates), rigid modes included."""
    got = modes("cubic-structural", ("free", "free"), BAR, 14, elements=40)
    expected = theory(("free", "free"), BAR)
    assert got["rigid"].size == 6
    for name in ("y", "z"):
        assert_allclose(got[name][:3], expected[name], rtol=1e-5, err_msg=name)
