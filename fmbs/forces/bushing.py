"""Bushing: a linear elastic and viscous connection in all six directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, shown
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import BatchEnergy, CompiledPart, Entries, Offsets
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.forces._bushing_kernels import Bushings, bushing_force, bushing_slopes, bushing_state
from fmbs.forces.load import check_marker
from fmbs.gaps.contact_kernels import VECTORS
from fmbs.gaps.layouts import layout_of
from fmbs.gaps.tangent_kernels import pattern
from fmbs.math.vector_table import curvature_count

Array = NDArray[np.float64]

FAR = 2.0  # rad, beyond which a rotation vector is near its end


class BushingBatch:
    """All bushings of a model."""

    is_load = False

    def __init__(self, vectors: VectorTable, parts: Sequence[Bushing]) -> None:
        self.parts, n = tuple(parts), len(parts)
        layout = layout_of(vectors, n)
        u, du, g = np.zeros((3, VECTORS * n, 3))
        changes = np.zeros((2, VECTORS, 3))
        widest = int(np.diff(layout.starts).max(initial=0))
        self._table = Bushings(
            vectors, layout, np.array([part.matrices[0] for part in parts]), np.array([part.matrices[1] for part in parts]),
            u, du, g, np.zeros((2, 6)), np.zeros((3, VECTORS, 3), np.complex128), np.zeros((2, 6), np.complex128), changes,
            changes.reshape(2, -1), np.zeros((2, widest, 3 * VECTORS)),
        )  # fmt: skip

    @classmethod
    def build(cls, parts: Sequence[Bushing], offsets: Offsets) -> Self:
        pool = VectorPool()
        pool.vectors = [x for part in parts for m in part.markers for x in (m.point, *map(m.direction, part.triad))]
        return cls(pool.table(offsets), parts)

    def pattern(self) -> Entries:
        table, layout = self._table.vectors, self._table.layout
        curved = sum(curvature_count(table, i) for i in range(table.kind.size))
        rows, cols = np.zeros((2, int((np.diff(layout.starts) ** 2).sum()) + curved), dtype=np.int64)
        pattern(table, layout, rows, cols)
        return Entries(rows, cols)

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        bushing_force(self._table, q, v, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        bushing_slopes(self._table, q, v, stiffness, damping, out)

    def compiled(self) -> CompiledPart:
        return CompiledPart(self._table, bushing_force, bushing_slopes, damped=True)

    def measures(self, q: Array, v: Array) -> Array:
        """Translations and rotations of b in the frame of a, and their rates  # (n, 2, 6)."""
        x = np.zeros((len(self.parts), 2, 6))
        bushing_state(self._table, q, v, x)
        return x

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        x, dx = np.moveaxis(self.measures(q, v), 1, 0)
        stored = 0.5 * np.einsum("ni,nij,nj", x, self._table.stiffness, x)
        return BatchEnergy(float(stored), float(np.einsum("ni,nij,nj", dx, self._table.damping, dx)), 0.0)

    def wrench(self, part: Bushing, q: Array, v: Array) -> tuple[Array, Array]:
        """Force on b and moment about it."""
        self.measures(q, v)
        k = VECTORS * self.parts.index(part) + 4
        u, g = self._table.u[k : k + 4], self._table.g[k : k + 4]
        return -g[0], -np.cross(u[1:], g[1:]).sum(axis=0)


@dataclass(frozen=True, eq=False)
class Bushing(Described, units={"stiffness": "N/m, N m/rad", "damping": "N s/m, N m s/rad"}):
    """A rubber bushing: F = -(K x + C x') and M on b, with x = (d_1, d_2, d_3, theta_1, theta_2, theta_3).

    d is r_b - r_a as drawn at t = 0 subtracted, theta the rotation vector of b in the frame of a since t = 0 (exact for
    large angles, up to a half turn), both along axes that ride on a. It has an energy, 1/2 x^T K x.

    stiffness: K, six numbers (three N/m, three N m/rad) or a symmetric (6, 6) matrix; in the plane three, along x, along y and
               about z, or (3, 3)
    damping: C, the same with seconds
    axes: three perpendicular global directions at t = 0
    """

    a: Marker
    b: Marker
    stiffness: ArrayLike = field(kw_only=True)
    damping: ArrayLike = field(default=0.0, kw_only=True)
    axes: ArrayLike = field(default=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        for argument, marker in (("a", self.a), ("b", self.b)):
            check_marker(self.label, argument, marker)
            _ = marker.frame  # a cable has none and says so
        if self.a.body is self.b.body:
            raise ModelError(f"{self.label}: a and b are both on {self.a.body.name!r}; a bushing connects two bodies.")
        flat = {marker.planar for marker in self.markers if marker.body.size}
        if len(flat) == 2:
            raise ModelError(f"{self.label}: {self.a} and {self.b} mix a planar and a spatial body; use one kind.")
        if np.linalg.norm(self.a.position - self.b.position) > 1e-9 * max(1.0, float(np.abs(self.a.position).max())):
            raise ModelError(
                f"{self.label}: {self.a} and {self.b} are not at one place; a bushing sits at one point, draw both there."
            )
        axes = array(self.label, "axes", self.axes, "give three directions")
        if axes.shape != (3, 3) or not np.allclose(axes @ axes.T, np.eye(3), rtol=0, atol=1e-9):
            raise ModelError(f"{self.label}: axes = {shown(self.axes)} are not three perpendicular unit vectors.")
        if flat == {True} and not np.allclose(np.abs(axes[2]), (0, 0, 1), rtol=0, atol=1e-9):
            raise ModelError(f"{self.label}: axes = {shown(self.axes)}: the third is not normal to the plane of planar bodies.")
        _ = self.matrices

    @property
    def label(self) -> str:
        return self.name or type(self).__name__

    @property
    def triad(self) -> Array:
        return np.array(self.axes, dtype=float)

    @property
    def matrices(self) -> tuple[Array, Array]:
        """K and C  # (6, 6) each."""
        flat = any(marker.planar for marker in self.markers if marker.body.size)
        stiffness = _matrix(self.label, "stiffness", self.stiffness, flat)
        damping = self.damping
        if np.ndim(damping) == 0 and damping == 0.0:  # none
            return stiffness, np.zeros((6, 6))
        return stiffness, _matrix(self.label, "damping", damping, flat)

    @property
    def batch(self) -> type[BushingBatch]:
        return BushingBatch

    @property
    def markers(self) -> tuple[Marker, Marker]:
        return self.a, self.b

    def _of(self, sol: Any) -> BushingBatch:
        found: BushingBatch = next(x for x in sol.system.batches if isinstance(x, BushingBatch) and self in x.parts)
        return found

    def acting(self, sol: Any) -> tuple[Array, Array]:
        """Force on b's body and moment about b  # (frames, 3) each."""
        batch = self._of(sol)
        pairs = [batch.wrench(self, q, v) for q, v in zip(sol.q, sol.v, strict=True)]
        force, moment = (np.array(x) for x in zip(*pairs, strict=True))
        return force, moment

    def limits(self, sol: Any) -> tuple[str, ...]:
        """Where it was turned too far for a rotation vector, in words."""
        batch = self._of(sol)
        place = batch.parts.index(self)
        angle = np.array([np.linalg.norm(batch.measures(q, v)[place, 0, 3:]) for q, v in zip(sol.q, sol.v, strict=True)])
        far = np.flatnonzero(angle > FAR)
        if not far.size:
            return ()
        text = (
            f"{self.label}: it was turned by more than {FAR:g} rad from t = {sol.t[far[0]]:.6g} s on; at half a turn "
            "its moment changes sign. A RotationSpringDamper counts turns."
        )
        return (text,)


def _matrix(part: str, argument: str, value: ArrayLike, flat: bool) -> Array:
    """(6, 6) from numbers along the axes or a matrix, positive semidefinite."""
    x = array(part, argument, value, "give six numbers or a (6, 6) matrix")
    size = 3 if flat and x.shape in ((3,), (3, 3)) else 6
    matrix = np.diag(x) if x.shape == (size,) else x
    if matrix.shape != (size, size) or not np.isfinite(matrix).all():
        numbers = (
            "three numbers, along x, along y and about z, or a (3, 3) matrix" if flat else "six numbers or a (6, 6) matrix"
        )
        raise ModelError(f"{part}: {argument} = {shown(value)} has shape {x.shape}; give {numbers}, finite.")
    largest = float(np.abs(matrix).max())
    if not np.allclose(matrix, matrix.T, rtol=0, atol=1e-9 * largest):
        raise ModelError(f"{part}: {argument} is not symmetric; a bushing has an energy, so give a symmetric matrix.")
    if np.linalg.eigvalsh(matrix)[0] < -1e-9 * largest:
        raise ModelError(f"{part}: {argument} = {shown(value)} makes energy; all its eigenvalues must be zero or positive.")
    places = [0, 1, 5] if size == 3 else list(range(6))
    full = np.zeros((6, 6))
    full[np.ix_(places, places)] = matrix
    return full
