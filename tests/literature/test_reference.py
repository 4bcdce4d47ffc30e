"""Published and self-derived reference numbers: the IFToMM pendulum A01 and the heavy top."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.oracles import rigid_body

REFERENCE = json.loads(Path(__file__).with_name("reference.json").read_text())
A01, TOP = REFERENCE["pendulum_A01"], REFERENCE["heavy_top"]


def pendulum(kind: str) -> tuple[fm.Model, fm.Marker]:
    """A point mass of 1 kg on a massless rod of 1 m, from (-1, 0) at rest; the small inertia takes no part."""
    if kind == "planar":
        m = fm.Model("A01", gravity=(0.0, -9.81))
        bob = m.add(fm.PlanarBody("bob", mass=1.0, inertia=1e-8, com=(-1.0, 0.0)))
    else:
        m = fm.Model("A01", gravity=(0.0, -9.81, 0.0))
        bob = m.add(fm.RigidBody("bob", mass=1.0, inertia=(1e-4, 1e-4, 1e-4), com=(-1.0, 0.0, 0.0)))
    m.add(fm.Distance(m.ground.at(*([0.0, 0.0, 0.0][: 2 if kind == "planar" else 3])), bob.com, name="rod"))
    return m, bob.com


@pytest.mark.parametrize(
    ("kind", "t_end", "step"),
    [
        ("planar", 5, 5e-4),
        ("rigid", 5, 5e-4),
        pytest.param("planar", 10, 2.5e-4, marks=pytest.mark.slow),
        pytest.param("rigid", 10, 2.5e-4, marks=pytest.mark.slow),
    ],
)
def test_pendulum_a01(kind: str, t_end: int, step: float) -> None:
    """IFToMM benchmark A01, x and y to 1e-5 m at t = 1, 5 and 10 s; the error grows with t^2, so 10 s need half the step."""
    m, bob = pendulum(kind)
    sol = m.simulate(t_end, step=step, output_step=1.0, integrator=fm.GeneralizedAlpha(1.0))
    for t, xy in A01["xy"].items():
        if int(t) <= t_end:
            assert_allclose(sol.position(bob)[int(t), :2], xy, rtol=0, atol=1e-5)


def heavy_top(step: float, output_step: float | None = None) -> tuple[fm.Solution, fm.Marker]:
    """The top of EXUDYN's heavyTop.py, 0.2 s with rho_inf = 0.9; pivot at the origin, 30 rad of spin."""
    omega, com = np.array(TOP["omega0"]), np.array(TOP["com"])
    m = fm.Model("heavy top", gravity=(0.0, 0.0, -TOP["g"]))
    top = m.add(fm.RigidBody("top", mass=TOP["m"], inertia=TOP["J"], com=com, velocity=np.cross(omega, com), spin=omega))
    m.add(fm.Spherical(m.ground.at(0.0, 0.0, 0.0), top.at(0.0, 0.0, 0.0), name="pivot"))
    return m.simulate(0.2, step=step, output_step=output_step, integrator=fm.GeneralizedAlpha(0.9)), top.com


def test_heavy_top_centre_of_mass() -> None:
    """Its place to 1e-5 m at h = 5e-5 s; the pivot force at all times to 1e-4 of its size (the step's own error: 1.3e-5)."""
    sol, com = heavy_top(5e-5)
    assert_allclose(sol.position(com)[-1], TOP["com_pos"], rtol=0, atol=1e-5)
    exact = rigid_body.heavy_top(TOP["m"], np.diag(TOP["J"]), TOP["com"], sol.t, omega_body=TOP["omega0"])
    assert_allclose(sol.reaction("pivot").force, exact.force, rtol=0, atol=1e-4 * np.abs(exact.force).max())


def test_heavy_top_rotation() -> None:
    """Euler parameters and body-frame spin to 1e-5 (of 150 rad/s); the spin's phase needs h = 1e-5 s."""
    sol, com = heavy_top(1e-5, output_step=1e-2)
    R = sol.rotation(com)[-1]
    assert_allclose(R, rigid_body.rotation(TOP["euler_params"]), rtol=0, atol=1e-5)
    assert_allclose(R.T @ sol.spin(com)[-1], TOP["omega"], rtol=0, atol=1e-5 * 150.0)
    assert_allclose(sol.position(com)[-1], TOP["com_pos"], rtol=0, atol=1e-6)
