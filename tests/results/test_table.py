"""Table: blocks of any length come back row by row, flushed or not, over the borders of chunks."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fmbs.results.store import table as module
from fmbs.results.store.table import Table


@pytest.mark.parametrize("row", [(), (3,), (2, 2), (0,)])
def test_blocks_come_back(row: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of 4 rows; single rows, whole chunks, more than one, and flushes inside a chunk and at its end."""
    monkeypatch.setattr(module, "CHUNK_ROWS", 4)
    rows = np.random.default_rng(1).standard_normal((40, *row))
    lengths = [1, 1, 2, 4, 3, 9, 0, 8, 1, 5]
    with h5py.File(tmp_path / "x.h5", "w", libver="latest", rdcc_nbytes=0) as file:
        table = Table(file, "group/rows", rows[:0])
        for k, length in enumerate(lengths):
            table.extend(rows[table.count : table.count + length])
            if k % 2:
                table.flush()
                assert_array_equal(file["group/rows"][()], rows[: table.count])
        table.flush()
        table.flush()
    with h5py.File(tmp_path / "x.h5") as file:
        assert_array_equal(file["group/rows"][()], rows[: sum(lengths)])


def test_rows_larger_than_a_chunk_and_views(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One row a chunk, from a strided view of other numbers."""
    monkeypatch.setattr(module, "CHUNK_BYTES", 16)
    numbers = np.arange(60, dtype=np.int64).reshape(6, 10)[:, ::2]
    with h5py.File(tmp_path / "x.h5", "w", libver="latest", rdcc_nbytes=0) as file:
        table = Table(file, "rows", np.zeros((0, 5)))
        table.extend(numbers)
        assert_array_equal(file["rows"][()], numbers.astype(float))
