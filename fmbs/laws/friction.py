"""Friction laws: `fm.friction.Ambrosio(0.1, v0=1e-3, v1=1e-2)`.

The friction force is N mu(v) against the slip v, a vector in the tangent plane. docs/friction.md tells which law to choose.
"""

from __future__ import annotations

from fmbs.laws.friction_curves import Ambrosio, LuGre, Stribeck
from fmbs.laws.friction_law import FrictionLaw
from fmbs.laws.presliding import BlimanSorine, Bristles, Dahl, Karnopp, Leuven, ResetIntegrator

__all__ = [
    "Ambrosio",
    "BlimanSorine",
    "Bristles",
    "Dahl",
    "FrictionLaw",
    "Karnopp",
    "Leuven",
    "LuGre",
    "ResetIntegrator",
    "Stribeck",
]
