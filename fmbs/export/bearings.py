"""Films in bearings: the journal's surface unrolled around its bearing, with pressure and gap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Cells, Snapshot
from fmbs.core.optional import JointWithClearance

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

Array = NDArray[np.float64]


class Bearings:
    """Cylinders about the axes of lubricated bearings.

    pressure: Pa; gap: h = c - e(zeta) . n, m, with e between those of the ends A and W; part: number of the bearing
    """

    name = "bearings"

    def __init__(self, sol: Solution, joints: Sequence[JointWithClearance]) -> None:
        self._films = [_FilmSurface(sol, joint) for joint in joints]
        self.cells = Cells.merged([(film.cells, film.theta.size * film.zeta.size) for film in self._films])

    def snapshot(self, frame: int) -> Snapshot:
        shots = [film.snapshot(frame) for film in self._films]
        fields = {key: np.concatenate([shot.fields[key] for shot in shots]) for key in ("pressure", "gap")}
        part = np.repeat(np.arange(len(shots)), [len(shot.points) for shot in shots]).astype(np.int32)
        return Snapshot(np.concatenate([shot.points for shot in shots]), {**fields, "part": part})


class _FilmSurface:
    """Points theta by theta: r = b + R (cos theta e_1 + sin theta e_2) + zeta e_3 with the bearing's triad e_k."""

    def __init__(self, sol: Solution, joint: JointWithClearance) -> None:
        film, marker = sol.clearance(joint).film, joint.bearing
        assert film is not None
        self._film, self._clearance, self._radius = film, joint.clearance, joint.stations[0].radius
        self.theta, self.zeta, _ = film.pressure(0)
        place = sol.position(marker)
        self._place = np.pad(place, ((0, 0), (0, 3 - place.shape[1])))  # (frames, 3)
        self._axes = sol.rotation(marker) @ np.column_stack(joint.triad)  # (frames, 3, 3), columns e_1, e_2, e_3
        n, k = self.theta.size, self.zeta.size
        around, along = np.meshgrid(np.arange(n), np.arange(k - 1), indexing="ij")
        here, there = k * around + along, k * ((around + 1) % n) + along
        self.cells = Cells.of(np.stack([here, there, there + 1, here + 1], axis=-1).reshape(-1, 4).tolist())

    def snapshot(self, frame: int) -> Snapshot:
        _, _, pressure = self._film.pressure(frame)
        theta, zeta = (x.ravel() for x in np.meshgrid(self.theta, self.zeta, indexing="ij"))
        normal = np.stack([np.cos(theta), np.sin(theta)], axis=1)  # (points, 2)
        local = np.column_stack([self._radius * normal, zeta])
        a, w = self._film.motion[frame, 0:2], self._film.motion[frame, 2:4]
        share = (zeta - self.zeta[0]) / (self.zeta[-1] - self.zeta[0])
        gap = self._clearance - np.einsum("px,px->p", a + share[:, None] * (w - a), normal)
        points = self._place[frame] + local @ self._axes[frame].T
        return Snapshot(points, {"pressure": pressure.ravel(), "gap": gap})
