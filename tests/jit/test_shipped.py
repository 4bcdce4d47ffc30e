"""Kernels that come with a wheel: used where the processor can, before those on the disk, and never needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fmbs.jit.shipped import NEEDED, PACKAGE, PROCESSOR, shipped_for

ASKED = """
import numpy as np
from fmbs.results.store.checks import add_sums, row_sums

row_sums("q", np.ones((2, 3)))
print(sum(add_sums.stats.cache_hits.values()))
"""
MADE_FOR = {"NUMBA_CPU_NAME": PROCESSOR, "NUMBA_CPU_FEATURES": ""}


class Codegen:
    """What numba tells of a processor."""

    def __init__(self, *features: str) -> None:
        self.features = features

    def magic_tuple(self) -> tuple[str, str, str]:
        return "x86_64-unknown-linux-gnu", "some", ",".join(self.features)


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A copy of the package that brings one kernel with it."""
    home = tmp_path / "home"
    shutil.copytree(PACKAGE, home / "fmbs", ignore=shutil.ignore_patterns("__pycache__", "shipped"))
    assert loaded(home, FMBS_KERNELS=str(tmp_path / "made"), **MADE_FOR) == "0"
    shutil.copytree(tmp_path / "made", home / "fmbs" / "shipped")
    return home


def loaded(home: Path, **environment: str) -> str:
    """How many kernels a new process has found."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NUMBA_CPU_NAME")}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], env=kept | environment, cwd=home, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_first_run_compiles_nothing(shipped: Path, tmp_path: Path):
    if not features() >= NEEDED:
        pytest.skip(f"this processor is not one of {PROCESSOR}")
    folder = tmp_path / "kernels"
    assert loaded(shipped, FMBS_KERNELS=str(folder)) == "1"
    assert not list(folder.rglob("*.kernel"))


def test_with_fmbs_native_kernels_are_made_for_this_processor(shipped: Path, tmp_path: Path):
    own = {"FMBS_KERNELS": str(tmp_path / "kernels"), "FMBS_NATIVE": "1"}
    assert [loaded(shipped, **own), loaded(shipped, **own)] == ["0", "1"]


def test_what_is_damaged_is_left_where_it_is_and_not_used(shipped: Path, tmp_path: Path):
    (file,) = shipped.rglob("*.kernel")
    file.write_bytes(file.read_bytes()[:-1])
    assert loaded(shipped, FMBS_KERNELS=str(tmp_path / "kernels")) == "0"
    assert file.exists()


def test_other_processors_are_left_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("fmbs.jit.shipped.SHIPPED", tmp_path)
    monkeypatch.delenv("FMBS_NATIVE", raising=False)
    able = [f"+{name}" for name in NEEDED]
    assert shipped_for(Codegen(*able, "-avx512f")) == ("x86_64-unknown-linux-gnu", PROCESSOR, "")
    assert shipped_for(Codegen(*able[1:])) is None
    assert shipped_for(Codegen(*able[1:], able[0].replace("+", "-"))) is None


def features() -> set[str]:
    from llvmlite.binding import get_host_cpu_features

    return {name for name, there in get_host_cpu_features().items() if there}
