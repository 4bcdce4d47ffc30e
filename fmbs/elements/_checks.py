"""Checks that all flexible bodies share."""

from __future__ import annotations

import numpy as np

from fmbs.core.errors import ModelError
from fmbs.elements.material import Material
from fmbs.elements.section import Section


def check_flexible(name: str, section: object, material: object, elements: object) -> int:
    """A section, a material and a number of elements; returns the last."""
    if not isinstance(section, Section):
        raise ModelError(f"{name}: section = {section!r} is not a section; give fm.Rectangle(y, z), fm.Circle(radius), ...")
    if not isinstance(material, Material):
        raise ModelError(f"{name}: material = {material!r} is not a material; give fm.Material(E=, nu=, density=).")
    if not isinstance(elements, (int, np.integer)) or isinstance(elements, bool) or elements < 1:
        raise ModelError(f"{name}: elements = {elements!r} must be a whole number of 1 or more.")
    return int(elements)
