"""fmbs converge: one quantity under refinement, from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import fmbs as fm
from fmbs.cli.lists import lists_from
from fmbs.cli.values import typed
from fmbs.core.checks import positive
from fmbs.core.errors import ModelError
from fmbs.plots.style import save_figure

REFINABLE = ("elements", "step", "tolerance")


def add_converge(add: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add.add_argument("model", metavar="MODEL", help="see `fmbs list`, or your own path/to/file.py:function")
    add.add_argument("parameters", metavar="name=values", nargs="+",
                     help="elements=2,4,8, step=1e-3,5e-4 or tolerance=1e-4,1e-5 is refined; other lists: curves")  # fmt: skip
    add.add_argument("--quantity", required=True, metavar="Q", help='as "position(tip).y" (at the end) or "peak(force(pin))"')
    add.add_argument("--refine", metavar="NAME", help="the parameter to refine, if it is another one")
    add.add_argument("--t-end", type=float, metavar="X", help="s; the model's own if not given")
    add.add_argument("--reference", type=float, metavar="X", help="the exact value, if it is known")
    add.add_argument("--error", type=float, metavar="X", help="find the cheapest setting with this error")
    add.add_argument("--slopes", default="", metavar="P,...", help="orders to draw as dashed lines, as 4,6")
    add.add_argument("--out", type=Path, metavar="FILE", help="the figure (default: out/converge_MODEL.png)")
    add.add_argument("--quiet", action="store_true", help="print nothing while it runs")
    add.set_defaults(action=converge)


def converge(options: argparse.Namespace) -> None:
    """Run, print the table, write the figure."""
    given = lists_from(options.model, options.parameters)
    refined = options.refine or _refined(given)
    if refined not in given:
        raise ModelError(f"converge: --refine {refined} is not among the parameters; give {refined}=coarse,...,fine.")
    curves = {key: values for key, values in given.items() if key != refined and len(values) > 1}
    fixed = {key: values[0] for key, values in given.items() if key != refined and len(values) == 1}
    slopes = [
        positive("converge", "--slopes", typed("converge", "--slopes", word)) for word in options.slopes.split(",") if word
    ]
    study = fm.studies.convergence(
        options.model, {refined: given[refined]}, options.quantity, curves=curves, parameters=fixed,
        reference=options.reference, report=None if options.quiet else _say, t_end=options.t_end,
    )  # fmt: skip
    print(study.table())
    path = options.out or Path("out") / f"converge_{Path(options.model.partition(':')[0]).stem}.png"
    save_figure(study.figure(slopes), path)
    print(f"wrote {path}")
    if options.error is not None:
        best = study.cheapest(options.error)
        print(f"cheapest for {options.error:g} {study.measure.unit}: {best.label}, {refined} = {best.run.setting:g}, "
              f"error {best.error:.2g}, {best.run.cpu:.3g} s")  # fmt: skip


def _say(text: str) -> None:
    print(text, flush=True)


def _refined(given: Mapping[str, Sequence[Any]]) -> str:
    for name in REFINABLE:
        if len(given.get(name, ())) > 1:
            return name
    raise ModelError("converge: nothing to refine; give elements=2,4,8, step=1e-3,5e-4, or name it with --refine.")
