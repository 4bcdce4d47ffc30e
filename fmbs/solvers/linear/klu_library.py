"""The library KLU of SuiteSparse (Davis & Palamadai Natarajan 2010), where it is there."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np

from fmbs.jit.shipped import SHIPPED

NAMES = ("libklu.so.2", "libklu.so.1", "libklu.dylib")
SHIPPED_ONES = (
    "libsuitesparseconfig.so.5",
    "libamd.so.2",
    "libcolamd.so.2",
    "libbtf.so.1",
    "libklu.so.1",
)  # each needs those before
COMMON = 64  # words for klu_common, of which KLU needs some twenty
TOLERANCE, GROWTH = 0, 16  # words in it: share of the largest pivot that the diagonal needs; rgrowth
BTF, ORDERING, SCALE, HALT, STATUS = 10, 11, 12, 18, 19  # integers in it
DEFAULTS = {BTF: 1, ORDERING: 0, SCALE: 2, HALT: 1}  # to know it by
COLAMD = 1


@cache
def library() -> Any:
    """The library, if it is there and lays klu_common out as expected; Debian has it with PETSc, and a wheel may bring it."""
    for names in (*((name,) for name in NAMES), [str(SHIPPED / "lib" / name) for name in SHIPPED_ONES]):
        try:
            *_, klu = [ctypes.CDLL(name) for name in names]
        except OSError:
            continue
        common = np.zeros(COMMON)
        klu.klu_defaults(ctypes.c_void_p(common.ctypes.data))
        numbers = common.view(np.int32)
        if common[TOLERANCE] == 1e-3 and all(numbers[k] == value for k, value in DEFAULTS.items()):
            return klu
    return None
