"""Runs over wide ranges of steps, stiffnesses, sizes and damping, and what each of them said: the sweep of trust.

The judge does not ask the guard of fmbs. It takes the energies of the frames and what is known of the model: bodies that spin
freely, beams that swing and balls that bounce without loss keep their energy, and nothing gains any.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import fmbs as fm
from fmbs.core.defaults import ENERGY_TOLERANCE
from fmbs.models import MODELS
from fmbs.results.witness import DAMPED

FAMILIES = {
    "spin": "bodies and shafts that turn, 5 to 500 steps a turn",
    "dry": "a ball in a bearing, contact stiffness 1e6 to 1e15 N/m^1.5",
    "beam": "beams and cables of 1e-6 to 1e3 m that swing",
    "oil": "a journal in oil, with and without contact behind it",
    "slider-crank": "a slider-crank, rigid and flexible, ideal, dry, lubricated and mixed",
}
RHOS = (0.0, 0.5, 0.8, 1.0)
STEPS = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)  # s
STEPS_A_TURN = (5, 8, 12, 16, 24, 31, 50, 100, 200, 500)
STIFFNESSES = (1e6, 1e8, 1e10, 1e12, 1e15)  # N/m^1.5
LENGTHS = tuple(10.0**k for k in range(-6, 4))  # m
FRAMES = 200
SPIN = 100.0  # rad/s
STEEL = fm.Material(E=2.07e11, nu=0.3, density=7800.0)
BEARING = {"bearing_radius": 0.01, "clearance": 1e-4, "length": 0.01}  # m


@dataclass(frozen=True)
class Case:
    """One run. family: "spin", ...; kind: of the model within it; size: what the family is varied over besides the step.

    keeps: does the model keep its energy, but for numerical damping?
    """

    family: str
    kind: str
    size: float
    step: float
    rho_inf: float
    t_end: float
    build: Callable[[], fm.Model]
    keeps: bool


@dataclass(frozen=True)
class Outcome:
    """What a run said: "quiet", "warned" or "refused"; gain, loss: of its energy, relative to what was exchanged, as judged.

    silent: is it wrong without having said so?
    """

    family: str
    size: float
    step: float
    said: str
    gain: float
    loss: float
    silent: bool


def cases() -> list[Case]:
    """All runs of the sweep."""
    return [*_spins(), *_balls(), *_beams(), *_bearings(), *_mechanisms()]


def judged(case: Case) -> Outcome:
    """Run it and judge."""
    options = {"step": case.step, "output_step": max(case.step, case.t_end / FRAMES), "progress": False}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            sol = case.build().simulate(case.t_end, integrator=fm.GeneralizedAlpha(case.rho_inf), **options)
            said = "warned" if caught else "quiet"
        except fm.ConvergenceError as error:
            sol, said = error.solution, "refused"
    gain, loss = _gain_and_loss(sol, case.keeps)
    wrong = gain > ENERGY_TOLERANCE or loss > DAMPED + ENERGY_TOLERANCE
    return Outcome(case.family, case.size, case.step, said, gain, loss, silent=bool(wrong and said == "quiet"))


def _gain_and_loss(sol: fm.Solution, keeps: bool) -> tuple[float, float]:
    """Energy that nothing has supplied, and energy that nothing has taken; a model that may lose energy must have booked it."""
    energy = sol.energy
    with np.errstate(all="ignore"):
        stored = energy.kinetic + energy.elastic + energy.potential
        excess = stored - stored[0] - energy.work
        booked = excess if keeps else excess + energy.dissipated + energy.numerical
        exchanged = abs(energy.kinetic[0] + energy.elastic[0]) + np.ptp(energy.potential) + np.abs(energy.work).max()
        at_rest = exchanged < 1e-300 or np.abs(sol.v).max() * sol.t[-1] < 1e-9 * sol.system.length_scale
        shares = np.zeros((2, 1)) if at_rest else np.stack([excess, -booked]) / exchanged
    gain, loss = np.nan_to_num(shares, nan=np.inf, posinf=np.inf, neginf=-np.inf).max(axis=1)
    return float(gain), float(loss)


def _spins() -> Iterator[Case]:
    turn = 2.0 * np.pi / SPIN
    builds = {"rigid": _rotor, "hinged": _hinged_rotor, "planar": _planar_rotor, "shaft": _shaft}
    for (kind, build), steps, rho in itertools.product(builds.items(), STEPS_A_TURN, RHOS):
        yield Case("spin", kind, steps, turn / steps, rho, 5 * turn, build, keeps=True)


def _rotor() -> fm.Model:
    m = fm.Model("rotor", gravity=(0, 0, 0))
    m.add(fm.RigidBody("body", mass=2.0, inertia=np.diag([0.1, 0.2, 0.25]), com=(0, 0, 0), spin=(0, 0, SPIN)))
    return m


def _hinged_rotor() -> fm.Model:
    m = fm.Model("rotor", gravity=(0, 0, 0))
    motion = {"velocity": (0, 0.3 * SPIN, 0), "spin": (0, 0, SPIN)}
    body = m.add(fm.RigidBody("body", mass=2.0, inertia=np.diag([0.1, 0.2, 0.25]), com=(0.3, 0, 0), **motion))
    m.add(fm.Revolute(m.ground.at(0, 0, 0), body.at(0, 0, 0), axis=(0, 0, 1)))
    return m


def _planar_rotor() -> fm.Model:
    m = fm.Model("rotor", gravity=(0, 0))
    body = m.add(fm.PlanarBody("body", mass=2.0, inertia=0.2, com=(0.3, 0), velocity=(0, 0.3 * SPIN), spin=SPIN))
    m.add(fm.Revolute(m.ground.at(0, 0), body.at(0, 0)))
    return m


def _shaft() -> fm.Model:
    m = fm.Model("shaft", gravity=(0, 0, 0))
    place = {"start": (0, 0, 0), "end": (0.5, 0, 0), "elements": 2, "spin": (SPIN, 0, 0)}
    beam = m.add(fm.Beam("beam", section=fm.Circle(0.01), material=STEEL, **place))
    m.add(fm.Revolute(m.ground.at(0, 0, 0), beam.start, axis=(1, 0, 0)))
    m.add(fm.Cylindrical(m.ground.at(0.5, 0, 0), beam.end, axis=(1, 0, 0)))
    return m


def _balls() -> Iterator[Case]:
    for stiffness, step, rho in itertools.product(STIFFNESSES, STEPS, RHOS):
        hertz = {"contact": fm.contact.Hertz(stiffness=stiffness)}
        yield Case("dry", "elastic", stiffness, step, rho, max(5e-3, 30 * step), _bearing(hertz), keeps=True)
    friction = fm.friction.Stribeck(kinetic=0.1, static=0.15, stribeck_speed=0.01)
    for stiffness, step in itertools.product(STIFFNESSES, STEPS):
        law = fm.contact.LankaraniNikravesh(stiffness=stiffness, restitution=0.8)
        rubbing = {"contact": law, "friction": friction}
        yield Case("dry", "rubbing", stiffness, step, 0.8, max(5e-3, 30 * step), _bearing(rubbing, spin=SPIN), keeps=False)


def _bearings() -> Iterator[Case]:
    film = {"film": fm.film.ShortBearing(0.01)}
    for out, step, rho in itertools.product((0.0, 0.9, 1.0), STEPS, RHOS):
        yield Case("oil", "film", out, step, rho, max(1e-3, 100 * step), _bearing(film, out, SPIN), keeps=False)
    for stiffness, step, rho in itertools.product(STIFFNESSES, STEPS, RHOS):
        both = {**film, "contact": fm.contact.LankaraniNikravesh(stiffness=stiffness, restitution=0.8)}
        yield Case("oil", "mixed", stiffness, step, rho, max(1e-3, 100 * step), _bearing(both, 0.5, SPIN), keeps=False)


def _bearing(laws: dict[str, Any], out: float = 0.0, spin: float = 0.0) -> Callable[[], fm.Model]:
    """A ball or journal of a kilogram that starts `out` clearances below the middle."""

    def build() -> fm.Model:
        m = fm.Model("bearing", gravity=(0, -9.81))
        place, motion = (0, -out * BEARING["clearance"]), {"velocity": (0.1, -0.2), "spin": spin}
        body = m.add(fm.PlanarBody("journal", mass=1.0, inertia=1e-4, com=place, **motion))
        m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, name="pin", **BEARING, **laws))
        return m

    return build


def _beams() -> Iterator[Case]:
    kinds = itertools.cycle((fm.PlanarBeam, fm.Beam, fm.Cable))
    for length, step, rho in itertools.product(LENGTHS, STEPS, RHOS):
        kind = next(kinds)
        yield Case("beam", kind.__name__, length, step, rho, 40 * step, _hanging(kind, length), keeps=True)


def _hanging(kind: type, length: float) -> Callable[[], fm.Model]:
    """A bar ten times as long as thick that falls around its hinge."""

    def build() -> fm.Model:
        flat = kind is fm.PlanarBeam
        m = fm.Model("bar", gravity=(0, -9.81) if flat else (0, -9.81, 0))
        ends = ((0, 0), (length, 0)) if flat else ((0, 0, 0), (length, 0, 0))
        section = fm.Circle(length / 20) if kind is fm.Cable else fm.Rectangle(length / 10, length / 10)
        bar = m.add(kind("bar", start=ends[0], end=ends[1], section=section, material=STEEL, elements=2))
        hinge = {} if kind is not fm.Beam else {"axis": (0, 0, 1)}
        joint = fm.Spherical if kind is fm.Cable else fm.Revolute
        m.add(joint(m.ground.at(*ends[0]), bar.start, **hinge))
        return m

    return build


def _mechanisms() -> Iterator[Case]:
    crank = MODELS["slider_crank_planar"]
    joints = ("ideal", "dry", "lubricated", "mixed")
    for joint, flexible, steps, rho in itertools.product(joints, (False, True), (5, 20, 100, 500, 5000), (0.0, 0.8)):
        model = crank(joint=joint, flexible=flexible)
        turn = 60.0 / model.rpm
        kind = f"{joint}, {'flexible' if flexible else 'rigid'}"
        yield Case("slider-crank", kind, steps, turn / steps, rho, turn, model.build, keeps=False)
