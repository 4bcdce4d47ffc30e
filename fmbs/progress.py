"""Progress of a run: simulated time, step size and time left on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[float, float], None]  # simulated time, step size


@contextmanager
def progress_bar(t_end: float, show: bool | None) -> Iterator[Report | None]:
    """A function to call after every step, or None. show: True, False, or None for `only on a terminal`."""
    if show is False or (show is None and not sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console  # slow to import
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=t_end)
        steps, shown = 0, 0.0

        def report(t: float, h: float) -> None:
            nonlocal steps, shown
            steps += 1
            now = time.monotonic()
            if now - shown > 0.1:  # drawing must not cost more than stepping
                shown = now
                bar.update(task, completed=t, description=f"t = {t:.4g} of {t_end:g} s, step {steps}, h = {h:.2g} s")

        yield report
