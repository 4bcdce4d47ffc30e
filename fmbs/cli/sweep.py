"""fmbs sweep: many cases of a model."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import fmbs as fm
from fmbs.cli.lists import lists_from
from fmbs.core.errors import ModelError
from fmbs.models import MODELS

SHOWN = 10  # cases that failed, and cases that warned


def add_sweep(add: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add.add_argument("model", metavar="MODEL", help="see `fmbs list`, or your own path/to/file.py:function")
    add.add_argument(
        "parameters", metavar="name=values", nargs="+", help="a=1,2,3 or a=from:to:count; all combinations are run"
    )
    add.add_argument("--measure", action="append", metavar="M", help='a column, as "peak(force(wrist pin))"; repeat for more')
    draw = add.add_mutually_exclusive_group()
    draw.add_argument("--random", type=int, metavar="N", help="N random cases between the least and largest values instead")
    draw.add_argument("--latin", type=int, metavar="N", help="N cases of a Latin hypercube instead")
    add.add_argument("--seed", type=int, default=0, help="of --random and --latin (default: %(default)s)")
    add.add_argument("--section", default="", metavar="Q", help="keep a quantity once a turn, and draw the bifurcation diagram")
    for flag, text in (("--t-end", "s"), ("--turns", "length in turns of the crank"), ("--skip", "transient, s"),
                       ("--skip-turns", "transient in turns"), ("--timeout", "wall time allowed for a case, s")):  # fmt: skip
        add.add_argument(flag, type=float, metavar="X", help=text)
    add.add_argument("-j", "--jobs", type=int, metavar="N", help="processes at a time (default: one a core)")
    add.add_argument("--dask", metavar="ADDRESS", help="run on a Dask cluster instead")
    add.add_argument("--keep-runs", action="store_true", help="write run.h5 of every case")
    add.add_argument("--retry-failed", action="store_true", help="run failed cases of an earlier sweep again")
    add.add_argument(
        "--out", type=Path, metavar="DIR", help="folder (default: out/sweep_MODEL); an unfinished sweep in it goes on"
    )
    add.set_defaults(action=run_sweep)


def run_sweep(options: argparse.Namespace) -> None:
    """Run, write the table, tell what failed."""
    given = lists_from(options.model, options.parameters)
    measures = options.measure or _usual(options.model, given)
    cases = _cases(given, options)
    folder = options.out or Path("out") / f"sweep_{Path(options.model.partition(':')[0]).stem}"
    clock = time.monotonic()
    try:
        found = fm.studies.sweep(
            options.model, cases, measures, folder=folder, section=options.section, skip=options.skip or 0.0,
            skip_turns=options.skip_turns or 0.0, keep_runs=options.keep_runs, jobs=options.jobs, dask=options.dask,
            timeout=options.timeout, retry_failed=options.retry_failed, t_end=options.t_end, turns=options.turns,
        )  # fmt: skip
    except KeyboardInterrupt:
        print(f"interrupted; what is done is in {folder}, and the same command goes on from there")
        raise
    print(f"{len(found.done)} of {len(found.rows)} cases done, {len(found.failed)} failed; {found.computed} run now "
          f"in {time.monotonic() - clock:.1f} s, {len(found.rows) - found.computed} were there")  # fmt: skip
    if found.computed and options.dask is None:
        print(f"the processes were at work for {found.busy:.0%} of that time")
    if found.warned:
        print(f"{len(found.warned)} of the cases done have warned: see the column reason")
    for row in (*found.failed[:SHOWN], *found.warned[:SHOWN]):
        print(f"  {row.folder}: {row.status}, {row.reason}")
    for table in ("table.csv", "table.parquet"):
        if (folder / table).exists():
            print(f"wrote {folder / table}")
    varied = [key for key, values in given.items() if len(values) > 1]
    if options.section and varied and found.done:
        path = folder / "bifurcation.png"
        unit = fm.studies.Subject.of(options.model, {}).unit(varied[0])
        fm.studies.Bifurcation.of(found, varied[0], options.section, unit).figure().savefig(path)
        print(f"wrote {path}")


def _cases(given: dict[str, list[Any]], options: argparse.Namespace) -> list[dict[str, Any]]:
    if options.random is not None:
        return fm.studies.random(given, options.random, seed=_seed(options.seed))
    if options.latin is not None:
        return fm.studies.latin_hypercube(given, options.latin, seed=_seed(options.seed))
    return fm.studies.grid(given)


def _seed(seed: int) -> int:
    if seed < 0:
        raise ModelError(f"sweep: --seed {seed} must not be negative.")
    return seed


def _usual(model: str, given: dict[str, list[Any]]) -> list[str]:
    """Peaks of what the model says is worth looking at, if none was asked for."""
    if model not in MODELS:
        raise ModelError('sweep: give --measure, as --measure "peak(force(pin))"; only ready-made models have their own.')
    kind = MODELS[model](**({"joint": given["joint"][0]} if "joint" in given else {}))
    return [f"peak({item})" for item in kind.outputs()]
