"""How kernels are compiled."""

from __future__ import annotations

import numpy as np
import pytest

from fmbs.jit.assign_kernels import assign
from fmbs.jit.compiled import kernel


@kernel(plain=True)
def doubled(x: np.ndarray, out: np.ndarray) -> None:
    assign(out, x)
    for i in range(out.size):
        out[i] *= 2.0


def test_parts_are_for_kernels_only() -> None:
    out = np.zeros(3)
    doubled(np.ones(3), out)
    assert (out == 2.0).all()
    with pytest.raises(TypeError, match="assign is a part of kernels"):
        assign(out, np.ones(3))  # also after a kernel has compiled it for these types
