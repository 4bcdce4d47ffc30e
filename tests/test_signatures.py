"""The methods of a model show their arguments; misspelt arguments are answered with the nearest ones."""

from __future__ import annotations

import inspect
import sys
from subprocess import run
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs import analysis
from fmbs.export.files import to_meshio, to_vtk
from fmbs.export.pictures import animate, render
from fmbs.export.report import report

ANALYSES = ["simulate", "kinematics", "equilibrium", "modes", "buckling", "linearise", "steady"]


def parameters(function: Any) -> dict[str, tuple[Any, Any, str]]:
    """Kind, default and annotation of all arguments but the first, which is the model."""
    found = list(inspect.signature(function).parameters.values())[1:]
    return {p.name: (p.kind, p.default, p.annotation) for p in found}


DOORS = [(fm.Model, getattr(analysis, name)) for name in ANALYSES]
DOORS += [(fm.Solution, function) for function in (to_vtk, to_meshio, report, render, animate)]


@pytest.mark.parametrize(("kind", "function"), DOORS, ids=[function.__name__ for _, function in DOORS])
def test_method_has_the_signature_of_the_function(kind: type, function: Any):
    method = getattr(kind, function.__name__)
    assert parameters(method) == parameters(function)
    assert inspect.signature(method).return_annotation == inspect.signature(function).return_annotation


@pytest.mark.parametrize("name", ANALYSES)
def test_method_hands_every_argument_on(name: str, monkeypatch: pytest.MonkeyPatch):
    got: dict[str, Any] = {}

    def record(model: fm.Model, *arguments: Any, **options: Any) -> None:
        names = list(parameters(getattr(fm.Model, name)))
        got.update(options | dict(zip(names, arguments)))

    monkeypatch.setattr(analysis, name, record)
    given = {argument: object() for argument in parameters(getattr(fm.Model, name))}
    getattr(fm.Model("arm"), name)(**given)
    assert got == given


@pytest.mark.parametrize(("kind", "function"), DOORS[len(ANALYSES) :], ids=[f.__name__ for _, f in DOORS[len(ANALYSES) :]])
def test_solution_hands_every_argument_on(kind: type, function: Any, monkeypatch: pytest.MonkeyPatch):
    got: dict[str, Any] = {}
    monkeypatch.setattr(sys.modules[function.__module__], function.__name__, lambda sol, path, **options: got.update(options))
    given = {argument: object() for argument in parameters(function) if argument != "path"}
    getattr(object.__new__(kind), function.__name__)("file", **given)
    assert got == given


def test_signatures_cost_no_import():
    """The analyses, and what they need, are loaded when the first one is called."""
    code = "import sys, inspect, fmbs; inspect.signature(fmbs.Model.simulate); print('fmbs.analysis' in sys.modules)"
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


model = fm.Model("arm")
body = model.add(fm.RigidBody("rod", mass=1.0, inertia=np.eye(3)))
steel = fm.Material(E=2e11, density=7850)
ground, com = model.ground.at(0, 0, 0), body.com

MISSPELT = {
    "simulate": (lambda: model.simulate(1.0, stpe=1e-3), "arm: simulate", "'stpe'", "'step'"),
    "equilibrium": (lambda: model.equilibrium(load_step=3), "arm: equilibrium", "'load_step'", "'load_steps'"),
    "kinematics": (lambda: model.kinematics(t=0.0, assembly=1.0), "arm: kinematics", "'assembly'", "'assembly_tolerance'"),
    "modes": (lambda: model.modes(3, att=None), "arm: modes", "'att'", "'at'"),
    "buckling": (lambda: model.buckling(linearsolver="scipy"), "arm: buckling", "'linearsolver'", "'linear_solver'"),
    "model": (lambda: fm.Model("arm", gravitiy=(0, 0, -9.81)), "Model 'arm'", "'gravitiy'", "'gravity'"),
    "rigid body": (lambda: fm.RigidBody("rod", mas=1.0, inertia=np.eye(3)), "RigidBody 'rod'", "'mas'", "'mass'"),
    "beam": (lambda: fm.Beam("rod", elemnts=3), "Beam 'rod'", "'elemnts'", "'elements'"),
    "joint": (lambda: fm.Revolute(ground, com, name="pin", axes=(0, 0, 1)), "Revolute 'pin'", "'axes'", "'axis'"),
    "drive": (lambda: fm.RotationDrive(ground, com, spede=1.0), "RotationDrive", "'spede'", "'speed'"),
    "force": (lambda: fm.PointForce(com, froce=(0, 0, 1)), "PointForce", "'froce'", "'force'"),
    "spring": (lambda: fm.SpringDamper(ground, com, stifness=1.0), "SpringDamper", "'stifness'", "'stiffness'"),
    "clearance": (
        lambda: fm.ClearanceSpherical(ground, com, clearence=1e-4), "ClearanceSpherical", "'clearence'", "'clearance'",
    ),
    "material": (lambda: fm.Material(E=1.0, densty=1.0), "Material", "'densty'", "'density'"),
    "section": (lambda: fm.Circle(raduis=1.0), "Circle", "'raduis'", "'radius'"),
    "contact law": (lambda: fm.contact.Flores(restitutoin=0.9), "Flores", "'restitutoin'", "'restitution'"),
    "friction law": (lambda: fm.friction.Ambrosio(coeficient=0.1), "Ambrosio", "'coeficient'", "'coefficient'"),
    "film": (lambda: fm.film.ShortBearing(viscosty=0.1), "ShortBearing", "'viscosty'", "'viscosity'"),
}  # fmt: skip


def test_misspelt_argument_of_a_picture():
    sol = object()
    for action, given, meant in ((to_vtk, "evry", "every"), (to_meshio, "shape", "shapes"), (report, "titel", "title")):
        with pytest.raises(fm.ModelError, match=f"{action.__name__}: there is no argument '{given}'. Did you mean '{meant}'"):
            action(sol, "run", **{given: 1})


@pytest.mark.parametrize("name", MISSPELT)
def test_misspelt_argument(name: str):
    action, part, given, meant = MISSPELT[name]
    with pytest.raises(fm.ModelError, match=f"^{part}: there is no argument {given}. Did you mean .*{meant}") as caught:
        action()
    assert isinstance(caught.value, TypeError)


def test_own_parts_may_take_any_argument():
    class Pin(fm.Spherical):
        def __init__(self, a: fm.Marker, b: fm.Marker, **options: Any) -> None:
            super().__init__(a, b, name=options["label"])

    assert Pin(ground, com, label="pin").name == "pin"
