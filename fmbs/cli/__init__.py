"""Command line: fmbs list | show | run | plot | view | converge | sweep | reproduce | bench | demo | completion."""

from fmbs.cli.main import main

__all__ = ["main"]
