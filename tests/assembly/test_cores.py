"""Elements on several cores: the same forces, tangents and motions as on one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.assembly import cores
from fmbs.assembly.system import Coefficients, System

STEEL = fm.Material(E=2e11, nu=0.3, density=7800, damping=1e-4)


def two_beams(interpolation: str, formulation: str) -> fm.Model:
    m = fm.Model("two beams", gravity=(0.0, 0.0, -9.81))
    options = {"section": fm.Rectangle(0.02, 0.01), "material": STEEL, "interpolation": interpolation}
    beams = [
        m.add(fm.Beam(name, start=start, end=end, elements=n, formulation=formulation, **options))
        for name, start, end, n in (("a", (0, 0, 0), (1, 0, 0), 21), ("b", (1, 0, 0), (1, 2, 0), 12))
    ]
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beams[0].start))
    m.add(fm.Revolute(beams[0].end, beams[1].start, axis=(0, 0, 1)))
    return m


@pytest.fixture
def three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "MANY", 12)
    monkeypatch.setattr(cores, "cores", lambda: 3)


def matrices(system: System) -> tuple[np.ndarray, np.ndarray]:
    q = system.initial_position + 1e-3 * np.random.default_rng(0).standard_normal(system.size)
    v = np.random.default_rng(1).standard_normal(system.size)
    c = Coefficients(mass=1.0, stiffness=0.3, damping=0.1, constraint=1.0)
    return system.force(0.0, q, v), system.jacobian(0.0, q, v, np.zeros(system.multipliers), c).toarray()


@pytest.mark.parametrize("kind", [("hermite", "continuum"), ("cubic", "structural")])
def test_same_force_and_tangent(kind: tuple[str, str], three_cores: None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cores, "cores", lambda: 1)
        one = two_beams(*kind).system()
    several = two_beams(*kind).system()
    assert isinstance(several.elements[0], cores.ElementsOnCores)
    assert not isinstance(one.elements[0], cores.ElementsOnCores)
    for expected, found in zip(matrices(one), matrices(several), strict=True):
        assert_allclose(found, expected, rtol=0, atol=1e-14 * np.abs(expected).max())


def test_same_motion(three_cores: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the open path, which large models take."""
    runs = []
    for count in (1, 3):
        monkeypatch.setattr(cores, "cores", lambda count=count: count)
        runs.append(two_beams("hermite", "continuum").simulate(0.01, step=1e-3, linear_solver="scipy").q)
    assert_allclose(runs[1], runs[0], rtol=0, atol=1e-11)


def test_elements_with_common_nodes_stay_together(three_cores: None) -> None:
    """Pieces whose nodes mix are left to one core."""
    batch = two_beams("hermite", "continuum").system().elements[0]
    first = batch.blocks().first
    shuffled = batch.subset(np.random.default_rng(2).permutation(len(first)))
    assert cores.on_cores(shuffled) is shuffled


def test_workers_have_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FMBS_CORES", "1")
    assert cores.cores() == 1


@pytest.mark.parametrize("asked", ["two", "0", "-1", ""])
def test_wrong_number_of_cores_is_named(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FMBS_CORES", asked)
    with pytest.raises(fm.ModelError, match="FMBS_CORES"):
        cores.cores()
