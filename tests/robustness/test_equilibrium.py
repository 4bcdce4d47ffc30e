"""Equilibria that were not found, or were not what they seemed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.assembly.system import Coefficients
from fmbs.core.state import State
from tests.oracles import spatial_rod
from tests.solvers.test_equilibrium_path import LIMIT, truss

STEEL = fm.Material(E=2.07e11, nu=0.3, density=7850.0)
HERTZ = fm.contact.LankaraniNikravesh(restitution=0.9, materials=(STEEL, STEEL))


def helix(elements: int) -> tuple[fm.Model, fm.Beam]:
    """Ibrahimbegovic 1997: l = 10, EA = GA = 1e4, EI = GJ = 1e2, rolled up ten times by 200 pi, pushed aside by 50.

    The moment of fm.Torque stays as it is in space, as in the paper, so that the tangent is not symmetric.
    """
    m = fm.Model("helix")
    material = fm.Material(E=1e4, nu=-0.5, density=1.0)  # G = E
    section = fm.GeneralSection(A=1.0, I_y=0.01, I_z=0.01, Jt=0.01)
    beam = m.add(fm.Beam("rod", start=(0, 0, 0), end=(10, 0, 0), section=section, material=material, elements=elements))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    m.add(fm.Torque(beam.end, (0.0, 0.0, 200.0 * np.pi)))
    m.add(fm.PointForce(beam.end, (0.0, 0.0, 50.0)))
    return m, beam


def test_helix_is_rolled_up_to_the_end() -> None:
    """m.equilibrium() alone, 40 elements that bend by a quarter turn each: the tip against the rod itself, by shooting.

    It is within 1e-5 of the length up to three turns, and within 1.2e-3 of it at ten.
    """
    m, beam = helix(40)
    sol = m.equilibrium()
    assert sol.t[-1] == 1.0 and (np.diff(sol.t) > 0.0).all()
    tips, share = sol.position(beam.end), {0.1: 1e-6, 0.3: 1e-5, 0.6: 2e-4, 1.0: 1.2e-3}
    for load, tolerance in share.items():
        frame = int(np.abs(sol.t - load).argmin())
        force, moment = sol.t[frame] * np.array([[0.0, 0.0, 50.0], [0.0, 0.0, 200.0 * np.pi]])
        exact = spatial_rod.tip(10.0, (1e4,) * 3, (1e2,) * 3, force, moment, near=tips[frame])
        assert np.linalg.norm(tips[frame] - exact) < 10.0 * tolerance


@pytest.mark.slow
def test_helix_of_more_elements_is_the_rod() -> None:
    """100 elements, all along the path: within 1e-5 of the length of the rod's tip."""
    m, beam = helix(100)
    sol = m.equilibrium()
    for frame in range(0, len(sol), 20):
        tip, load = sol.position(beam.end)[frame], sol.t[frame]
        force, moment = load * np.array([[0.0, 0.0, 50.0], [0.0, 0.0, 200.0 * np.pi]])
        exact = spatial_rod.tip(10.0, (1e4,) * 3, (1e2,) * 3, force, moment, near=tip)
        assert np.linalg.norm(tip - exact) < 1e-4


def test_rolled_beam_gives_way_where_the_rod_does_and_nowhere_else() -> None:
    """Two directions for each full turn. Sections that change their length in turns once added twenty more at six turns."""
    m, _ = helix(40)
    m.forces[:] = [force for force in m.forces if isinstance(force, fm.Torque)]
    sol = m.equilibrium(load_steps=10)
    matrix = sol.system.jacobian(0.0, sol.q[5], 0.0 * sol.q[5], sol.lam[5], Coefficients(stiffness=1.0, load=0.6))
    n = sol.system.size
    basis = np.linalg.svd(matrix[n:, :n].toarray())[2][matrix.shape[0] - n :].T
    k = basis.T @ (matrix[:n, :n] @ basis)
    assert (np.linalg.eigvalsh(0.5 * (k + k.T)) < 0.0).sum() == 12


def driven(angle: Any) -> tuple[fm.Model, fm.RotationDrive]:
    """A bar of 1 kg and 1 m, held horizontal by a drive: 9.81 N at a lever of half a metre."""
    m = fm.Model("bar", gravity=(0, -9.81))
    bar = m.add(fm.PlanarBody("bar", mass=1.0, inertia=1.0 / 12.0, com=(0.5, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), bar.at(0, 0)))
    return m, m.add(fm.RotationDrive(m.ground.at(0, 0), bar.at(0, 0), angle=angle, name="motor"))


def test_drive_that_moves_holds_at_its_start(tmp_path: Path) -> None:
    """4.905 N m, also in a stored solution: frames are load factors, and the model stays at t = 0."""
    m, motor = driven(lambda t: 0.5 * t)
    sol = m.equilibrium(load_steps=2)
    assert_allclose(sol.reaction(motor).moment, [2.4525, 4.905], rtol=1e-12)
    assert_allclose(sol.drift, 0.0, rtol=0, atol=1e-14)
    assert_allclose(sol.times, 0.0)
    back = fm.load(sol.save(tmp_path / "static.h5"))
    assert_allclose(back.reaction("motor").moment, [2.4525, 4.905], rtol=1e-9)
    assert_allclose(back.drift, 0.0, rtol=0, atol=1e-9)
    assert "load factor = 0.5 ... 1" in repr(back) and back.static


def test_beam_on_a_drive() -> None:
    """The clamp of a heavy beam turns with time; at rest its moment is w l^2/2, to the shortening of its lever."""
    m = fm.Model("arm", gravity=(0, -9.81))
    hub = m.add(fm.PlanarBody("hub", mass=1.0, inertia=1.0, com=(0.0, 0.0)))
    arm = m.add(fm.PlanarBeam("arm", start=(0, 0), end=(1, 0), section=fm.Rectangle(0.02, 0.02), material=STEEL, elements=4))
    m.add(fm.Revolute(m.ground.at(0, 0), hub.com))
    m.add(fm.Fixed(hub.com, arm.start))
    motor = m.add(fm.RotationDrive(m.ground.at(0, 0), hub.com, speed=2.0))
    sol = m.equilibrium()
    assert_allclose(sol.reaction(motor).moment[-1], 7850.0 * 4e-4 * 9.81 / 2.0, rtol=1e-5)


def test_springs_that_change_with_time_store_what_they_do_at_the_start() -> None:
    m = fm.Model("spring", gravity=(0, -9.81))
    mass = m.add(fm.PlanarBody("mass", mass=1.0, inertia=1.0, com=(0.0, -1.0)))
    m.add(fm.Prismatic(m.ground.at(0, 0), mass.com, axis=(0, 1)))
    m.add(fm.SpringDamper(m.ground.at(0, 0), mass.com, stiffness=lambda t: 100.0 * (1.0 + t), length=1.0))
    sol = m.equilibrium(load_steps=4)
    assert_allclose(sol.position(mass.com)[:, 1], -1.0 - sol.t * 0.0981, rtol=1e-12)
    assert_allclose(sol.energy.elastic, 50.0 * (sol.t * 0.0981) ** 2, rtol=1e-10)
    assert np.isnan(sol.energy.work).all() and np.isnan(sol.energy.balance).all()  # not known, and not pretended


def hanging(angle: float = -1.0, **joint: Any) -> tuple[fm.Model, fm.PlanarBody, Any]:
    """A rod of 2 kg and 1 m in a bearing of 10 mm with a gap of 0.1 mm."""
    m, tip = fm.Model("rod", gravity=(0, -9.81)), np.array([np.cos(angle), np.sin(angle)])
    rod = m.add(fm.PlanarBody("rod", mass=2.0, inertia=2.0 / 12.0, com=0.5 * tip, angle=angle))
    given: Any = {"bearing_radius": 0.01, "clearance": 1e-4, "name": "pin", **joint}
    return m, rod, m.add(fm.ClearanceRevolute(m.ground.at(0, 0), rod.at(0, 0), **given))


@pytest.mark.parametrize("angle", [-1.5, 0.0, 1.0])
def test_rod_comes_to_rest_in_a_dry_bearing(angle: float) -> None:
    """Hanging from the wall of the bearing: N = K delta^1.5 = m g, all of it stored. Contacts were not seen before."""
    m, rod, pin = hanging(angle, contact=HERTZ)
    sol = m.equilibrium()
    found = sol.clearance(pin)
    stiffness = fm.contact.hertz_stiffness(0.01, 0.01 - 1e-4, STEEL, STEEL)
    depth = (2.0 * 9.81 / stiffness) ** (2.0 / 3.0)
    assert_allclose(sol.position(rod.com)[-1], [0.0, -0.5 - 1e-4 - depth], rtol=0, atol=1e-9)
    assert_allclose(found.penetration[-1], depth, rtol=1e-6)
    assert_allclose(sol.reaction(pin).force[-1], [0.0, 2.0 * 9.81], rtol=0, atol=1e-7)
    assert_allclose(sol.energy.elastic[-1], 0.4 * stiffness * depth**2.5, rtol=1e-6)
    assert sol.energy.dissipated[-1] == 0.0
    assert found.mode[-1] == "following contact" and found.t[-1] == 1.0
    assert (m.modes(3, at=sol).omega > 0.0).all()  # linearised with the contact closed


def test_oil_film_carries_nothing_at_rest() -> None:
    """Alone it lets the journal fall: an error that says so. With a contact beside it the rod hangs from that."""
    film: Any = {"film": fm.film.ShortBearing(0.4), "length": 0.02}
    with pytest.raises(fm.ConvergenceError, match=r"oil film of 'pin'.*contact="):
        hanging(**film)[0].equilibrium()
    m, rod, _ = hanging(**film)
    m.add(fm.SpringDamper(m.ground.at(0, 1), rod.com, stiffness=100.0, length=0.8))
    with pytest.raises(fm.ModelError, match=r"pin: contact = None.*through its bearing"):
        m.equilibrium()
    m, rod, pin = hanging(contact=HERTZ, **film)
    assert_allclose(m.equilibrium().reaction(pin).force[-1], [0.0, 2.0 * 9.81], rtol=0, atol=1e-7)


def test_contact_that_creeps_is_no_support() -> None:
    """Maxwell's spring in series with a damper: its stiffness makes increments tiny, and nothing is in balance."""
    m, *_ = hanging(contact=fm.contact.Maxwell(stiffness=1e8, damping=1e5))
    with pytest.raises(fm.ConvergenceError, match="no equilibrium"):
        m.equilibrium()


def test_bodies_that_nothing_holds() -> None:
    """Under gravity there is no equilibrium, which is said at once; without any load every place is one."""
    for gravity in ((0, -9.81), (0, 0)):
        m = fm.Model("free", gravity=gravity)
        body = m.add(fm.PlanarBody("body", mass=1.0, inertia=1.0, com=(1.0, 2.0)))
        if any(gravity):
            with pytest.raises(fm.ConvergenceError, match="held somewhere") as caught:
                m.equilibrium()
            assert caught.value.time == 0.0 and len(caught.value.solution) == 1
            assert caught.value.status is fm.Status.NOT_AT_REST and "'body' gives way" in str(caught.value)
            m.add(fm.SpringDamper(m.ground.at(1.0, 3.0), body.com, stiffness=100.0, length=1.0))  # the remedy
        assert_allclose(m.equilibrium().position(body.com)[-1, 0], 1.0, rtol=0, atol=1e-9)


def test_pendulum_drawn_upright_is_told() -> None:
    """An equilibrium it is. Drawn a little aside it falls down: the remedy."""
    for x in (0.0, 1e-3):
        m = fm.Model("pendulum", gravity=(0, -9.81))
        rod = m.add(fm.PlanarBody("rod", mass=1.0, inertia=1.0, com=(x, 1.0)))
        m.add(fm.Revolute(m.ground.at(0, 0), rod.at(0, 0)))
        if x:
            assert_allclose(m.equilibrium().position(rod.com)[-1], [0.0, -np.hypot(1.0, x)], rtol=0, atol=1e-9)
        else:
            with pytest.warns(fm.UnstableEquilibrium, match="one direction"):
                sol = m.equilibrium()
            assert_allclose(sol.position(rod.com)[-1], [0.0, 1.0])


def test_modes_of_a_moving_mechanism_are_those_of_its_time() -> None:
    """A driven disc carries a mass on a spring along its radius: a quarter turn later the spring is as stiff as before."""
    m = fm.Model("disc")
    disc = m.add(fm.PlanarBody("disc", mass=1.0, inertia=1.0, com=(0.0, 0.0)))
    mass = m.add(fm.PlanarBody("mass", mass=2.0, inertia=1.0, com=(1.0, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), disc.com))
    m.add(fm.RotationDrive(m.ground.at(0, 0), disc.com, speed=1e-3))
    m.add(fm.Prismatic(disc.com, mass.com, axis=(1, 0)))
    m.add(fm.SpringDamper(disc.at(0.5, 0), mass.com, stiffness=50.0, length=0.5))
    sol = m.simulate(np.pi / 2.0 * 1e3, step=10.0, output_step=500.0)
    assert_allclose(sol.position(mass.com)[-1], [0.0, 1.0], rtol=0, atol=1e-3)
    assert_allclose(m.modes(1, at=sol).omega, 5.0, rtol=1e-4)


def test_modes_about_a_part_of_the_load() -> None:
    """A pendulum's frequency under a quarter of its weight is half of that under all of it."""
    m = fm.Model("pendulum", gravity=(0, -9.81))
    rod = m.add(fm.PlanarBody("rod", mass=1.0, inertia=1.0, com=(1.0, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), rod.at(0, 0)))
    sol = m.equilibrium(load_steps=4)
    quarter = fm.Solution.from_states(sol.system, [_frame(sol, 0)], sol.statistics, loads=sol.t[:1])
    assert_allclose(m.modes(1, at=quarter).omega, 0.5 * m.modes(1, at=sol).omega, rtol=1e-9)


def test_beam_that_may_slide_without_any_load() -> None:
    """It is in equilibrium where it is drawn, though its matrix is singular and its forces are round-off."""
    m = fm.Model("slider")
    beam = m.add(fm.PlanarBeam("beam", start=(0, 0), end=(10, 0), section=fm.Circle(0.01), material=STEEL, elements=8))
    m.add(fm.Prismatic(m.ground.at(0, 0), beam.start, axis=(1, 0)))
    assert_allclose(m.equilibrium().position(beam.end)[-1], [10.0, 0.0], rtol=0, atol=1e-9)


def test_slowly_unstable_equilibrium_is_told_and_kept(tmp_path: Path) -> None:
    """A thin strip on edge under 1.05 of its critical load: omega^2 = -20/s^2 beside 1e15/s^2 of its stiffest motion.

    The solution, its file and its report say so too.
    """
    m, section = fm.Model("strip"), fm.Rectangle(0.002, 0.06)
    strip = m.add(fm.Beam("strip", start=(0, 0, 0), end=(1, 0, 0), section=section, material=STEEL, elements=8))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), strip.start))
    critical = 4.0126 * float(np.sqrt(STEEL.E * section.Iz * STEEL.G * section.J))
    m.add(fm.PointForce(strip.end, (0.0, 0.0, -1.05 * critical)))
    with pytest.warns(fm.UnstableEquilibrium, match="one direction"):
        sol = m.equilibrium()
    back = fm.load(sol.save(tmp_path / "strip.h5"))
    assert "not stable" in str(back) and back.notes == sol.notes == (sol.statistics.stability,)
    assert "not stable" in sol.report(tmp_path / "strip.html").read_text()


def test_files_of_a_path_that_turns_back(tmp_path: Path) -> None:
    """Load factors fall: VTK files count the frames, and figures over time are refused."""
    m, apex = truss(1.5 * LIMIT)
    sol = m.equilibrium(follow="arc")
    assert (np.diff(sol.t) < 0.0).any()
    assert_allclose(fm.load(sol.save(tmp_path / "arc.h5")).t, sol.t, rtol=1e-12)
    times = re.findall(r'timestep="([^"]+)"', sol.to_vtk(tmp_path / "arc.pvd")[0].read_text())
    assert sorted({float(t) for t in times}) == list(range(len(sol)))
    assert "load factor" in sol.report(tmp_path / "arc.html").read_text()
    for figure in (sol.plot.spectrum, sol.plot.velocity_acceleration):
        with pytest.raises(fm.ModelError, match="load factors, not times"):
            figure(apex)


@dataclass(frozen=True, eq=False)
class Fragile(fm.UserForce):
    """A sensor that breaks 0.3 m below."""

    marker: fm.Marker

    def force(self, t: float, *states: Any) -> Any:
        if states[0].r[1] < -0.3:
            raise RuntimeError(f"broken at {states[0].r[1]:.3f} m.")
        return (np.zeros(3),)


def test_force_that_fails_on_the_way_keeps_what_was_found() -> None:
    """A user's force that raises where the beam has bent by 0.3 m: the frames before are there, with the error attached."""
    m = fm.Model("beam")
    beam = m.add(fm.PlanarBeam("beam", start=(0, 0), end=(1, 0), section=fm.Rectangle(0.01, 0.01), material=STEEL, elements=4))
    m.add(fm.Fixed(m.ground.at(0, 0), beam.start))
    m.add(fm.PointForce(beam.end, (0.0, -2000.0)))
    m.add(Fragile(beam.end))
    with pytest.raises(fm.ConvergenceError, match="broken at") as caught:
        m.equilibrium()
    sol = caught.value.solution
    assert caught.value.status is fm.Status.USER_ERROR and isinstance(caught.value.__cause__, RuntimeError)
    assert 0.0 < caught.value.time == sol.t[-1] < 1.0 and sol.position(beam.end)[-1, 1] < 0.0


def _frame(sol: fm.Solution, frame: int) -> State:
    return State(0.0, sol.q[frame], sol.v[frame], sol.a[frame], sol.lam[frame], sol.q[frame])
