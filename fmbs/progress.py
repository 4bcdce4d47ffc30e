"""Progress of a run: simulated time, step size and time left, on a terminal or in a notebook; nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fmbs.core.notebook import in_notebook

Report = Callable[[float, float], None]  # simulated time, step size
Draw = Callable[[float, str, float], None]  # simulated time, what to say, seconds left


@contextmanager
def progress_bar(t_end: float, show: bool | None) -> Iterator[Report | None]:
    """A function to call after every step, or None. show: True, False, or None for `where a person looks on`."""
    if show is False or (show is None and not (sys.stderr.isatty() or in_notebook())):
        yield None
        return
    steps, began, shown = 0, time.monotonic(), 0.0
    with _line_of_a_notebook() if in_notebook() else _bar_of_a_terminal(t_end) as draw:

        def report(t: float, h: float) -> None:
            nonlocal steps, shown
            steps += 1
            now = time.monotonic()
            if now - shown > 0.1:  # drawing must not cost more than stepping
                shown = now
                left = (now - began) * (t_end - t) / max(t, 1e-9 * t_end)
                draw(t, f"t = {t:.4g} of {t_end:g} s, step {steps}, h = {h:.2g} s", left)

        yield report


@contextmanager
def _bar_of_a_terminal(t_end: float) -> Iterator[Draw]:
    from rich.console import Console  # slow to import
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=t_end)
        yield lambda t, text, left: bar.update(task, completed=t, description=text)


@contextmanager
def _line_of_a_notebook() -> Iterator[Draw]:
    """A line of text that is written anew, and empty at the end: rich would ask for widgets."""
    from IPython.display import HTML, display

    line = display(HTML(""), display_id=True)
    try:
        yield lambda t, text, left: line.update(HTML(f"<pre>{text}, {left:.0f} s left</pre>"))
    finally:
        line.update(HTML(""))
