"""Mass properties of closed surfaces in closed form, and from a turned STL file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from tests.conftest import require
from tests.test_bad_input import refused

meshio = require("meshio")

SIDES = np.array([0.2, 0.3, 0.4])


def write(path: Path, faces: int) -> Path:
    """A box about (1, 2, 3) as an STL file, perhaps with faces missing."""
    points, cells = fm.shapes.Box(*SIDES, centre=(1, 2, 3)).mesh(np.zeros(3))
    meshio.Mesh(points, [("triangle", cells.triangles()[:faces])]).write(path)
    return path


def test_box():
    """m (b^2 + c^2)/12 about its centre."""
    found = fm.shapes.mass_properties(fm.shapes.Box(*SIDES, centre=(1, 2, 3)), 1000.0)
    squares = SIDES**2
    assert found.mass == pytest.approx(24.0)
    assert_allclose(found.com, (1, 2, 3), rtol=1e-12)
    assert_allclose(found.inertia, np.diag(24.0 / 12.0 * (squares.sum() - squares)), rtol=0, atol=1e-12)


def test_ball_is_the_polyhedron_that_is_drawn():
    """Of a sphere it has a few per cent less, and it is as round as its corners: a rigid body takes it."""
    found = fm.shapes.mass_properties(fm.shapes.Sphere(0.1), 7850.0)
    assert 0.85 < found.mass / (7850.0 * 4.0 / 3.0 * np.pi * 1e-3) < 1.0
    body = fm.RigidBody("ball", mass=found.mass, com=found.com, inertia=found.inertia)
    assert body.mass == found.mass


def test_turned_file(tmp_path: Path):
    """A file in millimetres, turned and shifted: centre and inertia turn with it."""
    path, turn = write(tmp_path / "box.stl", 12), np.array([0.3, -0.5, 0.9])
    plain = fm.shapes.mass_properties(fm.shapes.STL(path), 1000.0)
    turned = fm.shapes.mass_properties(fm.shapes.STL(path, scale=2.0, rotation=turn, shift=(1, 0, 0)), 1000.0)
    axes = Rotation.from_rotvec(turn).as_matrix()
    assert turned.mass == pytest.approx(8.0 * plain.mass)
    assert_allclose(turned.com, 2.0 * axes @ plain.com + (1, 0, 0), rtol=1e-6)
    assert_allclose(turned.inertia, 32.0 * axes @ plain.inertia @ axes.T, rtol=0, atol=1e-4)


def test_bad_input(tmp_path: Path):
    refused(
        "mass_properties | not closed | edges", fm.shapes.mass_properties, fm.shapes.STL(write(tmp_path / "b.stl", 11)), 1.0
    )
    refused("mass_properties | density = -1", fm.shapes.mass_properties, fm.shapes.Box(1, 1, 1), -1.0)
    refused("mass_properties | 3 is no shape", fm.shapes.mass_properties, 3, 1.0)
    refused("STL | rotation", fm.shapes.STL, "x.stl", rotation=(1, 2))
