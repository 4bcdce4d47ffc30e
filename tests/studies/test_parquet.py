"""The table of a sweep as Parquet: what table.csv holds, with types."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fmbs.studies import sweep
from tests.conftest import require
from tests.studies import falling
from tests.studies.test_sweep import LAST, SHORT


def test_parquet_holds_the_table(tmp_path: Path) -> None:
    """Numbers as numbers, a failed case without a value, nothing left half-written."""
    parquet = require("pyarrow.parquet")
    cases = [{"gravity": 10.0, "mass": 1.0}, {"gravity": 20.0, "mass": 2.0}, {"gravity": 10.0, "mass": -1.0}]
    found = sweep(falling.fall, cases, [LAST], folder=tmp_path, jobs=1, **SHORT)
    table = parquet.read_table(tmp_path / "table.parquet").to_pydict()
    assert table["mass"] == [1.0, 2.0, -1.0] and table["status"] == ["done", "done", "failed"]
    assert table[LAST][2] is None and table[LAST][:2] == found.column(LAST)[:2].tolist()
    assert table[LAST][:2] == pytest.approx([-0.05, -0.1], rel=1e-9)  # g t^2 / 2
    assert np.isfinite(table["wall"]).all() and not list(tmp_path.glob("*.part"))
