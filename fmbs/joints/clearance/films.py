"""The films of a model's clearance joints, evaluated one by one and applied together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import Stations
from fmbs.gaps.film_kernels import Films, FilmState
from fmbs.laws.film.base import FilmAction
from fmbs.laws.law import IN_PYTHON, places, rows

if TYPE_CHECKING:
    from fmbs.joints.clearance.base import ClearanceJoint

Array = NDArray[np.float64]


class FilmBatch:
    """Films with a kernel are left to it; the others, and viscosities that change in time, are seen to here."""

    def __init__(self, joints: Sequence[ClearanceJoint], stations: Stations) -> None:
        self.parts = [(k, joint, joint.film) for k, joint in enumerate(joints) if joint.film is not None]
        ends = [np.flatnonzero(stations.joint == k)[[0, min(1, joint.film_ends - 1)]] for k, joint, _ in self.parts]
        laws = [film for _, _, film in self.parts]
        fixed = [0.0 if callable(film.viscosity) else film.viscosity for film in laws]
        self.films = Films(
            joint=np.array([k for k, _, _ in self.parts], np.int64),
            a=np.array([a for a, _ in ends], np.int64),
            w=np.array([w for _, w in ends], np.int64),
            length=np.array([joint.film_length for _, joint, _ in self.parts], float),
            radius=np.array([stations.radius[a] for a, _ in ends], float),
            clearance=np.array([joint.clearance for _, joint, _ in self.parts], float),
            law=places(laws),
            row=rows(laws),
            viscosity=np.array(fixed, float),
            calls=np.zeros(4, np.int64),
        )
        self.compiled = all(self.films.law != IN_PYTHON)
        self._varying = [(f, film) for f, (_, _, film) in enumerate(self.parts) if callable(film.viscosity)]

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def update(self) -> Callable[[float], None] | None:
        """`at_time`, where viscosities change."""
        return self.at_time if self._varying else None

    def at_time(self, t: float) -> None:
        """Set the viscosities of this time."""
        for f, film in self._varying:
            self.films.viscosity[f] = film.viscosity_at(t)

    def evaluate_user(self, t: float, state: FilmState, tangent: bool) -> None:
        """Actions of the films that have no kernel; their motion is known."""
        for f in np.flatnonzero(self.films.law == IN_PYTHON):
            action = self._action(f, state.motion[f], t, tangent)
            state.action[f] = np.concatenate([action.force, action.moment, action.shear])
            if tangent and action.jacobian is not None:
                state.jacobian[f] = action.jacobian

    def actions(self, t: float, state: FilmState) -> list[FilmAction]:
        """Everything that each film does, for results."""
        return [self._action(f, state.motion[f], t, False) for f in range(len(self.parts))]

    def _action(self, f: int, motion: Array, t: float, tangent: bool) -> FilmAction:
        films, (_, _, film) = self.films, self.parts[f]
        return film.action(motion, films.radius[f], films.length[f], films.clearance[f], t, tangent)
