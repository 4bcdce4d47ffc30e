"""Bodies that turn far in a step: energy is neither made nor lost beyond the method's own damping, which is booked."""

from __future__ import annotations

import numpy as np
import pytest

import fmbs as fm
from tests.oracles.alpha_stepper import AlphaStepper

SPIN, MASS, ARM = 100.0, 2.0, 0.3  # rad/s, kg, m
STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850)


def free_body() -> fm.Model:
    m = fm.Model("rotor", gravity=(0, 0, 0))
    m.add(fm.RigidBody("body", mass=MASS, inertia=np.diag([0.1, 0.2, 0.25]), com=(0, 0, 0), spin=(0, 0, SPIN)))
    return m


def unbalanced_body() -> fm.Model:
    """On a hinge, its centre of mass 0.3 m away."""
    m = fm.Model("rotor", gravity=(0, 0, 0))
    inertia, motion = np.diag([0.1, 0.2, 0.25]), {"velocity": (0, ARM * SPIN, 0), "spin": (0, 0, SPIN)}
    body = m.add(fm.RigidBody("body", mass=MASS, inertia=inertia, com=(ARM, 0, 0), **motion))
    m.add(fm.Revolute(m.ground.at(0, 0, 0), body.at(0, 0, 0), axis=(0, 0, 1), name="hinge"))
    return m


def planar_body() -> fm.Model:
    m = fm.Model("rotor", gravity=(0, 0))
    body = m.add(fm.PlanarBody("body", mass=MASS, inertia=0.2, com=(ARM, 0), velocity=(0, ARM * SPIN), spin=SPIN))
    m.add(fm.Revolute(m.ground.at(0, 0), body.at(0, 0), name="hinge"))
    return m


def shaft(**kind: str) -> fm.Model:
    """Steel, 20 mm thick and 0.5 m long, in two bearings."""
    m = fm.Model("shaft", gravity=(0, 0, 0))
    place = {"start": (0, 0, 0), "end": (0.5, 0, 0), "elements": 2, "spin": (SPIN, 0, 0)}
    beam = m.add(fm.Beam("beam", section=fm.Circle(0.01), material=STEEL, **place, **kind))
    m.add(fm.Revolute(m.ground.at(0, 0, 0), beam.start, axis=(1, 0, 0)))
    m.add(fm.Cylindrical(m.ground.at(0.5, 0, 0), beam.end, axis=(1, 0, 0)))
    return m


def papers_shaft() -> fm.Model:
    return shaft(interpolation="hermite", formulation="continuum")


def turned(model: fm.Model, steps: int, rho_inf: float, turns: int = 20) -> fm.Solution:
    turn = 2.0 * np.pi / SPIN
    return model.simulate(turns * turn, step=turn / steps, integrator=fm.GeneralizedAlpha(rho_inf), progress=False)


# Sixteen steps a turn are warned of, and so is what rho_inf = 0 takes: see tests/robustness/test_guard.py.
KINDS = ("CoarseSteps", "NumericalDamping", "UnbalancedEnergy")
pytestmark = [pytest.mark.filterwarnings(f"ignore::fmbs.{kind}") for kind in KINDS]
BODIES = [free_body, unbalanced_body, planar_body, shaft, papers_shaft]


@pytest.mark.parametrize("build", BODIES)
@pytest.mark.parametrize("rho_inf", [0.8, 0.9, 1.0])
@pytest.mark.parametrize(("steps", "share"), [(31, 0.01), (16, 0.1)])
def test_turning_bodies_keep_their_energy(build, rho_inf: float, steps: int, share: float):
    """Kinetic energy at every instant of 20 turns: within 1 % at 31 steps a turn, within 10 % at 16."""
    kinetic = turned(build(), steps, rho_inf).energy.kinetic
    assert np.abs(kinetic / kinetic[0] - 1.0).max() < share


@pytest.mark.parametrize("build", BODIES)
@pytest.mark.parametrize("rho_inf", [0.0, 0.5])
@pytest.mark.parametrize("steps", [31, 16])
def test_damped_bodies_only_lose(build, rho_inf: float, steps: int):
    """Strong numerical damping takes energy and never gives any. What it takes is an entry of the ledger, to 4 %."""
    energy = turned(build(), steps, rho_inf, turns=10).energy
    start = energy.kinetic[0]
    assert energy.kinetic.max() < (1.0 + 2e-4) * start
    assert energy.numerical[-1] > 0.015 * start
    assert np.abs(energy.balance).max() < 0.04 * start


@pytest.mark.parametrize("build", [unbalanced_body, planar_body])
@pytest.mark.parametrize("rho_inf", [0.8, 0.9, 1.0])
def test_reaction_of_an_unbalanced_body(build, rho_inf: float):
    """m r omega^2 at 31 steps a turn, to 5 % at every instant."""
    sol = turned(build(), 31, rho_inf)
    reaction = np.linalg.norm(sol.reaction("hinge").force, axis=1)
    np.testing.assert_allclose(reaction, MASS * ARM * SPIN**2, rtol=0.05)


@pytest.mark.parametrize("build", [shaft, papers_shaft])
@pytest.mark.parametrize("rho_inf", [0.0, 0.5, 0.8, 0.9, 1.0])
def test_a_spinning_shaft_takes_few_iterations(build, rho_inf: float):
    """At most six a step at 40 steps a turn, with strains a million times stiffer than the motion."""
    done = turned(build(), 40, rho_inf).statistics
    assert done.iterations <= 6.0 * done.steps


def test_fast_and_slow_spin_of_a_stiff_shaft():
    """Its stiffest vibrations are 1e2 to 1e5 times faster than the spin."""
    for spin in (10.0, 5000.0):
        m = fm.Model("shaft", gravity=(0, 0, 0))
        place = {"start": (0, 0, 0), "end": (0.5, 0, 0), "elements": 2, "spin": (spin, 0, 0)}
        m.add(fm.Beam("beam", section=fm.Circle(0.01), material=STEEL, **place))
        turn = 2.0 * np.pi / spin
        kinetic = m.simulate(5 * turn, step=turn / 31, progress=False).energy.kinetic
        assert np.abs(kinetic / kinetic[0] - 1.0).max() < 0.01


@pytest.mark.parametrize("rho_inf", [0.5, 0.8, 0.9])
def test_the_textbook_agrees_where_steps_are_short(rho_inf: float):
    """400 steps a turn, where the textbook needs no clean velocities: to 1e-6 after two turns, where both are 3e-4 off the
    exact place, to which they tend with the square of the step."""
    model, steps = unbalanced_body(), 400
    sol = turned(model, steps, rho_inf, turns=2)
    oracle = AlphaStepper(sol.system, rho_inf, 2.0 * np.pi / SPIN / steps)
    last = oracle.run(oracle.start(sol.q[0], sol.v[0]), 2 * steps)[-1]
    np.testing.assert_allclose(sol.q[-1], last.q, rtol=0, atol=1e-6)
    fine = turned(model, 2 * steps, rho_inf, turns=2)
    exact = np.abs(fine.q[-1] - sol.q[0]).max()
    assert np.abs(sol.q[-1] - sol.q[0]).max() == pytest.approx(4.0 * exact, rel=0.1)  # second order


def test_the_textbook_runs_away_where_steps_are_long():
    """Why velocities are cleaned: at 31 steps a turn with rho_inf = 0.8 the textbook makes energy of nothing."""
    sol = turned(unbalanced_body(), 31, 0.8, turns=6)
    oracle = AlphaStepper(sol.system, 0.8, 2.0 * np.pi / SPIN / 31)
    plain = oracle.run(oracle.start(sol.q[0], sol.v[0]), 6 * 31)
    oracle.clean = True
    clean = oracle.run(oracle.start(sol.q[0], sol.v[0]), 6 * 31)

    def kinetic(v: np.ndarray) -> float:
        return 0.5 * float(v @ (sol.system.mass_matrix @ v))

    start = kinetic(sol.v[0])
    assert max(kinetic(motion.v) for motion in plain) > 1.3 * start
    assert max(abs(kinetic(motion.v) / start - 1.0) for motion in clean) < 0.01
