"""Simo & Vu-Quoc's flying flexible beam (1986): free flight after a force and a torque at one end, in the plane.

l = 10, EA = GA = 1e4, EI = 500, rho A = 1 as published: a section of area 1, I = 0.05 and shear factor 2 of a material with
E = 1e4 and nu = 0. A section of one material has rho I/EI = rho A/EA: its rotary inertia is 0.05, not the published 10. That
hardly matters in the plane, and is why the spatial version is left out: about its own axis the beam would have next to no
inertia to resist the torque.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

Array = np.ndarray
SECTION = fm.GeneralSection(A=1.0, I_y=0.05, I_z=0.05, Jt=0.1, k_y=2.0, k_z=2.0)
MATERIAL = fm.Material(E=1e4, nu=0.0, density=1.0)
END = 5.0  # of the loads, s


def pulse(t: float) -> float:
    """A triangle, 200 at t = 2.5."""
    return max(0.0, 200.0 - 80.0 * abs(t - 2.5))


@cache
def flight(step: float) -> tuple[fm.Solution, fm.Beam]:
    model = fm.Model("flight")
    beam = model.add(fm.Beam("beam", start=(6, 0, 0), end=(0, 8, 0), section=SECTION, material=MATERIAL, elements=4))
    model.add(fm.PointForce(beam.start, lambda t: (0.1 * pulse(t), 0.0, 0.0)))
    model.add(fm.Torque(beam.start, lambda t: (0.0, 0.0, -pulse(t))))
    return model.simulate(8.0, step=step, integrator=fm.GeneralizedAlpha(rho_inf=1.0)), beam


def momenta(step: float) -> tuple[Array, Array, Array]:
    """t, linear and angular momentum about the origin."""
    sol, beam = flight(step)
    q = sol.q.reshape(len(sol), beam.node_count, -1, 3)
    p = (sol.system.mass_matrix @ sol.v.T).T.reshape(q.shape)
    return sol.t, p[:, :, 0].sum(axis=1), np.cross(q, p).sum(axis=(1, 2))


def check(step: float, share: float) -> None:
    """Momenta equal the impulses of the loads, and stay; nothing leaves the plane; share: of the energy, and of the moment."""
    sol, beam = flight(step)
    t, linear, angular = momenta(step)
    after = t >= END
    impulse = np.tile([50.0, 0.0, 0.0], (after.sum(), 1))  # 0.1 int pulse dt
    assert_allclose(linear[after], impulse, rtol=0, atol=1e-9)
    assert np.abs(angular[:, :2]).max() < 1e-9
    kept = np.ptp(angular[after, 2])
    assert kept < share * np.abs(angular[-1, 2])
    lever = sol.position(beam.start)[:, 1]
    load = np.array([pulse(x) for x in t])
    given = np.sum(0.5 * np.diff(t) * ((-load - 0.1 * load * lever)[1:] + (-load - 0.1 * load * lever)[:-1]))
    assert_allclose(angular[-1, 2], given, rtol=5e-3)  # the trapezoidal rule's own error
    energy = sol.energy
    assert np.ptp(energy.balance[after]) < share * energy.work[-1]
    assert energy.elastic.max() > 100.0  # it did bend


def test_momentum_and_energy():
    """rho_inf = 1, h = 0.0125 s: linear momentum to round-off; angular momentum and energy to 3e-4 after the loads end."""
    check(0.0125, 3e-4)


@pytest.mark.slow
def test_momentum_and_energy_improve_with_the_step():
    """Half the step: 1e-4, and the balance over the whole run falls with its square."""
    check(0.00625, 1e-4)
    rough, fine = (np.abs(flight(step)[0].energy.balance).max() for step in (0.0125, 0.00625))
    assert 3.5 < rough / fine < 4.5
