"""Run examples and print their numbers: python -m examples [name ...]; with --gallery make pictures and README.md anew."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
HEAD = """# Examples

Short scripts, one idea each, with numbers beside their references. `python -m examples rolling_ball` runs one and prints them,
as tests do with all; `python -m examples --gallery` makes this page and its pictures.

| | idea | lines | number | found | reference |
|---|---|---:|---|---:|---:|
"""


def curve(x, y, along: str, up: str):
    """A figure of y over x."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    axes = figure.subplots()
    axes.plot(x, y, marker="o" if len(x) < 9 else "")
    axes.set(xlabel=along, ylabel=up)
    return figure


def draw(name: str, sol, how) -> None:
    """examples/NAME.png, small."""
    if "curve" in how:
        figure = curve(*how["curve"])
        figure.set_size_inches(3.2, 2.4)
        figure.savefig(HERE / f"{name}.png", dpi=100)
        return
    options = {key: how[key] for key in ("shapes", "view", "t") if key in how}
    sol.render(HERE / f"{name}.png", size=(320, 240), **options)


def main(arguments: list[str]) -> None:
    gallery, rows = "--gallery" in arguments, []
    for name in [x for x in arguments if x != "--gallery"] or NAMES:
        module = import_module(f"examples.{name}")
        sol, numbers, how = module.run()
        lines = len((HERE / f"{name}.py").read_text().splitlines())
        idea = " ".join((module.__doc__ or "").split())
        for what, (found, reference, _) in numbers.items():
            print(f"{name}: {what} {found:.7g}, reference {reference:.7g}")
            link = f"[![{name}]({name}.png)]({name}.py)"
            rows.append(f"| {link} | {idea} | {lines} | {what} | {found:.6g} | {reference:.6g} |\n")
        if gallery:
            draw(name, sol, how)
    if gallery:
        (HERE / "README.md").write_text(HEAD + "".join(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
