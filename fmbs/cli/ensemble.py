"""fmbs ensemble: the same run many times, with small pushes."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import fmbs as fm
from fmbs.cli.lists import lists_from
from fmbs.cli.values import typed
from fmbs.core.errors import ModelError
from fmbs.models import MODELS
from fmbs.plots.style import can_draw, save_figure

SHOWN = 10  # runs that failed


def add_ensemble(add: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add.add_argument("model", metavar="MODEL", help="see `fmbs list`, or your own path/to/file.py:function")
    add.add_argument(
        "parameters", metavar="name=value", nargs="*", help="of the model, the same for all runs; step=, t_end= too"
    )
    add.add_argument("--runs", type=int, default=20, metavar="N", help="runs, the first without a push (default: %(default)s)")
    add.add_argument("--push", type=float, default=1e-3, metavar="X", help="force on every body, N (default: %(default)s)")
    add.add_argument("--vary", action="append", default=[], metavar="name=X", help="change a parameter by a share of X at most")
    add.add_argument("--seed", type=int, default=0, help="of directions and changes (default: %(default)s)")
    add.add_argument("--measure", action="append", default=[], metavar="M", help='such as "peak(force(wrist pin))"; repeat')
    add.add_argument("--state", action="append", default=[], metavar="S", help='a statement, "impacts(wrist pin) > 10"; repeat')
    add.add_argument("--signal", action="append", default=[], metavar="Q", help='draw bands of "velocity(slider).x"; repeat')
    for flag, text in (("--t-end", "s"), ("--turns", "length in turns of the crank"), ("--skip", "transient, s"),
                       ("--skip-turns", "transient in turns"), ("--timeout", "wall time allowed for a run, s")):  # fmt: skip
        add.add_argument(flag, type=float, metavar="X", help=text)
    add.add_argument("-j", "--jobs", type=int, metavar="N", help="processes at a time (default: one a core)")
    add.add_argument(
        "--out", type=Path, metavar="DIR", help="folder (default: out/ensemble_MODEL); what is in it is not run again"
    )
    add.set_defaults(action=run_ensemble)


def run_ensemble(options: argparse.Namespace) -> None:
    """Run, print the table and the verdicts, draw the bands."""
    name = Path(options.model.partition(":")[0]).stem
    folder = options.out or Path("out") / f"ensemble_{name}"
    given = {}
    for key, values in lists_from(options.model, options.parameters).items():
        if len(values) != 1:
            raise ModelError(f"ensemble: {key} has {len(values)} values; give one, or use `fmbs sweep`.")
        given[key] = values[0]
    measures = options.measure or ([] if options.state or options.signal else _usual(options.model, given))
    lengths = {"t_end": options.t_end, "turns": options.turns}
    clock = time.monotonic()
    try:
        found = fm.studies.ensemble(
            options.model, measures, folder=folder, runs=options.runs, push=options.push, vary=_shares(options.vary),
            seed=options.seed, parameters=given, statements=options.state, signals=options.signal, jobs=options.jobs,
            skip=options.skip or 0.0, skip_turns=options.skip_turns or 0.0, timeout=options.timeout,
            **{key: value for key, value in lengths.items() if value is not None},
        )  # fmt: skip
    except KeyboardInterrupt:
        print(f"interrupted; what is done is in {folder}, and the same command goes on from there")
        raise
    print(f"{len(found.sweep.done)} of {found.members} runs done; {found.sweep.computed} run now in "
          f"{time.monotonic() - clock:.1f} s; push {found.push.size:g} N, seed {found.push.seed}")  # fmt: skip
    for row in found.sweep.failed[:SHOWN]:
        print(f"  {row.folder}: {row.status}, {row.reason}")
    _tell(found)
    print(f"wrote {folder / 'table.csv'}, {folder / 'ensemble.json'}")
    if options.signal and found.sweep.done and can_draw():
        print(f"wrote {save_figure(found.figure(), folder / 'bands.png')}")


def _tell(found: fm.studies.Ensemble) -> None:
    if found.measures and found.sweep.done:
        width = max(len(measure) for measure in found.measures)
        print(f"{'measure':{width}}  {'mean':>11} {'deviation':>11} {'5 %':>11} {'median':>11} {'95 %':>11}")
        for measure in found.measures:
            each = found.spread(measure)
            numbers = (each.mean, each.deviation, each.quantile(0.05), each.quantile(0.5), each.quantile(0.95))
            print(f"{measure:{width}}  " + " ".join(f"{x:11.5g}" for x in numbers))
    for statement in found.statements:
        print(f"{statement.text}: agreed in {found.verdict(statement)}")


def _shares(words: list[str]) -> dict[str, float]:
    found = {}
    for word in words:
        key, equals, number = word.partition("=")
        if not equals:
            raise ModelError(f"ensemble: --vary {word!r} is not of the form parameter=share; give --vary clearance=1e-6.")
        found[key] = typed("ensemble", f"--vary {key}", number)
    return found


def _usual(model: str, given: dict[str, object]) -> list[str]:
    """Peaks of what the model says is worth looking at."""
    if model not in MODELS:
        raise ModelError('ensemble: give --measure, as --measure "peak(force(pin))"; only ready-made models have their own.')
    kind = MODELS[model](**{key: given[key] for key in ("joint", "imperfect") if key in given})  # type: ignore[arg-type]
    return [f"peak({item})" for item in kind.outputs()]
