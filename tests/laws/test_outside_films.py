"""Films of other packages: a numba kernel, a C address and a class in Python of one formula, against the built-in film."""

from __future__ import annotations

import math
from pathlib import Path

import numba
import numpy as np
import pytest
from numba import types
from numpy.testing import assert_allclose

import fmbs as fm

NUMBERS = types.CPointer(types.float64)
SIGNATURE = types.void(
    NUMBERS, types.float64, NUMBERS, types.float64, types.float64, types.float64, types.int64, NUMBERS, NUMBERS
)


def half_arc(mu, z, R, B, c):
    """Force of an aligned short bearing, -mu R B^3/2 int n (n . u)/h^3 over the half circle around u; closed form."""
    ex, ey = z[0], z[1]
    ux, uy = 2.0 * z[4] + z[8] * ey, 2.0 * z[5] - z[8] * ex
    e, size = math.sqrt(ex * ex + ey * ey), math.sqrt(ux * ux + uy * uy)
    cx, cy = ex / e, ey / e
    ur, ut = cx * ux + cy * uy, cx * uy - cy * ux
    eps, a, b = e / c, ut / size, ur / size
    q2 = 1.0 - eps * eps
    q = math.sqrt(q2)
    c1, s1 = (a - eps) / (1.0 - eps * a), -q * b / (1.0 - eps * a)
    c2, s2 = (-a - eps) / (1.0 + eps * a), q * b / (1.0 + eps * a)
    arc = math.atan2(s2 * c1 - c2 * s1, c2 * c1 + s2 * s1)
    if arc < 0.0:
        arc += 2.0 * math.pi
    i_cc = 0.5 * (arc + s2 * c2 - s1 * c1)
    k = -0.5 * mu * R * B**3 / (c**3 * q2 * q2 * q)
    rr = k * (eps * (eps * arc + 2.0 * (s2 - s1)) + i_cc)
    rt = k * q * (eps * (c1 - c2) + 0.5 * (s2 * s2 - s1 * s1))
    fr, ft = rr * ur + rt * ut, rt * ur + k * q2 * (arc - i_cc) * ut
    return cx * fr - cy * ft, cy * fr + cx * ft


compiled_half_arc = fm.jit.kernel(plain=True, part=True)(half_arc)


def short(p, mu, z, R, B, c, slopes, out, jac):
    out[0], out[1] = compiled_half_arc(mu, z, R, B, c)


in_c = numba.cfunc(SIGNATURE)(short)
compiled_short = fm.jit.law(short)


class Compiled(fm.film.Film, kernel=compiled_short):
    """A film that knows its force only."""


class InC(fm.film.Film, kernel=in_c):
    """The same as a C callback."""


class InPython(fm.film.Film):
    """The same in Python."""

    def action(self, z, radius, length, clearance, t=0.0, tangent=True):
        force = np.array(half_arc(self.viscosity_at(t), z, radius, length, clearance))
        jacobian = Compiled(self.viscosity).action(z, radius, length, clearance, t).jacobian if tangent else None
        return fm.film.FilmAction(force, np.zeros(2), np.zeros(2), clearance - np.hypot(z[0], z[1]), np.nan, jacobian)


def rotor(film: fm.film.Film) -> fm.Model:
    """A loaded journal that turns in oil."""
    m = fm.Model("rotor", gravity=(0, -9.81))
    journal = m.add(fm.PlanarBody("journal", mass=2.0, inertia=1e-3, com=(1e-5, -2e-5), spin=200.0))
    size = {"bearing_radius": 0.02, "clearance": 1e-4, "length": 0.01}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), journal.com, **size, film=film, name="bearing"))
    return m


@pytest.fixture(scope="module")
def runs() -> dict[str, fm.Solution]:
    films = {"built in": fm.film.ShortBearing(0.05), "kernel": Compiled(0.05), "C": InC(0.05), "Python": InPython(0.05)}
    return {name: rotor(film).simulate(0.05, step=1e-4, progress=False) for name, film in films.items()}


@pytest.mark.parametrize("form", ["kernel", "C", "Python"])
def test_every_form_gives_the_motion_of_the_built_in_film(runs: dict[str, fm.Solution], form: str) -> None:
    ours, theirs = runs[form], runs["built in"]
    assert np.ptp(np.linalg.norm(theirs.q[:, :2], axis=1)) > 1e-5  # the journal moves about in its gap
    assert_allclose(ours.q[:, :2], theirs.q[:, :2], rtol=0, atol=1e-12)  # 1e-8 of the clearance
    assert bool(ours.statistics.in_python) == (form == "Python")


@pytest.mark.parametrize("form", ["C", "Python"])
def test_the_forms_agree_to_round_off(runs: dict[str, fm.Solution], form: str) -> None:
    assert_allclose(runs[form].q[:, :2], runs["kernel"].q[:, :2], rtol=0, atol=1e-16)  # 1e-12 of the clearance


def test_action_and_differenced_jacobian_are_those_of_the_built_in_film() -> None:
    z, size = np.array([2e-5, -5e-5] * 2 + [1e-3, -2e-3] * 2 + [150.0]), (0.02, 0.01, 1e-4)
    ours, theirs = Compiled(0.05).action(z, *size), fm.film.ShortBearing(0.05).action(z, *size)
    assert_allclose(ours.force, theirs.force, rtol=1e-13)
    assert ours.min_thickness == theirs.min_thickness and np.isnan(ours.peak_pressure)
    here, there = ours.jacobian[:2], theirs.jacobian[:2]
    by_place, by_rate = slice(0, 4), slice(4, 8)
    for columns in (by_place, by_rate):  # this film looks at end A only, as both ends move alike
        both = there[:, columns][:, :2] + there[:, columns][:, 2:]
        assert_allclose(here[:, columns][:, :2], both, rtol=1e-7, atol=1e-7 * np.abs(both).max())
    assert_allclose(here[:, 8], there[:, 8], rtol=1e-7)


def test_results_and_files_of_a_film_from_outside(runs: dict[str, fm.Solution], tmp_path: Path) -> None:
    ours, theirs = runs["kernel"], runs["built in"]
    film, built = ours.clearance("bearing").film, theirs.clearance("bearing").film
    assert_allclose(film.force, built.force, rtol=1e-6, atol=1e-6 * np.abs(built.force).max())
    assert ours.energy.dissipated[-1] == pytest.approx(theirs.energy.dissipated[-1], rel=1e-6)
    ours.save(tmp_path / "run.h5")
    loaded = fm.load(tmp_path / "run.h5", classes=[Compiled])
    assert_allclose(loaded.clearance("bearing").film.force, film.force, rtol=1e-12)
    assert all(path.exists() for path in ours.to_vtk(tmp_path / "run.pvd", every=100))


def test_a_film_without_a_formula_says_so() -> None:
    with pytest.raises(fm.ModelError, match=r"Film: a law defines action\(...\), or is made with kernel="):
        fm.film.Film(0.05).resultant((0, 0), (0, 0), (0, 0), (0, 0), 1.0, radius=0.02, length=0.01, clearance=1e-4)
