"""Linear controllers as A, B, C, D: from scipy.signal, python-control, or the numbers themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import shown
from fmbs.core.errors import ModelError

Array = NDArray[np.float64]

WANTED = (
    "give (numerator, denominator) in powers of s, highest first, (A, B, C, D), or what scipy.signal and python-control make: "
    "a TransferFunction or a StateSpace"
)


class StateSpaceForm:
    """z' = A z + B e, u = C z + D e with one e and one u; with a period dt, s, z_k+1 = A z_k + B e_k."""

    def __init__(self, A: Array, B: Array, C: Array, D: float, dt: float) -> None:
        self.A, self.B, self.C, self.D, self.dt = A, B, C, D, dt

    @property
    def numbers(self) -> tuple[Any, ...]:
        """As it is stored."""
        return tuple(map(tuple, self.A.tolist())), tuple(self.B.tolist()), tuple(self.C.tolist()), self.D, self.dt


def state_space(part: str, controller: Any) -> StateSpaceForm:
    """Of one input and one output."""
    dt, given = _period(part, controller), controller
    if not isinstance(given, (tuple, list)):
        given = _of_object(given)
    if isinstance(given, (tuple, list)) and len(given) == 2:
        given = _of_fraction(part, controller, given)
    if not isinstance(given, (tuple, list)) or len(given) not in (4, 5):
        raise ModelError(f"{part}: controller = {shown(controller)} is none; {WANTED}.")
    if len(given) == 5:
        dt = float(given[4])
    try:
        A = np.array(given[0], dtype=float)
        A = A.reshape(0, 0) if not A.size else np.atleast_2d(A)
        n = A.shape[0]
        B, C = (np.array(x, dtype=float).reshape(n) for x in given[1:3])
        D = float(np.array(given[3], dtype=float).reshape(()) if np.ndim(given[3]) == 0 else np.array(given[3]).reshape(1)[0])
        fits = A.shape == (n, n) and np.isfinite(A).all() and np.isfinite([*B, *C, D]).all()
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ModelError(f"{part}: controller = {shown(controller)} has not one finite input and one output; {WANTED}.")
    return StateSpaceForm(A, B, C, D, dt)


def _period(part: str, controller: Any) -> float:
    """Of a discrete one, s; 0 of a continuous one."""
    dt = getattr(controller, "dt", None)
    if dt is True:
        raise ModelError(f"{part}: controller is discrete with a period that is not given; make it with dt=, s.")
    return float(dt or 0.0)


def _of_object(controller: Any) -> Any:
    """Matrices, or numerator and denominator."""
    if all(hasattr(controller, name) for name in "ABCD"):
        return tuple(np.asarray(getattr(controller, name)) for name in "ABCD")
    if hasattr(controller, "to_ss"):
        return _of_object(controller.to_ss())
    if hasattr(controller, "num") and hasattr(controller, "den"):
        num, den = controller.num, controller.den
        while np.ndim(num) > 1 or (isinstance(num, list) and len(num) == 1 and np.ndim(num[0]) >= 1):
            num, den = num[0], den[0]
        return num, den
    return controller


def _of_fraction(part: str, controller: Any, given: Sequence[Any]) -> Any:
    """In controllable form."""
    try:
        num, den = (np.trim_zeros(np.atleast_1d(np.array(x, dtype=float)), "f") for x in given)
    except (TypeError, ValueError):
        raise ModelError(f"{part}: controller = {shown(controller)} is none; {WANTED}.") from None
    if not den.size or num.size > den.size:
        raise ModelError(
            f"{part}: controller = {shown(controller)} grows with frequency; give the denominator a degree at least as high as "
            "the numerator's, a differentiator with a filter, such as s/(0.001 s + 1)."
        )
    n = den.size - 1
    num, den = np.append(np.zeros(den.size - num.size), num) / den[0], den / den[0]
    A = np.zeros((n, n))
    A[:1], A[1:, :-1] = -den[1:], np.eye(max(n - 1, 0))
    return A, np.eye(n, 1).ravel(), num[1:] - num[0] * den[1:], num[0]
