"""What a run leaves behind."""

from fmbs.results.solution import Solution

__all__ = ["Solution"]
