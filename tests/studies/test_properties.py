"""Whatever people write, they get a model or a clear answer: never a traceback, never a hang."""

from __future__ import annotations

import contextlib
import io
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fmbs as fm
from fmbs.cli import main
from fmbs.models import MODELS, Quantity, parameters
from fmbs.studies import Measure, grid, latin_hypercube, richardson

QUICK = settings(
    max_examples=60, derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
ODD = st.one_of(
    st.floats(), st.integers(-3, 10**9), st.text(max_size=6), st.none(), st.booleans(), st.lists(st.floats(), max_size=4)
)
NAMES = sorted(MODELS)


def told(words: list[str]) -> tuple[int, str]:
    """Exit code and what was printed; argparse leaves with SystemExit."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = main(words)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
    return code, out.getvalue()


@QUICK
@given(mass=ODD, inertia=ODD, com=ODD, spin=ODD)
def test_bodies_are_made_or_refused(mass: object, inertia: object, com: object, spin: object) -> None:
    for body in (fm.PlanarBody, fm.RigidBody):
        with contextlib.suppress(fm.ModelError):
            body("part", mass=mass, inertia=inertia, com=com, spin=spin)  # type: ignore[arg-type]


@QUICK
@given(E=ODD, nu=ODD, density=ODD, side=ODD, end=ODD, elements=ODD)
def test_beams_are_made_or_refused(E: object, nu: object, density: object, side: object, end: object, elements: object) -> None:
    if isinstance(elements, int) and elements > 1000:
        elements = 3  # as many as there is memory is no mistake
    with contextlib.suppress(fm.ModelError):
        material = fm.Material(E=E, nu=nu, density=density)  # type: ignore[arg-type]
        fm.Beam("rod", start=(0, 0, 0), end=end, section=fm.Rectangle(side, side), material=material, elements=elements)  # type: ignore[arg-type]


@QUICK
@given(data=st.data(), name=st.sampled_from(NAMES))
def test_ready_made_models_are_built_or_refused(data: st.DataObject, name: str) -> None:
    item = data.draw(st.sampled_from(parameters(MODELS[name])))
    value = data.draw(ODD if not item.choices else st.one_of(ODD, st.sampled_from(item.choices)))
    if item.name == "elements" and isinstance(value, int):
        value = min(value, 50)
    with contextlib.suppress(fm.ModelError):
        MODELS[name](**{item.name: value}).build()


@QUICK
@given(
    data=st.data(),
    kind=st.sampled_from(["Revolute", "Prismatic", "Distance", "PointOnLine", "Fixed", "Torque", "SpringDamper"]),
)
def test_joints_and_forces_are_made_or_refused(data: st.DataObject, kind: str) -> None:
    """Odd arguments on bodies that are right; what is made can be assembled, or says why not."""
    m = fm.Model("odd", gravity=(0, -9.81))
    body = m.add(fm.PlanarBody("body", mass=1.0, inertia=1.0, com=(1, 0)))
    a, b = m.ground.at(0, 0), body.at(0, 0)
    words = {
        "Revolute": {"name": ODD}, "Prismatic": {"axis": ODD}, "Distance": {"name": ODD}, "PointOnLine": {"axis": ODD},
        "Fixed": {"name": ODD}, "Torque": {}, "SpringDamper": {"stiffness": ODD, "length": ODD, "damping": ODD},
    }[kind]  # fmt: skip
    given_ = {key: data.draw(value) for key, value in words.items()}
    ends = (b, data.draw(ODD)) if kind == "Torque" else (a, b)
    with contextlib.suppress(fm.ModelError), warnings.catch_warnings():
        warnings.simplefilter("ignore", fm.RedundantConstraints)
        m.add(getattr(fm, kind)(*ends, **given_))
        m.system()


@QUICK
@given(radius=ODD, clearance=ODD, length=ODD, restitution=ODD, coefficient=ODD, viscosity=ODD)
def test_clearance_joints_are_made_or_refused(
    radius: object, clearance: object, length: object, restitution: object, coefficient: object, viscosity: object
) -> None:
    steel = fm.Material(E=207e9, nu=0.3, density=7850.0)
    m = fm.Model("odd", gravity=(0, -9.81))
    body = m.add(fm.PlanarBody("body", mass=1.0, inertia=1.0, com=(1, 0)))
    with contextlib.suppress(fm.ModelError):
        contact = fm.contact.LankaraniNikravesh(restitution=restitution, materials=(steel, steel))  # type: ignore[arg-type]
        friction = fm.friction.Ambrosio(coefficient, 1e-3, 1e-2)  # type: ignore[arg-type]
        film = fm.film.LongBearing(viscosity)  # type: ignore[arg-type]
        m.add(
            fm.ClearanceRevolute(
                m.ground.at(0, 0), body.at(0, 0), bearing_radius=radius, clearance=clearance, length=length,  # type: ignore[arg-type]
                contact=contact, friction=friction, film=film,
            )
        )  # fmt: skip
        m.system()


@QUICK
@given(t_end=ODD, step=ODD, tolerance=ODD, output_step=ODD, solver=st.text(max_size=4))
def test_wrong_settings_are_refused(t_end: object, step: object, tolerance: object, output_step: object, solver: str) -> None:
    """No linear solver has a name of four letters or less, so nothing runs."""
    m = fm.Model("odd", gravity=(0, -9.81))
    m.add(fm.PlanarBody("body", mass=1.0, inertia=1.0, com=(1, 0)))
    with pytest.raises(fm.ModelError):
        m.simulate(t_end, step=step, tolerance=tolerance, output_step=output_step, linear_solver=solver)  # type: ignore[arg-type]


@QUICK
@given(st.text(max_size=20))
def test_quantities_are_parsed_or_refused(text: str) -> None:
    for parse in (Quantity.parse, Measure.parse):
        with contextlib.suppress(fm.ModelError):
            assert parse(str(parse(text))) == parse(text)  # type: ignore[operator]


WORD = st.one_of(
    st.text(max_size=8), st.sampled_from(["elements=2,4", "E=1e9:2e9:3", "step=1e-3,x", "joint=dry", "E=::", "E=1,,2"])
)


@QUICK
@given(command=st.sampled_from(["show", "run", "converge", "sweep", "plot", "view", "fly"]), words=st.lists(WORD, max_size=3))
def test_command_lines_are_answered(command: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here names a model, so nothing runs."""
    monkeypatch.chdir(tmp_path)
    code, text = told([command, *words])
    assert code in (0, 2) and "Traceback" not in text and text


NUMBER = st.sampled_from(["nan", "inf", "-1", "0", "x", "", "1e-3"])
OPTIONS = ("--t-end", "--step", "--tolerance", "--output-step")


@QUICK
@given(name=st.sampled_from(NAMES), options=st.lists(st.tuples(st.sampled_from(OPTIONS), NUMBER), max_size=3), word=WORD)
def test_options_of_runs_are_answered(
    name: str, options: list[tuple[str, str]], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no such linear solver, so nothing runs."""
    monkeypatch.chdir(tmp_path)
    code, text = told(["run", name, word, *(each for pair in options for each in pair), "--linear-solver", "abacus"])
    assert code == 2 and "Traceback" not in text and text


@QUICK
@given(command=st.sampled_from(["reproduce", "completion", "list", "demo", ""]), words=st.lists(WORD, min_size=1, max_size=3))
def test_other_commands_are_answered(command: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = told([command, *words])
    assert code in (0, 2) and "Traceback" not in text and text


@QUICK
@given(word=WORD, name=st.sampled_from(NAMES), command=st.sampled_from(["converge", "sweep"]))
def test_studies_of_models_are_answered(
    word: str, name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quantity is wrong in every case, so nothing runs either."""
    monkeypatch.chdir(tmp_path)
    option = "--quantity" if command == "converge" else "--measure"
    code, text = told([command, name, word, option, "nonsense"])
    assert code == 2 and "Traceback" not in text and list(tmp_path.iterdir()) == []


@QUICK
@given(st.lists(st.floats(), min_size=1, max_size=6), st.lists(st.floats(), min_size=1, max_size=6))
def test_richardson_is_finite_or_refuses(h: list[float], values: list[float]) -> None:
    with contextlib.suppress(fm.ModelError), np.errstate(over="ignore", invalid="ignore"):
        found = richardson(h, values)
        assert found.uncertainty >= 0.0


@QUICK
@given(st.dictionaries(st.text(min_size=1, max_size=3), st.lists(ODD, max_size=3), max_size=3), st.integers(-1, 5))
def test_designs_are_made_or_refused(values: dict[str, list[object]], count: int) -> None:
    for cases in (lambda: grid(values), lambda: latin_hypercube(values, count)):
        with contextlib.suppress(fm.ModelError):
            assert all(set(case) == set(values) for case in cases())
