"""What every test may use."""

from __future__ import annotations

import importlib
import os
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
