"""Convergence studies against exact orders and values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fmbs as fm
from fmbs.cli import main
from fmbs.studies import Convergence, Measure, convergence, richardson
from fmbs.studies.convergence import Curve, Refined
from tests.oracles import reissner
from tests.studies import cantilever


def exact_tip() -> float:
    """Vertical displacement of Reissner's beam."""
    nu = 0.3
    stiffness = reissner.rectangle(207e9, nu, 0.1, 0.1, 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu))
    return float(reissner.tip_force(2.0, stiffness, (0.0, 3.0 * 207e9 * 0.1**4 / 12.0 / 4.0)).displacement[1])


@pytest.mark.parametrize("order", [1.0, 2.0, 3.7])
@pytest.mark.parametrize("h", [(0.4, 0.2, 0.1), (0.5, 0.3, 0.1), (1.0, 0.9, 0.2)])
def test_richardson_finds_order_and_limit(order: float, h: tuple[float, ...]) -> None:
    found = richardson(h, [3.0 - 0.7 * x**order for x in h])
    assert found.order == pytest.approx(order, rel=1e-6)
    assert found.value == pytest.approx(3.0, rel=1e-9)
    assert found.uncertainty >= 0.7 * h[-1] ** order


def test_richardson_without_an_order() -> None:
    found = richardson((4, 2, 1), (1.0, 2.0, 1.5))  # not monotone
    assert np.isnan(found.order) and found.value == 1.5 and found.uncertainty == 1.0
    assert np.isnan(richardson((2, 1), (1.0, 1.2)).order)
    assert np.isnan(richardson((4, 2, 1), (1.0, 1.0, 1.0)).order)  # converged already


def test_noise_is_not_taken_for_an_order() -> None:
    """The last three look like order 3; the series before does not."""
    found = richardson((16, 8, 4, 2, 1), (5.0, 1.0, 3.0, 2.2, 2.1))
    assert found.orders[-1] == pytest.approx(3.0) and np.isnan(found.order) and found.uncertainty == pytest.approx(0.9)


@pytest.mark.parametrize(("h", "values"), [((1, 2), (0, 0)), ((1,), (0,)), ((2, 1), (0, np.nan)), ((2, 1), (0, 1, 2))])
def test_richardson_refuses_nonsense(h: tuple[float, ...], values: tuple[float, ...]) -> None:
    with pytest.raises(fm.ModelError, match="richardson"):
        richardson(h, values)


def test_cantilever_converges_as_theory_says() -> None:
    """Structural beams: order 4 (quadratic) and 6 (cubic), as docs/beams.md says; the limit is Reissner's beam."""
    study = convergence(
        cantilever.build, {"elements": (2, 4, 8)}, "position(beam.end).y", curves={"interpolation": ("quadratic", "cubic")}
    )
    orders = [curve.limit.order for curve in study.curves]
    assert orders == pytest.approx([4.0, 6.0], abs=0.7)
    for curve in study.curves:
        assert abs(curve.limit.value - exact_tip()) < curve.limit.uncertainty + 1e-6
    assert len(study.figure(slopes=(4, 6)).axes) == 2


def test_cheapest_is_the_fastest_that_is_good_enough() -> None:
    """Second order, f = 1 + 0.1 h^2, with times made up."""
    runs = tuple(Refined(n, 1.0 + 0.1 / n**2, 10 * n, cpu) for n, cpu in ((1, 1.0), (2, 5.0), (4, 3.0), (8, 9.0)))
    limit = richardson([1 / run.setting for run in runs], [run.value for run in runs])
    study = Convergence("elements", Measure.parse("position(tip).y"), (Curve("one", runs, limit),))
    assert study.cheapest(0.03).run.setting == 4 and study.cheapest(0.03).error == pytest.approx(0.1 / 16)
    assert study.cheapest(0.2).run.setting == 1
    with pytest.raises(fm.ModelError, match="refine more"):
        study.cheapest(1e-5)


def test_second_order_in_the_step() -> None:
    """Generalized-alpha on the rigid pendulum of a ready-made model."""
    study = convergence(
        "flexible_pendulum", {"step": (4e-3, 2e-3, 1e-3)}, "position(tip).y", parameters={"flexible": False}, t_end=0.2
    )
    assert study.curves[0].limit.order == pytest.approx(2.0, abs=0.1)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "figure.png"
    words = ["converge", f"{cantilever.__file__}:build", "elements=1,2,4", "interpolation=cubic", "--out", str(path)]
    words += ["--quantity", "position(beam.end).y", "--reference", f"{exact_tip():.12g}", "--error", "1e-2"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert path.stat().st_size > 1000 and "cheapest for 0.01 m" in told and "elements = 1" not in told.splitlines()[-2]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["flexible_pendulum", "E=1e9,2e9"], "nothing to refine"),
        (["flexible_pendulum", "elements=8,4,8"], "coarse to fine"),
        (["flexible_pendulum", "elements=2"], "nothing to refine"),
        (["flexible_pendulum", "element=2,4"], "Did you mean 'elements'"),
        (["flexible_pendulum", "elements=2,x"], "whole number"),
        (["flexible_pendlum", "elements=2,4"], "flexible_pendulum"),
        (["nowhere.py:build", "elements=2,4"], "no file"),
        (["flexible_pendulum", "elements=1,2", "--t-end", "-1"], "t_end"),
        (["flexible_pendulum", "elements=1,2", "--slopes", "4,x"], "not a number"),
    ],
)
def test_wrong_words(words: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["converge", *words, "--quantity", "position(tip).y"]) == 2
    assert answer in capsys.readouterr().err


@pytest.mark.parametrize(
    "quantity", ["peak(speed(tip))", "top(position(tip))", "position(nose)", "energy(heat)", "impacts(pin)", "x"]
)
def test_wrong_quantities(quantity: str) -> None:
    with pytest.raises(fm.ModelError):
        convergence("flexible_pendulum", {"step": (1e-2, 5e-3)}, quantity, parameters={"flexible": False}, t_end=0.02)
