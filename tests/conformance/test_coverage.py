"""Nothing that users can import escapes the conformance tests."""

from __future__ import annotations

import inspect

import fmbs as fm
from fmbs.joints.clearance.base import ClearanceJoint
from tests.conformance.cases import ALL
from tests.conformance.contact_cases import CONTACTS

CLASSES = [getattr(fm, name) for name in fm.__all__ if inspect.isclass(getattr(fm, name))]


def test_every_class_has_a_case():
    flat, spatial = ({case.kind for case in ALL if case.planar is planar} for planar in (True, False))
    joints = {kind for kind in CLASSES if hasattr(kind, "equations") and not hasattr(kind, "mass_matrix")} - {fm.Joint}
    contacts = {kind for kind in CLASSES if issubclass(kind, ClearanceJoint)}
    forces = {kind for kind in CLASSES if hasattr(kind, "batch") and not hasattr(kind, "mass_matrix")} - contacts
    forces -= {fm.Pressure}  # on faces of a solid: tests/elements/test_solid.py
    assert len(joints) >= 11 and len(forces) >= 4 and len(contacts) >= 4  # the search itself works
    assert {kind.__name__ for kind in joints | forces} == spatial
    planar = {kind for kind in joints if getattr(kind, "planar_kind", True)} | forces
    assert {kind.__name__ for kind in planar} == flat
    assert {kind.__name__ for kind in contacts} == {case.kind for case in CONTACTS}
