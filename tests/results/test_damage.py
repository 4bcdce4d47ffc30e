"""Damaged files are refused in one line that says what can still be had."""

from __future__ import annotations

import json
import time
from pathlib import Path

import h5py
import numpy as np
import pytest

import fmbs as fm
from fmbs.results.store.identity import text
from fmbs.results.store.stored import seal_of_attributes, seal_of_counts
from fmbs.results.store.writer import put_json

STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850.0)


@pytest.fixture(scope="module")
def solution() -> fm.Solution:
    m = fm.Model("hinged", gravity=(0.0, -9.81))
    section = fm.Rectangle(0.01, 0.01)
    rod = m.add(fm.PlanarBeam("rod", start=(0, 0), end=(0.5, 0), section=section, material=STEEL, elements=3))
    m.add(fm.Revolute(m.ground.at(0, 0), rod.start, name="hinge"))
    return m.simulate(0.05, step=1e-3, progress=False)


@pytest.fixture
def path(solution: fm.Solution, tmp_path: Path) -> Path:
    return solution.save(tmp_path / "run.h5")


def described(path: Path, change: dict[str, object]) -> None:
    """Another description, with the check that belongs to it."""
    with h5py.File(path, "r+") as file:
        parts = json.loads(file["model/description"][()])
        parts["bodies"][0]["fields"].update(change)
        del file["model/description"]
        put_json(file["model"], "description", parts, text(file.attrs["run"]))


@pytest.mark.parametrize(
    "change", [{"elements": 100_000_000}, {"elements": -1}, {"elements": "3"}, {"elements": 4}, {"end": [0, 0]}]
)
def test_absurd_counts_are_refused_at_once(path: Path, change: dict[str, object]) -> None:
    described(path, change)
    begin = time.monotonic()
    with pytest.raises(fm.FileError, match=r"run\.h5"):
        fm.load(path)
    assert time.monotonic() - begin < 5.0


@pytest.mark.parametrize("width", [1, 50])
def test_a_table_of_another_width_is_not_read_beyond_its_end(path: Path, width: int) -> None:
    """In a file of before there were checks: the shapes are compared with those of the model."""
    unchecked(path)
    with h5py.File(path, "r+") as file:
        del file["frames/q"]
        file["frames/q"] = np.ones((51, width))
    with pytest.raises(fm.FileError, match=r"q is \(51, \d+\) numbers|elements = 3"):
        fm.load(path)


def unchecked(path: Path) -> None:
    """As files were before there were identities and checks."""
    with h5py.File(path, "r+") as file:
        file.attrs["layout"] = 1
        del file.attrs["run"], file.attrs["fingerprint"]
        counts, names = file["committed"][:-1], file["committed"].attrs["names"]
        del file["committed"]
        file["committed"] = counts
        file["committed"].attrs["names"] = names


def test_files_without_checks_are_read(path: Path, solution: fm.Solution) -> None:
    """Those that were written before there were any; one that only says so is not."""
    with h5py.File(path, "r+") as file:
        file.attrs["layout"] = 1
    with pytest.raises(fm.FileError, match="attributes"):
        fm.load(path)
    unchecked(path)
    np.testing.assert_array_equal(fm.load(path).q, solution.q)


def test_what_is_before_the_damage_can_be_had(path: Path, solution: fm.Solution) -> None:
    with h5py.File(path, "r+") as file:
        file["frames/v"][20, 1] += 1e-9
    with pytest.raises(fm.FileError, match=r"frame 21 of 51 is not as it was written.*salvage=True"):
        fm.load(path)
    found = fm.load(path, salvage=True)
    np.testing.assert_array_equal(found.v, solution.v[:20])
    assert found.reaction("hinge").force.shape == (20, 2)
    with h5py.File(path, "r+") as file:
        file["rows/step_times"][30] += 1e-9
    assert len(fm.load(path, salvage=True).step_times) == 30
    described_wrongly = path.read_bytes().replace(b'"elements": 3', b'"elements": 4')
    path.write_bytes(described_wrongly)
    bare = fm.load(path, salvage=True)
    np.testing.assert_array_equal(bare.v, solution.v[:20])
    with pytest.raises(fm.ModelError, match="description is damaged"):
        bare.reaction("hinge")


def test_two_signs_that_change_in_one_frame_are_noticed(path: Path) -> None:
    """The top bits of two words: sums of products alone would miss them."""
    with h5py.File(path, "r+") as file:
        file["frames/v"][20] = -file["frames/v"][20]
    with pytest.raises(fm.FileError, match="frame 21"):
        fm.load(path)


def test_frames_that_changed_places_are_noticed(path: Path) -> None:
    with h5py.File(path, "r+") as file:
        for name in ("t", "q", "v", "a", "lam"):
            rows = file[f"frames/{name}"]
            rows[10], rows[11] = rows[11], rows[10]
        checks = file["checks/frames"]
        checks[10], checks[11] = checks[11], checks[10]
    with pytest.raises(fm.FileError, match="frame 11"):
        fm.load(path)


def test_fewer_frames_are_not_a_shorter_run(path: Path) -> None:
    with h5py.File(path, "r+") as file:
        file["committed"][0] -= 1
    with pytest.raises(fm.FileError, match="counts of its rows"):
        fm.load(path)
    with h5py.File(path, "r+") as file:
        committed, names = file["committed"], text(file["committed"].attrs["names"])
        counts = [10**12] * (len(committed) - 1)
        committed[:] = [*counts, seal_of_counts(text(file.attrs["run"]), names, counts)]
    with pytest.raises(fm.FileError, match="51 rows in place of"):
        fm.load(path)
    with h5py.File(path, "r+") as file:
        for name in [*json.loads(names), "checks/frames"]:
            file[name].resize(10**12, axis=0)
    with pytest.raises(fm.FileError, match=r"said to hold .* bytes, more than it has"):
        fm.load(path)


def test_other_attributes_are_noticed(path: Path) -> None:
    with h5py.File(path, "r+") as file:
        file.attrs["numpy"] = "0.1"
    with pytest.raises(fm.FileError, match="attributes"):
        fm.load(path)
    with h5py.File(path, "r+") as file:
        file.attrs["check"] = seal_of_attributes(text(file.attrs["run"]), file.attrs)
        file.attrs["complete"] = False
    with pytest.raises(fm.FileError, match="complete"):
        fm.load(path)


def test_a_damaged_checkpoint_says_that_the_frames_are_there(solution: fm.Solution, tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    (tmp_path / "run.h5.checkpoint").write_bytes(b"not a checkpoint")
    solution.save(tmp_path / "run.h5.partial")
    m = fm.Model("free")
    m.add(fm.PlanarBody("ball", mass=1.0, inertia=1.0, com=(0.0, 0.0)))
    with pytest.raises(fm.FileError, match=r"checkpoint: is no checkpoint.*delete it to start anew.*fm\.load\('.*partial'\)"):
        m.simulate(0.1, step=1e-2, checkpoint=path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run.h5.checkpoint", "run.h5.partial"]
