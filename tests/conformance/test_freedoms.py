"""Every joint takes the freedoms it should, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fmbs as fm
from fmbs.assembly.system import System
from tests.conformance.cases import CONSTRAINTS, REFUSED, SETTINGS, ZERO, Case, Pair, draw, moved

EVERY_MOTION = {False: "Tn Tu Tw Rn Ru Rw", True: "Tn Tu Rz"}


@pytest.mark.parametrize(("case", "sides"), [x for x in SETTINGS if x[0] in CONSTRAINTS], ids=str)
def test_number_of_freedoms(case: Case, sides: str):
    """Rank of Phi_q, the bodies' own equations among it."""
    pair = draw(case, sides)
    system = pair.model.system()
    free = sum(body.size - len(body.equations()) for body in pair.bodies)
    rank = np.linalg.matrix_rank(system.constraint_jacobian(0.0, system.initial_position).toarray(), tol=1e-8)
    assert system.size - rank == free - case.removes_on(sides)
    assert system.size - system.multipliers == free - case.removes_on(sides)
    assert not system.dropped


@pytest.mark.parametrize(("case", "sides"), [x for x in SETTINGS if x[0] in CONSTRAINTS], ids=str)
def test_relative_motions(case: Case, sides: str):
    """Along what the joint allows Phi stays zero, far from the start; along what it forbids Phi grows."""
    pair = draw(case, sides)
    system = pair.model.system()
    allowed = case.allowed_on(sides)
    for motion in allowed:
        assert np.abs(after(case, pair, system, motion, 0.9)).max() < 1e-13, motion
    for motion in set(EVERY_MOTION[case.planar].split()) - set(allowed):
        assert np.abs(after(case, pair, system, motion, 0.3)).max() > 0.03, motion


@pytest.mark.parametrize(("case", "sides"), REFUSED, ids=str)
def test_what_a_cable_cannot_hold_is_refused(case: Case, sides: str):
    """It has no frame: the message names the cable, says why, and what to use instead."""
    with pytest.raises(
        fm.ModelError, match=r"a cable has no twist: at [AB]\.at\(.* fm\.Beam|two cables have no frame.*Spherical"
    ):
        draw(case, sides).model.system()


def after(case: Case, pair: Pair, system: System, motion: str, amount: float) -> np.ndarray:
    """Phi at t = 0 after b has moved relative to a, and both together to another place."""
    axis = case.axes[motion[1]]
    turning = Rotation.from_rotvec(amount * axis).as_matrix() if motion[0] in "RA" else np.eye(3)
    shift = amount * axis if motion[0] == "T" else ZERO
    centre = pair.a.position if motion[0] == "A" else pair.b.position
    q = system.initial_position.copy()
    for marker in (pair.a, pair.b):
        if marker.body.size:
            own = system.dofs.coordinates_of(marker.body)
            if marker is pair.b:
                q[own] = moved(marker.body, q[own], turning, centre, shift)
            elif not pair.b.body.size:  # b is the ground: a moves the other way
                q[own] = moved(marker.body, q[own], turning.T, centre + shift, -shift)
    if len(pair.bodies) == 2:
        together = Rotation.from_rotvec([0.0, 0.0, 0.8] if case.planar else [0.5, -0.7, 0.3]).as_matrix()
        away = np.array([0.2, -0.4, 0.0])
        for body in pair.bodies:
            own = system.dofs.coordinates_of(body)
            q[own] = moved(body, q[own], together, ZERO, away)
    return system.constraints(0.0, q)
