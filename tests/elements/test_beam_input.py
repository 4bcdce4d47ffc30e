"""Bad input of beams: a ModelError that names the part, the argument and what to give instead."""

from __future__ import annotations

import numpy as np
import pytest

import fmbs as fm
from tests.elements.beam_cases import BAR, STEEL

GENERAL = fm.GeneralSection(A=0.01, I_y=1e-5, I_z=1e-5, Jt=2e-5)
GOOD = {"start": (0, 0, 0), "end": (1, 0, 0), "section": BAR, "material": STEEL, "elements": 2}
CURVED = {"start": None, "end": None}

BAD_BEAMS = {  # what is wrong: (arguments, words of the message)
    "zero length": ({"end": (0, 0, 0)}, "coincide"),
    "no end": ({"end": None}, "end="),
    "no ends, no curve": (CURVED, "curve="),
    "ends and a curve": ({"curve": [(0, 0, 0), (1, 0, 0)]}, "both"),
    "end not finite": ({"end": (np.nan, 0, 0)}, "finite"),
    "end of two numbers": ({"end": (1, 0)}, "3 numbers"),
    "no elements": ({"elements": 0}, "elements = 0"),
    "negative elements": ({"elements": -3}, "elements = -3"),
    "half an element": ({"elements": 2.5}, "whole number"),
    "elements in words": ({"elements": "two"}, "whole number"),
    "up along the axis": ({"up": (2, 0, 0)}, "parallel"),
    "up against the axis": ({"up": (-1, 0, 0)}, "parallel"),
    "up is zero": ({"up": (0, 0, 0)}, "up"),
    "up of two numbers": ({"up": (0, 1)}, "up"),
    "up(s) along the axis somewhere": ({"up": lambda s: (s, 0, 1 - s)}, "parallel"),
    "up not finite": ({"up": (0, 0, np.inf)}, "up"),
    "interpolation": ({"interpolation": "cubc"}, "'cubic'"),
    "formulation": ({"formulation": "structual"}, "'structural'"),
    "general section, continuum": ({"section": GENERAL, "formulation": "continuum"}, "'structural'"),
    "general section, enhanced": ({"section": GENERAL, "formulation": "enhanced"}, "'structural'"),
    "section is a number": ({"section": 0.01}, "fm.Rectangle"),
    "material is a number": ({"material": 2e11}, "fm.Material"),
    "velocity": ({"velocity": (1, 2)}, "velocity"),
    "spin": ({"spin": (1, 2, np.nan)}, "spin"),
    "about": ({"about": "here"}, "about"),
    "curve of one point": ({**CURVED, "curve": [(0, 0, 0)]}, "2 or more finite points"),
    "curve in the plane": ({**CURVED, "curve": [(0, 0), (1, 0)]}, "points"),
    "curve with a double point": ({**CURVED, "curve": [(0, 0, 0), (0, 0, 0), (1, 0, 0)]}, "two equal points"),
    "curve not finite": ({**CURVED, "curve": [(0, 0, 0), (1, np.nan, 0)]}, "curve"),
    "curve(s) of two numbers": ({**CURVED, "curve": lambda s: (s, 0)}, "curve"),
    "curve(s) that stands still": ({**CURVED, "curve": lambda s: (1, 2, 3)}, "curve"),
    "curve that turns into up": ({**CURVED, "curve": lambda s: (np.cos(3 * s), 0, np.sin(3 * s))}, "parallel"),
}


@pytest.mark.parametrize("wrong", BAD_BEAMS)
def test_beam(wrong: str):
    arguments, words = BAD_BEAMS[wrong]
    with pytest.raises(fm.ModelError) as error:
        fm.Beam("left link", **{**GOOD, **arguments})
    message = str(error.value)
    assert message.startswith("left link: ")
    assert words in message
    assert message.endswith(".") and len(message) > 40  # a sentence that says what to do


FLAT = {**GOOD, "start": (0, 0), "end": (1, 0)}
LINKS = {fm.Beam: GOOD, fm.Cable: {**GOOD, "section": fm.Circle(0.1)}, fm.PlanarBeam: FLAT}
BAD_LINKS = {  # arguments that all links share
    "zero length": (lambda good: {"end": good["start"]}, "coincide at (0, 0"),
    "no end": (lambda good: {"end": None}, "end="),
    "end of one number": (lambda good: {"end": (1.0,)}, "end = (1.0,)"),
    "no elements": (lambda good: {"elements": 0}, "elements = 0"),
    "half an element": (lambda good: {"elements": 2.5}, "whole number"),
    "elements by a truth": (lambda good: {"elements": True}, "whole number"),
    "section by its class": (lambda good: {"section": fm.Rectangle}, "not a section"),
    "no material": (lambda good: {"material": None}, "not a material"),
    "curve in words": (lambda good: {**CURVED, "curve": "round"}, "2 or more finite points (x, y"),
    "curve of ragged points": (lambda good: {**CURVED, "curve": [good["start"], (1.0,)]}, "2 or more finite points (x, y"),
    "curve of one point": (lambda good: {**CURVED, "curve": [good["start"]]}, "2 or more finite points (x, y"),
    "curve(s) of nothing": (lambda good: {**CURVED, "curve": lambda s: None}, "curve(s) = None"),
    "one damping": (lambda good: {"rayleigh": 0.1}, "rayleigh = 0.1"),
    "negative damping": (lambda good: {"rayleigh": (0.0, -1e-3)}, "rayleigh beta = -0.001"),
    "velocity in words": (lambda good: {"velocity": "fast"}, "velocity = 'fast'"),
    "spin in words": (lambda good: {"spin": "fast"}, "spin = 'fast'"),
}


@pytest.mark.parametrize("wrong", BAD_LINKS)
@pytest.mark.parametrize("kind", LINKS, ids=lambda kind: kind.__name__)
def test_link(kind: type, wrong: str):
    change, words = BAD_LINKS[wrong]
    with pytest.raises(fm.ModelError) as error:
        kind("left link", **{**LINKS[kind], **change(LINKS[kind])})
    assert str(error.value).startswith("left link: ")
    assert words in str(error.value)


BAD_PARTS = {
    "nu = 0.5": (lambda: fm.Material(E=1e9, nu=0.5, density=1.0), "Material: nu = 0.5"),
    "nu = 0.7": (lambda: fm.Material(E=1e9, nu=0.7, density=1.0), "(-1, 0.5)"),
    "nu = -1": (lambda: fm.Material(E=1e9, nu=-1.0, density=1.0), "Material: nu = -1"),
    "nu is nan": (lambda: fm.Material(E=1e9, nu=np.nan, density=1.0), "nu"),
    "E = 0": (lambda: fm.Material(E=0.0, density=1.0), "E = 0"),
    "density < 0": (lambda: fm.Material(E=1.0, density=-1.0), "density = -1"),
    "damping < 0": (lambda: fm.Material(E=1.0, density=1.0, damping=-1.0), "damping = -1"),
    "rectangle of no width": (lambda: fm.Rectangle(0.0, 1.0), "Rectangle: y = 0"),
    "rectangle of negative height": (lambda: fm.Rectangle(1.0, -0.1), "Rectangle: z = -0.1"),
    "circle": (lambda: fm.Circle(-1.0), "Circle: radius = -1"),
    "pipe without a wall": (lambda: fm.Pipe(1.0, 1.0), "Pipe: inner = 1"),
    "pipe inside out": (lambda: fm.Pipe(1.0, 2.0), "Pipe: inner = 2"),
    "pipe of negative bore": (lambda: fm.Pipe(1.0, -0.5), "Pipe: inner = -0.5"),
    "pipe of a bore in words": (lambda: fm.Pipe(1.0, "half"), "Pipe: inner = 'half'"),
    "general section, rotary": (lambda: fm.GeneralSection(A=1.0, I_y=1.0, I_z=1.0, Jt=1.0, rotary_y=0.0), "rotary_y = 0"),
    "pipe of bore nan": (lambda: fm.Pipe(1.0, np.nan), "Pipe: inner"),
    "general section without area": (lambda: fm.GeneralSection(A=0.0, I_y=1.0, I_z=1.0, Jt=1.0), "GeneralSection: A = 0"),
    "general section, shear": (lambda: fm.GeneralSection(A=1.0, I_y=1.0, I_z=1.0, Jt=1.0, k_y=0.0), "k_y = 0"),
    "general section, torsion": (lambda: fm.GeneralSection(A=1.0, I_y=1.0, I_z=1.0, Jt=-1.0), "Jt = -1"),
}


@pytest.mark.parametrize("wrong", BAD_PARTS)
def test_sections_and_materials(wrong: str):
    make, words = BAD_PARTS[wrong]
    with pytest.raises(fm.ModelError) as error:
        make()
    assert words in str(error.value)


@pytest.mark.parametrize("s", [-0.1, 1.0 + 1e-9, 7.0, np.nan, "end", None])
@pytest.mark.parametrize("kind", LINKS, ids=lambda kind: kind.__name__)
def test_marker_outside_the_beam(kind: type, s: object):
    with pytest.raises(fm.ModelError, match=r"left link: .*s = "):
        kind("left link", **LINKS[kind]).at(s)


@pytest.mark.parametrize("k", [-1, 7, 100, 1.5])
@pytest.mark.parametrize("kind", LINKS, ids=lambda kind: kind.__name__)
def test_node_that_does_not_exist(kind: type, k: int):
    with pytest.raises(fm.ModelError, match=f"left link: node {k} .* 0 to {6 if kind is fm.Beam else 2}"):
        kind("left link", **LINKS[kind]).node(k)


def test_ends_and_nodes():
    """start, end and nodes are where they were drawn."""
    part = fm.Beam("beam", **{**GOOD, "start": (1, 2, 3), "end": (4, 2, 3)})
    assert part.node_count == 7
    assert [float(part.node(k).position[0]) for k in range(7)] == [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    assert part.start.position.tolist() == [1, 2, 3]
    assert part.end.position.tolist() == [4, 2, 3]


def test_joint_on_one_beam_is_refused():
    part = fm.Beam("beam", **GOOD)
    with pytest.raises(fm.ModelError, match="both on 'beam'"):
        fm.Revolute(part.start, part.end)
