"""What a process loads before its first step: nothing that takes long and is not used. Times: benchmarks/start.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SLOW = (
    "h5py", "matplotlib", "meshio", "petsc4py", "pyvista", "rich", "scipy.integrate", "scipy.interpolate", "scipy.linalg",
    "scipy.optimize", "scipy.sparse.csgraph", "scipy.sparse.linalg", "scipy.stats",
)  # fmt: skip
COMPILER = ("numba.np.arraymath", "numba.np.arrayobj", "numba.np.linalg", "numba.np.npyimpl", "numba.typed.typeddict")
PENDULUM = """
m = fm.Model("pendulum", gravity=(0, -9.81))
rod = m.add(fm.PlanarBody("rod", mass=1.0, inertia=0.1, com=(0.5, 0)))
m.add(fm.Revolute(m.ground.at(0, 0), rod.at(0, 0)))
m.simulate(1e-3, step=1e-3, progress=False)
"""
KERNELS = """
import numpy as np
from fmbs.jit.compiled import kernel

@kernel(plain=True)
def doubled(x: np.ndarray, out: np.ndarray) -> None:
    for i in range(x.size):
        out[i] = 2.0 * x[i]

@kernel
def fourfold(x: np.ndarray) -> np.ndarray:
    out = np.empty(x.size)
    doubled(x, out)
    return 2.0 * out
"""


def said(*words: str) -> str:
    """What a new process prints."""
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True).stdout.strip()


def loaded(code: str, names: tuple[str, ...]) -> str:
    return said("-c", f"import sys\nimport fmbs as fm\n{code}\nprint(*[name for name in {names!r} if name in sys.modules])")


def test_import_is_light() -> None:
    assert loaded("", (*SLOW, *COMPILER, "fmbs.cli", "fmbs.export", "fmbs.models", "fmbs.plots", "fmbs.studies")) == ""


@pytest.mark.parametrize("name", ["models", "shapes", "studies"])
def test_what_is_loaded_later_is_there(name: str) -> None:
    assert said("-c", f"import fmbs as fm; print({name!r} in dir(fm), fm.{name}.__name__)").startswith("True fmbs.")


def test_no_other_attribute() -> None:
    assert loaded("print(hasattr(fm, 'study'))", ()) == "False"


def test_kernels_on_the_disk_need_no_compiler() -> None:
    loaded(PENDULUM, ())  # compiles, if nobody has
    assert loaded(PENDULUM, (*COMPILER, *(name for name in SLOW if name != "scipy.linalg"))) == ""  # LAPACK


def test_a_run_with_its_kernels_on_the_disk_builds_its_driver_once() -> None:
    """It is built in vain only to learn what is to be compiled, and then nothing is."""
    loaded(PENDULUM, ())
    count = "from fmbs.jit import beside\ncalls = []\nbeside.collected = lambda plan: calls.append(plan) or []\n"
    assert said("-c", f"import fmbs as fm\n{count}{PENDULUM}\nprint(len(calls))") == "0"


def test_kernel_from_the_disk_is_called_by_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its text, which LLVM needs there, is read late."""
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path))
    (tmp_path / "kernels.py").write_text(KERNELS)
    begin = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from kernels import *; x = np.zeros(2); doubled(np.ones(2), x)"
    assert said("-c", f"{begin}; print(x[0])") == "2.0"
    for hits in ("1 0", "1 1"):
        both = "*(sum(made.stats.cache_hits.values()) for made in (doubled, fourfold))"
        assert said("-c", f"{begin}; print(x[0], fourfold(x)[0], {both})") == f"2.0 8.0 {hits}"
