"""Checks of user input: every message names the part, the argument, the value and what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from math import inf, isfinite
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ConvergenceError, ModelError

Array = NDArray[np.float64]
T = TypeVar("T")

LONGEST = 120  # letters of a value in a message
MANY = 10_000_000  # elements, frames, cells: what is asked for beyond is a slip


def shown(value: object) -> str:
    """A value in a message: short, in one line, whatever it is."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an integer of thousands of digits, an object whose own words fail
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]} ... {text[-10:]}"


def number(part: str, argument: str, value: object) -> float:
    """A finite real number. Texts, decimals and fractions are none: formulas and kernels take plain numbers only."""
    plain = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not plain and not (isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iuf"):
        raise ModelError(f"{part}: {argument} = {shown(value)} is not a number; give a finite number in SI units.")
    try:
        x = float(value)  # type: ignore[arg-type]
    except OverflowError:
        x = inf
    if not isfinite(x):
        raise ModelError(f"{part}: {argument} = {shown(value)} is not finite; give a finite number in SI units.")
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


def whole(part: str, argument: str, value: object, least: int = 1, most: int = MANY) -> int:
    """A whole number of `least` or more, and not so many that no machine could hold them."""
    x = int(value) if isinstance(value, (int, np.integer)) and not isinstance(value, bool) else least - 1
    if not least <= x <= most:
        allowed = f"of {least} or more" if x < least and most >= MANY else f"from {least} to {most}"
        raise ModelError(f"{part}: {argument} = {shown(value)} must be a whole number {allowed}.")
    return x


def array(part: str, argument: str, value: object, give: str = "give numbers") -> Array:
    """Numbers of any shape, NaN and infinity among them; `give` ends the message."""
    try:
        x = np.array(value)
        if x.dtype != np.float64:
            if x.dtype.kind not in "iufO" or (x.dtype.kind == "O" and x.size and isinstance(x.flat[0], (str, bytes))):
                raise TypeError
            x = x.astype(np.float64)
    except Exception:  # NumPy asks the value itself, which may raise what it likes
        raise ModelError(f"{part}: {argument} = {shown(value)} is not a vector; {give}.") from None
    return x


def vector(part: str, argument: str, value: object, size: int = 3) -> Array:
    """A finite vector of `size` components."""
    x = array(part, argument, value, f"give {size} numbers")
    if x.shape != (size,):
        raise ModelError(f"{part}: {argument} = {shown(value)} has shape {x.shape}; give {size} numbers.")
    if not all(map(isfinite, x.tolist())):  # of a load in every step: NumPy's way takes longer
        raise ModelError(f"{part}: {argument} = {shown(value)} is not finite; give {size} finite numbers.")
    return x


def unit(part: str, argument: str, value: object, size: int = 3) -> Array:
    """A direction, normalised; the zero vector has none."""
    x = vector(part, argument, value, size)
    x = x / (float(np.abs(x).max()) or 1.0)  # or the square of a large number is infinite
    length = float(np.linalg.norm(x))
    if length < 1e-12:
        raise ModelError(f"{part}: {argument} = {shown(value)} has no direction; give a vector of non-zero length.")
    return x / length


def series(part: str, argument: str, value: object, least: int = 1) -> Array:
    """A list of `least` or more finite numbers  # (n,)."""
    give = f"give a list of {least} or more finite numbers" if least > 1 else "give a list of finite numbers"
    x = array(part, argument, value, give)
    if x.ndim != 1 or x.size < least or not np.isfinite(x).all():
        raise ModelError(f"{part}: {argument} = {shown(value)}, of shape {x.shape}; {give}.")
    return x


def text(part: str, argument: str, value: object) -> str:
    """A text, such as a name."""
    if not isinstance(value, str):
        raise ModelError(f"{part}: {argument} = {shown(value)} is not a text; give one in quotes.")
    return value


def choice(part: str, argument: str, value: object, known: Iterable[str]) -> str:
    """One of a few words."""
    words = list(known)
    if not isinstance(value, str) or value not in words:
        raise ModelError(f"{part}: {argument} = {shown(value)} is unknown.{nearest(value, words)}")
    return value


def flag(part: str, argument: str, value: object) -> bool:
    """Yes or no."""
    if not isinstance(value, (bool, np.bool_)):
        raise ModelError(f"{part}: {argument} = {shown(value)} is neither True nor False.")
    return bool(value)


def listed(part: str, argument: str, value: object, of: str = "values") -> list[Any]:
    """The entries of a list, a tuple, an array or a range: of what has an end and is not a text."""
    if isinstance(value, (list, tuple, range)) or (isinstance(value, np.ndarray) and value.ndim):
        return list(value)
    raise ModelError(f"{part}: {argument} = {shown(value)} is not a list of {of}; give [...].")


def mapping(part: str, argument: str, value: object, of: str = "values") -> dict[str, Any]:
    """A dictionary whose keys are texts."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ModelError(f"{part}: {argument} = {shown(value)} does not name {of}; give a dictionary, {{'name': ...}}.")
    return dict(value)


def checked_path(part: str, argument: str, value: object) -> Path:
    """The name of a file or a folder."""
    if not isinstance(value, (str, Path)) or not str(value).strip() or "\0" in str(value):
        raise ModelError(f"{part}: {argument} = {shown(value)} is not the name of a file or folder; give a text or a Path.")
    return Path(value)


def asked(part: str, argument: str, function: Callable[..., T], *at: Any) -> T:
    """What a user's function returns; an error that it raises is told with its name."""
    try:
        return function(*at)
    except (ModelError, ConvergenceError, Warning):
        raise
    except Exception as error:
        place = ", ".join(f"{x:g}" if isinstance(x, float) else "..." for x in at)
        raise ModelError(
            f"{part}: the function {argument} fails: {argument}({place}) raises {type(error).__name__}: {error}."
        ) from error


def nearest(name: object, known: Iterable[object]) -> str:
    """'Did you mean ...?' for a misspelt name, with everything that is known."""
    known = sorted(map(str, known))
    close = difflib.get_close_matches(name[:LONGEST], known, n=2) if isinstance(name, str) else ()
    hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return f"{hint} Known: {', '.join(known) if known else 'none'}."
