"""Command line: fmbs list | show | run | plot | view | converge | sweep | reproduce | demo | completion."""

from fmbs.cli.main import main

__all__ = ["main"]
