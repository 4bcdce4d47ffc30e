"""Simo & Vu-Quoc's flying flexible beam (planar 1986, spatial 1988): free flight after a force and torques at one end.

l = 10, EA = GA = 1e4, EI = GJ = 500, rho A = 1 and a rotary inertia of 10 as published: a section of area 1, I = 0.05, shear
factor 2 and rotary inertia 10 of a material with E = 1e4 and nu = 0. Differences: directors have the rotary inertia
(20, 10, 10) about (axis, y, z), the paper (10, 10, 10), which no flat section has. The solid element takes its rotary inertia
from its shape, 0.05, and would spin about its axis at hundreds of rad/s under the published torques: it gets a tenth of the
torque about z, a force out of the plane instead, and a tenth of the stiffness, so that it bends. Its GA is EA/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

Array = np.ndarray
PUBLISHED = fm.GeneralSection(A=1.0, I_y=0.05, I_z=0.05, Jt=0.1, k_y=2.0, k_z=2.0, rotary_y=10.0, rotary_z=10.0)
MATERIAL = fm.Material(E=1e4, nu=0.0, density=1.0)
SOLID, SOFT = fm.Rectangle(np.sqrt(0.6), np.sqrt(0.6)), fm.Material(E=1e3 / 0.6, nu=0.0, density=1.0 / 0.6)
END = 5.0  # of the loads, s


@dataclass(frozen=True)
class Flight:
    """A beam from (6, 0, 0) to (0, 8, 0) and the loads on its start, times the pulse; bends: elastic energy to exceed, J."""

    section: fm.Section
    material: fm.Material
    kind: tuple[str, str]
    elements: int
    force: tuple[float, float, float]
    torque: tuple[float, float, float]
    bends: float


FLIGHTS = {
    "planar": Flight(PUBLISHED, MATERIAL, ("cubic", "structural"), 4, (0.1, 0.0, 0.0), (0.0, 0.0, -1.0), 100.0),
    "spatial": Flight(PUBLISHED, MATERIAL, ("cubic", "structural"), 4, (0.1, 0.0, 0.0), (0.0, -0.5, -1.0), 100.0),
    "spatial, hermite": Flight(PUBLISHED, MATERIAL, ("hermite", "structural"), 12, (0.1, 0.0, 0.0), (0.0, -0.5, -1.0), 100.0),
    "spatial, solid": Flight(SOLID, SOFT, ("hermite", "continuum"), 8, (0.1, 0.0, 0.05), (0.0, 0.0, -0.1), 5.0),
}


def pulse(t: float) -> float:
    """A triangle, 200 at t = 2.5."""
    return max(0.0, 200.0 - 80.0 * abs(t - 2.5))


@cache
def flight(name: str, step: float) -> tuple[fm.Solution, fm.Beam]:
    case, model = FLIGHTS[name], fm.Model("flight")
    beam = model.add(
        fm.Beam(
            "beam", start=(6, 0, 0), end=(0, 8, 0), section=case.section, material=case.material, elements=case.elements,
            interpolation=case.kind[0], formulation=case.kind[1],
        )
    )  # fmt: skip
    force, torque = np.array(case.force), np.array(case.torque)
    model.add(fm.PointForce(beam.start, lambda t: pulse(t) * force))
    model.add(fm.Torque(beam.start, lambda t: pulse(t) * torque))
    return model.simulate(8.0, step=step, integrator=fm.GeneralizedAlpha(rho_inf=1.0)), beam


def momenta(name: str, step: float) -> tuple[Array, Array, Array]:
    """t, linear and angular momentum about the origin."""
    sol, beam = flight(name, step)
    q = sol.q.reshape(len(sol), beam.node_count, -1, 3)
    p = (sol.system.mass_matrix @ sol.v.T).T.reshape(q.shape)
    return sol.t, p[:, :, 0].sum(axis=1), np.cross(q, p).sum(axis=(1, 2))


def check(name: str, step: float, share: float) -> None:
    """Momenta equal the impulses of the loads, and stay; share: of the energy, and of the angular momentum."""
    sol, beam = flight(name, step)
    case, (t, linear, angular) = FLIGHTS[name], momenta(name, step)
    after, load = t >= END, np.array([pulse(x) for x in t])[:, None]
    impulse = np.tile(500.0 * np.array(case.force), (after.sum(), 1))  # int pulse dt = 500
    assert_allclose(linear[after], impulse, rtol=0, atol=1e-9)
    size = np.linalg.norm(angular[-1])
    assert np.ptp(angular[after], axis=0).max() < share * size
    turning = load * (np.array(case.torque) + np.cross(sol.position(beam.start), case.force))
    given = np.sum(0.5 * np.diff(t)[:, None] * (turning[1:] + turning[:-1]), axis=0)
    assert_allclose(angular[-1], given, rtol=0, atol=5e-3 * size)  # the trapezoidal rule's own error
    energy = sol.energy
    assert np.ptp(energy.balance[after]) < share * energy.work[-1]
    assert energy.elastic.max() > case.bends
    out_of_plane = np.ptp(sol.position(beam.end)[:, 2])
    assert out_of_plane < 1e-9 if name == "planar" else out_of_plane > 1.0


@pytest.mark.parametrize("name", FLIGHTS)
def test_momentum_and_energy(name: str):
    """rho_inf = 1, h = 0.0125 s: linear momentum to round-off; angular momentum and energy to 3e-4 after the loads end.

    The solid beam turns fast about its axis: it takes half the step.
    """
    check(name, 0.00625 if name == "spatial, solid" else 0.0125, 3e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planar", "spatial"])
def test_momentum_and_energy_improve_with_the_step(name: str):
    """Half the step: 1e-4, and the balance over the whole run falls with its square."""
    check(name, 0.00625, 1e-4)
    rough, fine = (np.abs(flight(name, step)[0].energy.balance).max() for step in (0.0125, 0.00625))
    assert 3.5 < rough / fine < 4.5


def test_interpolations_fly_alike():
    """Twelve linear-director elements end within 2 % of the length of four cubic ones."""
    tips = [sol.position(beam.end)[-1] for sol, beam in (flight(name, 0.0125) for name in ("spatial", "spatial, hermite"))]
    assert np.linalg.norm(tips[1] - tips[0]) < 0.2
