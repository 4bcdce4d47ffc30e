"""Solids in motion: free spin, pendulum beside a beam, frequencies against beams and a NAFEMS benchmark."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.oracles.timoshenko import Beam, bending

Array = np.ndarray
STEEL = fm.Material(E=2e11, nu=0.3, density=7800.0)
SOFT = fm.Material(E=2e8, nu=0.3, density=1000.0)


@pytest.mark.parametrize("interfaces", [{}, {"x+": "rigid", "x-": "average"}], ids=["plain", "interfaces"])
@pytest.mark.parametrize("kind", ["tetra10", "hexahedron", "hexahedron20"])
def test_free_spin(kind: str, interfaces: dict[str, str]):
    """A soft block that tumbles: momentum to round-off, angular momentum and energy to the method's error."""
    solid = fm.Solid.block(
        "block", size=(1.0, 0.2, 0.1), divisions=(4, 1, 1), material=SOFT, kind=kind, interfaces=interfaces,
        velocity=(1.0, 2.0, 3.0), spin=(1.0, 5.0, 2.0), about=(0.5, 0.1, 0.05),
    )  # fmt: skip
    m = fm.Model("spin")
    m.add(solid)
    sol = m.simulate(0.5, step=2e-3, integrator=fm.GeneralizedAlpha(rho_inf=0.95))
    assert_allclose(sol.velocity(solid.com), np.tile([1.0, 2.0, 3.0], (len(sol), 1)), atol=1e-12)
    mass = sol.system.mass_matrix

    def turning(q: Array, v: Array) -> Array:
        rates = np.cross(np.eye(3)[:, None], q.reshape(-1, 3))  # of all places, in unit spins
        return rates.reshape(3, -1) @ (mass @ v)

    moment = np.array([turning(q, v) for q, v in zip(sol.q, sol.v, strict=True)])
    expected = moment[0]  # about the origin: the centre of mass flies past it at constant velocity
    assert_allclose(moment, np.tile(expected, (len(sol), 1)), rtol=0, atol=2e-5 * np.abs(expected).max())
    total = sol.energy.kinetic + sol.energy.elastic
    assert_allclose(total, total[0], rtol=5e-5)


def test_pendulum_beside_a_beam():
    """A soft bar that falls from rest: its tip is where that of a beam is, to a few thousandths of its length."""
    material, length, side = fm.Material(E=1e6, nu=0.3, density=1000.0, damping=1e-3), 1.0, 0.05
    m, tips = fm.Model("pendulums", gravity=(0.0, 0.0, -9.81)), []
    for kind in ("hexahedron20", "beam"):
        if kind == "beam":
            section = fm.Rectangle(side, side)
            body = fm.Beam("beam", start=(0, 0, 0), end=(length, 0, 0), section=section, material=material, elements=6)
            root, tip = body.start, body.end
        else:
            size = {"size": (length, side, side), "divisions": (12, 1, 1), "corner": (0.0, -side / 2.0, -side / 2.0)}
            body = fm.Solid.block("solid", material=material, kind=kind, **size)
            root, tip = body.interface("x-", kind="average"), body.interface("x+", kind="average")
        m.add(body)
        m.add(fm.Revolute(m.ground.at(0.0, 0.0, 0.0), root, axis=(0.0, 1.0, 0.0)))
        tips.append(tip)
    sol = m.simulate(0.8, step=4e-3)
    paths = [sol.position(tip) for tip in tips]
    assert np.abs(paths[0]).max() > 0.9
    straight = length - np.linalg.norm(paths[1], axis=1)
    assert straight.max() > 0.04  # it bends: the tip comes nearer by so much
    assert np.linalg.norm(paths[0] - paths[1], axis=1).max() < 0.004


BARS = [("hexahedron20", (10, 1, 1)), ("tetra10", (12, 1, 1)), ("hexahedron", (20, 2, 2))]


@pytest.mark.parametrize(("kind", "divisions"), BARS)
def test_frequencies_of_a_free_bar(kind: str, divisions: tuple[int, int, int]):
    """Bending of a free bar against Timoshenko's beam, and the first stretching mode, c/2l."""
    length, side = 1.0, 0.05
    solid = fm.Solid.block("bar", size=(length, side, side), divisions=divisions, material=STEEL, kind=kind)
    m = fm.Model("bar")
    m.add(solid)
    found = m.modes(16).frequencies
    area, inertia, shear = side**2, side**4 / 12.0, 5.0 * (1.0 + STEEL.nu) / (6.0 + 5.0 * STEEL.nu)
    beam = Beam(length, STEEL.E * inertia, shear * STEEL.G * area, STEEL.density * area, STEEL.density * inertia)
    exact = bending(beam, ("free", "free"), 2) / (2.0 * np.pi)
    stretching = np.sqrt(STEEL.E / STEEL.density) / (2.0 * length)
    assert (found[:6] < 1e-3 * exact[0]).all()
    assert_allclose(found[6:10], np.repeat(exact, 2), rtol=0.02)
    assert np.abs(found / stretching - 1.0).min() < 2e-3


def test_nafems_fv52():
    """A thick square plate of solids, u_z = 0 along its lower edges, with the mesh of the benchmark.

    The Standard NAFEMS Benchmarks, 1990, FV52: 45.897, 109.44 (twice), 167.89, 193.59 and 206.19 Hz (twice).
    """
    steel = fm.Material(E=200e9, nu=0.3, density=8000.0)
    plate = fm.Solid.block("plate", size=(10.0, 10.0, 1.0), divisions=(4, 4, 1), material=steel, kind="hexahedron20")
    m = fm.Model("FV52")
    m.add(plate)
    x = plate.mesh.points
    edge = (x[:, 2] == 0.0) & ((x[:, :2] == 0.0) | (x[:, :2] == 10.0)).any(axis=1)
    for k in np.flatnonzero(edge):
        m.add(fm.TranslationDrive(m.ground.at(*x[k]), plate.node(k), axis=(0, 0, 1), position=0.0))
    found = m.modes(10).frequencies
    assert (found[:3] < 1e-2).all()  # in the plane it is free
    assert_allclose(found[3:], [45.897, 109.44, 109.44, 167.89, 193.59, 206.19, 206.19], rtol=0.025)
