"""Cases on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fmbs.core.errors import ModelError
from fmbs.studies.pool import Outcome, Task, attempt


def run_dask(task: Task, items: Sequence[Any], address: str, finished: Callable[[int, Outcome], None]) -> None:
    """Run a task on all items through a scheduler; a case whose workers die is recorded as killed.

    address: "tcp://host:8786" of `dask scheduler`; its workers need fmbs, and the sweep's folder if runs are kept
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ModelError("sweep: Dask is not installed; install it with pip install 'fmbs[dask]', or leave dask out.") from None
    try:
        client = Client(address, timeout=20)
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(f"sweep: no Dask scheduler answers at {address!r} ({error}).") from None
    with client:
        futures = {client.submit(attempt, task, item, pure=False, retries=1): place for place, item in enumerate(items)}
        for future in as_completed(futures):
            dead = future.exception()
            finished(futures[future], future.result() if dead is None else Outcome("killed", {}, f"the workers died: {dead}"))
