"""Redundant equations are left out and named; contradictions and singular positions are refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.assembly.linkages import at, four_bar, ladder

CELLS = 23  # of a ladder with more than 600 equations in space: found by sparse factorisation


def test_spatial_four_bar_is_the_planar_one():
    """Closed loop with parallel axes: one offset along the axes and two tilts are given twice."""
    (flat, flat_bars), (space, bars) = four_bar(planar=True), four_bar(planar=False)
    with pytest.warns(
        fm.RedundantConstraints, match=r"3 redundant equations left out: D: z .* D: first tilt .* D: second tilt"
    ):
        sol = space.simulate(0.5, step=1e-3)
    assert len(sol.statistics.redundant) == 3
    assert all(label.startswith("D: ") for label in sol.statistics.redundant)
    expected = flat.simulate(0.5, step=1e-3)
    for body, twin in zip(bars, flat_bars, strict=True):
        assert_allclose(sol.position(body.com)[:, :2], expected.position(twin.com), rtol=0, atol=5e-6)  # h^2
        assert_allclose(sol.position(body.com)[:, 2], 0.0, rtol=0, atol=1e-12)
    assert expected.statistics.redundant == ()


def test_duplicate_joint():
    """The copy carries nothing; motion and the other reactions are those without it."""
    (model, bars), (plain, _) = four_bar(planar=True), four_bar(planar=True)
    model.add(fm.Revolute(model.ground.at(0, 0), bars[0].at(0, 0), name="copy"))
    with pytest.warns(fm.RedundantConstraints, match=r"2 redundant.*copy: x of the point; copy: y of the point"):
        sol = model.simulate(0.2, step=1e-3)
    expected = plain.simulate(0.2, step=1e-3)
    assert_allclose(sol.q, expected.q, rtol=0, atol=1e-10)
    assert_allclose(sol.reaction("A").force, expected.reaction("A").force, rtol=0, atol=1e-6)
    assert_allclose(sol.reaction("copy").force, 0.0, rtol=0, atol=0)


def drive(model: fm.Model, body: fm.PlanarBody, foot: tuple[float, float], name: str, **motion) -> None:
    model.add(fm.RotationDrive(model.ground.at(*foot), at(body, foot, body.planar), name=name, **motion))


def test_contradictory_drives():
    model, bars = four_bar(planar=True)
    drive(model, bars[0], (0, 0), "first motor", speed=1.0)
    drive(model, bars[0], (0, 0), "second motor", speed=2.0)
    with pytest.raises(fm.ModelError, match=r"second motor: angle' contradicts 'first motor'.*disagree by -1.*Remove"):
        model.simulate(0.1, step=1e-3)


def test_drives_at_both_ends_of_a_linkage():
    """They contradict each other through the joints between them."""
    model, bars = four_bar(planar=True)
    drive(model, bars[0], (0, 0), "left motor", speed=1.0)
    drive(model, bars[2], (1, 0), "right motor", speed=1.0)
    with pytest.raises(fm.ModelError, match=r"right motor: angle' contradicts 'left motor', 'A', 'B', 'C', 'D'"):
        model.simulate(0.1, step=1e-3)


def test_drives_that_part_after_the_start():
    """Position and speed agree at t = 0 only."""
    model, bars = four_bar(planar=True)
    drive(model, bars[0], (0, 0), "first motor", speed=lambda t: t)
    drive(model, bars[0], (0, 0), "second motor", speed=lambda t: 2.0 * t)
    with pytest.raises(fm.ModelError, match=r"second motor: angle' contradicts 'first motor'"):
        model.simulate(0.1, step=1e-3)


def test_drives_that_agree():
    model, bars = four_bar(planar=True)
    drive(model, bars[0], (0, 0), "first motor", speed=1.0)
    drive(model, bars[0], (0, 0), "second motor", angle=lambda t: t)
    with pytest.warns(fm.RedundantConstraints, match="second motor: angle"):
        sol = model.simulate(0.1, step=1e-3)
    assert_allclose(sol.angle(bars[0]), sol.t, rtol=0, atol=1e-12)


def test_contradictory_length():
    model, bars = four_bar(planar=True)
    model.add(fm.Distance(model.ground.at(0, 0), bars[0].at(0.3, 0.4), length=0.6, name="stay"))
    with pytest.raises(fm.ModelError, match=r"stay: length' contradicts 'A': it is off by"):
        model.simulate(0.1, step=1e-3)


@pytest.mark.parametrize("planar", [True, False])
def test_flat_parallelogram(planar: bool):
    """Two ways out of a folded linkage: the start is refused, not chosen by chance."""
    model, _ = four_bar(planar, b=(1, 0), c=(3, 0), d=(2, 0))
    with pytest.raises(fm.ModelError, match=r"singular position, where 'D: x of the point'.*Draw it a little apart"):
        model.simulate(0.1, step=1e-3)


@pytest.mark.parametrize("planar", [True, False])
def test_flat_parallelogram_driven_from_rest(planar: bool):
    """Fully driven, so that nothing moves at t = 0."""
    model, bars = four_bar(planar, b=(1, 0), c=(3, 0), d=(2, 0))
    drive(model, bars[0], (0, 0), "motor", angle=lambda t: t * t)
    with pytest.raises(fm.ModelError, match="singular position"):
        model.simulate(0.1, step=1e-3)


def test_redundant_model_driven_from_rest():
    """A drive of long reach whose speed is zero at t = 0: the check of the start must not run far ahead in time."""
    model = fm.Model("press")
    stamp = model.add(fm.RigidBody("stamp", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(1, 0, 0)))
    rail = model.ground.at(0, 0, 0)
    model.add(fm.Prismatic(rail, stamp.com, axis=(1, 0, 0)))
    model.add(fm.Prismatic(model.ground.at(0, 1, 0), stamp.at(1, 1, 0), axis=(1, 0, 0), name="second rail"))
    model.add(fm.TranslationDrive(rail, stamp.com, axis=(1, 0, 0), position=lambda t: 1.0 - 0.1 * t * t))
    with pytest.warns(fm.RedundantConstraints, match="5 redundant equations.*second rail"):
        sol = model.simulate(0.1, step=1e-3)
    assert_allclose(sol.position(stamp.com)[:, 0], 1.0 - 0.1 * sol.t**2, rtol=0, atol=1e-12)


def test_large_ladder():
    (model, rockers), (flat, flat_rockers) = ladder(CELLS, planar=False), ladder(CELLS, planar=True)
    with pytest.warns(fm.RedundantConstraints, match=f"{3 * CELLS} redundant equations"):
        sol = model.simulate(0.02, step=2e-3)
    assert sol.system.multipliers + len(sol.system.dropped) > 600
    expected = flat.simulate(0.02, step=2e-3).position(flat_rockers[-1].com)
    assert_allclose(sol.position(rockers[-1].com)[:, :2], expected, rtol=0, atol=1e-7)


def test_large_ladder_folded_flat():
    model, _ = ladder(CELLS, planar=False, angle=0.0)
    with pytest.raises(fm.ModelError, match=r"singular position, where 'tip .* more cannot be told"):
        model.system()


def test_large_ladder_with_contradictory_drives():
    model, rockers = ladder(CELLS, planar=False)
    drive(model, rockers[0], (0.0, 0.0), "left motor", speed=1.0)
    drive(model, rockers[-1], (float(CELLS), 0.0), "right motor", speed=2.0)
    with pytest.raises(fm.ModelError, match=r"right motor: angle' contradicts 'left motor', .* more: the velocities"):
        model.system()


def test_dense_and_sparse_search_agree(monkeypatch: pytest.MonkeyPatch):
    model, _ = ladder(4, planar=False)
    dense = model.system().dropped
    monkeypatch.setattr("fmbs.solvers.redundancy.DENSE_LIMIT", 10)
    assert model.system().dropped == dense
    assert len(dense) == 12


def test_matrix_rank_after_removal():
    model, _ = four_bar(planar=False)
    system = model.system()
    jacobian = system.constraint_jacobian(0.0, system.initial_position).toarray()
    assert np.linalg.matrix_rank(jacobian) == system.multipliers == system.size - 1
