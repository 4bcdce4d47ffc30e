"""Arrays as text for the viewer of a page: deflated, base64."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray


def pack(values: NDArray[Any]) -> str:
    """The bytes of an array."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(values).tobytes(), 6)).decode()


def floats(values: NDArray[Any]) -> str:
    """As numbers of four bytes."""
    return pack(np.asarray(values, dtype=np.float32))
