"""Warnings that point at the user's own line, however deep inside fmbs they are made."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

PACKAGE = str(Path(__file__).parents[1])


def tell(text: str, category: type[Warning]) -> None:
    """Warn with the first line outside of this package as the place."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
