"""The analyses of a model: from a Model to a Solution."""

from fmbs.analysis.linear import linearise, steady
from fmbs.analysis.motion import kinematics, simulate
from fmbs.analysis.statics import buckling, equilibrium, modes

__all__ = ["buckling", "equilibrium", "kinematics", "linearise", "modes", "simulate", "steady"]
