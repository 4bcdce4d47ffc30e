"""fmbs run: a model, its parameters, a folder of results."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fmbs as fm
from fmbs.cli.files import summary, write_files
from fmbs.cli.values import model_from
from fmbs.core.ranks import world
from fmbs.models import Mechanism


@dataclass(frozen=True)
class Run:
    """What to run and where to leave it. options: of simulate; words: as typed, to say how to go on."""

    model: Mechanism
    t_end: float
    options: dict[str, Any]
    folder: Path
    words: tuple[str, ...]
    resume: bool = False
    files: bool = True
    as_json: bool = False
    quiet: bool = False

    @classmethod
    def from_options(cls, given: argparse.Namespace) -> Run:
        model = model_from(given.model, given.parameters)
        chosen = {"step": given.step, "tolerance": given.tolerance, "output_step": given.output_step}
        chosen = {key: value for key, value in chosen.items() if value is not None}
        if given.step is not None and given.tolerance is not None:
            raise fm.ModelError("run: give --step for a fixed step or --tolerance for error control, not both.")
        own = model.settings()
        if given.step is not None or given.tolerance is not None:
            own = {key: value for key, value in own.items() if key == "output_step"}
        folder = given.out or Path("out") / f"{model.name}_{model.joint}"
        words = ["fmbs", "run", given.model, *given.parameters, "--t-end", f"{given.t_end or model.t_end:g}"]
        words += [word for key, value in chosen.items() for word in (f"--{key.replace('_', '-')}", f"{value:g}")]
        words += ["--out", str(folder), "--resume"]
        options = {**own, **chosen, "linear_solver": given.linear_solver}
        return cls(
            model, given.t_end or model.t_end, options, folder, tuple(words), given.resume, not given.no_files, given.json,
            given.quiet,
        )  # fmt: skip

    def say(self, text: str) -> None:
        if not (self.quiet or self.as_json):
            print(text)


def run(job: Run) -> int:
    """Simulate, write everything, also what a failed or interrupted run has computed. Returns the exit code."""
    store = job.folder / "run.h5"
    notes = store.with_name("run.h5.checkpoint")
    if job.resume and not notes.exists():
        raise fm.ModelError(f"run: there is nothing to resume in {job.folder}; leave --resume out to start anew.")
    job.folder.mkdir(parents=True, exist_ok=True)
    ranks = world()
    if not job.resume and ranks.first:
        notes.unlink(missing_ok=True)
    progress = False if job.quiet or job.as_json else None
    try:
        solution = job.model.build().simulate(job.t_end, **job.options, progress=progress, checkpoint=store)
    except (fm.ConvergenceError, fm.Interrupted) as error:
        if not ranks.first:
            return 1
        partial = error.solution
        assert isinstance(partial, fm.Solution)
        if not notes.exists():  # else the frames are in run.h5.partial, where --resume and fm.load find them
            partial.save(store)
        leave(job, partial, complete=False)
        print(f"fmbs: {error}", file=sys.stderr)
        if isinstance(error, fm.Interrupted):
            print(f"fmbs: go on with  {shlex.join(job.words)}", file=sys.stderr)
            return 130
        return 1
    if ranks.first:
        leave(job, solution, complete=True)
    return 0


def leave(job: Run, solution: fm.Solution, complete: bool) -> None:
    """Write the files and tell of them."""
    found = summary(job.model, solution, {"t_end": job.t_end, **job.options}, complete)
    files = [job.folder / "run.h5", *(write_files(job.model, solution, job.folder) if job.files else ())]
    path = job.folder / "summary.json"
    found["files"] = [str(file) for file in (*files, path)]
    path.write_text(json.dumps(found, indent=1) + "\n")
    if job.as_json:
        print(json.dumps(found, indent=1))
    for line in _told(job, found, files):
        job.say(line)


def _told(job: Run, found: dict[str, Any], files: Sequence[Path]) -> list[str]:
    done = found["statistics"]
    lines = [f"{job.model.title} ({job.model.paper}), {job.model.joint} joints, {found['t'][1]:g} s simulated"]
    lines += [
        f"  {name:<28} {row['least']:>12.5g} ... {row['largest']:<12.5g} {row['unit']}"
        for name, row in found["quantities"].items()
    ]
    lines += [f"  {name}: {count} impacts" for name, count in found["impacts"].items()]
    lines += [f"  note: {text}" for text in (*done["start"], *done["coarse"], *found["limits"])]
    lines.append(f"  energy: {done['verdict']}")
    lines.append(
        f"{done['steps']} steps, {done['iterations'] / max(done['steps'], 1):.1f} iterations a step, {done['wall']:.2f} s"
    )
    lines += [f"wrote {file}" for file in (*files, job.folder / "summary.json")]
    report, scene = job.folder / "report.html", job.folder / "run.pvd"
    if job.files:
        lines.append(f"open {report} in a browser, {scene} in ParaView; fm.load({str(job.folder / 'run.h5')!r}) in Python")
    return lines
