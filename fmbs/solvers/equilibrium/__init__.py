"""Static equilibrium: the path of equilibria from the unloaded model to the whole load."""

from fmbs.solvers.equilibrium.arc_path import ArcPath
from fmbs.solvers.equilibrium.load_path import EquilibriumFailure, LoadPath
from fmbs.solvers.equilibrium.statics import Point, Settings, Statics

__all__ = ["ArcPath", "EquilibriumFailure", "LoadPath", "Point", "Settings", "Statics"]
