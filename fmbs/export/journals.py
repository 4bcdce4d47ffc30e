"""Journals in their bearings: pins in bushes, with the gap drawn larger than it is.

A gap of micrometres cannot be seen in a mechanism of centimetres. So the journal's centre is drawn at k e instead of e, and its
radius as R_b - k c instead of R_b - c: every gap between the surfaces is then k times its size, k (c - e . n), and surfaces
that touch are drawn touching.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Cells, Snapshot
from fmbs.core.optional import JointWithClearance
from fmbs.export.shapes import Cylinder, Sphere, tube
from fmbs.gaps.kinematics import RADIAL, SPHERE

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

Array = NDArray[np.float64]

MODES = ("free flight", "impact", "following contact")  # of a clearance joint
USUAL, MOST = 0.25, 0.6  # the drawn gap c k of a magnification that shows it well, and the largest, relative to R_b
OUTER, LONGER = 1.35, 1.5  # the bush's outer radius relative to R_b, the pin's length relative to the bush's


@dataclass(frozen=True)
class JournalMotion:
    """A journal and its bearing in every frame.

    place: of the bearing's middle, m  # (frames, 3)
    axes: of the bearing, in columns; the third is the bearing's axis  # (frames, 3, 3)
    ends: centres of the journal's ends A and W in these axes, m; both are the middle of a ball  # (frames, 2, 3)
    contact: 0 in free flight, 1 during an impact, 2 in following contact  # (frames,)
    """

    joint: JointWithClearance
    ball: bool
    radius: float  # R_b
    half_length: float  # of the bush
    place: Array
    axes: Array
    ends: Array
    contact: NDArray[np.int32]

    @property
    def usual(self) -> float:
        """A magnification that shows the gap well, of one or two digits."""
        return max(1.0, float(f"{USUAL * self.radius / self.joint.clearance:.1g}"))

    def drawn(self, magnify: float) -> tuple[float, Array]:
        """The journal's drawn radius and ends, in the bearing's axes; no more magnified than leaves a pin."""
        factor = min(magnify, max(1.0, MOST * self.radius / self.joint.clearance))
        ends = self.ends.copy()
        ends[..., : 3 if self.ball else 2] *= factor
        return self.radius - factor * self.joint.clearance, ends


def journal_motions(sol: Solution, joints: Sequence[JointWithClearance]) -> list[JournalMotion]:
    """Of the joints whose journal is a cylinder or a ball; a block in a guide is drawn as its body."""
    return [_motion(sol, joint) for joint in joints if joint.gapped and joint.stations[0].kind in (RADIAL, SPHERE)]


def _motion(sol: Solution, joint: JointWithClearance) -> JournalMotion:
    ball, gap = joint.stations[0].kind == SPHERE, joint.clearance
    radius = joint.stations[0].radius + gap
    place, centre = (_spatial(sol.position(marker)) for marker in (joint.bearing, joint.journal))
    axes = sol.rotation(joint.bearing) @ np.column_stack(joint.triad)
    middle = np.einsum("fxi,fx->fi", axes, centre - place)  # in the bearing's axes
    found = sol.clearance(joint)
    half = 0.5 * joint.film_length or 0.6 * radius
    if ball:
        ends = np.stack([middle, middle], axis=1)
    else:
        own = [k for k, station in enumerate(joint.stations) if station.kind == RADIAL]
        across = found.eccentricity.reshape(len(sol), -1, 2)[:, [own[0], own[-1]]]  # (frames, 2, 2)
        along = middle[:, None, 2:] + np.array([[-half], [half]])
        ends = np.concatenate([across, along], axis=2)
    return JournalMotion(joint, ball, radius, 0.3 * radius if ball else half, place, axes, ends, contact_modes(sol, joint))


def contact_modes(sol: Solution, joint: JointWithClearance) -> NDArray[np.int32]:
    """Numbers of MODES, of the end in the firmest contact  # (frames,)."""
    mode = sol.clearance(joint).mode.reshape(len(sol), -1)
    firmest: NDArray[np.int32] = np.max([k * (mode == name) for k, name in enumerate(MODES)], axis=(0, 2)).astype(np.int32)
    return firmest


def usual_magnification(motions: Sequence[JournalMotion]) -> float:
    """One for all joints: that of the joint which shows the least of its gap at once; 1 without any."""
    return min((each.usual for each in motions), default=1.0)


class Journals:
    """Bushes and pins as one mesh.

    pin: 1 on journals, 0 on bushes; contact: 0 free flight, 1 impact, 2 following contact; part: number of the joint
    magnification: k, of the gap
    """

    name = "journals"

    def __init__(self, motions: Sequence[JournalMotion], magnify: float) -> None:
        self._motions, self._factor = motions, magnify
        bushes = [tube(each.radius, OUTER * each.radius, each.half_length) for each in motions]
        pins = [_pin(each.ball) for each in motions]
        self._local = [(bush[0], pin[0]) for bush, pin in zip(bushes, pins, strict=True)]
        both = [(cells, len(points)) for pair in zip(bushes, pins, strict=True) for points, cells in pair]
        self.cells = Cells.merged(both)

    @cached_property
    def _drawn(self) -> list[tuple[float, Array]]:
        return [each.drawn(self._factor) for each in self._motions]

    def snapshot(self, frame: int) -> Snapshot:
        points, pin, contact = [], [], []
        for each, (bush, unit), (radius, ends) in zip(self._motions, self._local, self._drawn, strict=True):
            a, w = ends[frame]
            if each.ball:
                moved = a + radius * unit
            else:
                along = 0.5 * LONGER * unit[:, 2:] * (w - a)
                moved = 0.5 * (a + w) + along + radius * np.column_stack([unit[:, :2], 0.0 * unit[:, 2]])
            points += [each.place[frame] + local @ each.axes[frame].T for local in (bush, moved)]
            pin += [np.zeros(len(bush), np.int32), np.ones(len(moved), np.int32)]
            contact.append(np.full(len(bush) + len(moved), each.contact[frame], np.int32))
        part = np.repeat(np.arange(len(contact)), [len(each) for each in contact]).astype(np.int32)
        everywhere = np.concatenate(points)
        return Snapshot(everywhere, {
            "pin": np.concatenate(pin), "contact": np.concatenate(contact), "part": part,
            "magnification": np.full(len(everywhere), self._factor),
        })  # fmt: skip


def _pin(ball: bool) -> tuple[Array, Cells]:
    """A cylinder along z from -1 to 1, or a ball, of radius 1."""
    origin = np.zeros(3)
    return Sphere(1.0).mesh(origin) if ball else Cylinder((0, 0, -1), (0, 0, 1), 1.0).mesh(origin)


def _spatial(vectors: Array) -> Array:
    return np.pad(vectors, ((0, 0), (0, 3 - vectors.shape[1])))
