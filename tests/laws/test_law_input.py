"""Bad input of laws is refused with part, argument, value and remedy; good input fills what is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

STEEL = fm.Material(E=207e9, nu=0.3, density=7850)
BRONZE = fm.Material(E=110e9, nu=0.34, density=8800)
PAIR = (STEEL, STEEL)
C, F = fm.contact, fm.friction
CURVE = {"static": 0.3, "kinetic": 0.2, "stribeck_speed": 0.01}

BAD: dict[str, tuple[Callable[..., Any], dict[str, Any], str]] = {
    "restitution 0": (C.LankaraniNikravesh, {"restitution": 0.0}, "LankaraniNikravesh | restitution = 0 | (0, 1]"),
    "restitution 1.2": (C.Flores, {"restitution": 1.2}, "Flores | restitution = 1.2 | (0, 1]"),
    "restitution in words": (C.HuntCrossley, {"restitution": "high"}, "HuntCrossley | restitution = 'high' | not a number"),
    "restitution nan": (C.ESDU78035, {"restitution": np.nan, "materials": PAIR}, "ESDU78035 | restitution = nan | not finite"),
    "exponent": (C.Hertz, {"exponent": -1.5}, "Hertz | exponent = -1.5 | positive"),
    "stiffness": (C.Hertz, {"stiffness": 0.0}, "Hertz | stiffness = 0 | positive"),
    "one material": (
        C.Hertz,
        {"materials": STEEL},
        "Hertz | materials | not a pair | (material of the bearing, of the journal)",
    ),
    "three materials": (C.ESDU78035, {"materials": (*PAIR, STEEL)}, "ESDU78035 | materials | not a pair"),
    "spring": (C.KelvinVoigt, {"stiffness": -1.0, "damping": 1.0}, "KelvinVoigt | stiffness = -1 | positive"),
    "damper": (C.KelvinVoigt, {"stiffness": 1.0, "damping": -1.0}, "KelvinVoigt | damping = -1 | not be negative"),
    "no damper": (C.Maxwell, {"stiffness": 1.0, "damping": 0.0}, "Maxwell | damping = 0 | positive"),
    "second spring": (
        C.StandardLinearSolid,
        {"stiffness": 1.0, "damping": 1.0, "parallel_stiffness": 0.0},
        "StandardLinearSolid | parallel_stiffness = 0 | positive",
    ),
    "length": (C.DubowskyFreudenstein, {"materials": PAIR, "length": -0.1}, "DubowskyFreudenstein | length = -0.1 | positive"),
    "coefficient": (F.Ambrosio, {"coefficient": -0.1, "v0": 0.0, "v1": 1.0}, "Ambrosio | coefficient = -0.1 | not be negative"),
    "limits swapped": (F.Ambrosio, {"coefficient": 0.1, "v0": 1.0, "v1": 0.5}, "Ambrosio | v1 = 0.5 | above v0 = 1"),
    "static below kinetic": (F.Stribeck, CURVE | {"static": 0.1}, "Stribeck | static = 0.1 | below kinetic = 0.2"),
    "no kinetic friction": (F.LuGre, CURVE | {"kinetic": 0.0}, "LuGre | kinetic = 0 | positive"),
    "Stribeck speed": (F.LuGre, CURVE | {"stribeck_speed": 0.0}, "LuGre | stribeck_speed = 0 | positive"),
    "bristles": (F.LuGre, CURVE | {"stiffness": -1.0}, "LuGre | stiffness = -1 | positive"),
    "bristle damping": (F.LuGre, CURVE | {"damping": -1.0}, "LuGre | damping = -1 | not be negative"),
    "smooth bristles": (F.LuGre, CURVE | {"smooth_speed": 1e-3}, "LuGre | smooth_speed | steady_state=True"),
    "smooth speed": (F.Stribeck, CURVE | {"smooth_speed": 0.0}, "Stribeck | smooth_speed = 0 | positive"),
    "viscous": (F.Stribeck, CURVE | {"viscous": -1.0}, "Stribeck | viscous = -1 | not be negative"),
}


def refused(words: str, action: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    """The action raises a ModelError with these words in this order."""
    with pytest.raises(fm.ModelError) as caught:
        action(*arguments, **options)
    text, place = str(caught.value), 0
    for word in words.split(" | "):
        assert word in text[place:], f"{word!r} is not (in order) in: {text}"
        place = text.index(word, place) + len(word)


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name: str) -> None:
    law, options, words = BAD[name]
    refused(words, law, **options)


def test_a_law_without_stiffness_asks_for_it() -> None:
    law = C.LankaraniNikravesh(restitution=0.9)
    refused(
        "pin | LankaraniNikravesh | no stiffness and no materials | stiffness= | materials=", law.bound, "pin", 0.01, 0.0099
    )
    refused("LankaraniNikravesh | no stiffness | stiffness= | materials=", law.normal_force, 1e-6, 0.1, 1.0)
    law = C.Hertz(materials=PAIR)
    refused("Hertz | no stiffness and the contact no radii | stiffness= in N/m^n", law.normal_force, 1e-6, 0.1, 1.0)
    refused("guide | Hertz | no radii | stiffness=", law.bound, "guide")


def test_a_cylinder_law_asks_for_its_measures() -> None:
    law = C.ESDU78035(materials=PAIR)
    refused("pin | ESDU78035 | length | joint", law.bound, "pin", 0.01, 0.0099)
    refused("ESDU78035 | length", law.normal_force, 1e-6, 0.0, 1.0)
    refused("pin | ESDU78035 | bearing_radius", law.bound, "pin", length=0.02)
    refused("pin | bearing_radius = 0.01, journal_radius = 0.011 | smaller", law.bound, "pin", 0.01, 0.011, 0.02)
    assert C.ESDU78035(materials=PAIR, length=0.05).bound("pin", 0.01, 0.0099, 0.02).length == 0.05


def test_stiffness_of_the_papers() -> None:
    """Flores2006's joint, reference.json: 2.139e11; Chen2020's plus sign makes it 20 times softer for 50 um in 10 mm."""
    K = C.hertz_stiffness(0.01, 0.01 - 5e-5, *PAIR)
    assert pytest.approx(213926325845.4833, rel=1e-12) == K
    assert C.Hertz(materials=PAIR).bound("pin", 0.01, 0.01 - 5e-5, 0.02).stiffness == K
    assert C.Hertz(materials=PAIR, stiffness=7.0).bound("pin", 0.01, 0.01 - 5e-5, 0.02).stiffness == 7.0
    assert C.chen2020_stiffness(0.01, 0.01 - 5e-5, *PAIR) == pytest.approx(K * np.sqrt(5e-5 / (0.02 - 5e-5)), rel=1e-10)
    refused("hertz_stiffness | journal_radius = 0.01 | smaller", C.hertz_stiffness, 0.01, 0.01, *PAIR)


def test_speed_limit_is_that_of_the_slower_wave() -> None:
    slow = 1e-5 * np.sqrt(110e9 / 8800)
    assert C.Hertz(materials=(STEEL, BRONZE)).speed_limit == pytest.approx(slow)
    assert C.ESDU78035(materials=(BRONZE, STEEL)).speed_limit == pytest.approx(slow)
    assert C.Hertz(stiffness=1e8).speed_limit == np.inf
    assert C.KelvinVoigt(stiffness=1.0, damping=1.0).speed_limit == np.inf


@dataclass(frozen=True, kw_only=True)
class Rubber(fm.contact.ContactLaw):
    """F = K d (1 + d/d_0) + c d d': it pulls when it leaves fast, which fmbs does not let it do."""

    stiffness: float
    hardening: float
    damping: float

    def normal_force(self, depth, rate, impact_speed):
        return self.stiffness * depth * (1 + depth / self.hardening) + self.damping * depth * rate


class Twice(fm.contact.HuntCrossley):
    def normal_force(self, depth, rate, impact_speed):
        return 2 * super().normal_force(depth, rate, impact_speed)


def test_a_law_of_ones_own() -> None:
    law = Rubber(stiffness=1e5, hardening=1e-3, damping=1e4)
    assert law.in_python and law.bound("pin", 0.01, 0.009, 0.02) is law and law.speed_limit == np.inf
    depth, rate = np.array([[-1e-4], [1e-4], [2e-4]]), np.array([-100.0, 0.0, 1.0])
    force, by_depth, by_rate = law.differentiated(depth, rate, 0.1)
    touching = (depth > 0) & (rate > -50)
    assert_allclose(force, np.where(touching, law.normal_force(depth, rate, 0.1), 0.0))
    assert_allclose(by_depth, np.where(touching, 1e5 * (1 + 2 * depth / 1e-3) + 1e4 * rate, 0.0), rtol=1e-8)
    assert_allclose(by_rate, np.where(touching, 1e4 * depth, 0.0), rtol=1e-8)


def test_a_law_derived_from_a_built_in_one_is_not_taken_for_it() -> None:
    parent, law = C.HuntCrossley(restitution=0.7, stiffness=1e9), Twice(restitution=0.7, stiffness=1e9)
    assert law.in_python and not parent.in_python
    for own, built_in in zip(law.differentiated(1e-5, 0.1, 0.3), parent.differentiated(1e-5, 0.1, 0.3), strict=True):
        assert own == pytest.approx(2 * built_in, rel=1e-8)


def test_laws_that_lack_their_formula_say_so() -> None:
    refused("ContactLaw | defines normal_force", fm.contact.ContactLaw().normal_force, 1.0, 1.0, 1.0)
    refused("FrictionLaw | defines mu", fm.friction.FrictionLaw().mu, 1.0)
