"""Natural modes against closed forms, to 1e-9."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.solvers.modes import DENSE_LIMIT
from tests.literature.mechanisms import DOUBLE, double_pendulum
from tests.oracles import spring_mass


def chain(masses: int, ends: str, damping: float = 0.0) -> fm.Model:
    """0.5 kg each, guided along x, joined by springs of 100 N/m."""
    m = fm.Model("chain")
    bodies = [m.add(fm.PlanarBody(f"mass {i}", mass=0.5, inertia=1.0, com=(i + 1.0, 0.0))) for i in range(masses)]
    for body in bodies:
        m.add(fm.Prismatic(m.ground.at(0.0, 0.0), body.com, axis=(1.0, 0.0)))
    markers = [m.ground.at(0.0, 0.0), *(body.com for body in bodies), m.ground.at(masses + 1.0, 0.0)]
    for i in range(1 if ends == "free" else 0, masses + (ends == "fixed")):
        m.add(fm.SpringDamper(markers[i], markers[i + 1], stiffness=100.0, damping=damping))
    return m


@pytest.mark.parametrize("ends", ["fixed", "fixed-free", "free"])
@pytest.mark.parametrize("masses", [5, 200])
def test_chain_of_masses(masses: int, ends: str) -> None:
    """200 masses have 600 coordinates: the sparse path."""
    assert (3 * masses > DENSE_LIMIT) == (masses == 200)
    m = chain(masses, ends)
    modes, exact = m.modes(5), spring_mass.chain_frequencies(masses, 0.5, 100.0, ends)[:5]
    assert_allclose(modes.omega, exact, rtol=0, atol=1e-9 * exact.max())
    assert_allclose(modes.frequencies, exact / (2.0 * np.pi), rtol=0, atol=1e-9 * exact.max())
    system = m.system()
    assert_allclose(modes.shapes.T @ (system.mass_matrix @ modes.shapes), np.eye(5), rtol=0, atol=1e-8)
    assert_allclose(system.constraint_jacobian(0.0, system.initial_position) @ modes.shapes, 0.0, rtol=0, atol=1e-9)
    assert not modes.damping.any()


def test_double_pendulum_about_its_equilibrium() -> None:
    """Linearised where m.equilibrium ended, with the pin forces that hold it there."""
    p = double_pendulum(**DOUBLE)
    modes = p.model.modes(6, at=p.model.equilibrium())
    exact = spring_mass.double_pendulum_frequencies(DOUBLE["lengths"], DOUBLE["masses"], DOUBLE["inertias"])
    assert_allclose(modes.omega, exact, rtol=1e-9)  # six were asked for, there are two


@pytest.mark.parametrize("kind", ["planar", "rigid"])
def test_suspended_block(kind: str) -> None:
    """Three prestressed springs without symmetry: pose and frequencies, from PlanarBody and RigidBody."""
    points = np.array([[-0.3, 0.1], [0.25, 0.15], [0.1, -0.2]])
    anchors = np.array([[-0.5, 0.7], [0.4, 0.9], [0.6, -0.5]])
    stiffness, free = np.array([300.0, 450.0, 200.0]), np.array([0.45, 0.6, 0.5])
    z = [] if kind == "planar" else [0.0]
    m = fm.Model("block", gravity=(0.0, -9.81))
    if kind == "planar":
        block = m.add(fm.PlanarBody("block", mass=3.0, inertia=0.2, com=(0.0, 0.0)))
    else:
        block = m.add(fm.RigidBody("block", mass=3.0, inertia=(0.15, 0.15, 0.2), com=(0.0, 0.0, 0.0)))
        m.add(fm.Planar(m.ground.at(0.0, 0.0, 0.0), block.com, normal=(0.0, 0.0, 1.0)))
    for point, anchor, k, length in zip(points, anchors, stiffness, free, strict=True):
        m.add(fm.SpringDamper(m.ground.at(*anchor, *z), block.at(*point, *z), stiffness=k, length=length))
    pose, exact = spring_mass.suspended_block(3.0, 0.2, points, anchors, stiffness, free)
    sol = m.equilibrium()
    assert_allclose(sol.position(block.com)[-1, :2], pose[:2], rtol=0, atol=1e-9)
    assert_allclose(m.modes(3, at=sol).omega, exact, rtol=1e-9)


def test_damping_ratios() -> None:
    """c / (2 sqrt(k m)) of an oscillator; proportional damping c/k of a chain gives c omega / (2 k)."""
    m = fm.Model("oscillator")
    mass = m.add(fm.PlanarBody("mass", mass=2.0, inertia=1.0, com=(1.0, 0.0)))
    m.add(fm.Prismatic(m.ground.at(0.0, 0.0), mass.com, axis=(1.0, 0.0)))
    m.add(fm.SpringDamper(m.ground.at(0.0, 0.0), mass.com, stiffness=50.0, damping=4.0))
    assert_allclose(m.modes(1).damping, 0.2, rtol=1e-9)
    modes = chain(3, "fixed-free", damping=0.3).modes(3)
    assert_allclose(modes.damping, 0.3 * modes.omega / 200.0, rtol=1e-9)


def test_unstable_position_has_negative_frequencies() -> None:
    """Upright, a rod falls with exp(sqrt(3 g / 2 L) t)."""
    m = fm.Model("rod", gravity=(0.0, -9.81))
    rod = m.add(fm.PlanarBody("rod", mass=2.0, inertia=2.0 / 12, com=(0.0, 0.5), angle=np.pi / 2))
    m.add(fm.Revolute(m.ground.at(0.0, 0.0), rod.at(0.0, 0.0)))
    assert_allclose(m.modes(1).omega, -np.sqrt(1.5 * 9.81), rtol=1e-9)


def cantilever(**material: float) -> tuple[fm.Model, fm.Beam]:
    m, steel = fm.Model("console"), fm.Material(E=207e9, density=7800.0, **material)
    rod = m.add(fm.Beam("rod", start=(0, 0, 0), end=(1, 0, 0), section=fm.Rectangle(0.02, 0.03), material=steel, elements=2))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), rod.start))
    return m, rod


def test_shapes_at_markers() -> None:
    """The tip of a cantilever in its first mode: 2/sqrt(m), and it turns by 1.3765 times that over the length (slender)."""
    m, rod = cantilever()
    found = m.modes(2)
    tip, turn = found.at(rod.end), found.turning(rod.end)
    size = 2.0 / np.sqrt(7800.0 * 0.02 * 0.03)
    assert_allclose(np.linalg.norm(tip, axis=1), size, rtol=2e-3)
    assert_allclose(np.linalg.norm(turn, axis=1), 1.3765 * size, rtol=3e-3)
    assert_allclose(np.abs(tip[0, 1]), size, rtol=2e-3)  # about the thin side
    assert_allclose(found.at(rod.start), 0.0, atol=1e-9)


def test_motion_of_a_mode(tmp_path: Path) -> None:
    """One period that begins and ends where it was linearised, as large as asked for, in files."""
    m, rod = cantilever()
    found = m.modes(3)
    sol = found.motion(2, size=0.1, frames=8)
    assert_allclose(sol.t[-1], 1.0 / found.frequencies[1])
    assert_allclose(sol.q[[0, -1]], found.state.q[None].repeat(2, axis=0), atol=1e-12)
    assert_allclose(np.abs((sol.q - sol.q[0]) / sol.system.scale).max(), 0.1)
    way, rate = sol.position(rod.end)[2] - sol.position(rod.end)[0], sol.velocity(rod.end)[0]
    assert_allclose(rate, found.omega[1] * way, atol=1e-9 * np.abs(rate).max())
    assert found.to_vtk(tmp_path / "mode.pvd", 2, frames=3)
    for wrong, message in (({"mode": 4}, "modes 1 to 3"), ({"mode": 0}, "mode"), ({"size": -1.0}, "size")):
        with pytest.raises(fm.ModelError, match=message):
            found.motion(**wrong)


def test_frequency_response() -> None:
    """At rest that of statics, to the share of higher modes; at a natural frequency 1/(2 zeta) of its mode's part."""
    m, rod = cantilever(damping=1e-5)
    found = m.modes(12)
    bending = 207e9 * 0.02 * 0.03**3 / 12.0
    first = int(np.argmax(np.abs(found.at(rod.end)[:2, 2])))
    still, loud = found.response([0.0, found.frequencies[first]], force=(0, 0, 2.0), on=rod.end, at=rod.end)
    assert_allclose(still[2], 2.0 / (3.0 * bending), rtol=2e-3)
    modal = 2.0 * found.at(rod.end)[first, 2] ** 2 / found.omega[first] ** 2
    assert_allclose(loud[2].imag, -0.5 * modal / found.damping[first], rtol=1e-6)
    bare, rod = cantilever()
    again = bare.modes(2)
    with pytest.raises(fm.ModelError, match="mode 1 has no damping"):
        again.response(again.frequencies[0], force=(0, 0, 1.0), on=rod.end, at=rod.end)
