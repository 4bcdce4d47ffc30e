# mypy: disable-error-code="no-untyped-call,import-untyped,attr-defined"
"""Kernels that a wheel brings with it: compiled for all processors of the last ten years, so that a first run compiles nothing.

`scripts/ship_kernels.py` makes them. They are used where the processor can and numba, llvmlite and numpy are of the versions
that they were made with; otherwise kernels are compiled as ever.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numba

PACKAGE = Path(__file__).parents[1]
SHIPPED = PACKAGE / "shipped"
NATIVE = "FMBS_NATIVE"  # of the environment: 1 for kernels made for this very processor, whatever the wheel brings
PROCESSOR = "x86-64-v3"
NEEDED = frozenset({"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"})


def kernels_shipped(versions: str) -> Path:
    """The folder of those that were made with these versions."""
    return SHIPPED / f"kernels-{versions}"


@cache
def shipped_for(codegen: Any) -> tuple[str, str, str] | None:
    """The processor that they were made for, as numba tells of one; None where none are there, or they cannot be used."""
    if not SHIPPED.is_dir() or os.environ.get(NATIVE) == "1" or numba.config.CPU_NAME not in (None, PROCESSOR):
        return None
    system, _, features = codegen.magic_tuple()
    can = {word[1:] for word in features.split(",") if word.startswith("+")}
    return (system, PROCESSOR, "") if can >= NEEDED else None
