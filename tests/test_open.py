"""Nothing in fmbs asks for the class of a part or law outside the folder of that class: what it can do counts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import fmbs as fm

ROOT = Path(__file__).parents[1] / "fmbs"
CLOSED = ("elements", "joints", "forces", "laws")  # folders of parts and laws, which anyone may add to


def imported(tree: ast.Module) -> dict[str, type]:
    """Classes that a file knows by name, also those that it imports for annotations only or inside of functions."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("fmbs"):
            for alias in node.names:
                value = getattr(import_module(node.module), alias.name, None)
                if isinstance(value, type):
                    found[alias.asname or alias.name] = value
    return found


def asked(tree: ast.Module) -> Iterator[ast.expr]:
    """Classes in isinstance(x, K), issubclass(x, K), type(x) is K, type(x) in {K: ...} and match x: case K()."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass"):
            yield node.args[1]
        elif isinstance(node, ast.Compare) and any("type(" in ast.unparse(side) for side in (node.left, *node.comparators)):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.MatchClass):
            yield node.cls


def closed_questions(code: str, folder: str) -> list[str]:
    """Classes of parts and laws, of other folders than this one, that the code asks for."""
    tree = ast.parse(code)
    names, found = imported(tree), []
    for question in asked(tree):
        for node in ast.walk(question):
            kind = names.get(node.id) if isinstance(node, ast.Name) else None
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("fm", "fmbs"):
                kind = getattr(fm, node.attr, None)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                kind = getattr(fm, node.value, None)  # type(x).__name__ == "Beam"
            home = kind.__module__.split(".") if isinstance(kind, type) else [""]
            if home[0] == "fmbs" and home[1] in CLOSED and home[1] != folder:
                found.append(ast.unparse(question))
    return found


def test_the_search_finds_what_it_looks_for():
    code = """
import fmbs as fm
from fmbs.elements.beam import Beam
from fmbs.core.optional import DrawnBody
a = isinstance(x, Beam), isinstance(x, (str, fm.Pipe)), issubclass(k, Beam | int), type(x) is Beam, type(x).__name__ == "Beam"
b = isinstance(x, DrawnBody), isinstance(x, str), Beam("rod"), name == "Beam"
match x:
    case Beam():
        pass
"""
    assert len(closed_questions(code, "export")) == 6
    assert closed_questions(code, "elements") == []


def test_no_class_of_a_part_or_law_is_asked_for_outside_its_folder():
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT)
        questions = closed_questions(path.read_text(), place.parts[0])
        if questions:
            found[str(place)] = questions
    assert found == {}
