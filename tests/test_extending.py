"""The compiled force and the compiled element of docs/extending.md, imported from a folder that is not the package's."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fmbs as fm
from fmbs.assembly.system import Coefficients
from fmbs.core.optional import AtPlaces
from fmbs.export.scene import scene
from tests.conformance.test_tangents import differenced

PAGE = (Path(__file__).parents[1] / "docs" / "extending.md").read_text()


def imported(title: str, name: str, folder: Path) -> ModuleType:
    """The Python block of a section of the page, as a file of one's own."""
    found = re.search(rf"## {title}\n.*?```python\n(.*?)```", PAGE, re.DOTALL)
    assert found, title
    assert len([line for line in found[1].splitlines() if line]) < 100
    (folder / f"{name}.py").write_text(found[1])
    sys.path.insert(0, str(folder))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def attraction(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return imported("A compiled force", "own_attraction", tmp_path_factory.mktemp("outside"))


@pytest.fixture(scope="module")
def bar(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return imported("A compiled element", "own_bar", tmp_path_factory.mktemp("outside"))


def check_tangent(model: fm.Model) -> None:
    """At a random place with random velocities, against central differences of the residual."""
    rng, system = np.random.default_rng(3), model.system()
    q = system.initial_position + 0.1 * rng.standard_normal(system.size)
    v, lam = rng.standard_normal(system.size), rng.standard_normal(system.multipliers)
    c = Coefficients(*rng.uniform(0.5, 2.0, 4))
    exact = system.jacobian(0.0, q, v, lam, c).toarray()
    assert_allclose(exact, differenced(system, 0.0, q, v, lam, c), rtol=0, atol=1e-6 * np.abs(exact).max())


def test_planet_follows_keplers_ellipse(attraction: ModuleType) -> None:
    """r = p/(1 + e cos phi) with p = (r v)^2/mu and e = r v^2/mu - 1 at perihelion; the error is that of tolerance=1e-6."""
    sol, planet = attraction.sol, attraction.planet
    assert sol.statistics.in_python == ()
    x, y, z = sol.position(planet.com).T
    assert_allclose(np.hypot(x, y), 1.44 / (1.0 + 0.44 * np.cos(np.arctan2(y, x))), rtol=2e-5)
    assert_allclose([x[-1], y[-1], z[-1]], [1.0, 0.0, 0.0], atol=1e-4)
    assert_allclose(sol.energy.elastic[0] + sol.energy.kinetic[0], 0.5 * 1.44 - 1.0, rtol=1e-12)
    assert np.abs(sol.energy.balance).max() < 1e-5


def test_attraction_has_exact_tangents_on_every_body(attraction: ModuleType) -> None:
    steel, square = fm.Material(E=1e6, density=1e3), fm.Rectangle(0.1, 0.1)
    m = fm.Model("space")
    body = m.add(fm.RigidBody("body", mass=1.0, inertia=(1, 2, 2.5), com=(1, 0, 0)))
    beam = m.add(fm.Beam("beam", start=(0, 1, 0), end=(0, 2, 0), section=square, material=steel, elements=1))
    m.add(attraction.Attraction(body.at(1, 0.2, 0), beam.at(0.7), mu=2.0))
    m.add(attraction.Attraction(m.ground.at(0, 0, 1), body.com, mu=3.0))
    check_tangent(m)
    m = fm.Model("plane")
    a, b = (m.add(fm.PlanarBody(f"body {k}", mass=1.0, inertia=1.0, com=(k, 0))) for k in range(2))
    m.add(attraction.Attraction(a.at(0, 0.3), b.at(1, -0.2), mu=2.0))
    check_tangent(m)


def test_attraction_is_stored(attraction: ModuleType, tmp_path: Path) -> None:
    sol = attraction.sol
    back = fm.load(sol.save(tmp_path / "run.h5"), classes=[attraction.Attraction])
    assert back.model["sun"].mu == 1.0
    a, b = (x.system.residual(0.0, sol.q[-1], sol.v[-1], sol.a[-1], sol.lam[-1]) for x in (sol, back))
    assert_array_equal(a, b)
    with pytest.raises(fm.ModelError, match=r"class Attraction, .* fm.load\(path, classes=\[Attraction\]\)"):
        _ = fm.load(tmp_path / "run.h5").model


def test_bar_of_one_element_is_a_mass_on_a_spring(bar: ModuleType) -> None:
    """With its consistent mass m/3 at the end: x = F/k (1 - cos wt), k = EA/L, w^2 = 3 k/m."""
    m = fm.Model("bar")
    rod = m.add(bar.Bar("rod", (0, 0, 0), (0, 2, 0), elements=1, EA=1e4, mass=3.0))
    m.add(fm.Spherical(m.ground.at(0, 0, 0), rod.at(0)))
    m.add(fm.PointForce(rod.at(1), (0, 50.0, 0)))
    sol = m.simulate(0.2, step=1e-4, integrator=fm.GeneralizedAlpha(rho_inf=1.0), progress=False)
    stiffness, frequency = 5e3, np.sqrt(5e3)
    exact = 2.0 + 50.0 / stiffness * (1.0 - np.cos(frequency * sol.t))
    assert_allclose(sol.position(rod.at(1))[:, 1], exact, atol=1e-6)  # (w h)^2/12 of the phase, 14 rad, times 1 cm
    assert_allclose(sol.position(rod.at(0.25))[:, 1], 0.25 * exact, atol=1e-6)
    assert sol.statistics.in_python == bar.sol.statistics.in_python == ()
    assert np.abs(bar.sol.energy.balance).max() < 1e-4 * np.abs(bar.sol.energy.work).max()


def test_bar_has_the_frequencies_of_its_difference_equation(bar: ModuleType) -> None:
    """Clamped and free: w_j = sqrt(6 EA/mu (1 - cos a)/(2 + cos a))/h with a = (2 j - 1) pi/(2 n)."""
    n, modes = 8, bar.m.modes(27)
    a = (2 * np.arange(1, n + 1) - 1) * np.pi / (2 * n)
    exact = np.sqrt(6.0 * 1e4 / 2.0 * (1.0 - np.cos(a)) / (2.0 + np.cos(a))) * n
    found = 2.0 * np.pi * modes.frequencies
    assert_allclose([found[np.abs(found - w).argmin()] for w in exact], exact, rtol=1e-8)


def test_bar_hangs_as_it_should(bar: ModuleType) -> None:
    """Under its weight and a load the end goes down by (F + m g/2) L/EA, exactly, since N is linear between nodes."""
    m = fm.Model("hanging", gravity=(0, 0, -9.81))
    rod = m.add(bar.Bar("rod", (0, 0, 0), (0, 0, -2), elements=5, EA=1e4, mass=3.0))
    wall = m.add(fm.Spherical(m.ground.at(0, 0, 0), rod.at(0)))
    for k in range(1, 6):  # a bar without load has no stiffness across itself
        m.add(fm.PointOnLine(m.ground.at(0, 0, 0), rod.at(k / 5), axis=(0, 0, 1)))
    m.add(fm.PointForce(rod.at(1), (0, 0, -20.0)))
    sol = m.equilibrium()
    assert_allclose(sol.position(rod.at(1))[-1, 2], -2.0 - (20.0 + 0.5 * 3.0 * 9.81) * 2.0 / 1e4, rtol=1e-10)
    assert_allclose(sol.reaction(wall).force[-1], (0, 0, 20.0 + 3.0 * 9.81), atol=1e-6)


def test_bar_has_exact_tangents(bar: ModuleType) -> None:
    check_tangent(bar.m)


def test_bar_is_stored(bar: ModuleType, tmp_path: Path) -> None:
    sol = bar.sol
    path = sol.save(tmp_path / "run.h5")
    back = fm.load(path, classes=[bar.Bar])
    assert_array_equal(back.system.mass_matrix.toarray(), sol.system.mass_matrix.toarray())
    assert_array_equal(back.position(back.model["bar"].at(0.3)), sol.position(bar.bar.at(0.3)))
    assert_array_equal(back.reaction("wall").force, sol.reaction("wall").force)
    with pytest.raises(fm.ModelError, match=r"class Bar, .* fm.load\(path, classes=\[Bar\]\)"):
        fm.load(path).to_vtk(tmp_path / "bar.pvd")


def test_bar_is_drawn(bar: ModuleType, tmp_path: Path) -> None:
    """Beside a beam: in ParaView's files and in the report's animation; a field that only one of them has is 0 in the other."""
    m = fm.Model("both")
    rod = m.add(bar.Bar("rod", (0, 0, 0), (1, 0, 0), elements=2, EA=1e4, mass=1.0))
    square, steel = fm.Rectangle(0.1, 0.1), fm.Material(E=1e9, density=1e3)
    beam = m.add(fm.Beam("beam", start=(1, 0, 0), end=(2, 0, 0), section=square, material=steel, elements=1))
    m.add(fm.Spherical(rod.at(1), beam.start))
    m.add(fm.PointForce(rod.at(0), (-100.0, 0, 0)))
    sol = m.simulate(0.01, step=1e-4, output_step=1e-3, progress=False)
    files = sol.to_vtk(tmp_path / "run.pvd")
    assert "beams_00010.vtu" in {file.name for file in files}
    layer = next(layer for layer in scene(sol) if layer.name == "beams")
    shot = layer.snapshot(10)
    own = shot.fields["part"] == 0
    assert own.sum() == 6 and (~own).sum() > 6
    nodes = np.array([sol.position(rod.at(s))[10] for s in (0.0, 0.5, 1.0)])
    assert_allclose(shot.points[own].reshape(3, 2, 3).mean(axis=1), nodes, atol=1e-12)
    assert_allclose(
        shot.fields["displacement"][own].reshape(3, 2, 3)[:, 0], nodes - [[0, 0, 0], [0.5, 0, 0], [1, 0, 0]], atol=1e-12
    )
    assert shot.fields["axial_strain"][own][0] == pytest.approx((nodes[1, 0] - nodes[0, 0]) / 0.5 - 1.0)
    assert shot.fields["axial_strain"][own][0] > 1e-3
    assert not shot.fields["von_mises"][own].any() and shot.fields["von_mises"][~own].any()
    assert sol.report(tmp_path / "run.html").stat().st_size > 10_000


def test_bar_may_have_sections(bar: ModuleType) -> None:
    """N = EA (l/l_0 - 1), whatever class gives it."""

    class Sectioned(bar.Bar):  # type: ignore[name-defined, misc]
        section, material = fm.Rectangle(0.01, 0.01), fm.Material(E=1e8, density=1e3)

        def section_forces(self, s: Any, q: Any) -> AtPlaces:
            r = q.reshape(len(q), -1, 3)
            strain = np.linalg.norm(np.diff(r, axis=1), axis=2) / self.each - 1.0
            axial = strain[:, np.minimum((s * self.elements).astype(int), self.elements - 1), None] * (1.0, 0.0, 0.0)
            return AtPlaces(axial, 0 * axial, self.EA * axial, 0 * axial, np.tile(np.eye(3), (*axial.shape[:2], 1, 1)))

    m = fm.Model("pulled")
    rod = m.add(Sectioned("rod", (0, 0, 0), (1, 0, 0), elements=2, EA=1e4, mass=1.0))
    m.add(fm.Spherical(m.ground.at(0, 0, 0), rod.at(0)))
    m.add(fm.PointForce(rod.at(1), (10.0, 0, 0)))
    sol = m.simulate(0.01, step=1e-4, progress=False)
    stretch = sol.position(rod.at(0.5))[:, 0] / 0.5 - 1.0
    found = sol.section(rod, [0.2])
    assert_allclose(found.force[:, 0, 0], 1e4 * stretch, rtol=1e-9, atol=1e-9)
    assert_allclose(found.von_mises()[:, 0], 1e8 * np.abs(stretch), rtol=1e-9, atol=1e-5)
    with pytest.raises(fm.ModelError, match="has no sections; give"):
        sol.section(bar.bar, [0.2])
