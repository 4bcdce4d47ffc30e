"""The slider-crank of Flores2006 with a dry clearance joint between rod and slider: 10,000 steps of 1e-5 s.

c = 0.5 mm, Lankarani-Nikravesh contact, Coulomb friction. In Exudyn the joint is a Python user function, as its users write it,
or its compiled contact of a ball in a hollow ball: a fixed reference speed in the damping, impacts not
located. fmbs locates every impact, takes its approach speed and cuts the step there, so it takes some steps more; the motion is
chaotic and the two programs do not agree at the end, nor need they.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import exudyn_solver
import fmbs_solver
import slider_crank
from cases import Case
from slider_crank import BODIES, CRANK, OMEGA, ROD, STEP, STEPS

import fmbs as fm

BEARING, GAP = 10e-3, 0.5e-3  # m
RESTITUTION, FRICTION, SLOW = 0.9, 0.01, 1e-2  # -, -, m/s
REFERENCE_SPEED = 0.1  # m/s, of Exudyn's damping
STEEL = fm.Material(E=207e9, nu=0.3, density=7850)
STIFFNESS = float(fm.contact.hertz_stiffness(BEARING, BEARING - GAP, STEEL, STEEL))


def in_fmbs() -> tuple[fm.Model, list[Any]]:
    m = fm.Model("slider-crank-dry", gravity=(0.0, 0.0))
    crank, rod, slider = (
        m.add(fm.PlanarBody(name, mass=mass, inertia=inertia, com=(x, 0.0), velocity=(0.0, v), spin=spin))
        for name, (mass, inertia, x, v, spin) in zip(("crank", "rod", "slider"), BODIES, strict=True)
    )
    bearing = m.ground.at(0.0, 0.0)
    m.add(fm.Revolute(bearing, crank.at(0.0, 0.0)))
    m.add(fm.Revolute(crank.at(CRANK, 0.0), rod.at(CRANK, 0.0)))
    m.add(fm.Prismatic(bearing, slider.com, axis=(1.0, 0.0)))
    m.add(fm.RotationDrive(bearing, crank.at(0.0, 0.0), speed=OMEGA))
    m.add(
        fm.ClearanceRevolute(
            rod.at(CRANK + ROD, 0.0), slider.com, bearing_radius=BEARING, clearance=GAP,
            contact=fm.contact.LankaraniNikravesh(restitution=RESTITUTION, stiffness=STIFFNESS),
            friction=fm.friction.Ambrosio(FRICTION, 0.1 * SLOW, SLOW),
        )
    )  # fmt: skip
    return m, [slider.com]


def contact(mbs: Any, t: float, item: int, u: Any, v: Any, k: Any, d: Any, offset: Any) -> list[float]:
    """The joint as a Python user function of Exudyn."""
    eccentricity = sqrt(u[0] * u[0] + u[1] * u[1])
    depth = eccentricity - GAP
    if depth <= 0.0:
        return [0.0, 0.0, 0.0]
    nx, ny = u[0] / eccentricity, u[1] / eccentricity
    rate, slip = v[0] * nx + v[1] * ny, v[1] * nx - v[0] * ny
    damping = 0.75 * (1.0 - RESTITUTION**2) * rate / REFERENCE_SPEED
    normal = STIFFNESS * depth * sqrt(depth) * (1.0 + min(max(damping, -1.0), 1.0))
    friction = FRICTION * normal * slip / sqrt(slip * slip + SLOW * SLOW)
    return [normal * nx - friction * ny, normal * ny + friction * nx, 0.0]


def python_law(mbs: Any, ii: Any, markers: list[int]) -> None:
    mbs.AddObject(ii.ObjectConnectorCartesianSpringDamper(markerNumbers=markers, springForceUserFunction=contact))


def native_sphere(mbs: Any, ii: Any, markers: list[int]) -> None:
    """A ball in a hollow ball, the contact that Exudyn has compiled; same stiffness, restitution and friction."""
    data = mbs.AddNode(ii.NodeGenericData(numberOfDataCoordinates=4, initialCoordinates=[0.1 * GAP, 0, 0, 0]))
    mbs.AddObject(
        ii.ObjectContactSphereSphere(
            markerNumbers=markers, nodeNumber=data, spheresRadii=[BEARING - GAP, BEARING], isHollowSphere1=True,
            dynamicFriction=FRICTION, frictionProportionalZone=SLOW, contactStiffness=STIFFNESS, contactStiffnessExponent=1.5,
            restitutionCoefficient=RESTITUTION, minimumImpactVelocity=REFERENCE_SPEED, impactModel=1,
        )
    )  # fmt: skip


def cases() -> list[Case]:
    return [
        Case(
            name, 3, STEPS,
            {
                "fmbs": fmbs_solver.built(in_fmbs, STEP),
                "exudyn": exudyn_solver.built(slider_crank.in_exudyn, STEP, pin, sparse=False, planar=True),
            },
        )
        for name, pin in (("slider-crank-dry", python_law), ("slider-crank-native", native_sphere))
    ]  # fmt: skip
