"""What pip installs it can take away, compiled kernels or not."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import fmbs

TAG = "fmbs-0.0.0.dist-info"
USE = """
import fmbs
from fmbs.jit import LINE, assign, kernel_folder

assign.compile((LINE, LINE))
print(fmbs.__file__, len(list(kernel_folder().rglob("*.kernel"))))
"""


def wheel(folder: Path) -> Path:
    """The package as it would be installed; the build system's own needs a network."""
    package, path = Path(fmbs.__file__).parent, folder / "fmbs-0.0.0-py3-none-any.whl"
    files = [file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    names = [str(file.relative_to(package.parent)) for file in files]
    with zipfile.ZipFile(path, "w") as archive:
        for file, name in zip(files, names, strict=True):
            archive.write(file, name)
        archive.writestr(f"{TAG}/METADATA", "Metadata-Version: 2.1\nName: fmbs\nVersion: 0.0.0\n")
        archive.writestr(f"{TAG}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(
            f"{TAG}/RECORD", "".join(f"{name},,\n" for name in (*names, f"{TAG}/METADATA", f"{TAG}/WHEEL", f"{TAG}/RECORD"))
        )
    return path


@pytest.mark.slow
def test_uninstall_leaves_nothing_to_import(tmp_path: Path) -> None:
    """In an environment of its own, which borrows numba and numpy from the one of the tests while fmbs is used."""
    unset = "FMBS_KERNELS", "NUMBA_CACHE_DIR", "PYTHONPATH"
    environment = {key: value for key, value in os.environ.items() if key not in unset}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    borrowed = {"PYTHONPATH": sysconfig.get_path("purelib")}

    def said(*command: str | Path, code: int = 0, **more: str) -> str:
        env = {**environment, **more}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300.0, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    said(sys.executable, "-m", "venv", "--without-pip", "env")
    python = tmp_path / "env" / "bin" / "python"
    pip = sys.executable, "-m", "pip", "--python", str(python)
    said(*pip, "install", "--no-deps", "--no-index", wheel(tmp_path))
    used, kernels = said(python, "-c", USE, **borrowed).split()
    assert Path(used).is_relative_to(tmp_path / "env")
    assert int(kernels) > 0
    said(*pip, "uninstall", "-y", "fmbs")
    assert not Path(used).parent.exists()
    assert "No module named 'fmbs'" in said(python, "-c", "import fmbs", code=1, **borrowed)
