"""Tip of a cantilever under a dead force against the exact solution of Reissner's beam (tests/oracles/reissner.py).

The error is |u - u_exact| / |u_exact| of the tip's displacement. Slender: 2 m x 0.1 x 0.1, P l^2/EI = 3. Thick: 2 m x 0.1 wide
x 0.5 high, 62.5 MN, the published case of Nachbagauer et al., Multibody Syst. Dyn. 2011 (reference.json).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.oracles import reissner

# The thick beam bears 10 MN before it buckles sideways. The published case has six times as much, and stays in its plane.
pytestmark = pytest.mark.filterwarnings("ignore::fmbs.UnstableEquilibrium")

Array = np.ndarray
LENGTH, WIDTH, E, NU = 2.0, 0.1, 207e9, 0.3
SHEAR = 10.0 * (1.0 + NU) / (12.0 + 11.0 * NU)
HEIGHT = {"slender": 0.1, "thick": 0.5, "thin": 0.02}
FORCE = {"thick": 62.5e6} | {case: 3.0 * E * WIDTH * HEIGHT[case] ** 3 / 12.0 / LENGTH**2 for case in ("slender", "thin")}
PUBLISHED = json.loads((Path(__file__).parent / "reference.json").read_text())["ancf_cantilever"]


@cache
def tip(case: str, kind: str, elements: int, nu: float = NU, force: float = 0.0) -> Array:  # (2,)
    """Displacement of the tip; kind: interpolation-formulation."""
    interpolation, formulation = kind.split("-")
    model = fm.Model("cantilever")
    beam = model.add(
        fm.Beam(
            "beam",
            start=(0, 0, 0),
            end=(LENGTH, 0, 0),
            section=fm.Rectangle(y=HEIGHT[case], z=WIDTH),
            material=fm.Material(E=E, nu=nu, density=7800.0),
            elements=elements,
            interpolation=interpolation,
            formulation=formulation,
        )
    )
    model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    model.add(fm.PointForce(beam.end, (0.0, force or FORCE[case], 0.0)))
    return (model.equilibrium(load_steps=4).position(beam.end)[-1] - (LENGTH, 0, 0))[:2]


@cache
def exact(case: str, nu: float = NU, shear: float = SHEAR, force: float = 0.0) -> Array:
    stiffness = reissner.rectangle(E, nu, WIDTH, HEIGHT[case], shear)
    return reissner.tip_force(LENGTH, stiffness, (0.0, force or FORCE[case])).displacement


def error(case: str, kind: str, elements: int) -> float:
    return float(np.linalg.norm(tip(case, kind, elements) - exact(case)) / np.linalg.norm(exact(case)))


def orders(case: str, kind: str, elements: tuple[int, ...]) -> Array:
    """Observed orders between numbers of elements that double."""
    return -np.diff(np.log2([error(case, kind, n) for n in elements]))


def test_oracle_against_the_published_solution():
    """Nachbagauer's linear elements are of order 2: 1024 of them are 3.2e-7 off, 256 with the small load 3.6e-6."""
    for name, force, n, off in (("large", 62.5e6, "1024", 4e-7), ("small", 62.5e3, "256", 4e-6)):
        u = exact("thick", force=force)
        published = np.array(PUBLISHED[name][n]) * (-1.0, 1.0)
        assert_allclose(u, published, rtol=0, atol=off * abs(published[1]))


@pytest.mark.parametrize("case", ["slender", "thick"])
def test_structural_cubic(case: str):
    """Measured: slender 4.5e-4, 1.0e-5; thick 4.5e-5, 8e-7."""
    assert error(case, "cubic-structural", 2) <= 1e-3
    assert error(case, "cubic-structural", 4) <= 3e-5


@pytest.mark.parametrize(
    ("kind", "case", "elements", "low", "high"),
    [
        ("quadratic-structural", "slender", (8, 16, 32), 3.7, 4.5),
        ("quadratic-structural", "thick", (4, 8, 16, 32), 3.7, 4.3),
        ("cubic-structural", "slender", (4, 8, 16), 5.7, 6.3),
        ("cubic-structural", "thick", (2, 4, 8), 5.5, 6.3),
        ("hermite-structural", "thick", (8, 16, 32), 1.8, 2.2),
    ],
)  # fmt: skip
def test_order_of_convergence(kind: str, case: str, elements: tuple[int, ...], low: float, high: float):
    """Quadratic 4, cubic 6 (Gauss points are superconvergent); hermite 2, since its directors are linear."""
    observed = orders(case, kind, elements)
    assert observed.min() >= low
    assert observed.max() <= high


def test_small_load_of_the_published_case():
    """62.5 kN: a linear problem; Nachbagauer's linear elements need 256 (3.6e-6 off) for less than what 4 cubic ones give."""
    u = tip("thick", "cubic-structural", 4, force=62.5e3)
    assert_allclose(u, np.array(PUBLISHED["small"]["256"]) * (-1.0, 1.0), rtol=0, atol=4e-6 * 8.1e-4)


def test_hermite_enhanced():
    """<= 1e-3 slender with 16 elements; measured 6.4e-4."""
    assert error("slender", "hermite-enhanced", 16) <= 1e-3


@pytest.mark.parametrize(("kind", "elements"), [("hermite-enhanced", 64), ("quadratic-enhanced", 8), ("cubic-enhanced", 4)])
def test_enhanced_elements_end_near_reissner(kind: str, elements: int):
    """Not at it: their Green strain over the section adds 3/2 E kappa^3 y^4 to the moment. 1.2e-3 slender, 1.3e-2 thick."""
    assert 1.0e-3 < error("slender", kind, elements) < 1.4e-3
    assert 1.1e-2 < error("thick", kind, elements) < 1.4e-2


def test_continuum_with_nu_zero_converges():
    """The papers' element with nu = 0, against Reissner's beam with k = 1 (the continuum has no shear factor).

    A thin beam, so that the Green strain's excess (1.7e-3 at a height of 0.1, falling with its square) is below 1e-4. Shear
    locking decays with the fourth power of the number of elements: the papers' "more elements".
    """
    reference = exact("thin", nu=0.0, shear=1.0)
    errors = [
        np.linalg.norm(tip("thin", "hermite-continuum", n, nu=0.0) - reference) / np.linalg.norm(reference)
        for n in (8, 16, 32, 64)
    ]
    assert errors[-1] < 1e-4
    assert (-np.diff(np.log2(errors)) > 3.2).all()  # measured 3.4, 3.6, 3.9


def test_continuum_locks_unless_nu_is_zero():
    """A warning to users: with nu = 0.3 the papers' element converges to a tip 16 % off (slender) and 21 % (thick).

    Poisson locking: the section cannot bulge linearly over its height, so E in bending becomes lambda + 2 mu = 1.35 E.
    """
    for kind in ("hermite-continuum", "cubic-continuum"):
        assert 0.15 < error("slender", kind, 32) < 0.17
        assert 0.20 < error("thick", kind, 32) < 0.23
        assert abs(error("slender", kind, 32) - error("slender", kind, 16)) < 2e-3  # it has converged, there


def test_both_planes_and_every_direction():
    """The same beam bent in z, or drawn along another axis, has the same tip."""
    turned = []
    for axis, side, up in (
        ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
        ((0, 0, 1), (0, -1, 0), (1, 0, 0)),
        ((0.6, 0.8, 0), (0, 0, 1), (0.8, -0.6, 0)),
    ):
        axis, side = np.array(axis, dtype=float), np.array(side, dtype=float)
        model = fm.Model("cantilever")
        beam = model.add(
            fm.Beam(
                "beam",
                start=(0, 0, 0),
                end=LENGTH * axis,
                section=fm.Rectangle(y=HEIGHT["thick"], z=WIDTH),
                up=up,
                material=fm.Material(E=E, nu=NU, density=7800.0),
                elements=2,
            )
        )
        model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
        model.add(fm.PointForce(beam.end, FORCE["thick"] * side))
        u = model.equilibrium(load_steps=4).position(beam.end)[-1] - LENGTH * axis
        turned.append([u @ axis, u @ side])
    assert_allclose(turned, np.tile(tip("thick", "cubic-structural", 2), (3, 1)), rtol=0, atol=1e-9)


def test_reaction_of_the_clamp():
    """Force -P and the moment of the exact solution."""
    model = fm.Model("cantilever")
    beam = model.add(
        fm.Beam(
            "beam",
            start=(0, 0, 0),
            end=(LENGTH, 0, 0),
            section=fm.Rectangle(y=HEIGHT["slender"], z=WIDTH),
            material=fm.Material(E=E, nu=NU, density=7800.0),
            elements=8,
        )
    )
    clamp = model.add(fm.Fixed(model.ground.at(0, 0, 0), beam.start))
    model.add(fm.PointForce(beam.end, (0.0, FORCE["slender"], 0.0)))
    reaction = model.equilibrium(load_steps=4).reaction(clamp)
    stiffness = reissner.rectangle(E, NU, WIDTH, HEIGHT["slender"], SHEAR)
    oracle = reissner.tip_force(LENGTH, stiffness, (0.0, FORCE["slender"]))
    assert_allclose(reaction.force[-1], (0.0, -FORCE["slender"], 0.0), rtol=0, atol=1e-6 * FORCE["slender"])
    assert_allclose(reaction.moment[-1], (0.0, 0.0, -oracle.moment), rtol=0, atol=1e-6 * oracle.moment)
