"""Laws of other packages: numba kernels, functions of C and classes in Python of one formula give one motion."""

from __future__ import annotations

import ctypes
import importlib
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import fmbs as fm

PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text()
RUN = {"step": 2e-6, "output_step": 2e-5, "progress": False}


def example(fence: str, words: str) -> str:
    """The block of docs/extending.md with these words."""
    return next(block for block in re.findall(rf"```{fence}\n(.*?)```", PAGE, re.DOTALL) if words in block)


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The example of the page, imported from a folder outside the package."""
    folder = tmp_path_factory.mktemp("outside")
    text = example("python", "@fm.jit.law")
    assert len(text.splitlines()) < 100
    (folder / "laws_of_ones_own.py").write_text(text)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("laws_of_ones_own")
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def in_c(outside: ModuleType) -> type[fm.contact.ContactLaw]:
    """The C function of the page, compiled, and the class of the page around it."""
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    folder = Path(outside.__file__ or "").parent
    (folder / "zhiying.c").write_text(example("c", "void zhiying"))
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "zhiying.c", "-o", "zhiying.so"], cwd=folder, check=True)
    names: dict[str, Any] = {"ctypes": ctypes, "fm": fm, "Zhiying": outside.Zhiying}
    exec(example("py", "CDLL").replace("./zhiying.so", str(folder / "zhiying.so")), names)
    return names["ZhiyingInC"]


class InPython(fm.contact.ContactLaw):
    """The formula of the page, for its numbers."""

    def normal_force(self, depth, rate, impact_speed):
        return 1e10 * depth**1.5 * (1 + FACTOR * rate / np.maximum(impact_speed, 1e-5))


class ArctangentInPython(fm.friction.FrictionLaw):
    def mu(self, slip):
        return 0.2 / np.pi * np.arctan(np.asarray(slip) / 1e-3)


class Built(fm.contact.Hertz):
    """A built-in law of the same formula."""

    def hysteresis(self) -> float:
        return FACTOR


FACTOR = 0.75 * (1 - 0.7**2) * math.exp(0.6)
NUMBERS = {"stiffness": 1e10, "restitution": 0.7}


def test_the_example_bounces_as_its_formula_says(outside: ModuleType) -> None:
    """a (1 + e) = ln[(1 + a)/(1 - a e)] of any F = f(d) (1 + a d'/d'(-)); what is lost, impact and rubbing take."""
    exact = brentq(lambda e: FACTOR * (1 + e) - np.log((1 + FACTOR) / (1 - FACTOR * e)), 1e-3, min(0.999, 0.999 / FACTOR))
    sol = outside.sol
    assert outside.first.restitution == pytest.approx(exact, abs=0.01)
    assert abs(sol.energy.balance[-1]) < 1e-4 * sol.energy.kinetic[0]
    normal = 0.5 * 0.14 * outside.first.approach_speed**2 * (1 - exact**2)
    assert outside.lost == pytest.approx(sol.energy.kinetic[0] - sol.energy.kinetic[-1], rel=1e-3)
    assert outside.lost > 0.9 * normal
    assert sol.statistics.in_python == ()


def test_a_built_in_law_of_the_same_formula_gives_the_same_motion(outside: ModuleType) -> None:
    rubbing = outside.Arctangent(0.1, 1e-3)
    ours = outside.bounce(outside.Zhiying(**NUMBERS), rubbing).simulate(0.02, **RUN)
    theirs = outside.bounce(Built(stiffness=1e10), rubbing).simulate(0.02, **RUN)
    assert len(ours.clearance("pin").impacts) > 3
    assert_allclose(ours.q, theirs.q, rtol=0, atol=1e-12 * np.abs(ours.q).max())
    for name in ("kinetic", "elastic", "dissipated"):
        assert_allclose(getattr(ours.energy, name), getattr(theirs.energy, name), rtol=0, atol=1e-11 * ours.energy.kinetic[0])
    ours, theirs = ours.clearance("pin"), theirs.clearance("pin")
    assert_allclose(ours.normal_force, theirs.normal_force, rtol=0, atol=1e-9 * theirs.normal_force.max())


def test_three_forms_of_a_law_give_one_motion(outside: ModuleType, in_c: type[fm.contact.ContactLaw]) -> None:
    compiled, python = outside.Arctangent(0.1, 1e-3), ArctangentInPython()
    laws = [(outside.Zhiying(**NUMBERS), compiled), (in_c(**NUMBERS), compiled), (InPython(), python)]
    one, two, three = (outside.bounce(*pair).simulate(0.02, **RUN) for pair in laws)
    assert len(one.clearance("pin").impacts) > 3
    for other in (two, three):
        assert_allclose(other.q, one.q, rtol=0, atol=1e-12 * np.abs(one.q).max())
        assert_allclose(other.v, one.v, rtol=0, atol=1e-11 * np.abs(one.v).max())
    assert one.statistics.in_python == two.statistics.in_python == ()
    assert three.statistics.in_python[0][1] > 100


def test_forces_and_slopes_of_a_law_from_outside(outside: ModuleType) -> None:
    law, built = outside.Zhiying(**NUMBERS), Built(stiffness=1e10)
    depth, rate = np.array([[-1e-6], [1e-6], [2e-5]]), np.array([-0.01, 0.0, 0.02])
    for ours, theirs in zip(law.differentiated(depth, rate, 0.02), built.differentiated(depth, rate, 0.02), strict=True):
        assert_allclose(ours, theirs, rtol=1e-13)
    assert law.normal_force(1e-6, -1.0, 0.02) == 0.0  # it would pull
    slip = np.array([-0.1, -1e-4, 0.0, 1e-3])
    assert_allclose(outside.Arctangent(0.1, 1e-3).mu(slip), ArctangentInPython().mu(slip), rtol=1e-14)


def test_a_run_with_laws_from_outside_is_saved_and_loaded(outside: ModuleType, tmp_path: Path) -> None:
    outside.sol.save(tmp_path / "run.h5")
    loaded = fm.load(tmp_path / "run.h5", classes=[outside.Zhiying, outside.Arctangent])
    assert type(loaded.model["pin"].contact) is outside.Zhiying
    ours, theirs = loaded.clearance("pin"), outside.sol.clearance("pin")
    assert_allclose(ours.normal_force, theirs.normal_force, rtol=1e-12)
    assert ours.impacts[0].restitution == pytest.approx(outside.first.restitution)


def test_an_equilibrium_rests_on_a_law_from_outside(outside: ModuleType) -> None:
    """K d^1.5 = m g."""
    m = fm.Model("rest", gravity=(0, -9.81))
    ball = m.add(fm.PlanarBody("ball", mass=0.14, inertia=1e-5, com=(0, -4.9e-5)))
    m.add(fm.Prismatic(m.ground.at(0, -4.9e-5), ball.com, axis=(0, 1)))
    gap = {"bearing_radius": 0.01, "clearance": 5e-5}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), ball.com, **gap, contact=outside.Zhiying(**NUMBERS)))
    depth = (0.14 * 9.81 / 1e10) ** (2 / 3)
    sol = m.equilibrium()
    assert np.linalg.norm(sol.position(ball.com)[-1]) == pytest.approx(5e-5 + depth, rel=1e-6)


@fm.jit.law
def without_slopes(p, depth, rate, impact_speed, depth_0, memory_0, h, out):
    out[0] = p[0] * depth * math.sqrt(depth) * (1.0 + p[1] * rate / max(impact_speed, 1e-5))


class WithoutSlopes(fm.contact.ContactLaw, kernel=without_slopes):
    def parameters(self):
        return 1e10, FACTOR


def test_slopes_that_a_law_leaves_out_are_differenced(outside: ModuleType) -> None:
    whole, bare = outside.Zhiying(**NUMBERS), WithoutSlopes()
    for ours, theirs in zip(bare.differentiated(1e-6, 0.01, 0.02), whole.differentiated(1e-6, 0.01, 0.02), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-9)
    rubbing = outside.Arctangent(0.1, 1e-3)
    one, two = (outside.bounce(law, rubbing).simulate(0.02, **RUN) for law in (whole, bare))
    assert_allclose(one.q, two.q, rtol=0, atol=1e-12 * np.abs(one.q).max())
    assert two.statistics.in_python == ()


class Doubled(WithoutSlopes):
    def normal_force(self, depth, rate, impact_speed):
        return 2.0 * super().normal_force(depth, rate, impact_speed)


def test_a_formula_in_python_below_a_kernel_is_the_one_that_counts() -> None:
    assert Doubled().in_python and not WithoutSlopes().in_python
    assert Doubled().normal_force(1e-6, 0.0, 1.0) == pytest.approx(2e10 * 1e-9)


class Half(fm.friction.Ambrosio):
    def mu(self, slip):
        return 0.5 * super().mu(slip)


def test_the_same_for_friction() -> None:
    assert Half(0.2, 1e-3, 1e-2).in_python
    assert Half(0.2, 1e-3, 1e-2).mu(1.0) == pytest.approx(0.1)


@fm.jit.law
def creep(p, depth, rate, impact_speed, depth_0, memory_0, h, out):
    """A spring in series with a damper, as `fm.contact.Maxwell`, p = K, c."""
    x = h * p[0] / p[1]
    memory = memory_0
    if h > 0.0:
        memory = memory_0 * math.exp(-x) - p[0] * (depth - max(depth_0, 0.0)) * math.expm1(-x) / x
    out[0], out[3] = memory, max(memory, 0.0)
    out[4] = 0.5 * out[3] ** 2 / p[0]


class Creep(fm.contact.ContactLaw, kernel=creep):
    def parameters(self):
        return 1e7, 1e3


def test_a_law_from_outside_has_a_memory(outside: ModuleType) -> None:
    rubbing = outside.Arctangent(0.1, 1e-3)
    built = fm.contact.Maxwell(stiffness=1e7, damping=1e3)
    one, two = (outside.bounce(law, rubbing).simulate(0.02, **RUN) for law in (Creep(), built))
    assert len(two.clearance("pin").impacts) > 1
    assert_allclose(one.q, two.q, rtol=0, atol=1e-10 * np.abs(two.q).max())
    assert_allclose(one.energy.elastic, two.energy.elastic, rtol=0, atol=1e-9 * two.energy.kinetic[0])


@fm.jit.law
def too_short(p, depth, rate, impact_speed, h, out):
    out[0] = p[0] * depth


@fm.jit.law
def of_whole_numbers(p: np.ndarray, depth: int, rate, impact_speed, depth_0, memory_0, h, out) -> None:
    out[0] = p[0] * depth


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (too_short, r"too_short\(p, depth, rate, impact_speed, h, out\) takes 6 arguments"),
        (of_whole_numbers, "of_whole_numbers.* passes float64 for 'depth'"),
        (lambda *_: None, "is not a kernel"),
        (ctypes.CDLL(None).abs, "C function abs .*not declared.*argtypes and restype"),
        (ctypes.CFUNCTYPE(None, ctypes.c_double)(0), r"\(double\).*double \*, double, "),
        (ctypes.CFUNCTYPE(ctypes.c_double, *fm.contact.ContactLaw.slot.c_type._argtypes_)(0), "returns c_double"),
        (fm.contact.ContactLaw.slot.c_type(), "address 0"),
        (12345678, "is not a kernel"),
    ],
    ids=["arguments", "annotations", "python", "undeclared C", "other C", "result", "nothing there", "bare address"],
)
def test_a_kernel_of_another_signature_is_an_error_that_names_both(kernel: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why) as caught:
        type("Wrong", (fm.contact.ContactLaw,), {}, kernel=kernel)
    assert "contact law(numbers, float64, float64, float64, float64, float64, float64, numbers)" in str(caught.value)


def test_parameters_are_finite_numbers() -> None:
    law = type("Endless", (WithoutSlopes,), {"parameters": lambda self: (math.inf, 1.0)})()
    with pytest.raises(fm.ModelError, match=r"Endless: parameters\(\) = \(inf, 1.0\)"):
        law.normal_force(1e-6, 0.0, 1.0)
