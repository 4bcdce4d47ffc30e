"""Checks that all flexible bodies share."""

from __future__ import annotations

from fmbs.core.checks import shown, whole
from fmbs.core.errors import ModelError
from fmbs.elements.material import Material
from fmbs.elements.section import Section


def check_flexible(name: str, section: object, material: object, elements: object) -> int:
    """A section, a material and a number of elements; returns the last."""
    if not isinstance(section, Section):
        raise ModelError(
            f"{name}: section = {shown(section)} is not a section; give fm.Rectangle(y, z), fm.Circle(radius), ..."
        )
    check_material(name, material)
    return whole(name, "elements", elements)


def check_material(name: str, material: object) -> Material:
    if not isinstance(material, Material):
        raise ModelError(f"{name}: material = {shown(material)} is not a material; give fm.Material(E=, nu=, density=).")
    return material
