"""Laws of a journal that fills its bearing, against plane elasticity solved independently (tests/oracles/pin_in_bore.py)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.optimize import brentq

import fmbs as fm
from fmbs.laws import persson
from tests.laws.law_cases import contact
from tests.oracles.pin_in_bore import E_STAR, layer_force, pin_in_bore
from tests.test_bad_input import refused

STEEL = fm.Material(E=207e9, nu=0.3, density=7800.0)
PAIR = (STEEL, STEEL)
STAR = 207e9 / (2.0 * (1.0 - 0.3**2))  # E*
R, L = 0.01, 0.02


def fitted(law, c, radius=R):
    return law.bound("pin", radius + c, radius, L)


def johnson(depth, c):
    """F of d = F/(pi E* L) [ln(4 pi E* L c/F) - 1], by bisection."""
    unit = math.pi * STAR * L * c
    return unit * brentq(lambda f: f * (math.log(4.0 / f) - 1.0) - depth / c, 1e-12, 4.0 * math.exp(-2.0))


@pytest.mark.parametrize("degrees", [20, 45, 75])
def test_persson_is_plane_elasticity(degrees):
    """Load and peak pressure over the arc in contact, of a pin in a wide plate: within 0.6 %, the plate being 20 radii wide."""
    angle = math.radians(degrees)
    c, _, peak = pin_in_bore(angle, 20.0)
    assert_allclose(persson.looseness(math.tan(0.5 * angle) ** 2), E_STAR * c, rtol=0.012)
    assert_allclose(persson.profile(np.zeros(1), angle), peak, rtol=2e-3)
    assert_allclose(persson.half_angle(1.0 / persson.looseness(math.tan(0.5 * angle) ** 2)), angle, rtol=1e-9)


def test_persson_tends_to_hertz_and_carries_its_load():
    """a^2 = 4 Q R^2/(pi E* c) of a small contact; int p cos R dphi = Q of any; 84.8 degrees without a gap."""
    small = persson.half_angle(1e-6)
    assert_allclose(small, math.sqrt(4e-6 / math.pi), rtol=1e-5)
    assert_allclose(persson.profile(np.zeros(1), small), 2.0 / (math.pi * small), rtol=1e-5)
    for angle in (0.05, 0.7, 1.4):
        load = quad(lambda x, a=angle: float(persson.profile(np.array([x]), a)[0]) * math.cos(x), -angle, angle)[0]
        assert_allclose(load, 1.0, rtol=1e-6)
    assert math.degrees(persson.half_angle(1e9)) == pytest.approx(84.82, abs=0.01)


@pytest.mark.parametrize("c", [2e-5, 1e-4, 5e-4])
def test_johnson(c):
    depth = c * np.array([1e-3, 0.03, 0.2])
    law = fitted(fm.contact.Johnson(materials=PAIR), c)
    assert_allclose(law.normal_force(depth, 0.0, 1.0), [johnson(d, c) for d in depth], rtol=1e-9)
    assert law.depths.most == pytest.approx(0.25 * c)


@pytest.mark.parametrize("c", [5e-5, 1e-4, 2e-4])
def test_pereira_fits_johnson(c):
    """The closed form that was fitted, at depths of 1 and 3 % of the clearance: within 5 %."""
    law = fitted(fm.contact.Pereira(materials=PAIR), c)
    for share in (0.01, 0.03):
        assert_allclose(law.normal_force(share * c, 0.0, 1.0), johnson(share * c, c), rtol=0.05)


@pytest.mark.parametrize("degrees", [30, 45, 60])
def test_pereira_where_contact_wraps_around(degrees):
    """0.1 mm in a ring of four radii: within 5 % of plane elasticity, where Johnson's law has ended."""
    c, depth, _ = pin_in_bore(math.radians(degrees), 4.0)
    law = fitted(fm.contact.Pereira(materials=PAIR), 1e-4)
    expected = STAR * L * 1e-4 / (E_STAR * c)
    assert_allclose(law.normal_force(depth / c * 1e-4, 0.0, 1.0), expected, rtol=0.05)


@pytest.mark.parametrize("degrees", [60, 75])
def test_liu_where_contact_wraps_around(degrees):
    """In a wide housing, 20 radii: within 5 % of plane elasticity."""
    c, depth, _ = pin_in_bore(math.radians(degrees), 20.0)
    law = fitted(fm.contact.Liu(materials=PAIR), 1e-4)
    assert_allclose(law.normal_force(depth / c * 1e-4, 0.0, 1.0), STAR * L * 1e-4 / (E_STAR * c), rtol=0.05)


@pytest.mark.parametrize(("nu", "wide"), [(0.0, 2.0), (0.3, 2.0), (0.4, 4.0)])
def test_winkler_is_a_thin_layer(nu, wide):
    """A contact of four liners, eight for nu = 0.4, on a bonded layer (Bentall & Johnson 1968): within 5 %."""
    force, depth = layer_force(wide, nu)
    radius, h, c = 1.0, 1e-3, 1e-3  # R_j^2/c is the radius of the parabola
    curvature = radius * (radius + c) / c
    soft = fm.Material(E=1e9, nu=nu, density=1200.0)
    law = fitted(fm.contact.Winkler(materials=(soft, STEEL), layer=h), c, radius)
    # lengths across scale with h, depths and pressures with h^2/curvature
    expected = force * 1e9 * h * (h / curvature) * L
    assert_allclose(law.normal_force(depth * h * h / curvature, 0.0, 1.0), expected, rtol=0.05)


def test_winkler_is_its_integral():
    """Force and energy of p = k u around the arc, by quadrature; tight and loose, shallow and deep."""
    k = 3e13
    for c, depth in ((1e-4, 1e-9), (1e-4, 2e-6), (1e-4, 4e-5), (1e-6, 3e-5)):
        law = fitted(fm.contact.Winkler(materials=PAIR, foundation=k), c)
        angle = math.acos(c / (c + depth)) if depth > 1e-6 else math.sqrt(2 * depth / c)

        def yields(x, c=c, depth=depth):
            return max(depth * math.cos(x) - 2.0 * c * math.sin(0.5 * x) ** 2, 0.0)

        force = 2 * quad(lambda x, f=yields: k * f(x) * math.cos(x) * R * L, 0, angle, epsabs=0, epsrel=1e-10)[0]
        energy = quad(lambda x, f=yields: k * f(x) ** 2 * R * L, 0, angle, epsabs=0, epsrel=1e-10)[0]
        found = contact(law, depth, 0.0, 1.0, 0.0, 0.0, 0.0)
        assert_allclose(found[0], force, rtol=1e-4 if depth < 1e-8 else 1e-8)
        assert_allclose(found[4], energy, rtol=1e-4 if depth < 1e-8 else 1e-8)


LAWS = {
    "Johnson": fm.contact.Johnson(materials=PAIR, restitution=0.8),
    "Pereira": fm.contact.Pereira(materials=PAIR, restitution=0.8),
    "Liu": fm.contact.Liu(materials=PAIR, restitution=0.8),
    "Winkler": fm.contact.Winkler(materials=PAIR, restitution=0.8, layer=1e-3),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("share", [1e-4, 5e-3, 0.02, 0.4, 2.0])
def test_derivatives_and_energy(name, share):
    """dF/dd and dF/dd' by differences, the stored energy as the integral of the elastic force."""
    c = 1e-4
    law, depth = fitted(LAWS[name], c), share * c
    force, by_depth, by_rate, _, stored = contact(law, depth, 0.02, 0.05, 0.0, 0.0, 0.0)
    step = 1e-5 * depth
    low, high = (contact(law, depth + side * step, 0.02, 0.05, 0.0, 0.0, 0.0)[0] for side in (-1, 1))
    assert_allclose((high - low) / (2 * step), by_depth, rtol=1e-6)
    assert_allclose(contact(law, depth, 0.025, 0.05, 0.0, 0.0, 0.0)[0] - force, 5e-3 * by_rate, rtol=1e-7)
    work = quad(lambda x: float(law.normal_force(depth * x**2, 0.0, 1.0)) * 2 * x * depth, 0, 1, epsabs=0, epsrel=1e-9)[0]
    assert_allclose(stored, work, rtol=1e-6)


@pytest.mark.parametrize("name", LAWS)
def test_pressure_carries_the_force(name):
    law = fitted(LAWS[name], 1e-4)
    for depth in (5e-7, 2e-5):
        phi, p = law.pressure(depth, 4001)
        assert p[0] == pytest.approx(0.0, abs=1e-6 * p.max()) and p.argmax() == 2000
        force = float(law.normal_force(depth, 0.0, 1.0))
        area = float(((p * np.cos(phi))[1:] + (p * np.cos(phi))[:-1]).sum() * 0.5 * (phi[1] - phi[0])) * R * L
        assert_allclose(area, force, rtol=1e-3)
        assert_allclose(law.half_width(depth), R * math.sin(phi[-1]))


def test_notes_where_a_law_is_left():
    """Liu's law in a contact that is too small for it; Johnson's in one that is too large."""

    def notes(law, mass, speed=0.0):
        m = fm.Model("pin", gravity=(0, -9.81))
        body = m.add(fm.PlanarBody("journal", mass=mass, inertia=0.05, com=(0, -1e-5), velocity=(0, -speed)))
        size = {"bearing_radius": R + 1e-5, "clearance": 1e-5, "length": 1e-4}
        m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, contact=law, name="pin", **size))
        return m.simulate(2e-4, step=1e-6).notes

    (small,) = notes(fm.contact.Liu(materials=PAIR, restitution=0.5), 0.1)
    assert "Liu is meant for 8e-06 to inf m" in small and "too soft" in small
    (large,) = notes(fm.contact.Johnson(materials=PAIR, restitution=0.5), 3e3, 0.03)
    assert "Johnson is meant for 0 to 2.5e-06 m" in large and "30 degrees" in large
    assert notes(fm.contact.Johnson(materials=PAIR, restitution=0.5), 0.1) == ()


def test_input():
    refused("Winkler | no foundation | foundation= | layer=", fm.contact.Winkler, materials=PAIR)
    refused("Winkler | layer = -1", fm.contact.Winkler, materials=PAIR, layer=-1.0)
    rubber = fm.Material(E=1e6, nu=0.499, density=1000.0)
    refused("Winkler | nu = 0.499", fm.contact.Winkler, materials=(rubber, STEEL), layer=1e-3)
    refused("pin | Pereira | clearances from 5e-06", fm.contact.Pereira(materials=PAIR).bound, "pin", R + 1e-6, R, L)
    refused("pin | Liu | length", fm.contact.Liu(materials=PAIR).bound, "pin", R + 1e-4, R)
    refused("restitution = 0", fm.contact.Liu, materials=PAIR, restitution=0.0)
