"""fmbs run: a model, its parameters, a folder of results."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import fmbs as fm
from fmbs.cli.files import summary, write_files
from fmbs.cli.values import model_from
from fmbs.core.checks import positive
from fmbs.core.files import Reserved, replace_text, write_error
from fmbs.core.lock import Lock
from fmbs.core.ranks import world
from fmbs.models import Mechanism
from fmbs.plots.style import NEEDED, can_draw
from fmbs.results.store.identity import beside, partial_path
from fmbs.results.store.reader import identity_of

SUMMARY = 64 << 10  # bytes that are kept free for summary.json


@dataclass(frozen=True)
class RunJob:
    """What to run and where to leave it. options: of simulate; given: the command, as typed, to say how to go on."""

    model: Mechanism
    t_end: float
    options: dict[str, Any]
    folder: Path
    given: tuple[str, ...]
    resume: bool = False
    files: bool = True
    as_json: bool = False
    quiet: bool = False

    @classmethod
    def from_options(cls, given: argparse.Namespace) -> RunJob:
        model = model_from(given.model, given.parameters)
        chosen = {"step": given.step, "tolerance": given.tolerance, "output_step": given.output_step}
        chosen = {key: value for key, value in chosen.items() if value is not None}
        for key, value in {**chosen, **({} if given.t_end is None else {"t_end": given.t_end})}.items():
            positive("run", f"--{key.replace('_', '-')}", value)
        if given.step is not None and given.tolerance is not None:
            raise fm.ModelError("run: give --step for a fixed step or --tolerance for error control, not both.")
        own = model.settings()
        if given.step is not None or given.tolerance is not None:
            own = {key: value for key, value in own.items() if key == "output_step"}
        folder = given.out or Path("out") / f"{model.name}_{model.joint}"
        words = ["fmbs", "run", given.model, *given.parameters]
        numbers = {**({} if given.t_end is None else {"t_end": given.t_end}), **chosen}
        words += [f"--{key.replace('_', '-')}={value!r}" for key, value in numbers.items()]
        words += [] if given.linear_solver == "auto" else ["--linear-solver", given.linear_solver]
        words += ["--out", str(folder)]
        words += [f"--{key.replace('_', '-')}" for key in ("no_files", "json", "quiet") if getattr(given, key)]
        t_end = model.t_end if given.t_end is None else given.t_end
        options = {**own, **chosen, "linear_solver": given.linear_solver}
        return cls(
            model, t_end, options, folder, tuple(words), given.resume, not given.no_files, given.json, given.quiet,
        )  # fmt: skip

    def words(self, resume: bool) -> list[str]:
        """The command that runs it once more, or goes on with it."""
        ranks = world().count
        return [*(["mpirun", "-n", str(ranks)] if ranks > 1 else []), *self.given, *(["--resume"] if resume else [])]

    def say(self, text: str) -> None:
        if not (self.quiet or self.as_json):
            print(text)


def run(job: RunJob) -> int:
    """Simulate, write everything, also what a failed or interrupted run has computed. Returns the exit code."""
    store = job.folder / "run.h5"
    notes = beside(store, "checkpoint")
    if job.resume and not notes.exists():
        raise fm.ModelError(f"run: there is nothing to resume in {job.folder}; leave --resume out to start anew.")
    if job.files and not can_draw():
        print(f"fmbs: no figures: drawing {NEEDED}. All other files are written.", file=sys.stderr)
    job.folder.mkdir(parents=True, exist_ok=True)
    with _alone(store):
        first = world().first
        if not job.resume and first:
            notes.unlink(missing_ok=True)
        summary_file = Reserved(job.folder / "summary.json", SUMMARY) if first else None
        try:
            return _run(job, store, notes, summary_file)
        finally:
            if summary_file:
                summary_file.drop()


def _run(job: RunJob, store: Path, notes: Path, summary_file: Reserved | None) -> int:
    progress = False if job.quiet or job.as_json else None
    try:
        solution = job.model.build().simulate(job.t_end, **job.options, progress=progress, checkpoint=store)
    except (fm.ConvergenceError, fm.Interrupted) as error:
        if summary_file is None:
            return 1
        partial = error.solution
        assert isinstance(partial, fm.Solution)
        if not notes.exists():  # else the frames are in run.h5.partial, where --resume and fm.load find them
            partial.save(store)
            partial_path(store).unlink(missing_ok=True)
        leave(job, partial, summary_file, complete=False)
        print(f"fmbs: {error}", file=sys.stderr)
        if isinstance(error, fm.Interrupted):
            print(f"fmbs: go on with  {shlex.join(job.words(resume=notes.exists()))}", file=sys.stderr)
            return 130
        return 1
    except fm.DiskFull as error:
        if summary_file is None or not notes.exists():
            raise
        leave(replace(job, files=False), fm.load(partial_path(store)), summary_file, complete=False)
        command = shlex.join(job.words(resume=True))
        raise fm.DiskFull(f"{error}\nfmbs: make room and go on with  {command}") from None
    if summary_file is not None:
        leave(job, solution, summary_file, complete=True)
    return 0


@contextmanager
def _alone(store: Path) -> Iterator[None]:
    """No other run writes there. Under mpirun the first rank holds the lock, and all are told where it cannot."""
    ranks, lock, error = world(), Lock(store), None
    if ranks.first:
        try:
            lock.acquire()
        except fm.FileError as refused:
            error = refused
    error = ranks.from_first(error)
    if error is not None:
        raise error
    try:
        yield
    finally:
        lock.release()


def leave(job: RunJob, solution: fm.Solution, summary_file: Reserved, complete: bool) -> None:
    """Write the files and tell of them: first what is needed most, the largest last."""
    store, path = job.folder / "run.h5", job.folder / "summary.json"
    if not complete and beside(store, "checkpoint").exists():
        store = partial_path(store)
    found = summary(job.model, solution, {"t_end": job.t_end, **job.options}, complete)
    identity = identity_of(store)
    found |= asdict(identity) if identity else {}
    found["files"] = [str(file) for file in (store, path)]
    summary_file.write(json.dumps(found, indent=1))
    files = [store, path]
    if job.files:
        try:
            files += write_files(job.model, solution, job.folder)
        except OSError as error:
            raise write_error(job.folder, error) from None
        found["files"] = [str(file) for file in files]
        replace_text(path, json.dumps(found, indent=1))
    if job.as_json:
        print(json.dumps(found, indent=1))
    for line in _told(job, found, files):
        job.say(line)


def _told(job: RunJob, found: dict[str, Any], files: Sequence[Path]) -> list[str]:
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
    lines += [f"wrote {file}" for file in files]
    report, scene = job.folder / "report.html", job.folder / "run.pvd"
    if job.files:
        lines.append(f"open {report} in a browser, {scene} in ParaView; fm.load({str(files[0])!r}) in Python")
    return lines
