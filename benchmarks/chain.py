"""A chain of N equal links that hangs from the ground by revolute joints and falls from the horizontal.

Links of 0.1 m, 0.3 kg (steel, 20 mm square), joints with parallel axes across the chain. The length of a link does not
depend on N, so the work a link and step should not either. 100 steps of 1 ms.
"""

from __future__ import annotations

from typing import Any

import exudyn_solver
import fmbs_solver
import numpy as np
from cases import Case

import fmbs as fm

LENGTH, WIDTH, MASS, G = 0.1, 0.02, 0.3, 9.81
INERTIA = MASS / 12.0 * np.array([2 * WIDTH**2, WIDTH**2 + LENGTH**2, WIDTH**2 + LENGTH**2])  # about x, y, z
STEP, STEPS = 1e-3, 100
SIZES = (10, 100, 1000, 10_000)
PEER_SIZES = (10, 100, 1000)


def spatial_in_fmbs(n: int) -> tuple[fm.Model, list[Any]]:
    """RigidBody: 12 natural coordinates, 6 rigidity constraints, 5 of the joint a link."""
    m = fm.Model(f"chain of {n}", gravity=(0.0, 0.0, -G))
    last: Any = m.ground
    ends = []
    for i in range(n):
        centre = (LENGTH * (i + 0.5), 0.0, 0.0)
        link = m.add(fm.RigidBody(f"link {i + 1}", mass=MASS, inertia=np.diag(INERTIA), com=centre))
        pin = (LENGTH * i, 0.0, 0.0)
        m.add(fm.Revolute(last.at(*pin), link.at(*pin), axis=(0.0, 1.0, 0.0), name=f"pin {i + 1}"))
        ends.append(link.at(LENGTH * (i + 1), 0.0, 0.0))
        last = link
    return m, [ends[i] for i in compared(n)]


def planar_in_fmbs(n: int) -> tuple[fm.Model, list[Any]]:
    """PlanarBody: 3 coordinates and 2 constraints a link."""
    m = fm.Model(f"planar chain of {n}", gravity=(0.0, -G))
    last: Any = m.ground
    ends = []
    for i in range(n):
        link = m.add(fm.PlanarBody(f"link {i + 1}", mass=MASS, inertia=INERTIA[1], com=(LENGTH * (i + 0.5), 0.0)))
        m.add(fm.Revolute(last.at(LENGTH * i, 0.0), link.at(LENGTH * i, 0.0), name=f"pin {i + 1}"))
        ends.append(link.at(LENGTH * (i + 1), 0.0))
        last = link
    return m, [ends[i] for i in compared(n)]


def spatial_in_exudyn(n: int) -> tuple[Any, list[Any]]:
    """Rigid bodies with 4 Euler parameters: 7 coordinates, 1 + 5 constraints a link."""
    exu, ii = exudyn_solver.load(), exudyn_solver.load("exudyn.itemInterface")
    mbs = exu.SystemContainer().AddSystem()
    turned = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # the joint's own axis is z
    last = mbs.AddMarker(ii.MarkerBodyRigid(bodyNumber=mbs.AddObject(ii.ObjectGround()), localPosition=[0, 0, 0]))
    ends = []
    for i in range(n):
        node = mbs.AddNode(ii.NodeRigidBodyEP(referenceCoordinates=[LENGTH * (i + 0.5), 0, 0, 1, 0, 0, 0]))
        link = mbs.AddObject(ii.ObjectRigidBody(mass=MASS, inertia=[*INERTIA, 0, 0, 0], nodeNumber=node))
        begin = mbs.AddMarker(ii.MarkerBodyRigid(bodyNumber=link, localPosition=[-LENGTH / 2, 0, 0]))
        end = mbs.AddMarker(ii.MarkerBodyRigid(bodyNumber=link, localPosition=[LENGTH / 2, 0, 0]))
        axes = {"rotationMarker0": turned, "rotationMarker1": turned}
        mbs.AddObject(ii.ObjectJointRevoluteZ(markerNumbers=[last, begin], **axes))
        centre = mbs.AddMarker(ii.MarkerBodyMass(bodyNumber=link))
        mbs.AddLoad(ii.LoadMassProportional(markerNumber=centre, loadVector=[0, 0, -G]))
        ends.append(end)
        last = end
    mbs.Assemble()
    return mbs, [ends[i] for i in compared(n)]


def planar_in_exudyn(n: int) -> tuple[Any, list[Any]]:
    exu, ii = exudyn_solver.load(), exudyn_solver.load("exudyn.itemInterface")
    mbs = exu.SystemContainer().AddSystem()
    last = mbs.AddMarker(ii.MarkerBodyRigid(bodyNumber=mbs.AddObject(ii.ObjectGround()), localPosition=[0, 0, 0]))
    ends = []
    for i in range(n):
        node = mbs.AddNode(ii.NodeRigidBody2D(referenceCoordinates=[LENGTH * (i + 0.5), 0, 0]))
        link = mbs.AddObject(ii.ObjectRigidBody2D(mass=MASS, inertia=INERTIA[1], nodeNumber=node))
        begin = mbs.AddMarker(ii.MarkerBodyRigid(bodyNumber=link, localPosition=[-LENGTH / 2, 0, 0]))
        end = mbs.AddMarker(ii.MarkerBodyRigid(bodyNumber=link, localPosition=[LENGTH / 2, 0, 0]))
        mbs.AddObject(ii.ObjectJointRevolute2D(markerNumbers=[last, begin]))
        centre = mbs.AddMarker(ii.MarkerBodyMass(bodyNumber=link))
        mbs.AddLoad(ii.LoadMassProportional(markerNumber=centre, loadVector=[0, -G, 0]))
        ends.append(end)
        last = end
    mbs.Assemble()
    return mbs, [ends[i] for i in compared(n)]


def compared(n: int) -> list[int]:
    """Links whose far ends are compared: the tip, which in a long chain falls almost freely, and two near the wall."""
    return [0, min(4, n - 1), n - 1]


def cases() -> list[Case]:
    out = []
    for name, ours, theirs, planar in (
        ("chain", spatial_in_fmbs, spatial_in_exudyn, False),
        ("planar-chain", planar_in_fmbs, planar_in_exudyn, True),
    ):
        for n in SIZES:
            build = {"fmbs": fmbs_solver.built(ours, STEP, n)}
            if n in PEER_SIZES:
                build["exudyn"] = exudyn_solver.built(theirs, STEP, n, sparse=True, planar=planar)
            out.append(Case(name, n, STEPS, build))
    return out
