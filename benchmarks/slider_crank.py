"""Planar slider-crank at 5000 rpm, the mechanism of the clearance-joint literature (Flores2006), with ideal joints.

Crank 50 mm, rod 120 mm, no gravity, constant crank speed, at the start all on the x axis. 10,000 steps of 1e-5 s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import exudyn_solver
import fmbs_solver
import numpy as np
from cases import Case

import fmbs as fm

CRANK, ROD = 0.05, 0.12  # m
OMEGA = 5000 * np.pi / 30  # rad/s
STEP, STEPS = 1e-5, 10_000
BODIES = (  # mass, inertia, x and velocity of the centre of mass, spin
    (0.30, 1.0e-5, CRANK / 2, OMEGA * CRANK / 2, OMEGA),
    (0.21, 2.5e-4, CRANK + ROD / 2, OMEGA * CRANK / 2, -OMEGA * CRANK / ROD),
    (0.14, 1.0e-5, CRANK + ROD, 0.0, 0.0),
)


def in_fmbs() -> tuple[fm.Model, list[Any]]:
    m = fm.Model("slider-crank", gravity=(0.0, 0.0))
    crank, rod, slider = (
        m.add(fm.PlanarBody(name, mass=mass, inertia=inertia, com=(x, 0.0), velocity=(0.0, v), spin=spin))
        for name, (mass, inertia, x, v, spin) in zip(("crank", "rod", "slider"), BODIES, strict=True)
    )
    bearing = m.ground.at(0.0, 0.0)
    m.add(fm.Revolute(bearing, crank.at(0.0, 0.0)))
    m.add(fm.Revolute(crank.at(CRANK, 0.0), rod.at(CRANK, 0.0)))
    m.add(fm.Revolute(rod.at(CRANK + ROD, 0.0), slider.com))
    m.add(fm.Prismatic(bearing, slider.com, axis=(1.0, 0.0)))
    m.add(fm.RotationDrive(bearing, crank.at(0.0, 0.0), speed=OMEGA))
    return m, [slider.com]


def in_exudyn(pin: Callable[..., None] | None = None) -> tuple[Any, list[Any]]:
    """The same in Exudyn: the drive is a constraint on velocities.

    pin: (mbs, module of items, markers) -> adds what is between rod and slider in place of an ideal joint
    """
    exu, ii = exudyn_solver.load(), exudyn_solver.load("exudyn.itemInterface")
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.AddObject(ii.ObjectGround())
    nodes, bodies = [], []
    for mass, inertia, x, v, spin in BODIES:
        nodes.append(mbs.AddNode(ii.NodeRigidBody2D(referenceCoordinates=[x, 0, 0], initialVelocities=[0, v, spin])))
        bodies.append(mbs.AddObject(ii.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=nodes[-1])))
    crank, rod, slider = bodies

    def marker(body: int, x: float) -> int:
        return int(mbs.AddMarker(ii.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0])))

    def coordinate(node: int, number: int) -> int:
        return int(mbs.AddMarker(ii.MarkerNodeCoordinate(nodeNumber=node, coordinate=number)))

    end = marker(slider, 0.0)
    pins = [
        (marker(ground, 0.0), marker(crank, -CRANK / 2)),
        (marker(crank, CRANK / 2), marker(rod, -ROD / 2)),
        (marker(rod, ROD / 2), end),
    ]
    for markers in pins if pin is None else pins[:2]:
        mbs.AddObject(ii.ObjectJointRevolute2D(markerNumbers=list(markers)))
    if pin is not None:
        pin(mbs, ii, list(pins[2]))
    mbs.AddObject(
        ii.ObjectJointPrismatic2D(
            markerNumbers=[pins[0][0], end], axisMarker0=[1, 0, 0], normalMarker1=[0, 1, 0], constrainRotation=True
        )
    )
    drive = [coordinate(mbs.AddNode(ii.NodePointGround()), 0), coordinate(nodes[0], 2)]
    mbs.AddObject(ii.ObjectConnectorCoordinate(markerNumbers=drive, velocityLevel=True, offset=OMEGA))
    mbs.Assemble()
    return mbs, [end]


def cases() -> list[Case]:
    angle = OMEGA * STEP * STEPS
    x = CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)
    build = {
        "fmbs": fmbs_solver.built(in_fmbs, STEP),
        "exudyn": exudyn_solver.built(in_exudyn, STEP, sparse=False, planar=True),
    }
    return [Case("slider-crank", 3, STEPS, build, np.array([[x, 0.0]]))]
