"""Checks of user input: every message names the part, the argument, the value and what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.errors import ModelError

Array = NDArray[np.float64]


def number(part: str, argument: str, value: object) -> float:
    """A finite real number."""
    try:
        x = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ModelError(f"{part}: {argument} = {value!r} is not a number; give a finite number in SI units.") from None
    if not isfinite(x):
        raise ModelError(f"{part}: {argument} = {value!r} is not finite; give a finite number in SI units.")
    return x


def positive(part: str, argument: str, value: object) -> float:
    """A finite number > 0."""
    x = number(part, argument, value)
    if x <= 0.0:
        raise ModelError(f"{part}: {argument} = {x:g} must be positive; check its sign and unit (SI).")
    return x


def not_negative(part: str, argument: str, value: object) -> float:
    """A finite number >= 0."""
    x = number(part, argument, value)
    if x < 0.0:
        raise ModelError(f"{part}: {argument} = {x:g} must not be negative; check its sign and unit (SI).")
    return x


def whole(part: str, argument: str, value: object) -> int:
    """A whole number >= 1."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise ModelError(f"{part}: {argument} = {value!r} must be a whole number of 1 or more.")
    return int(value)


def vector(part: str, argument: str, value: ArrayLike, size: int = 3) -> Array:
    """A finite vector of `size` components."""
    try:
        x = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{part}: {argument} = {value!r} is not a vector; give {size} numbers.") from None
    if x.shape != (size,):
        raise ModelError(f"{part}: {argument} = {value!r} has shape {x.shape}; give {size} numbers.")
    if not all(map(isfinite, x.tolist())):  # of a load in every step: NumPy's way takes longer
        raise ModelError(f"{part}: {argument} = {value!r} is not finite; give {size} finite numbers.")
    return x


def unit(part: str, argument: str, value: ArrayLike, size: int = 3) -> Array:
    """A direction, normalised; the zero vector has none."""
    x = vector(part, argument, value, size)
    length = float(np.linalg.norm(x))
    if length < 1e-12:
        raise ModelError(f"{part}: {argument} = {value!r} has no direction; give a vector of non-zero length.")
    return x / length


def nearest(name: str, known: Iterable[str]) -> str:
    """'Did you mean ...?' for a misspelt name, with everything that is known."""
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=2)
    hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return f"{hint} Known: {', '.join(known) if known else 'none'}."
