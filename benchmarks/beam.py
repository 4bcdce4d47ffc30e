"""Clamped ANCF beam under a sudden transverse acceleration: N elements of 0.25 m.

Square section 0.1 m, a soft material, 400 steps of 1 ms, fewer for long chains. fmbs runs the papers' element (hermite
continuum, 12 coordinates a node, nu = 0) and its default (cubic structural, 27 new coordinates an element); Exudyn its
shear-deformable ANCFBeam (9 coordinates a node) with nodal loads and without initial accelerations, since its mass matrix is
singular.
"""

from __future__ import annotations

from typing import Any

import exudyn_solver
import fmbs_solver
from cases import Case

import fmbs as fm

E, NU, RHO, SIDE, LENGTH, STEP = 2.07e8, 0.3, 1000.0, 0.1, 0.25, 1e-3
ACCELERATION = (0.0, -40.0, 30.0)  # m/s^2, from t = 0 on
SIZES = (8, 64, 512, 4096)


def steps(n: int) -> int:
    return 400 if n <= 64 else 100 if n <= 512 else 20


def in_fmbs(n: int, interpolation: str, formulation: str, length: float = 0.0) -> tuple[fm.Model, list[Any]]:
    """length: of the whole beam, if its elements are not to be of LENGTH, m."""
    m = fm.Model("beam", gravity=ACCELERATION)
    steel = fm.Material(E=E, nu=NU if formulation == "structural" else 0.0, density=RHO)
    place = {"start": (0, 0, 0), "end": (length or LENGTH * n, 0, 0), "elements": n}
    kind = {"interpolation": interpolation, "formulation": formulation}
    beam = m.add(fm.Beam("beam", section=fm.Rectangle(SIDE, SIDE), material=steel, **place, **kind))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    return m, [beam.end]


def in_exudyn(n: int, length: float = 0.0) -> tuple[Any, list[Any]]:
    exu, ii = exudyn_solver.load(), exudyn_solver.load("exudyn.itemInterface")
    mbs = exu.SystemContainer().AddSystem()
    each = length / n or LENGTH
    area, moment, shear = SIDE**2, SIDE**4 / 12.0, E / (2.0 * (1.0 + NU))
    factor = 10.0 * (1.0 + NU) / (12.0 + 11.0 * NU)
    section = exu.BeamSection()
    section.massPerLength = RHO * area
    section.inertia = [[2 * RHO * moment, 0, 0], [0, RHO * moment, 0], [0, 0, RHO * moment]]
    diagonal = (E * area, factor * shear * area, factor * shear * area, 0.8436 * shear * 2 * moment, E * moment, E * moment)
    section.stiffnessMatrix = [[d if i == j else 0.0 for j in range(6)] for i, d in enumerate(diagonal)]
    nodes = [mbs.AddNode(ii.NodePointSlope23(referenceCoordinates=[i * each, 0, 0, 0, 1, 0, 0, 0, 1])) for i in range(n + 1)]
    for i in range(n):
        mbs.AddObject(ii.ObjectANCFBeam(nodeNumbers=nodes[i : i + 2], length=each, sectionData=section))
    ground = mbs.AddMarker(ii.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(ii.NodePointGround()), coordinate=0))
    for c in range(9):
        marker = mbs.AddMarker(ii.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=c))
        mbs.AddObject(ii.ObjectConnectorCoordinate(markerNumbers=[ground, marker]))
    for i in range(1, n + 1):
        share = RHO * area * each * (1.0 if i < n else 0.5)
        marker = mbs.AddMarker(ii.MarkerNodePosition(nodeNumber=nodes[i]))
        mbs.AddLoad(ii.LoadForceVector(markerNumber=marker, loadVector=[share * a for a in ACCELERATION]))
    tip = mbs.AddMarker(ii.MarkerNodePosition(nodeNumber=nodes[-1]))
    mbs.Assemble()
    return mbs, [tip]


def cases() -> list[Case]:
    peer = {n: exudyn_solver.built(in_exudyn, STEP, n, sparse=True, planar=False, start=False) for n in SIZES}
    kinds = (("beam-papers", "hermite", "continuum"), ("beam", "cubic", "structural"))
    return [
        Case(name, n, steps(n), {"fmbs": fmbs_solver.built(in_fmbs, STEP, n, *kind), "exudyn": peer[n]})
        for name, *kind in kinds
        for n in SIZES
    ]
