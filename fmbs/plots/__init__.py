"""Figures of a Solution: sol.plot.<figure>()."""

from fmbs.plots.figures import Plots

__all__ = ["Plots"]
