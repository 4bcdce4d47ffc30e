"""Command line: fmbs list | show | run | plot | view | reproduce | demo | completion."""

from fmbs.cli.main import main

__all__ = ["main"]
