"""Many runs of a model: convergence, sweeps, dynamics, sensitivities."""

from fmbs.studies.convergence import Convergence, convergence
from fmbs.studies.measure import Measure, signal
from fmbs.studies.richardson import Extrapolation, richardson
from fmbs.studies.subject import Subject

__all__ = ["Convergence", "Extrapolation", "Measure", "Subject", "convergence", "richardson", "signal"]
