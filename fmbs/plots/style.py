"""How all figures look: fonts, colours that colour-blind people tell apart (Okabe & Ito 2008), units on axes."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.core.files import writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
SETTINGS: dict[Any, Any] = {
    "font.size": 11.0, "axes.labelsize": 11.0, "axes.grid": True, "grid.alpha": 0.3,
    "axes.spines.top": False, "axes.spines.right": False,
    "axes.formatter.useoffset": False, "axes.formatter.limits": (-3, 4), "savefig.dpi": 150.0,
}  # fmt: skip
NEEDED = "needs matplotlib; install it with pip install 'fmbs[plots]'"
PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


def can_draw() -> bool:
    """Is matplotlib there? It is not with a bare `pip install fmbs`."""
    return find_spec("matplotlib") is not None


def save_figure(figure: Figure, path: Path, **options: Any) -> Path:
    """Into a file of a kind that matplotlib knows."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            figure.savefig(path, **options)
        except ValueError as error:
            raise ModelError(f"{path}: the figure cannot be written ({error}); let the name end with .png or .pdf.") from None
    return path


def panels(rows: int = 1, columns: int = 1, *, size: tuple[float, float] | None = None, **options: Any) -> tuple[Figure, Any]:
    """A figure with axes  # (rows, columns); it belongs to no window, so nothing has to be closed."""
    try:
        import matplotlib as mpl
        from cycler import cycler

        from fmbs.plots.figure import ShownFigure
    except ImportError:
        raise ModelError(f"plot: {NEEDED}.") from None
    with mpl.rc_context({**SETTINGS, "axes.prop_cycle": cycler(color=COLOURS)}):
        figure = ShownFigure(figsize=size or (7.0 * columns**0.5, 1.2 + 2.4 * rows), layout="constrained")
        return figure, figure.subplots(rows, columns, squeeze=False, **options)


def literal(name: str) -> str:
    """A user's name as it is: what stands between dollars would be read as a formula."""
    return name.replace("$", r"\$")


def scaled(values: Array, unit: str) -> tuple[Array, str]:
    """Values with the prefix that makes the largest of them 1 to 1000, and the unit with it."""
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    for factor, prefix in PREFIXES[3 if unit.startswith("m") else 0 :]:  # nobody writes km/s²
        if largest >= 0.9999999 * factor:
            return values / factor, prefix + unit
    return values, unit


def time_axis(axes: Axes, t: Array, static: bool) -> Array:
    """Label the time axis, in ms for short runs; returns the values to plot over."""
    if static:
        axes.set_xlabel("load factor")
        return t
    values, unit = scaled(t, "s")
    axes.set_xlabel(f"t [{unit}]")
    return values


def curves(axes: Axes, x: Array, values: Array, unit: str, what: str, labels: tuple[str, ...] = ("",)) -> None:
    """Draw columns of values with a common prefix of their unit, and label the axis."""
    columns, unit = scaled(values.reshape(len(x), -1), unit)
    for column, label in zip(columns.T, labels, strict=True):
        axes.plot(x, column, label=label or None)
    axes.set_ylabel(f"{what} [{unit}]")
    if len(labels) > 1:
        axes.legend(ncols=len(labels), loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.1, frameon=False)
