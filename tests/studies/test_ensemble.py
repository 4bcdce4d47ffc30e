"""Ensembles: every member is its own run and can be had again; means, bands and verdicts are those of the members."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.cli import main
from fmbs.studies import Agreement, Push, Spread, Statement, ensemble
from tests.studies import falling

X, Y = "last(position(stone).x)", "last(position(stone).y)"
SHORT: dict[str, Any] = {"t_end": 0.1, "step": 0.05, "progress": False, "jobs": 1}


def test_pushes_are_those_that_the_seed_gives(tmp_path: Path) -> None:
    """A constant force F moves a free mass by F t^2 / 2m beside its fall; member 0 only falls."""
    found = ensemble(
        falling.fall, [X, Y], folder=tmp_path, runs=5, push=0.3, seed=7, parameters={"mass": 2.0},
        signals=["position(stone).x"], **SHORT,
    )  # fmt: skip
    moved = np.array([[row.values[X], row.values[Y] + 0.5 * 9.81 * 0.1**2] for row in found.sweep.rows])
    assert moved[0] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert np.linalg.norm(moved[1:], axis=1) == pytest.approx(0.3 * 0.1**2 / (2.0 * 2.0), rel=1e-9)
    assert np.unique(np.round(moved, 12), axis=0).shape[0] == 5
    m = Push(0.3, 7).on(falling.fall(mass=2.0), 3)
    sol = m.simulate(0.1, step=0.05, progress=False)
    assert sol.position(m["stone"].com)[-1, 0] == pytest.approx(moved[3, 0], rel=1e-12)
    t, curves = found.curves("position(stone).x")
    assert curves.shape == (5, t.size) and curves[:, -1] == pytest.approx(moved[:, 0])
    each = found.spread(X)
    assert each.mean == pytest.approx(moved[:, 0].mean()) and each.deviation == pytest.approx(moved[:, 0].std(ddof=1))
    assert each.quantile(0.5) == pytest.approx(np.median(moved[:, 0]))
    again = ensemble(
        falling.fall, [X, Y], folder=tmp_path, runs=6, push=0.3, seed=7, parameters={"mass": 2.0},
        signals=["position(stone).x"], **SHORT,
    )  # fmt: skip
    assert again.sweep.computed == 1 and again.sweep.rows[:5] == found.sweep.rows


def test_verdicts_count_members(tmp_path: Path) -> None:
    said = f"{X} > 0"
    found = ensemble(falling.fall, folder=tmp_path / "a", runs=8, push=0.3, statements=[said, f"{Y} <= {X}"], **SHORT)
    right = int((found.spread(X).values > 0.0).sum())
    assert 0 < right < 8
    assert found.verdict(said) == Agreement(right, 8) == found.verdict(lambda values: values[X] > 0.0)
    assert str(found.verdict(f"{Y} <= {X}")) == "8 of 8" and found.verdict(f"{Y} <= {X}").all
    kept = json.loads((tmp_path / "a" / "ensemble.json").read_text())
    assert kept["statements"][said] == f"{right} of 8" and (kept["seed"], kept["push"], kept["members"]) == (0, 0.3, 8)
    heavier = ensemble(
        falling.fall, [Y], folder=tmp_path / "b", runs=3, push=0.0, vary={"gravity": 0.1}, parameters={"gravity": 20.0}, **SHORT
    )
    drops = -heavier.spread(Y).values / (0.5 * 20.0 * 0.1**2)
    assert drops[0] == pytest.approx(1.0) and (np.abs(drops[1:] - 1.0) < 0.1).all() and len(set(drops)) == 3
    assert found.above(heavier, Y) == Agreement(24, 24)


def test_a_failed_member_does_not_agree(tmp_path: Path) -> None:
    """Gravity is refused where it varies below zero: no number, and no vote for a statement that always holds."""

    def picky(gravity: float) -> fm.Model:
        if gravity > 10.0:
            raise fm.ModelError("too heavy")
        return falling.fall(gravity)

    found = ensemble(
        picky, [Y], folder=tmp_path, runs=9, push=0.0, vary={"gravity": 0.5}, parameters={"gravity": 10.0}, **SHORT
    )
    ended = len(found.sweep.done)
    assert 0 < ended < 9 and found.spread(Y).values.size == ended
    assert found.verdict(f"{Y} < 1") == Agreement(ended, 9)


def test_numbers_of_many_runs() -> None:
    each = Spread.over([1.0, 2.0, 3.0, 4.0])
    assert (each.mean, each.quantile(0.25)) == (2.5, 1.75) and each.deviation == pytest.approx(np.sqrt(5.0 / 3.0))
    assert np.isnan(Spread.over([1.0]).deviation)
    with pytest.raises(fm.ModelError, match="values"):
        Spread.over([1.0, np.nan])


def test_bands_are_drawn(tmp_path: Path) -> None:
    found = ensemble(falling.fall, folder=tmp_path, runs=4, push=0.3, signals=["position(stone).x"], **SHORT)
    figure = found.figure()
    (axes,) = figure.axes
    assert len(axes.collections) == 2 and "[" in axes.get_ylabel()
    _, curves = found.curves("position(stone).x")
    median = next(line for line in axes.get_lines() if line.get_label() == "median")
    scale = np.asarray(median.get_ydata())[-1] / np.median(curves, axis=0)[-1]
    assert np.asarray(median.get_ydata()) == pytest.approx(scale * np.median(curves, axis=0))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "slider_crank_planar",
        "joint=dry",
        "step=1e-6",
        "output_step=1e-5",
        "--runs",
        "3",
        "--push",
        "1e-2",
        "--t-end",
        "5e-4",
    ]
    asked = ["--t-end", "5e-4", "--measure", "peak(force(wrist pin))", "--signal", "velocity(slider).x"]
    asked += ["--state", "impacts(wrist pin) >= 1"]
    assert main(["ensemble", *words, *asked, "--seed", "2", "-j", "1", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "impacts(wrist pin) >= 1: agreed in 3 of 3" in told and "seed 2" in told and "median" in told
    assert (tmp_path / "bands.png").stat().st_size > 1000 and (tmp_path / "table.csv").exists()


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"runs": 0}, "runs"), ({"push": -1.0}, "push"), ({"push": 0.0}, "push"), ({"seed": -1}, "seed"),
        ({"vary": {"mas": 0.1}}, "mas"), ({"statements": ["last(position(stone).x)"]}, "statement"),
        ({"statements": ["1 < 2"]}, "measure"), ({"statements": ["larges(x) > 1"]}, "larges"),
        ({"signals": ["speed(stone)"]}, "speed"), ({"measures": ()}, "asked for"), ({"length": 3.0}, "length"),
    ],
)  # fmt: skip
def test_bad_input(wrong: dict[str, Any], word: str, tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"measures": [X], "folder": tmp_path, **SHORT, **wrong}
    with pytest.raises(fm.ModelError, match=word):
        ensemble(falling.fall, **arguments)


def test_a_statement_reads_as_it_is_written() -> None:
    said = Statement.parse("peak(force(wrist pin)) >= 1e3")
    assert said.measures == ("peak(force(wrist pin))",)
    assert said({"peak(force(wrist pin))": 1000.0}) and not said({"peak(force(wrist pin))": 999.0})
