"""Beam networks from line meshes: how they are cut and joined, statics of frames, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.joints.network import JoinedBeams
from tests.conftest import require

Array = np.ndarray
STEEL = fm.Material(E=207e9, nu=0.3, density=7800.0)
SECTION = fm.Rectangle(0.05, 0.05)
EI, EA = STEEL.E * SECTION.Iy, STEEL.E * SECTION.area


def write(folder: Path, points: object, lines: object, *, name: str = "frame.msh", kind: str = "line") -> Path:
    """A gmsh file (by meshio) of points and cells."""
    meshio = require("meshio")
    path = folder / name
    options = {"file_format": "gmsh22", "binary": False} if name.endswith("msh") else {}
    meshio.write(path, meshio.Mesh(np.array(points, dtype=float), [(kind, np.array(lines))]), **options)
    return path


def model_of(network: JoinedBeams, clamps: tuple[int, ...]) -> tuple[fm.Model, list[fm.Fixed]]:
    model = fm.Model("frame")
    for part in network:
        model.add(part)
    return model, [model.add(fm.Fixed(model.ground.at(*network.at(k).position), network.at(k))) for k in clamps]


def test_smooth_lines_share_nodes(tmp_path: Path):
    """Ten lines along a quarter circle are one beam; a corner cuts it, and joins the parts rigidly."""
    angle = np.linspace(0.0, 0.5 * np.pi, 11)
    arc = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    points = [*arc, (0.0, 1.0, 1.0)]
    lines = [(k, k + 1) for k in range(11)]
    network = fm.beams_from_mesh(write(tmp_path, points, lines), SECTION, STEEL, refine=2)
    assert [beam.elements for beam in network.beams] == [20, 2]
    assert len(network.joints) == 1
    assert_allclose(network.beams[0].line.length, 0.5 * np.pi, rtol=1e-4)
    assert set(network.ends) == {0, 10, 11}


def test_straight_chain_is_one_cantilever(tmp_path: Path):
    """Its deflection P l^3/3EI + P l/kGA, whatever the order of the lines in the file, in VTK as well as in gmsh."""
    points, lines = [(0, 0, 0), (1, 0, 0), (0.25, 0, 0), (0.75, 0, 0), (0.5, 0, 0)], [(3, 1), (0, 2), (4, 2), (3, 4)]
    for name in ("chain.msh", "chain.vtk"):
        network = fm.beams_from_mesh(write(tmp_path, points, lines, name=name), SECTION, STEEL)
        assert len(network.beams) == 1 and not network.joints
        model, _ = model_of(network, (0,))
        model.add(fm.PointForce(network.at(1), (0.0, 0.0, -100.0)))
        sol = model.equilibrium()
        k, _ = SECTION.shear_factors(STEEL.nu)
        exact = 100.0 / (3.0 * EI) + 100.0 / (k * STEEL.G * SECTION.area)
        assert_allclose(sol.position(network.at(1))[-1, 2], -exact, rtol=1e-5)


def test_portal_frame(tmp_path: Path):
    """Columns of height h = 2, a beam of length b = 3, all of EI, feet clamped, F sideways at a corner.

    Slope deflection, with no stretch and no shear and k = h/b: moments F h/2 (3 k + 1)/(6 k + 1) at the feet and
    F h/2 3 k/(6 k + 1) at the corners, and a sway of F h^3/(12 EI) (3 k + 2)/(6 k + 1). All to 1 %.
    """
    h, b, force = 2.0, 3.0, 400.0
    points = [(0, 0, 0), (0, 0, h), (b, 0, h), (b, 0, 0)]
    network = fm.beams_from_mesh(write(tmp_path, points, [(0, 1), (1, 2), (2, 3)]), SECTION, STEEL, refine=2)
    assert len(network.beams) == 3 and len(network.joints) == 2
    model, feet = model_of(network, (0, 3))
    model.add(fm.PointForce(network.at(1), (force, 0.0, 0.0)))
    sol = model.equilibrium()
    k = h / b
    foot, corner = (0.5 * force * h * x / (6.0 * k + 1.0) for x in (3.0 * k + 1.0, 3.0 * k))
    sway = force * h**3 / (12.0 * EI) * (3.0 * k + 2.0) / (6.0 * k + 1.0)
    for clamp in feet:
        assert_allclose(sol.reaction(clamp).moment[-1, 1], -foot, rtol=0.01)
        assert_allclose(sol.reaction(clamp).force[-1, 0], -0.5 * force, rtol=0.01)
    assert_allclose(sol.position(network.at(1))[-1, 0], sway, rtol=0.01)
    across = network.beams[1]
    moments = np.abs(sol.section(across, (0.0, 1.0)).moment[-1, :, 1:]).max(axis=1)
    assert_allclose(moments, corner, rtol=0.01)


def test_two_bar_frame(tmp_path: Path):
    """Two inclined bars, slender: they carry N = F/(2 sin a) each, and the apex sinks by F l/(2 EA sin^2 a)."""
    angle, force = np.radians(35.0), 2000.0
    apex = (np.cos(angle), 0.0, np.sin(angle))
    points = [(0, 0, 0), apex, (2.0 * np.cos(angle), 0, 0)]
    network = fm.beams_from_mesh(write(tmp_path, points, [(0, 1), (1, 2)]), SECTION, STEEL, refine=4)
    model, _ = model_of(network, (0, 2))
    model.add(fm.PointForce(network.at(1), (0.0, 0.0, -force)))
    sol = model.equilibrium()
    bending = 12.0 * EI * np.cos(angle) ** 2  # of both clamped bars, beside their axial stiffness EA sin^2 a
    sunk = force / (2.0 * (EA * np.sin(angle) ** 2 + bending))
    assert_allclose(apex[2] - sol.position(network.at(1))[-1, 2], sunk, rtol=2e-3)
    share = EA * np.sin(angle) ** 2 / (EA * np.sin(angle) ** 2 + bending)
    for beam in network.beams:
        axial = sol.section(beam, 0.5).force[-1, 0, 0]
        assert_allclose(axial, -share * force / (2.0 * np.sin(angle)), rtol=2e-3)


def test_branches_are_joined_to_one_another(tmp_path: Path):
    """A star of four arms: three joints at its centre, and the tips of a rigid cross move together."""
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, 0, 1)]
    network = fm.beams_from_mesh(write(tmp_path, points, [(0, k) for k in range(1, 5)]), SECTION, STEEL)
    assert len(network.joints) == 3
    model, (clamp,) = model_of(network, (4,))
    model.add(fm.PointForce(network.at(1), (0.0, 0.0, -10.0)))
    sol = model.equilibrium()
    assert_allclose(sol.reaction(clamp).force[-1], (0.0, 0.0, 10.0), rtol=0, atol=1e-6)
    turned = [sol.rotation(joint.b)[-1] for joint in network.joints]
    for rotation in turned:
        assert_allclose(rotation, turned[0], rtol=0, atol=1e-9)


def test_a_ring_is_closed(tmp_path: Path):
    """A ring pulled apart by F at two opposite points: they part by F r^3/EI (pi/4 - 2/pi), thin ring, to 1 %."""
    n, radius, force = 24, 1.0, 200.0
    angle = 2.0 * np.pi * np.arange(n) / n
    points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), 0.0 * angle])
    network = fm.beams_from_mesh(write(tmp_path, points, [(k, (k + 1) % n) for k in range(n)]), SECTION, STEEL)
    assert len(network.beams) == 2 and len(network.joints) == 2
    model = fm.Model("ring")
    for part in network:
        model.add(part)
    near, far = (network.at(k) for k in network.ends)
    model.add(fm.Fixed(model.ground.at(*near.position), near))
    pull = force * (far.position - near.position) / (2.0 * radius)
    model.add(fm.PointForce(far, pull))
    sol = model.equilibrium()
    apart = np.linalg.norm(sol.position(far)[-1] - near.position) - 2.0 * radius
    assert_allclose(apart, force * radius**3 / EI * (0.25 * np.pi - 2.0 / np.pi), rtol=0.01)


SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
REFUSED = {
    "no lines": (SQUARE[:3], [(0, 1, 2)], "triangle", "no line cells"),
    "lines of three nodes": ([(0, 0, 0), (1, 0, 0), (0.5, 0, 0)], [(0, 1, 2)], "line3", "2-node lines"),
    "a line twice": (SQUARE, [(0, 1), (1, 2), (1, 0)], "line", "2 lines between the points 0 and 1"),
    "a line without a length": (SQUARE, [(0, 1), (1, 1)], "line", "from point 1 to point 1 without a length"),
    "ends at the same place": ([*SQUARE, (1, 0, 0)], [(0, 1), (1, 4), (4, 2)], "line", "without a length"),
    "two pieces": (SQUARE, [(0, 1), (2, 3)], "line", "2 pieces that are not connected"),
}


@pytest.mark.parametrize("wrong", REFUSED)
def test_refused(wrong: str, tmp_path: Path):
    points, cells, kind, words = REFUSED[wrong]
    path = write(tmp_path, points, cells, kind=kind)
    with pytest.raises(fm.ModelError, match=words) as error:
        fm.beams_from_mesh(path, SECTION, STEEL)
    assert str(path) in str(error.value)


def test_refused_files_and_arguments(tmp_path: Path):
    require("meshio")
    (tmp_path / "noise.msh").write_text("this is not a mesh")
    for name in ("noise.msh", "missing.msh", "frame.unknown"):
        with pytest.raises(fm.ModelError, match="cannot be read"):
            fm.beams_from_mesh(tmp_path / name, SECTION, STEEL)
    path = write(tmp_path, SQUARE, [(0, 1), (1, 2)])
    for refine in (0, 1.5, "two"):
        with pytest.raises(fm.ModelError, match="refine"):
            fm.beams_from_mesh(path, SECTION, STEEL, refine=refine)
    with pytest.raises(fm.ModelError, match=r"at\(7\) is no end"):
        fm.beams_from_mesh(path, SECTION, STEEL).at(7)


def test_joined_beams_are_taken_hold_of_by_coordinates(tmp_path):
    """By number or by place; a place beside it is refused with the nearest one."""
    points = np.array([(0, 0, 0), (0, 0, 1.0), (1.0, 0, 1)])
    meshio = require("meshio")
    meshio.Mesh(points, [("line", np.array([(0, 1), (1, 2)]))]).write(tmp_path / "angle.vtk")
    material = fm.Material(E=2e11, nu=0.3, density=7850.0)
    frame = fm.beams_from_mesh(tmp_path / "angle.vtk", fm.Circle(0.01), material)
    assert frame.at(0, 0, 1).position.tolist() == frame.at(1).position.tolist() == [0, 0, 1]
    with pytest.raises(fm.ModelError, match=r"at\(0\.0, 0\.0, 0\.5\) is no end.*nearest one is .* 0\.5 m away"):
        frame.at(0, 0, 0.5)
