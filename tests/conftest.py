"""What every test may use."""

from __future__ import annotations

import importlib
import os
import signal
from types import ModuleType

import pytest


def require(module: str) -> ModuleType:
    """An optional module: without it the test skips, or fails if FMBS_REQUIRE_PETSC=1 (nothing may be missing)."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if os.environ.get("FMBS_REQUIRE_PETSC") == "1":
            pytest.fail(f"{module} is required by FMBS_REQUIRE_PETSC=1 but cannot be imported: {error}")
        pytest.skip(f"needs {module}")


def listen() -> None:
    """In a child process: Ctrl-C is heard, even where the tests run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
