"""Unknowns that are eliminated group by group before the rest is factorised: the same solutions as without."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import fmbs as fm
from fmbs.assembly.system import Coefficients, System
from fmbs.jit.python_calls import PythonCalls
from fmbs.solvers.linear import linear_solver
from fmbs.solvers.linear.base import Sparsity
from fmbs.solvers.loop import driver
from fmbs.solvers.storage import Storage, storage_of
from fmbs.solvers.storage.condensed import CondensedStorage
from fmbs.solvers.storage.full import FullStorage
from fmbs.solvers.storage.groups import Groups, groups_of
from tests.solvers.test_storage import factorized, solved

STEEL = fm.Material(E=2e8, nu=0.3, density=1000.0)


def chain(links: int, joint: Any = fm.Revolute, axis: tuple[float, float, float] = (0, 1, 0)) -> fm.Model:
    m = fm.Model("chain", gravity=(0, 0, -9.81))
    last: Any = m.ground
    given = {} if joint is fm.Spherical else {"axis": axis}
    for i in range(links):
        link = m.add(fm.RigidBody(f"link {i}", mass=1.0, inertia=(0.01, 0.02, 0.025), com=(i + 0.5, 0, 0)))
        m.add(joint(last.at(i, 0, 0), link.at(i, 0, 0), **given))
        last = link
    return m


def beam(elements: int, interpolation: str = "cubic") -> fm.Model:
    m = fm.Model("beam", gravity=(0, -40.0, 30.0))
    shape = {"section": fm.Rectangle(0.1, 0.1), "material": STEEL, "interpolation": interpolation}
    made = m.add(fm.Beam("beam", start=(0, 0, 0), end=(0.25 * elements, 0, 0), elements=elements, **shape))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), made.start))
    return m


def sprung() -> fm.Model:
    """Springs couple all coordinates of neighbours: every second body is left as it is."""
    m = chain(7, fm.Spherical)
    links = [body for body in m.system().dofs.bodies if body.size]
    for i, (one, other) in enumerate(pairwise(links)):
        m.add(fm.SpringDamper(one.at(i + 0.5, 0.1, 0), other.at(i + 1.5, 0.1, 0), stiffness=300.0, damping=2.0))
    return m


def loop() -> fm.Model:
    """Closed, with a body whose coordinates are all bound by another joint."""
    m = fm.Model("loop", gravity=(0, 0, -9.81))
    points = np.array([[0, 0, 0], [1, 0, 0.2], [1.2, 1, 0], [0, 1, 0.3]])
    last: Any = m.ground
    for i, (begin, end) in enumerate(pairwise(points)):
        link = m.add(fm.RigidBody(f"link {i}", mass=1.0, inertia=(0.01, 0.02, 0.025), com=0.5 * (begin + end)))
        joint = (
            fm.Spherical(last.at(*begin), link.at(*begin))
            if i
            else fm.Revolute(last.at(*begin), link.at(*begin), axis=(0, 1, 0))
        )
        m.add(joint)
        last = link
    held = m.add(fm.RigidBody("held", mass=2.0, inertia=(0.1, 0.1, 0.1), com=(0, 1.5, 0.3)))
    m.add(fm.Fixed(m.ground.at(0, 2, 0), held.at(0, 2, 0)))
    m.add(fm.Spherical(last.at(*points[-1]), held.at(*points[-1])))
    return m


def mixed() -> fm.Model:
    """Beams, rigid and planar bodies, joints at nodes inside and at ends."""
    m = beam(3)
    one = m.system().dofs.bodies[-1]
    body = m.add(fm.RigidBody("body", mass=1.0, inertia=(0.01, 0.02, 0.025), com=(1.0, 0, 0)))
    m.add(fm.Revolute(one.end, body.at(0.75, 0, 0), axis=(0, 1, 0)))
    m.add(fm.SpringDamper(body.at(1.2, 0, 0), m.ground.at(1.2, 1, 0), stiffness=100.0))
    return m


def planar_chain() -> fm.Model:
    m = fm.Model("planar", gravity=(0, -9.81))
    last: Any = m.ground
    for i in range(20):
        link = m.add(fm.PlanarBody(f"link {i}", mass=1.0, inertia=0.02, com=(i + 0.5, 0)))
        m.add(fm.Revolute(last.at(i, 0), link.at(i, 0)))
        last = link
    return m


MODELS = {
    "revolute": lambda: chain(12), "skew": lambda: chain(12, axis=(0.48, 0.6, 0.64)),
    "spherical": lambda: chain(12, fm.Spherical), "springs": sprung, "loop": loop, "cubic": lambda: beam(6),
    "quadratic": lambda: beam(5, "quadratic"), "one element": lambda: beam(1), "mixed": mixed, "planar": planar_chain,
}  # fmt: skip


def made(system: System) -> Storage:
    size = system.size + system.multipliers
    return storage_of(system, linear_solver("auto", size), PythonCalls(np.ones(1, np.int64)))


def newton_matrix(system: System, seed: int = 0) -> sparse.csc_matrix:
    rng = np.random.default_rng(seed)
    q = system.initial_position + 1e-3 * rng.standard_normal(system.size)
    v, lam = rng.standard_normal(system.size), rng.standard_normal(system.multipliers)
    newton = Coefficients(mass=1.0, damping=1e-3, stiffness=1e-6, constraint=system.mass_scale)
    return system.jacobian(0.0, q, v, lam, newton).copy()


def put(storage: Storage, matrix: sparse.csc_matrix) -> None:
    pattern = Sparsity(matrix)
    storage.matrix.data[:] = 0.0
    storage.matrix.data[storage.places(pattern.indices.astype(np.int64), pattern.columns())] = matrix.data


@pytest.mark.parametrize("name", MODELS)
def test_solves_what_the_whole_matrix_does(name: str):
    system = MODELS[name]().system()
    storage = made(system)
    assert isinstance(storage, CondensedStorage)
    rng = np.random.default_rng(1)
    for seed in range(3):
        matrix = newton_matrix(system, seed)
        put(storage, matrix)
        assert factorized(storage.matrix)
        b = rng.standard_normal(matrix.shape[0])
        x = b.copy()
        solved(storage.matrix, x)
        full = matrix.toarray()
        np.testing.assert_allclose(x, np.linalg.solve(full, b), rtol=0, atol=1e-14 * np.linalg.cond(full) * abs(x).max())


def test_few_unknowns_remain():
    """Of 23 a link nine, of 27 an element nine, of five a planar link two."""
    for name, links, remain in (("revolute", 12, 9), ("spherical", 12, 3), ("cubic", 6, 9), ("planar", 20, 2)):
        system = MODELS[name]().system()
        groups = groups_of(system, Sparsity(system.matrix(system.workspace)))
        assert groups is not None
        assert groups.rest.size <= remain * links, name


def random_groups(rng: np.random.Generator) -> tuple[sparse.csc_matrix, Groups]:
    """Groups of 1 to 23 unknowns on boundaries of 0 to 15, in any order; zeros on diagonals, so that rows are exchanged."""
    rest, sizes = 40, rng.integers(1, 24, 9)
    n = rest + sizes.sum()
    owner = np.concatenate([np.full(rest, -1), np.repeat(np.arange(9), sizes)])
    a = np.zeros((n, n))
    a[:rest, :rest] = rng.standard_normal((rest, rest)) * (rng.random((rest, rest)) < 0.1) + 4.0 * np.eye(rest)
    for g in range(9):
        inside = np.flatnonzero(owner == g)
        boundary = rng.choice(rest, rng.integers(0, 16), replace=False)
        a[np.ix_(inside, inside)] = rng.standard_normal((inside.size, inside.size))
        a[np.ix_(inside, boundary)] = rng.standard_normal((inside.size, boundary.size))
        a[np.ix_(boundary, inside)] = rng.standard_normal((boundary.size, inside.size))
        if inside.size > 1:
            a[inside, inside] = 0.0
    order = rng.permutation(n)
    a, owner = a[np.ix_(order, order)], owner[order]
    pattern = sparse.csc_matrix(((a != 0) | (a.T != 0) | np.eye(n, dtype=bool)).astype(float))
    whole = sparse.csc_matrix((a[pattern.indices, np.repeat(np.arange(n), np.diff(pattern.indptr))], pattern.indices,
                               pattern.indptr), shape=(n, n))  # fmt: skip
    return whole, Groups(Sparsity(whole), owner)


def on_full(groups: Groups) -> CondensedStorage:
    return CondensedStorage(groups, lambda lead: FullStorage(groups.rest.size, lead))


@pytest.mark.parametrize("seed", range(5))
def test_random_patterns(seed: int):
    rng = np.random.default_rng(seed)
    matrix, groups = random_groups(rng)
    storage, full = on_full(groups), matrix.toarray()
    put(storage, matrix)
    assert factorized(storage.matrix)
    b = rng.standard_normal(len(full))
    x = b.copy()
    solved(storage.matrix, x)
    np.testing.assert_allclose(x, np.linalg.solve(full, b), rtol=0, atol=1e-13 * np.linalg.cond(full) * abs(x).max())


def test_groups_that_couple_are_refused():
    matrix = sparse.csc_matrix(np.ones((4, 4)))
    with pytest.raises(ValueError, match="couple to each other"):
        Groups(Sparsity(matrix), np.array([0, 0, 1, -1]))


@pytest.mark.parametrize("part", ["inside", "rest"])
def test_singular_matrices_are_told(part: str):
    matrix, groups = random_groups(np.random.default_rng(0))
    storage, broken = on_full(groups), matrix.copy()
    column = groups.inside[0] if part == "inside" else groups.rest[0]
    broken.data[broken.indptr[column] : broken.indptr[column + 1]] = 0.0
    for given, regular in ((matrix, True), (broken, False), (matrix, True)):
        put(storage, given)
        assert factorized(storage.matrix) == regular


def test_restored_factors_are_the_same_to_the_last_bit():
    system = MODELS["revolute"]().system()
    storage, other = made(system), made(system)
    put(storage, newton_matrix(system))
    assert factorized(storage.matrix)
    other.restore({name: values.copy() for name, values in storage.snapshot().items()})
    x, y = np.ones((2, system.size + system.multipliers))
    solved(storage.matrix, x)
    solved(other.matrix, y)
    np.testing.assert_array_equal(x, y)


def test_a_body_without_inertia_about_its_axis_is_left_to_its_joints():
    """A thin rod turns about itself without inertia: by itself its block is singular, with its joints the matrix is not."""
    m = fm.Model("rods", gravity=(0, 0, -9.81))
    last: Any = m.ground
    for i in range(6):
        rod = m.add(fm.RigidBody(f"rod {i}", mass=1.0, inertia=(1e-14, 0.1, 0.1), com=(i + 0.5, 0, 0)))
        m.add(fm.Revolute(last.at(i, 0, 0), rod.at(i, 0, 0), axis=(0, 1, 0)))
        last = rod
    system = m.system()
    storage = made(system)
    matrix = newton_matrix(system)
    put(storage, matrix)
    assert factorized(storage.matrix)
    x = np.ones(matrix.shape[0])
    solved(storage.matrix, x)
    np.testing.assert_allclose(matrix @ x, 1.0, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["revolute", "skew", "springs", "loop", "mixed"])
def test_runs_agree_with_the_whole_matrix(name: str, monkeypatch: pytest.MonkeyPatch):
    options = {"step": 1e-3, "output_step": 0.02, "progress": False}
    condensed = MODELS[name]().simulate(0.1, **options)
    monkeypatch.setattr("fmbs.solvers.storage.groups_of", lambda *_: None)
    whole = MODELS[name]().simulate(0.1, **options)
    np.testing.assert_allclose(condensed.q, whole.q, rtol=0, atol=1e-8)
    scale = np.abs(whole.lam).max()
    np.testing.assert_allclose(condensed.lam, whole.lam, rtol=0, atol=1e-5 * scale)


def test_a_clearance_joint_between_bodies(monkeypatch: pytest.MonkeyPatch):
    """Contact couples two bodies directly; the motion is that of the whole matrix up to the first impacts."""
    storages: list[Storage] = []
    kept = storage_of
    monkeypatch.setattr(driver, "storage_of", lambda *given: storages.append(kept(*given)) or storages[-1])

    def run() -> fm.Solution:
        m = chain(5)
        last = m.system().dofs.bodies[-1]
        bob = m.add(fm.RigidBody("bob", mass=1.0, inertia=(0.01, 0.01, 0.01), com=(5.2, 0, 0)))
        law = fm.contact.LankaraniNikravesh(restitution=0.8, stiffness=1e8)
        m.add(fm.ClearanceSpherical(last.at(5, 0, 0), bob.at(5, 0, 0), bearing_radius=0.05, clearance=1e-3, contact=law))
        return m.simulate(0.03, step=1e-4, output_step=1e-3, progress=False)

    condensed = run()
    assert isinstance(storages[-1], CondensedStorage)
    monkeypatch.setattr("fmbs.solvers.storage.groups_of", lambda *_: None)
    whole = run()
    np.testing.assert_allclose(condensed.q, whole.q, rtol=0, atol=1e-7)
