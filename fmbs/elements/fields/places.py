"""Places along a flexible link, and what is known there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fmbs.elements.flexible_link import FlexibleLink

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class Places(NamedTuple):
    """Elements, local coordinates 0 <= xi <= 1, and |dr/dxi| of the drawn shape there  # (places,) each."""

    element: Integers
    xi: Array
    speed: Array

    @classmethod
    def of(cls, link: FlexibleLink, s: Array) -> Places:
        element, xi = zip(*(link.locate(float(x)) for x in s), strict=True)
        return cls.inside(link, element, xi)

    @classmethod
    def inside(cls, link: FlexibleLink, element: tuple[int, ...] | Integers, xi: tuple[float, ...] | Array) -> Places:
        speed = [link.reference_speed(np.array([x]))[e, 0] for e, x in zip(element, xi, strict=True)]
        return cls(np.array(element, dtype=np.int64), np.array(xi, dtype=float), np.array(speed))

    def weights(self, points: Array, *, slope: bool = False) -> Array:  # (places, points)
        """Of values at points of the element, for the polynomial through them (or its slope over xi) at the places."""
        k = np.arange(points.size)
        powers = k * self.xi[:, None] ** np.maximum(k - 1, 0) if slope else self.xi[:, None] ** k
        weights: Array = powers @ np.linalg.inv(points[:, None] ** k)
        return weights
