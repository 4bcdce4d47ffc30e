"""Results do not depend on who compiled the kernels, nor on the order in which they are loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PARTS = """
import math
import os
import sys
import numpy as np
from fmbs.jit import kernel

FACTOR = float(os.environ["FACTOR"])  # compiled as a constant

@kernel(plain=True, part=True)
def part(x: float) -> float:
    SUM
    return FACTOR * x

@kernel(plain=True)
def first(x: np.ndarray) -> None:
    x[0] = part(x[0]) + part(x[0] + 1.0)

@kernel(plain=True)
def second(x: np.ndarray) -> None:
    x[0] = part(x[0]) - part(x[0] + 1.0)

for name in sys.argv[1:]:
    x = np.zeros(1)
    globals()[name](x)
    print(name, float(x[0]))
""".replace("SUM", "\n    ".join(f"x = math.sin(x) * {k}.0 - x * (math.cos(x) - {k}.0)" for k in range(40)))


def printed(*command: str | Path, cwd: Path | None = None, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *command], cwd=cwd, env={**os.environ, **environment}, check=True, text=True,
        stdout=subprocess.PIPE, timeout=1200.0,
    )  # fmt: skip
    return sorted(done.stdout.split("\n")[:-1])


def test_a_kernel_calls_its_own_copy_of_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Two kernels were compiled with different parts of the same name, so that it shows which one is called."""
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "kernels"))
    monkeypatch.setenv("PYTHONHASHSEED", "0")  # numba's names depend on it, and would differ
    (tmp_path / "parts.py").write_text(PARTS)
    (one,) = printed("parts.py", "first", cwd=tmp_path, FACTOR="1.0")
    (file,) = (tmp_path / "kernels").rglob("parts.part-*.kernel")
    file.unlink()
    (two,) = printed("parts.py", "second", cwd=tmp_path, FACTOR="2.0")
    for order in (("first", "second"), ("second", "first")):
        assert printed("parts.py", *order, cwd=tmp_path, FACTOR="3.0") == [one, two]


def test_runs_give_the_same_bits_in_any_order_of_loading():
    """A lubricated and a flexible slider-crank, with the kernels of all tests that ran before."""
    script = Path(__file__).with_name("load_orders.py")
    assert printed(script) == printed(script, "1") == printed(script, "2")


@pytest.mark.slow
def test_the_process_that_compiled_gives_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """And one that finds half of the kernels, and one that keeps none."""
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "kernels"))
    script = Path(__file__).with_name("load_orders.py")
    compiled = printed(script)
    for seed in range(10):
        assert printed(script, str(seed)) == compiled, seed
    for file in sorted((tmp_path / "kernels").rglob("*.kernel"))[::2]:
        file.unlink()
    assert printed(script) == compiled
    (tmp_path / "file").touch()
    assert printed(script, FMBS_KERNELS=str(tmp_path / "file" / "kernels")) == compiled
