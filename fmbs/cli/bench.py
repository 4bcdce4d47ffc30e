"""fmbs bench: times beside Exudyn's, by the scripts of the source tree's benchmarks/."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from fmbs.core.errors import ModelError

WORKS = ("slider-crank", "slider-crank-dry", "slider-crank-native", "beam-papers", "beam", "tip-error", "chain")


def add_bench(add: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add.add_argument("--only", nargs="+", choices=WORKS, default=WORKS, metavar="NAME", help=", ".join(WORKS))
    add.add_argument("--largest", type=int, default=10_000, metavar="N", help="leave out models with more bodies or elements")
    add.add_argument("--repeat", type=int, default=5, metavar="N", help="the least of so many is taken (default: %(default)s)")
    add.add_argument("--no-peer", action="store_true", help="fmbs alone")
    add.add_argument("--json", action="store_true", help="print {rows: [{work, fmbs_us, peer_us, ratio, target, ...}]}")
    add.set_defaults(action=bench)


def bench(options: argparse.Namespace) -> int:
    """Run the comparison in a process of its own; its exit code."""
    if options.repeat < 1:
        raise ModelError(f"bench: --repeat {options.repeat} must be 1 or more.")
    words = ["--comparison", "json" if options.json else "table", "--only", *options.only]
    words += ["--largest", str(options.largest), "--repeat", str(options.repeat), *(["--no-peer"] if options.no_peer else [])]
    tree = script().parents[1]
    path = os.pathsep.join([str(tree), *filter(None, [os.environ.get("PYTHONPATH")])])  # this fmbs, not another installed one
    command = [sys.executable, str(script()), *words]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=False).returncode


def script() -> Path:
    """benchmarks/run.py beside the package; a wheel does not hold it."""
    path = Path(__file__).parents[2] / "benchmarks" / "run.py"
    if not path.exists():
        raise ModelError(
            "bench: the benchmarks are in fmbs's source tree, which this installation is not; clone it, `make bench`."
        )
    return path
