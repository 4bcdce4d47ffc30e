"""Spin-up of a cantilever (Kane, Ryan & Banerjee 1987; Simo & Vu-Quoc 1986): centrifugal stiffening.

A beam of 10 m turns from rest to 6 rad/s in 15 s: psi' = 6/15 (t - 15/(2 pi) sin(2 pi t/15)). EA = 2.8e7 N, GA = 1e7 N,
EI = 1.4e4 N m^2, rho A = 1.2 kg/m, rho I = 6e-4 kg m: a section of area 1 and I = 5e-4 of a material with E = 2.8e7,
nu = 0.4 and density 1.2 has all of them. Without the stiffening the beam would diverge: 6 rad/s is above its first frequency,
3.8 rad/s.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

Array = np.ndarray
LENGTH, SPEED, RAMP = 10.0, 6.0, 15.0
SECTION = fm.GeneralSection(A=1.0, I_y=5e-4, I_z=5e-4, Jt=1e-3)
MATERIAL = fm.Material(E=2.8e7, nu=0.4, density=1.2)


def speed(t: float) -> float:
    return SPEED / RAMP * (t - RAMP / (2.0 * np.pi) * np.sin(2.0 * np.pi * t / RAMP)) if t < RAMP else SPEED


def angle(t: Array) -> Array:
    ramp = 0.5 * t**2 + (RAMP / (2.0 * np.pi)) ** 2 * (np.cos(2.0 * np.pi * t / RAMP) - 1.0)
    return np.where(t < RAMP, SPEED / RAMP * ramp, SPEED * (t - 0.5 * RAMP))


def deflection(kind: str, elements: int, step: float) -> tuple[Array, Array, Array]:
    """t, and the tip's displacement along and across the turning axis of the undeformed beam."""
    interpolation, formulation = kind.split("-")
    model = fm.Model("spin-up")
    beam = model.add(
        fm.Beam(
            "beam",
            start=(0, 0, 0),
            end=(LENGTH, 0, 0),
            section=SECTION,
            material=MATERIAL,
            elements=elements,
            interpolation=interpolation,
            formulation=formulation,
        )
    )
    hub = model.ground.at(0, 0, 0)
    model.add(fm.Revolute(hub, beam.start, axis=(0, 0, 1)))
    model.add(fm.RotationDrive(hub, beam.start, axis=(0, 0, 1), speed=speed))
    sol = model.simulate(20.0, step=step)
    psi, r = angle(sol.t), sol.position(beam.end)
    return sol.t, r[:, 0] * np.cos(psi) + r[:, 1] * np.sin(psi) - LENGTH, r[:, 1] * np.cos(psi) - r[:, 0] * np.sin(psi)


def check(t: Array, along: Array, across: Array) -> None:
    assert 0.57 < -across.min() < 0.58
    assert 6.5 < t[across.argmin()] < 7.0
    late = t > RAMP + 1.0
    stretch = SPEED**2 * MATERIAL.density * LENGTH**3 / (3.0 * MATERIAL.E)
    assert_allclose(along[late].mean(), stretch, rtol=2e-3)
    assert np.abs(across[late]).max() < 5e-3  # a small free vibration remains


def test_spin_up():
    """The tip lags by 0.57 to 0.58 m (the papers' plots) near t = 6.8 s, then is stretched by rho A w^2 l^3/(3 EA) = 5.14e-4 m.

    Measured 0.574 m and 5.142e-4 m.
    """
    check(*deflection("cubic-structural", 2, 0.01))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "elements"), [("cubic-structural", 2), ("cubic-structural", 4), ("quadratic-structural", 4)])
def test_spin_up_with_long_steps(kind: str, elements: int):
    """0.02 s, a turn of 0.12 rad a step: it needs fresh tangents, and then hardly a step is rejected."""
    check(*deflection(kind, elements, 0.02))
