"""The same sweep through a local Dask cluster gives the same table."""

from __future__ import annotations

from pathlib import Path

import pytest

import fmbs as fm
from fmbs.studies import sweep
from tests.studies import falling
from tests.studies.test_sweep import LAST, SHORT

distributed = pytest.importorskip("distributed")


@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_dask_gives_the_same_table(tmp_path: Path) -> None:
    cases = [{"gravity": 10.0 + i, "mass": 1.0 if i % 20 else -1.0} for i in range(100)]
    here = sweep(falling.fall, cases, [LAST], folder=tmp_path / "here", jobs=2, **SHORT)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        there = sweep(falling.fall, cases, [LAST], folder=tmp_path / "there", dask=cluster.scheduler_address, **SHORT)
    assert len(there.failed) == 5
    for a, b in zip(here.rows, there.rows, strict=True):
        assert (a.parameters, a.status, a.reason) == (b.parameters, b.status, b.reason)
        # to the last bits: this process may have compiled the kernels that those of the cluster load from the cache
        assert a.values == pytest.approx(b.values, rel=1e-12, nan_ok=True)


def test_no_scheduler(tmp_path: Path) -> None:
    with pytest.raises(fm.ModelError, match="scheduler"):
        sweep(falling.fall, [{"mass": 1.0}], [LAST], folder=tmp_path, dask="nonsense://x", **SHORT)
