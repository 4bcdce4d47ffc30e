"""fmbs list and fmbs show."""

from __future__ import annotations

import inspect
import json
from typing import Any

from fmbs.cli.values import model_named
from fmbs.models import MODELS, Mechanism, Parameter, parameters
from fmbs.models.laws import JOINTS


def list_models(as_json: bool) -> None:
    if as_json:
        print(json.dumps([{"name": m.name, "title": m.title, "paper": m.paper} for m in MODELS.values()], indent=1))
        return
    from rich.console import Console  # slow to import
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("model", "paper", "what it is"):
        table.add_column(heading)
    for model in MODELS.values():
        table.add_row(f"[bold]{model.name}[/bold]", model.paper, model.title)
    console = Console()
    console.print(table)
    console.print("\nfmbs show MODEL tells its parameters, fmbs run MODEL joint=dry runs it.", highlight=False)


def show(name: str, as_json: bool) -> None:
    model = model_named(name)
    if as_json:
        rows = [{**_row(item), "default": item.default} for item in parameters(model)]
        described = {"name": name, "title": model.title, "paper": model.paper, "quantities": model.quantities}
        print(json.dumps({**described, "parameters": rows}, indent=1))
        return
    from rich.console import Console  # slow to import
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    console.print(f"[bold]{name}[/bold]  {model.title} ({model.paper})\n")
    paragraphs = inspect.cleandoc(model.__doc__ or "").split("\n\n")
    console.print(escape("\n\n".join(" ".join(part.split()) for part in paragraphs)), highlight=False)
    table = Table(box=None, pad_edge=False)
    for heading in ("parameter", "default", "unit", "meaning", "allowed"):
        # names of laws are long words: folded, never cut
        table.add_column(heading, justify="right" if heading == "default" else "left", overflow="fold")
    for item in parameters(model):
        table.add_row(*(escape(str(value)) for value in _row(item).values()))
    kinds = [f"  joint={kind}: {meaning}; {_usual_run(model(joint=kind))}" for kind, meaning in JOINTS.items()]
    outputs = f"outputs: {', '.join(model.quantities)}"
    console.print(
        "", table, "", "kinds of joints, and what fmbs run does with them", *kinds, "", outputs, sep="\n", highlight=False
    )


def _usual_run(model: Mechanism) -> str:
    """In words: how long, with what steps."""
    settings = model.settings()
    how = f"steps of {settings['step']:.3g} s" if "step" in settings else f"error control to {settings['tolerance']:g}"
    return f"{model.t_end:.3g} s, {how}"


def _row(item: Parameter) -> dict[str, Any]:
    default = item.default
    shown = f"{default:g}" if isinstance(default, float) else ",".join(default) if isinstance(default, tuple) else str(default)
    return {"name": item.name, "default": shown, "unit": item.unit, "meaning": item.meaning, "allowed": item.allowed}
