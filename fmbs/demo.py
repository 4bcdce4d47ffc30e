"""What `make demo` runs: a rattling mechanism, with figures, a report and ParaView files."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from fmbs.cli.run import RunJob, run


def run_demo(folder: Path) -> int:
    """The planar slider-crank of Flores2006 at 5000 rpm, dry, with 0.05 mm of clearance at its wrist pin: two turns."""
    frame = 5e-6  # s: impacts last some 100 us, and their force loops are drawn
    job = Namespace(
        model="slider_crank_planar", parameters=["joint=dry", "friction=Ambrosio"], out=folder, t_end=None, step=None,
        tolerance=1e-4, output_step=frame, linear_solver="auto", resume=False, no_files=False, json=False, quiet=False,
    )  # fmt: skip
    return run(RunJob.from_options(job))
