"""The films of a model's clearance joints, evaluated one by one and applied together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps import film_kernels as kernels
from fmbs.gaps.contact_kernels import VECTORS, Stations
from fmbs.gaps.film_kernels import ACTION, MOTION, Films
from fmbs.gaps.tangent_kernels import FilmState
from fmbs.laws.film.base import FilmAction

if TYPE_CHECKING:
    from fmbs.joints.clearance.base import ClearanceJoint

Array = NDArray[np.float64]


class FilmBatch:
    """state: where each film is and what it does there; last: its full action, for results."""

    def __init__(self, joints: Sequence[ClearanceJoint], stations: Stations) -> None:
        self.parts = [(k, joint, joint.film) for k, joint in enumerate(joints) if joint.film is not None]
        ends = [np.flatnonzero(stations.joint == k)[[0, min(1, joint.film_ends - 1)]] for k, joint, _ in self.parts]
        n = len(self.parts)
        self.films = Films(
            joint=np.array([k for k, _, _ in self.parts], np.int64),
            a=np.array([a for a, _ in ends], np.int64),
            w=np.array([w for _, w in ends], np.int64),
            length=np.array([joint.film_length for _, joint, _ in self.parts], float),
        )
        self.state = FilmState(np.zeros((n, MOTION)), np.zeros((n, ACTION)), np.zeros((n, ACTION, MOTION)))
        self.last: list[FilmAction] = []

    def __len__(self) -> int:
        return len(self.parts)

    def evaluate(self, t: float, stations: Stations, u: Array, du: Array, tangent: bool) -> None:
        if not self.parts:
            return
        kernels.film_motions(self.films, stations, u, du, self.state.motion)
        self.last = []
        for f, (_, joint, film) in enumerate(self.parts):
            radius = stations.radius[self.films.a[f]]
            action = film.action(self.state.motion[f], radius, joint.film_length, joint.clearance, t, tangent)
            self.state.action[f, :2], self.state.action[f, 2:4], self.state.action[f, 4] = (
                action.force, action.moment, action.shear[0],
            )  # fmt: skip
            if tangent and action.jacobian is not None:
                self.state.jacobian[f] = action.jacobian[:ACTION]
            self.last.append(action)

    def add_forces(self, stations: Stations, u: Array, g: Array) -> None:
        """g += forces of the films on all vectors."""
        if self.parts:
            kernels.film_forces(self.films, stations, self.state.action, u, g)

    def add_power(self, stations: Stations, u: Array, du: Array, power: Array) -> None:
        """power += what each film takes out of the motion, W; booked at its first station."""
        for f, (k, _, _) in enumerate(self.parts):
            g = np.zeros_like(u)
            kernels.film_act(self.films, f, stations, self.state.action[f], u, VECTORS * k, g)
            power[self.films.a[f]] -= float((g * du).sum())
