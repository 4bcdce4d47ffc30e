"""Decay of vibrating beams against closed forms, and sections given by their constants.

A mode of M q'' + (alpha M + (tau + beta) K) q' + K q = 0 decays with zeta = (alpha/omega + (tau + beta) omega)/2.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.elements.beam_cases import KINDS

Array = np.ndarray
SECTION = fm.Rectangle(0.02, 0.02)
LINKS = ["-".join(kind) for kind in KINDS] + ["cable", "planar beam"]


def reed(kind: str, *, damping: float = 0.0, rayleigh: tuple[float, float] = (0.0, 0.0)) -> tuple[fm.Model, fm.Marker]:
    """A cantilever of 1 m along x of a soft material, and its tip."""
    model = fm.Model("reed")
    material = fm.Material(E=1e8, nu=0.0, density=1000.0, damping=damping)
    given = {"section": SECTION, "material": material, "elements": 4, "rayleigh": rayleigh}
    if kind == "planar beam":
        link = model.add(fm.PlanarBeam("reed", start=(0, 0), end=(1, 0), **given))
    elif kind == "cable":
        link = model.add(fm.Cable("reed", start=(0, 0, 0), end=(1, 0, 0), **given))
    else:
        given |= dict(zip(("interpolation", "formulation"), kind.split("-"), strict=True))
        link = model.add(fm.Beam("reed", start=(0, 0, 0), end=(1, 0, 0), **given))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), link.start))
    return model, link.end


@pytest.mark.parametrize("kind", LINKS)
@pytest.mark.parametrize(
    ("tau", "alpha", "beta"), [(2e-3, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 2e-3), (1e-3, 2.0, 5e-4)],
    ids=["Kelvin-Voigt", "mass", "stiffness", "all"],
)  # fmt: skip
def test_damping_ratios(kind: str, tau: float, alpha: float, beta: float):
    """Of the first four modes, from the linearised model: the closed form to round-off of the eigenvalue problem."""
    model, _ = reed(kind, damping=tau, rayleigh=(alpha, beta))
    found = model.modes(4)
    free, _ = reed(kind)
    omega = free.modes(4).omega
    assert_allclose(found.damping, 0.5 * (alpha / omega + (tau + beta) * omega), rtol=1e-6)


@pytest.mark.parametrize("kind", ["cubic-structural", "hermite-continuum", "cubic-enhanced", "cable", "planar beam"])
@pytest.mark.parametrize(
    ("tau", "alpha", "beta"), [(4e-3, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 4e-3)], ids=["Kelvin-Voigt", "mass", "stiffness"]
)
def test_decay_of_a_plucked_reed(kind: str, tau: float, alpha: float, beta: float):
    """Bent by a tip force that a smooth step takes away, then left: the tip's logarithmic decrement in time, to 2 %.

    The release is slow for all modes but the first, which alone remains.
    """
    omega = reed(kind)[0].modes(1).omega[0]
    period = 2.0 * np.pi / omega
    model, tip = reed(kind, damping=tau, rayleigh=(alpha, beta))
    release = fm.SmoothStep(0.0, 0.4 * period, 0.0, 1.0)
    up = np.array([0.0, 0.02, 0.0])[: 2 if kind == "planar beam" else 3]
    model.add(fm.PointForce(tip, lambda t: up * release(t) * release(0.8 * period - t)))
    sol = model.simulate(6.0 * period, step=period / 200.0, integrator=fm.GeneralizedAlpha(rho_inf=1.0))
    w, t = sol.position(tip)[:, 1], sol.t
    peaks = np.flatnonzero((w[1:-1] > w[:-2]) & (w[1:-1] > w[2:]) & (t[1:-1] > 1.5 * period)) + 1
    tops = []
    for k in peaks:  # the top of the parabola through three samples
        a, b, c = w[k - 1 : k + 2]
        tops.append(b + (a - c) ** 2 / (8.0 * (2.0 * b - a - c)))
    assert len(tops) >= 4
    zeta = 0.5 * (alpha / omega + (tau + beta) * omega)
    decrement = np.log(tops[0] / tops[-1]) / (len(tops) - 1)
    assert_allclose(decrement, 2.0 * np.pi * zeta / np.sqrt(1.0 - zeta**2), rtol=0.02)


def test_energy_lost_is_energy_dissipated():
    """Rayleigh's alpha M v is in the ledger too."""
    model, tip = reed("cubic-structural", rayleigh=(5.0, 1e-3))
    model.add(fm.PointForce(tip, lambda t: (0.0, 0.05 * np.sin(8.0 * t), 0.0)))
    energy = model.simulate(0.5, step=1e-3, integrator=fm.GeneralizedAlpha(rho_inf=1.0)).energy
    assert energy.dissipated[-1] > 0.05 * energy.work[-1]
    assert np.abs(energy.balance).max() < 1e-3 * energy.work.max()


def test_general_section_equals_the_shape_it_describes():
    """The same equilibrium and modes as a rectangle with these constants."""
    box = fm.Rectangle(0.03, 0.05)
    steel = fm.Material(E=207e9, nu=0.3, density=7800.0)
    k_y, k_z = box.shear_factors(steel.nu)
    twin = fm.GeneralSection(A=box.area, I_y=box.Iy, I_z=box.Iz, Jt=box.J, k_y=k_y, k_z=k_z)
    found = []
    for section in (box, twin):
        model = fm.Model("cantilever")
        beam = model.add(fm.Beam("beam", start=(0, 0, 0), end=(1, 0, 0), section=section, material=steel, elements=2))
        model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
        model.add(fm.PointForce(beam.end, (100.0, 2000.0, -3000.0)))
        model.add(fm.Torque(beam.end, (50.0, 0.0, 0.0)))
        found.append((model.equilibrium().q[-1], model.modes(6).omega))
    assert_allclose(found[1][0], found[0][0], rtol=0, atol=1e-12)
    assert_allclose(found[1][1], found[0][1], rtol=1e-9)


@pytest.mark.parametrize("constant", ["A", "I_y", "I_z", "Jt", "k_y", "k_z"])
def test_each_constant_of_a_general_section(constant: str):
    """Small deflections: F l/EA, F l^3/3EI + F l/kGA in both planes and T l/GJ, with one constant doubled at a time."""
    values = {"A": 1e-3, "I_y": 1e-7, "I_z": 2e-7, "Jt": 5e-8, "k_y": 0.3, "k_z": 0.4}
    values[constant] *= 2.0
    steel, section = fm.Material(E=200e9, nu=0.25, density=7800.0), fm.GeneralSection(**values)
    model = fm.Model("cantilever")
    beam = model.add(fm.Beam("beam", start=(0, 0, 0), end=(0.2, 0, 0), section=section, material=steel, elements=4))
    model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    model.add(fm.PointForce(beam.end, (20.0, 1.0, 2.0)))
    model.add(fm.Torque(beam.end, (0.3, 0.0, 0.0)))
    sol = model.equilibrium()
    x = sol.position(beam.end)[-1] - (0.2, 0.0, 0.0)
    turned = sol.rotation(beam.end)[-1]
    E, G, A, l = steel.E, steel.G, section.area, 0.2
    across = [
        f * l**3 / (3.0 * E * inertia) + f * l / (k * G * A)
        for f, inertia, k in ((1.0, section.Iz, section.k_y), (2.0, section.Iy, section.k_z))
    ]
    assert_allclose(x, (20.0 * l / (E * A), *across), rtol=1e-4)
    assert_allclose(0.5 * (turned[2, 1] - turned[1, 2]), 0.3 * l / (G * section.J), rtol=1e-5)
