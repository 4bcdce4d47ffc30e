"""All joints, drives and forces at the interfaces of a reduced body: exact matrices, freedoms, no force from nowhere."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.assembly.system import Coefficients
from tests.block import block
from tests.conformance.cases import ALL, Case
from tests.conformance.test_tangents import differenced

ON_BEAMS = ("DistributedForce", "PointOnBeam")
SPATIAL = [case for case in ALL if not case.planar and case.kind not in ON_BEAMS]
KINDS = ("rigid", "average")
PLACE = np.array([0.4, 0.1, 0.2])


@cache
def space(kind: str):
    """A soft block of two cells with an interface at PLACE, on the side of the block for which it is planar."""
    b = block((2, 1, 1), (0.3, 0.1, 0.08), E=1e4, density=500.0, shape=lambda x: x + PLACE)
    ends = {
        "held": fm.NodeSet(b.where(lambda x, y, z: x == PLACE[0]), kind, at=PLACE),
        "free": b.where(lambda x, y, z: x > 0.69),
    }
    return fm.ReducedBody.from_matrices(b.mass, b.stiffness, b.nodes, ends, modes=1).space


def drawn(case: Case, kind: str, first: bool) -> fm.Model:
    """The part between the reduced body and a rigid one; first: the reduced body is that of marker a."""
    m = fm.Model("pair")
    soft = m.add(fm.ReducedBody("soft", space=space(kind), damping=0.01, velocity=(0.3, -0.5, 0.2), spin=(1.0, -0.6, 0.9)))
    hard = m.add(fm.RigidBody("hard", mass=1.2, inertia=(0.2, 0.25, 0.15), com=(0.7, 0.4, -0.1)))
    held = soft.interface("held")
    a, b = (held, hard.at(*(PLACE + case.apart))) if first else (hard.at(*(PLACE - case.apart)), held)
    m.add(case.build(a, b, lambda x: x))
    return m


@pytest.mark.parametrize("case", SPATIAL, ids=str)
def test_newton_matrix(case: Case):
    """At a random place off the constraints, with random velocities, multipliers and coefficients."""
    rng = np.random.default_rng(7)
    kind = KINDS[SPATIAL.index(case) % 2]
    system = drawn(case, kind, first=SPATIAL.index(case) % 4 < 2).system()
    q = system.initial_position + 0.05 * rng.standard_normal(system.size)
    v, lam = rng.standard_normal(system.size), rng.standard_normal(system.multipliers)
    c = Coefficients(*rng.uniform(0.5, 2.0, 4))
    exact = system.jacobian(0.37, q, v, lam, c).toarray()
    assert_allclose(exact, differenced(system, 0.37, q, v, lam, c), rtol=0, atol=1e-6 * np.abs(exact).max())


@pytest.mark.parametrize("case", SPATIAL, ids=str)
def test_freedoms_and_action(case: Case):
    """A joint takes as many freedoms as from rigid bodies, and does nothing to both bodies moving together."""
    m = drawn(case, KINDS[SPATIAL.index(case) % 2], first=SPATIAL.index(case) % 2 == 0)
    system = m.system()
    free = sum(body.size - len(body.equations()) for body in m.bodies)
    assert system.size - system.multipliers == free - case.removes
    q, lam = system.initial_position, np.random.default_rng(3).standard_normal(system.multipliers)
    push, total = system.constraint_jacobian(0.0, q).T @ lam, np.zeros(6)
    for body in m.bodies:
        own = system.dofs.coordinates_of(body)
        total += body.rigid_rates(q[own]).T @ push[own]
    assert_allclose(total, 0.0, atol=1e-12)
