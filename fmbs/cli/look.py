"""fmbs plot and fmbs view: a run that is on the disk."""

from __future__ import annotations

import json
import os
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fmbs as fm
from fmbs.cli.files import DPI, figures, over_time, write_files
from fmbs.models import MODELS, Mechanism, Quantity
from fmbs.plots.style import save_figure
from fmbs.results.store.identity import partial_path
from fmbs.results.store.reader import identity_of


def opened(run: Path) -> tuple[Path, Mechanism, fm.Solution]:
    """Folder, model and solution of a run."""
    folder = run.parent if run.suffix == ".h5" else run
    path = folder / "summary.json"
    if not path.exists():
        raise fm.ModelError(f"{run} holds no summary.json; give the folder that `fmbs run` wrote.")
    try:
        found = json.loads(path.read_text())
        values: dict[str, Any] = {key: tuple(x) if isinstance(x, list) else x for key, x in found["parameters"].items()}
        model = MODELS[found["model"]](**values)
    except (ValueError, KeyError, TypeError) as error:
        raise fm.ModelError(f"{path} is damaged or of another version ({error}).") from None
    return folder, model, fm.load(_file_of(folder, found))


def _file_of(folder: Path, found: dict[str, Any]) -> Path:
    """The frames that the summary is about: a run that was broken off may lie beside an older one."""
    store = folder / "run.h5"
    runs = {file: identity for file in (store, partial_path(store)) if (identity := identity_of(file))}
    own = [file for file, identity in runs.items() if identity.run == found.get("run")]
    if runs and not own and "run" in found:
        raise fm.FileError(f"{folder / 'summary.json'} and {next(iter(runs))} belong to different runs; run the model again.")
    return own[0] if own else store


def plot(run: Path, quantities: Sequence[str], out: Path | None) -> None:
    """Write the usual figures, or one of the quantities asked for."""
    asked = [Quantity.parse(text) for text in quantities]
    folder, model, solution = opened(run)
    target = out or folder
    target.mkdir(parents=True, exist_ok=True)
    found = {"asked": over_time(model, solution, asked)} if asked else figures(model, solution)
    for name, figure in found.items():
        print(f"wrote {save_figure(figure, target / f'{name}.png', dpi=DPI)}")


def view(run: Path) -> None:
    """Open the report, which is written if it is not there."""
    folder, model, solution = opened(run)
    page, scene = folder / "report.html", folder / "run.pvd"
    if not (page.exists() and scene.exists()):
        write_files(model, solution, folder)
    print(f"report:   {page.resolve()}\nParaView: paraview {scene.resolve()}\nPython:   fm.load({str(folder / 'run.h5')!r})")
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(page.resolve().as_uri())
