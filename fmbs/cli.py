"""Command line: `fmbs demo`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import fmbs
from fmbs.demo import run_demo


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 on success, 1 when a run fails, 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="fmbs", description=fmbs.__doc__)
    parser.add_argument("--version", action="version", version=f"fmbs {fmbs.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="run a mechanism and write a table, a summary and a figure")
    demo.add_argument("--out", type=Path, default=Path("out/demo"), help="folder for the files (default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        run_demo(options.out)
    except (fmbs.ModelError, fmbs.ConvergenceError, OSError) as error:
        print(f"fmbs: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("fmbs: interrupted", file=sys.stderr)
        return 130
    return 0
