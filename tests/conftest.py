"""What every test may use."""

from __future__ import annotations

import importlib
import os
import signal
from types import ModuleType
from typing import NoReturn

import pytest


def require(module: str) -> ModuleType:
    """An optional module: without it the test skips, or fails if FMBS_REQUIRE_PETSC=1 (nothing may be missing)."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing(f"{module} ({error})")


def missing(what: str) -> NoReturn:
    """Skip a test that needs it, or fail if FMBS_REQUIRE_PETSC=1."""
    if os.environ.get("FMBS_REQUIRE_PETSC") == "1":
        pytest.fail(f"FMBS_REQUIRE_PETSC=1 and there is no {what}")
    pytest.skip(f"needs {what}")


def listen() -> None:
    """In a child process: Ctrl-C is heard, even where the tests run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
