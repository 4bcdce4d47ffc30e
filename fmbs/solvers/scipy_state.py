"""What SciPy's integrators carry from step to step, as numbers and arrays: a run can be continued to the last bit.

Kept are the attributes of the integrator, and of objects of SciPy in it, that are numbers, texts, arrays or sequences of these;
functions, the equations among them, are those of the integrator that is made anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SEQUENCE = "()"  # ends the name of an attribute that is a tuple or list: a factorisation, arguments of a library


def can_be_kept(solver: Any) -> bool:
    """Not LSODA in versions of SciPy that hide its history in a library: it starts anew from the state."""
    inner = getattr(solver, "_lsoda_solver", None)
    return inner is None or hasattr(inner._integrator, "state_doubles")


def taken(thing: Any) -> dict[str, Any]:
    """As a checkpoint holds it: a dictionary of numbers, texts, arrays and such dictionaries."""
    found: dict[str, Any] = {}
    for name, value in vars(thing).items() if hasattr(thing, "__dict__") else thing:
        if value is None or isinstance(value, (bool, int, float, str, np.ndarray)):
            found[name] = value
        elif isinstance(value, np.generic):
            found[name] = value.item()
        elif isinstance(value, (tuple, list)) and value:
            found[name + SEQUENCE] = taken([(str(k), each) for k, each in enumerate(value)])
        elif type(value).__module__.startswith("scipy."):
            found[name] = taken(value)
    return found


def put_back(thing: Any, kept: dict[str, Any]) -> None:
    """Make an integrator of the same kind go on as the other would have."""
    for name, value in kept.items():
        there = getattr(thing, name.removesuffix(SEQUENCE), None)
        if name.endswith(SEQUENCE):
            pieces = list(there or [None] * len(value))
            filled = [_filled(piece, value[str(k)]) if str(k) in value else piece for k, piece in enumerate(pieces)]
            setattr(thing, name.removesuffix(SEQUENCE), filled if isinstance(there, list) else tuple(filled))
        elif not isinstance(value, dict):
            setattr(thing, name, _filled(there, value))
        elif there is not None:
            put_back(there, value)
    if isinstance(kept.get("sol"), dict):  # Radau begins its iteration from the polynomial of the last step
        thing.sol = thing._compute_dense_output()


def _filled(there: Any, value: Any) -> Any:
    """Arrays are filled in place: some share their memory."""
    if isinstance(there, np.ndarray) and isinstance(value, np.ndarray) and there.shape == value.shape:
        there[...] = value
        return there
    return value
