"""Many runs of a model: convergence, sweeps, dynamics, sensitivities."""

from fmbs.studies.agreement import Agreement, Spread, Statement
from fmbs.studies.bifurcation import Bifurcation, bifurcation
from fmbs.studies.campbell import Campbell, campbell, stability_threshold
from fmbs.studies.contact import ContactStatistics, PVMap, contact_statistics, pv_map
from fmbs.studies.convergence import Convergence, convergence
from fmbs.studies.design import grid, latin_hypercube, random
from fmbs.studies.dynamics import crossings, divergence, lyapunov, lyapunov_of_series, spectrum, strobe
from fmbs.studies.ensemble import Ensemble, ensemble
from fmbs.studies.measure import Measure, signal
from fmbs.studies.push import Push
from fmbs.studies.richardson import Extrapolation, richardson
from fmbs.studies.sensitivity import Sensitivity, sensitivities
from fmbs.studies.subject import Subject
from fmbs.studies.sweep import Sweep, sweep
from fmbs.studies.twins import Exponent, lyapunov_of_model

__all__ = [
    "Agreement",
    "Bifurcation",
    "Campbell",
    "ContactStatistics",
    "Convergence",
    "Ensemble",
    "Exponent",
    "Extrapolation",
    "Measure",
    "PVMap",
    "Push",
    "Sensitivity",
    "Spread",
    "Statement",
    "Subject",
    "Sweep",
    "bifurcation",
    "campbell",
    "contact_statistics",
    "convergence",
    "crossings",
    "divergence",
    "ensemble",
    "grid",
    "latin_hypercube",
    "lyapunov",
    "lyapunov_of_model",
    "lyapunov_of_series",
    "pv_map",
    "random",
    "richardson",
    "sensitivities",
    "signal",
    "spectrum",
    "stability_threshold",
    "strobe",
    "sweep",
]
