"""Contact laws: `fm.contact.LankaraniNikravesh(restitution=0.9, materials=(steel, steel))`.

All are used in the same way, law.normal_force(depth, rate, impact_speed) on arrays, and none ever pulls: F >= 0.
docs/contact.md tells which to choose.
"""

from __future__ import annotations

from fmbs.laws.conformal import Liu, Pereira, Winkler
from fmbs.laws.contact_law import ContactLaw
from fmbs.laws.cylinder import ESDU78035, DubowskyFreudenstein, Johnson
from fmbs.laws.elastic import Elastic, chen2020_stiffness, hertz_stiffness
from fmbs.laws.hertzian import Flores, Hertz, HuntCrossley, LankaraniNikravesh
from fmbs.laws.impact_function import ImpactFunction
from fmbs.laws.two_branch import TwoBranch
from fmbs.laws.viscoelastic import KelvinVoigt, Maxwell, StandardLinearSolid

__all__ = [
    "ESDU78035",
    "ContactLaw",
    "DubowskyFreudenstein",
    "Elastic",
    "Flores",
    "Hertz",
    "HuntCrossley",
    "ImpactFunction",
    "Johnson",
    "KelvinVoigt",
    "LankaraniNikravesh",
    "Liu",
    "Maxwell",
    "Pereira",
    "StandardLinearSolid",
    "TwoBranch",
    "Winkler",
    "chen2020_stiffness",
    "hertz_stiffness",
]
