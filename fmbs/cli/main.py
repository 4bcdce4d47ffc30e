"""The commands, their options and exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import fmbs as fm
from fmbs.cli.bench import add_bench
from fmbs.cli.completion import SHELLS, completion
from fmbs.cli.converge import add_converge
from fmbs.cli.ensemble import add_ensemble
from fmbs.cli.fmu import add_fmu
from fmbs.cli.look import plot, view
from fmbs.cli.run import RunJob, run
from fmbs.cli.show import list_models, show
from fmbs.cli.sweep import add_sweep
from fmbs.core.errors import Interrupted
from fmbs.core.files import NO_ROOM, write_error
from fmbs.core.ranks import world


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 on success, 1 when a run fails, 2 for wrong usage, 3 when a file is damaged or belongs to another run, 4 when
    another run is writing there, 5 when the disk is full, 130 after Ctrl-C.
    """
    options = parser().parse_args(arguments)
    try:
        _listen_to_first(options.command)
        return int(options.action(options) or 0)
    except fm.ModelError as error:
        return _failed(error, exit_code(error))
    except fm.ConvergenceError as error:
        return _failed(error, 1)
    except Interrupted as error:
        return _failed(error, 130)
    except KeyboardInterrupt:
        return _failed("interrupted", 130)
    except BrokenPipeError:  # fmbs list | head
        return 0
    except OSError as error:
        full = error.errno in NO_ROOM
        return _failed(write_error(error.filename or "a file", error) if full else error, 5 if full else 1)


def _listen_to_first(command: str) -> None:
    """Under mpirun one rank talks for all."""
    ranks = world()
    if not ranks.first:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if ranks.count > 1 and command != "run":
        raise fm.ModelError(f"{command}: mpirun has started {ranks.count} processes; only `fmbs run` can be shared among them.")


def exit_code(error: fm.ModelError) -> int:
    kinds = {fm.FileInUse: 4, fm.DiskFull: 5, fm.FileError: 3}
    return next((code for kind, code in kinds.items() if isinstance(error, kind)), 2)


def _failed(error: object, code: int) -> int:
    print(f"fmbs: {error}", file=sys.stderr)
    return code


def parser() -> argparse.ArgumentParser:
    """All commands."""
    top = argparse.ArgumentParser(prog="fmbs", description=fm.__doc__)
    top.add_argument("--version", action="version", version=f"fmbs {fm.__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text)

    add = command("list", "list the ready-made models")
    add.add_argument("--json", action="store_true", help="for machines")
    add.set_defaults(action=lambda o: list_models(o.json))

    add = command("show", "parameters of a model: default, unit, meaning, range, paper")
    add.add_argument("model", metavar="MODEL")
    add.add_argument("--json", action="store_true", help="for machines")
    add.set_defaults(action=lambda o: show(o.model, o.json))

    add = command("run", "simulate a model and write run.h5, summary.json, report.html, figures and VTK files")
    add.add_argument("model", metavar="MODEL")
    add.add_argument("parameters", metavar="parameter=value", nargs="*", help="see `fmbs show MODEL`")
    for flag, text in (("--t-end", "s"), ("--step", "fixed step, s"), ("--tolerance", "of error control"),
                       ("--output-step", "time between frames, s")):  # fmt: skip
        add.add_argument(flag, type=float, metavar="X", help=f"{text}; the model's own if not given")
    add.add_argument("--linear-solver", default="auto", metavar="NAME", help="auto, dense, banded, scipy, petsc:klu, ...")
    add.add_argument("--out", type=Path, metavar="DIR", help="folder for the files (default: out/MODEL_JOINT)")
    add.add_argument("--resume", action="store_true", help="continue a run that was interrupted or killed")
    add.add_argument("--no-files", action="store_true", help="only run.h5 and summary.json")
    add.add_argument("--json", action="store_true", help="print the summary as JSON")
    add.add_argument("--quiet", action="store_true", help="print nothing")
    add.set_defaults(action=lambda o: run(RunJob.from_options(o)))

    add = command("plot", "figures of a run")
    add.add_argument("run", type=Path, metavar="RUN", help="folder of a run, or its run.h5")
    add.add_argument("quantities", nargs="*", metavar="QUANTITY", help='such as "velocity(slider).x"; the usual ones if none')
    add.add_argument("--out", type=Path, metavar="DIR", help="folder for the figures (default: the run's own)")
    add.set_defaults(action=lambda o: plot(o.run, o.quantities, o.out))

    add = command("view", "open the report of a run, and say how to see it in ParaView")
    add.add_argument("run", type=Path, metavar="RUN", help="folder of a run, or its run.h5")
    add.set_defaults(action=lambda o: view(o.run))

    add_converge(command("converge", "observed order, extrapolated value, error over cost, under refinement"))
    add_sweep(command("sweep", "many cases of a model over all cores: a table, resumable"))
    add_ensemble(command("ensemble", "the same run with small pushes: mean, spread and in how many runs a statement holds"))

    add_fmu(command("fmu", "an FMU of a model in a Python file, FMI 2.0 for co-simulation"))

    add = command("reproduce", "run the cases of a paper and write its figures beside what it states")
    add.add_argument(
        "paper", metavar="PAPER", help="tian2010, flores2006, muvengi2011, chen2020, muvengei2012; or summary: all"
    )
    add.add_argument("--quick", action="store_true", help="shorter runs, under 2 minutes")
    add.add_argument("--out", type=Path, metavar="DIR", help="folder for the page and figures (default: out/PAPER)")
    add.add_argument("-j", "--jobs", type=int, metavar="N", help="processes at a time (default: one a core)")
    add.set_defaults(action=_reproduce)

    add_bench(command("bench", "time fmbs beside Exudyn on the mechanisms of benchmarks/"))

    add = command("demo", "run a rattling mechanism and show where its files are")
    add.add_argument("--out", type=Path, default=Path("out/demo"), help="folder for the files (default: %(default)s)")
    add.set_defaults(action=_demo)

    add = command("warm", "compile the kernels of all usual models now; later runs load them")
    add.add_argument("--quiet", action="store_true", help="print nothing")
    add.set_defaults(action=_warm)

    add = command("completion", "print a completion script for your shell")
    add.add_argument("shell", choices=SHELLS)
    add.set_defaults(action=lambda o: print(completion(o.shell)))
    return top


def _reproduce(options: argparse.Namespace) -> None:
    from fmbs.reproduce import reproduce, write_summary

    if options.paper == "summary":
        write_summary(options.out or Path("out"))
        return
    reproduce(options.paper, options.out or Path("out") / options.paper, quick=options.quick, jobs=options.jobs)


def _warm(options: argparse.Namespace) -> int:
    from fmbs.cli.warm import warm

    return warm(options.quiet)


def _demo(options: argparse.Namespace) -> None:
    from fmbs.demo import run_demo

    run_demo(options.out)
