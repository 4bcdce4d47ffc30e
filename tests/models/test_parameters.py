"""Parameters of models know their units and refuse what makes no sense."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.cli import main
from fmbs.models import MODELS, Quantity, parameters
from fmbs.models.laws import JOINTS


@pytest.mark.parametrize("name", MODELS)
def test_every_parameter_says_what_it_is(name: str) -> None:
    for item in parameters(MODELS[name]):
        assert item.meaning
        assert not isinstance(item.default, float) or item.unit or item.name.endswith(("friction", "restitution", "nu"))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"clearance": -1e-5}, ["clearance", "-1e-05 m", "> 0"]),
        ({"joint": "oily"}, ["joint", "oily", "dry"]),
        ({"contact": "LankaraniNikravech"}, ["Did you mean 'LankaraniNikravesh'"]),
        ({"imperfect": ("wrist",)}, ["imperfect", "wrist pin"]),
        ({"imperfect": "wrist pin"}, ["imperfect", "tuple"]),
        ({"elements": 2.5}, ["elements", "whole number"]),
        ({"flexible": 1}, ["flexible", "True or False"]),
        ({"restitution": 1.5}, ["restitution", "<= 1"]),
        ({"rpm": "fast"}, ["rpm", "not a number"]),
    ],
)
def test_bad_values_are_named(values: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(fm.ModelError) as caught:
        MODELS["slider_crank_planar"](**values)
    assert all(word in str(caught.value) for word in ["slider_crank_planar", *words])


def test_lengths_that_cannot_turn_are_refused() -> None:
    with pytest.raises(fm.ModelError, match="jams"):
        MODELS["slider_crank_planar"](crank_length=0.2).build()
    with pytest.raises(fm.ModelError, match="cannot turn around"):
        MODELS["four_bar"](base_length=0.2).build()


def test_quantities_are_read_from_text() -> None:
    model = MODELS["slider_crank_planar"](joint="lubricated")
    m = model.build()
    sol = m.simulate(1e-4, step=1e-5)
    x = Quantity.parse("position(slider).x").of(sol, m)
    np.testing.assert_array_equal(x, sol.position(m["slider"].com)[:, 0])
    force = Quantity.parse("force(wrist pin)").of(sol, m)
    np.testing.assert_allclose(force, np.linalg.norm(sol.reaction("wrist pin").force, axis=1))
    for text, word in (("speed(slider)", "velocity"), ("slider", "kind"), ("position(slider).z", "plane")):
        with pytest.raises(fm.ModelError, match=word):
            Quantity.parse(text).of(sol, m)


@pytest.mark.parametrize("name", MODELS)
def test_show_explains_a_model(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """On 80 columns: every parameter, every kind of joint, and no name cut short."""
    assert main(["show", name]) == 0
    text = capsys.readouterr().out
    assert "…" not in text
    words = "".join(text.split())
    for item in parameters(MODELS[name]):
        assert item.name in words
    assert all(f"joint={kind}:" in words for kind in JOINTS)
    assert MODELS[name].paper in text


def test_list_names_every_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    text = capsys.readouterr().out
    assert all(model.name in text and model.paper in text for model in MODELS.values())
