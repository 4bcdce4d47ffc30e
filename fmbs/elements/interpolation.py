"""Interpolations of beams along the axis: tables of shape functions.

Every beam here has the shape r(x, y, z) = sum_i (a_i + y b_i + z c_i) e_i with the nodal vectors e_i, and functions a, b, c of
xi in [0, 1] along the element: a carries the centre line, b and c the directors r_y and r_z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.math.hermite import hermite

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ShapeFunctions:
    """Values and derivatives with respect to xi at some points  # (points, vectors)."""

    a: Array
    b: Array
    c: Array
    da: Array
    db: Array
    dc: Array


@dataclass(frozen=True)
class Hermite:
    """Two nodes with r, r_x, r_y, r_z: cubic centre line, linear directors (Shabana & Yakoub 2001). 24 coordinates."""

    name = "hermite"
    nodes = np.array([0.0, 1.0])
    per_node = 4
    kinds = ("r", "r_x", "r_y", "r_z")

    def shape(self, xi: Array, length: float) -> ShapeFunctions:
        x = np.asarray(xi, dtype=float)
        o = np.zeros_like(x)
        h, dh = (np.moveaxis(values, -1, 0) for values in hermite(x, length)[:2])
        one = o + 1.0
        return ShapeFunctions(
            a=np.stack([h[0], h[1], o, o, h[2], h[3], o, o], axis=-1),
            b=np.stack([o, o, 1 - x, o, o, o, x, o], axis=-1),
            c=np.stack([o, o, o, 1 - x, o, o, o, x], axis=-1),
            da=np.stack([dh[0], dh[1], o, o, dh[2], dh[3], o, o], axis=-1),
            db=np.stack([o, o, -one, o, o, o, one, o], axis=-1),
            dc=np.stack([o, o, o, -one, o, o, o, one], axis=-1),
        )


@dataclass(frozen=True)
class Lagrange:
    """Equally spaced nodes with r, r_y, r_z, all interpolated by one polynomial. Quadratic: 27 coordinates, cubic: 36."""

    order: int
    per_node = 3
    kinds = ("r", "r_y", "r_z")

    @property
    def name(self) -> str:
        return {2: "quadratic", 3: "cubic"}[self.order]

    @property
    def nodes(self) -> Array:
        return np.linspace(0.0, 1.0, self.order + 1)

    def shape(self, xi: Array, length: float) -> ShapeFunctions:
        x = np.asarray(xi, dtype=float)
        value, slope = self._polynomials(x)
        spread = np.zeros((3, *x.shape, 3 * (self.order + 1)))
        slopes = np.zeros_like(spread)
        for kind in range(3):
            spread[kind, ..., kind::3], slopes[kind, ..., kind::3] = value, slope
        return ShapeFunctions(*spread, *slopes)

    def _polynomials(self, x: Array) -> tuple[Array, Array]:
        """prod_{j != k} (x - x_j)/(x_k - x_j) of every node k, and its derivative  # (..., nodes) each."""
        every = np.arange(self.order + 1)
        value, slope = np.ones((*x.shape, every.size)), np.zeros((*x.shape, every.size))
        for j, node in enumerate(self.nodes):
            others = every != j
            factor = (x - node)[..., None] / (self.nodes[others] - node)
            slope[..., others] = slope[..., others] * factor + value[..., others] / (self.nodes[others] - node)
            value[..., others] *= factor
        return value, slope


Interpolation = Hermite | Lagrange
INTERPOLATIONS: dict[str, Interpolation] = {"hermite": Hermite(), "quadratic": Lagrange(2), "cubic": Lagrange(3)}
