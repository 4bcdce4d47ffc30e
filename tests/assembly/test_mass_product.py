"""M x of the loop, which reads the rows of x, y and z as one, against SciPy's."""

import numpy as np
import pytest
from numba import njit
from scipy.sparse import csr_matrix

import fmbs as fm
from fmbs.assembly.mass_product import add_mass_product, mass_rows

STEEL = fm.Material(E=2e11, nu=0.3, density=7800)


def bodies() -> fm.Model:
    """Threes, single rows and a body whose two coordinates of place are alike."""
    m = fm.Model("bodies")
    m.add(fm.RigidBody("body", mass=2.0, inertia=np.diag([1.0, 2.0, 2.5]), com=(0, 0, 0)))
    m.add(fm.Beam("beam", start=(0, 0, 0), end=(1, 0, 0), section=fm.Rectangle(0.02, 0.03), material=STEEL, elements=3))
    return m


def planar_bodies() -> fm.Model:
    m = fm.Model("planar", gravity=(0.0, -9.81))
    for i in range(3):
        m.add(fm.PlanarBody(f"body {i}", mass=1.0, inertia=1.0 if i else 0.1, com=(i, 0)))
    return m


@njit
def product(rows, x, out):
    add_mass_product(rows, x, out)


def checked(mass: csr_matrix) -> int:
    x = np.random.default_rng(1).normal(size=mass.shape[0])
    out, rows = np.ones(x.size), mass_rows(mass)
    product(rows, x, out)
    np.testing.assert_allclose(out, 1.0 + mass @ x, rtol=1e-14, atol=1e-14 * abs(mass).max())
    assert np.unique(rows.row).size == rows.row.size
    return rows.threes


@pytest.mark.parametrize("build", [bodies, planar_bodies])
def test_product(build):
    checked(build().system().mass_matrix)


def test_a_body_in_space_is_threes_only():
    system = bodies().system()
    assert 3 * checked(system.mass_matrix) == system.size


def test_rows_that_look_alike():
    """A long diagonal of equal numbers, empty rows, a row that is further by two, and values that differ."""
    rows, columns = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13, 14], [0, 1, 2, 3, 4, 5, 6, 0, 2, 3, 4, 5, 6]
    values = np.ones(len(rows))
    values[-1] = 2.0
    assert checked(csr_matrix((values, (rows, columns)), shape=(16, 16))) == 2
    checked(csr_matrix((4, 4)))
