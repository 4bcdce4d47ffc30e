"""What happened in the film of a lubricated joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.described import Described
from fmbs.core.optional import JointWithClearance, RecordedBatch
from fmbs.core.state import State

Array = NDArray[np.float64]


UNITS = {"shear": "N m", "friction_power": "W", "min_thickness": "m", "peak_pressure": "Pa"}


@dataclass(frozen=True)
class FilmRecord(Described, units=UNITS):
    """Per frame, in the bearing's axes.

    force: on the journal, N  # (frames, 2)
    moment: on the journal about the bearing's middle, N m  # (frames, 2)
    shear: viscous torque on the journal, N m; zero for films without shear  # (frames,)
    friction_power: that the viscous torque takes out of the motion, W
    min_thickness: c - the larger end eccentricity, m; negative in the wall
    peak_pressure: Pa
    """

    joint: JointWithClearance
    t: Array
    force: Array
    moment: Array
    shear: Array
    friction_power: Array
    min_thickness: Array
    peak_pressure: Array
    motion: Array  # (frames, 9): A, W, their rates, spin

    def pressure(self, frame: int) -> tuple[Array, Array, Array]:
        """theta, zeta and the pressure field of a frame, for pictures."""
        assert self.joint.film is not None
        y = self.motion[frame]
        theta, zeta, p = self.joint.film.pressure(
            y[0:2], y[2:4], y[4:6], y[6:8], float(y[8]), radius=self.joint.stations[0].radius,
            length=self.joint.film_length, clearance=self.joint.clearance,
        )  # fmt: skip
        return theta, zeta, p


def film_record(batch: RecordedBatch, joint: JointWithClearance, states: Sequence[State]) -> FilmRecord | None:
    """Evaluate recorded frames; None where the joint has no film."""
    if joint.film is None:
        return None
    motions, actions = [], []
    for state in states:
        batch.begin(state.t, state.q, state.v, state.history, 0.0)
        joints, motion, all_actions = batch.film_records(state.t, state.q, state.v)
        place = joints.index(joint)
        motions.append(motion[place])
        actions.append(all_actions[place])
    motion = np.array(motions)
    shear = np.array([action.shear[0] for action in actions])
    return FilmRecord(
        joint=joint,
        t=np.array([state.t for state in states]),
        force=np.array([action.force for action in actions]),
        moment=np.array([action.moment for action in actions]),
        shear=shear,
        friction_power=-shear * motion[:, 8],
        min_thickness=np.array([action.min_thickness for action in actions]),
        peak_pressure=np.array([action.peak_pressure for action in actions]),
        motion=motion,
    )
