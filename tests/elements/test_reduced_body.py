"""Reduced bodies: frequencies and deflections of the full structure, exact forces, motion without floating-frame terms."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import scipy
from numpy.testing import assert_allclose

import fmbs as fm
from tests.block import Block, block

SIZE = (0.5, 0.03, 0.02)
CENTRE = (0.25, 0.015, 0.01)


@cache
def bar() -> Block:
    return block((6, 1, 1), SIZE)


def ends() -> tuple[np.ndarray, np.ndarray]:
    return bar().where(lambda x, y, z: x == 0.0), bar().where(lambda x, y, z: x > 0.4999)


def reduced(kind: str = "rigid", modes: int = 8, **options) -> fm.ReducedBody:
    left, right = (fm.NodeSet(nodes, kind) for nodes in ends())
    b = bar()
    return fm.ReducedBody.from_matrices(
        b.mass, b.stiffness, b.nodes, {"left": left, "right": right}, modes, name="bar", **options
    )


def clamped(body: fm.ReducedBody, *names: str) -> fm.Model:
    m = fm.Model("clamped")
    m.add(body)
    for name in names:
        marker = body.interface(name)
        m.add(fm.Fixed(m.ground.at(*marker.position), marker))
    return m


def full_frequencies(fixed: np.ndarray, count: int) -> np.ndarray:
    """Of the mesh itself with these nodes held, Hz."""
    b = bar()
    free = np.setdiff1d(np.arange(len(b.nodes)), fixed)
    own = (3 * free[:, None] + np.arange(3)).ravel()
    k, m = (matrix.tocsc()[own][:, own] for matrix in (b.stiffness, b.mass))
    squares = scipy.sparse.linalg.eigsh(k, count, m, sigma=0.0, return_eigenvectors=False)
    return np.sqrt(np.sort(squares)) / 2 / np.pi


def test_frequencies_of_kept_modes():
    """1e-6 of the full mesh is asked for; what is left is round-off of both eigenvalue solvers."""
    body = reduced()
    full = full_frequencies(np.concatenate(ends()), 8)
    assert_allclose(body.frequencies, full, rtol=1e-9)
    assert_allclose(clamped(body, "left", "right").modes(8).frequencies, full, rtol=1e-8)


def test_frequencies_with_other_supports():
    """Modes that were not kept as they are: one end free. The other end is glued to a rigid face, and modes are cut off."""
    assert_allclose(clamped(reduced(modes=12), "left").modes(4).frequencies, full_frequencies(ends()[0], 4), rtol=2e-4)


def test_frequencies_of_average_interfaces():
    """The joint holds the mean displacement and rotation that the modes were computed with."""
    body = reduced("average")
    assert_allclose(clamped(body, "left", "right").modes(8).frequencies, body.frequencies, rtol=1e-8)
    assert (body.frequencies < reduced().frequencies).all()  # faces that may warp


def test_free_body_without_interfaces():
    b = bar()
    body = fm.ReducedBody.from_matrices(b.mass, b.stiffness, b.nodes, {}, 6)
    m = fm.Model("free")
    m.add(body)
    squares = scipy.sparse.linalg.eigsh(b.stiffness.tocsc(), 12, b.mass.tocsc(), sigma=-1e3, return_eigenvectors=False)
    assert_allclose(m.modes(12).frequencies[6:], np.sqrt(np.sort(squares)[6:]) / 2 / np.pi, rtol=1e-7)


@pytest.mark.parametrize("kind", ["rigid", "average"])
def test_static_deflection_is_that_of_the_mesh(kind: str):
    """Forces at interfaces are what static modes are for. The load is small: the body turns within itself to second order."""
    m, b = clamped(reduced(kind, modes=0), "left"), bar()
    body, push = m.bodies[0], 1e-4 * np.array([300.0, -2.0, 5.0])
    m.add(fm.PointForce(body.interface("right"), push))
    found = m.equilibrium().position(body.interface("right"))[-1] - body.interface("right").position
    left, right = ends()
    force = np.zeros(b.nodes.shape)
    force[right] = push / len(right)  # of a rigid face and of equal shares alike
    expected = deflection(force, left, right, kind)
    assert_allclose(found, expected, rtol=0, atol=2e-6 * np.abs(expected).max())


def deflection(force: np.ndarray, left: np.ndarray, right: np.ndarray, kind: str) -> np.ndarray:
    """Mean displacement of the right end by a linear solution with multipliers: of all nodes there, or of their means."""
    b = bar()
    holds = [average(b, left)] if kind == "average" else [every(b, left), rigid_face(b, right)]
    c = scipy.sparse.csr_array(np.vstack(holds))
    saddle = scipy.sparse.block_array([[b.stiffness, 1e9 * c.T], [1e9 * c, None]], format="csc")
    u = scipy.sparse.linalg.spsolve(saddle, np.append(force.ravel(), np.zeros(c.shape[0])))
    return u[: b.nodes.size].reshape(-1, 3)[right].mean(axis=0)


def motions(b: Block, nodes: np.ndarray) -> np.ndarray:
    arms = b.nodes[nodes] - b.nodes[nodes].mean(axis=0)
    turns = np.cross(np.eye(3)[:, None], arms)
    return np.concatenate([np.broadcast_to(np.eye(3)[:, None], turns.shape), turns]).reshape(6, -1)


def placed(b: Block, nodes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    out = np.zeros((len(rows), b.nodes.size))
    out[:, (3 * nodes[:, None] + np.arange(3)).ravel()] = rows
    return out


def average(b: Block, nodes: np.ndarray) -> np.ndarray:
    return placed(b, nodes, motions(b, nodes))


def every(b: Block, nodes: np.ndarray) -> np.ndarray:
    return placed(b, nodes, np.eye(3 * len(nodes)))


def rigid_face(b: Block, nodes: np.ndarray) -> np.ndarray:
    return placed(b, nodes, scipy.linalg.null_space(motions(b, nodes)).T)


@pytest.mark.parametrize(("damping", "modal"), [(0.0, 0.0), (1e-3, 0.0), (1e-3, 0.05)])
def test_force_is_the_gradient_of_the_energy(damping: float, modal: float):
    """Turned far and strained by a few percent; and it has no resultant."""
    body = reduced("average", modes=2, damping=damping, modal_damping=modal)
    m = fm.Model("force")
    m.add(body)
    system = m.system()
    batch, rng = system.elements[0], np.random.default_rng(1)
    q = body.displaced(
        system.initial_position, np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3]), np.array([0.5, -1.2, 2.0])
    )
    q, v = q + 0.02 * rng.standard_normal(q.size), rng.standard_normal(q.size)
    still, moving = np.zeros(q.size), np.zeros(q.size)
    batch.residual(0.0, q, 0 * v, still)
    batch.residual(0.0, q, v, moving)
    slope = np.array(
        [batch.energy(0, q + 1e-6 * e, v).stored - batch.energy(0, q - 1e-6 * e, v).stored for e in np.eye(q.size)]
    )
    assert_allclose(still, slope / 2e-6, rtol=0, atol=1e-8 * np.abs(still).max())
    assert_allclose(body.rigid_rates(q).T @ moving, 0.0, atol=1e-12 * np.abs(moving).max())
    lost = batch.energy(0, q, v).dissipated
    assert_allclose(v @ (moving - still), lost, rtol=1e-9, atol=1e-9 * abs(v @ still))
    assert lost > 0.0 or damping == 0.0


def test_spinning_body_keeps_energy_and_momenta():
    """Two thirds of a turn about no principal axis, while the body rings: it starts without the strains of its spin."""
    b = block((6, 1, 1), SIZE, E=2e9)
    left = b.where(lambda x, y, z: x == 0.0)
    motion = {"velocity": (1.0, 2.0, 3.0), "spin": (30.0, 40.0, 100.0), "about": CENTRE}
    body = fm.ReducedBody.from_matrices(b.mass, b.stiffness, b.nodes, {"left": left}, 4, name="bar", **motion)
    m = fm.Model("spin")
    m.add(body)
    sol = m.simulate(0.04, tolerance=1e-6, output_step=0.004)
    mass = m.system().mass_matrix
    momenta = np.array([body.rigid_rates(q).T @ (mass @ v) for q, v in zip(sol.q, sol.v, strict=True)])
    assert_allclose(momenta, momenta[:1].repeat(len(momenta), 0), rtol=0, atol=2e-7 * np.abs(momenta).max())
    total = sol.energy.kinetic + sol.energy.elastic
    assert np.abs(total - total[0]).max() < 1e-6 * total[0]
    assert sol.energy.elastic.max() > 1e-3 * total[0]


def test_moves_as_a_rigid_body_where_it_is_stiff():
    """Tumbling about the middle axis, whose inertia is the mesh's own: vibrations are 1e-6 of the size."""
    b, spin = bar(), np.array([0.02, 20.0, 0.02])
    body = reduced(modes=1, spin=spin, about=CENTRE)
    m = fm.Model("pair")
    m.add(body)
    arms = b.nodes - CENTRE
    each = scipy.sparse.csr_array(b.mass)[::3, ::3]
    moments = arms.T @ (each @ arms)
    rigid = m.add(
        fm.RigidBody("rigid", mass=each.sum(), inertia=np.trace(moments) * np.eye(3) - moments, com=CENTRE, spin=spin)
    )
    assert_allclose(body.mass, rigid.mass, rtol=1e-12)
    sol = m.simulate(0.5, step=1e-3)
    corner = rigid.at(*b.nodes[-1])
    assert_allclose(sol.position(body.node(len(b.nodes) - 1)), sol.position(corner), atol=5e-6)


def test_falls_without_deforming():
    body = reduced(modes=2)
    m = fm.Model("fall", gravity=(1.0, -2.0, -9.0))
    m.add(body)
    sol = m.simulate(0.1, step=1e-3)
    for place in (body.interface("left"), body.node(20)):
        assert_allclose(sol.position(place)[-1] - place.position, 0.005 * np.array([1.0, -2.0, -9.0]), atol=1e-9)
    assert sol.energy.elastic.max() < 1e-12


def test_modal_damping_is_the_share_of_critical_damping():
    """Of a free body's first mode, pulled and let go: exp(-zeta omega t) over ten periods, within 1 %."""
    b, zeta = bar(), 0.01
    body = fm.ReducedBody.from_matrices(b.mass, b.stiffness, b.nodes, {}, 1, modal_damping=zeta)
    m = fm.Model("free")
    m.add(body)
    system, omega = m.system(), body.space.omega[0]
    squares, shapes = scipy.linalg.eigh(body.space.stiffness, np.kron(body.space.mass, np.eye(3)), subset_by_index=(6, 6))
    shape = shapes[:, 0]
    assert_allclose(np.sqrt(squares[0]), omega, rtol=1e-7)
    q, out = system.initial_position, np.zeros(system.size)
    system.elements[0].residual(0.0, q, shape, out)
    assert_allclose(shape @ out, 2 * zeta * omega, rtol=1e-9)  # unit modal mass


def test_saved_and_read_again(tmp_path):
    body = reduced(modes=2, damping=1e-5, spin=(0.0, 0.0, 3.0), faces=[(0, 1, 2), (0, 1, 4, 3)])
    other = fm.ReducedBody.load(body.save(tmp_path / "bar.h5"))
    assert other.interfaces == ("left", "right") and other.faces == body.faces and other.given == (False, True)
    for x, y in ((body.space.functions, other.space.functions), (body.space.stiffness, other.space.stiffness)):
        assert_allclose(x, y, rtol=0, atol=0)
    runs = []
    for each in (body, other):
        m = fm.Model("run")
        m.add(each)
        m.add(fm.Revolute(m.ground.at(*body.interface("left").position), each.interface("left"), axis=(0, 0, 1), name="pin"))
        runs.append(m.simulate(0.01, step=1e-3))
    assert_allclose(runs[0].q, runs[1].q, rtol=0, atol=0)
    runs[0].save(tmp_path / "run.h5")
    read = fm.load(tmp_path / "run.h5")
    assert_allclose(read.reaction("pin").force, runs[0].reaction("pin").force, rtol=1e-9, atol=1e-9)


def test_matrices_from_files_and_in_other_orders(tmp_path):
    b, (left, right) = bar(), ends()
    turned = np.arange(b.nodes.size).reshape(3, -1).T  # all x, then all y, then all z
    back = np.argsort(turned.ravel())
    for name, matrix in (("M", b.mass), ("K", b.stiffness)):
        scipy.io.mmwrite(tmp_path / f"{name}.mtx", matrix[back][:, back])
    files = tmp_path / "M.mtx", str(tmp_path / "K.mtx")
    body = fm.ReducedBody.from_matrices(*files, b.nodes, {"left": left, "right": right}, 3, dofs=turned)
    assert_allclose(body.frequencies, reduced(modes=3).frequencies, rtol=1e-7)


def test_drawn_with_its_faces():
    """Displacements on the whole mesh; `deflection` is what is left in axes that turn with the body."""
    body = reduced(modes=1, faces=[(0, 1, 4, 3)])
    drawn = body.surface(1)
    q = body.displaced(body.initial_position(), np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, np.pi / 2]))
    shot = drawn.snapshot(q, np.zeros(q.size))
    x, y, z = bar().nodes.T
    assert_allclose(shot.points, np.stack([1.0 - y, x, z], axis=1), atol=1e-12)
    assert_allclose(shot.fields["deflection"], 0.0, atol=1e-12)
    assert len(drawn.cells) == 1 and len(reduced(modes=1).surface(1).cells) == len(bar().nodes)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"K": np.zeros((4, 5))}, "square matrix"),
        ({"M": "row order"}, "differs between x, y and z"),
        ({"K": "held"}, "resists rigid motions"),
        ({"K": "one triangle"}, "not symmetric"),
        ({"nodes": np.zeros((3, 2))}, "coordinates of four nodes or more"),
        ({"interfaces": {"left": [0, 1, 999]}}, "node 999 does not exist"),
        ({"interfaces": {"left": [0, 1]}}, "define no rotation"),
        ({"interfaces": {"left": fm.NodeSet([0, 1, 3], "glued")}}, "'glued' is unknown"),
        ({"interfaces": {"left": [0, 1, 3], "right": [0, 4, 5]}}, "two rigid interfaces"),
        ({"interfaces": [0, 1, 2]}, "is not a dict"),
        ({"interfaces": {}, "modes": 0}, "leave no modes"),
        ({"modes": -1}, "modes = -1"),
        ({"modes": 1000}, "ask for fewer"),
        ({"damping": -1.0}, "damping = -1"),
        ({"faces": [(0, 1)]}, "three or more"),
        ({"dofs": np.zeros((117, 3), int)}, "do not number"),
    ],
    ids=str,
)
def test_bad_input(change: dict, told: str):
    b = bar()
    given = {"M": b.mass, "K": b.stiffness, "nodes": b.nodes, "interfaces": {"left": ends()[0]}, "modes": 1} | change
    order = np.arange(b.nodes.size).reshape(3, -1).T.ravel()
    if isinstance(given["M"], str):
        given["M"] = b.mass[order][:, order]
    if isinstance(given["K"], str):
        given["K"] = {
            "held": b.stiffness + 1e9 * scipy.sparse.eye_array(b.nodes.size),
            "one triangle": scipy.sparse.tril(b.stiffness),
        }[given["K"]]
    with pytest.raises(fm.ModelError, match=told):
        fm.ReducedBody.from_matrices(**given)


def test_markers_that_are_not_there():
    body = reduced(modes=1)
    with pytest.raises(fm.ModelError, match="left"):
        body.interface("lift")
    with pytest.raises(fm.ModelError, match="no node at"):
        body.at(0.123, 0.0, 0.0)
    with pytest.raises(fm.ModelError, match="nodes have no directions"):
        fm.Fixed(fm.Model("node").ground.at(*bar().nodes[20]), body.node(20))
