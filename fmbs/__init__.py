"""fmbs: flexible multibody systems with imperfect joints."""

from fmbs.core.errors import ConvergenceError, Interrupted, ModelError
from fmbs.core.marker import Marker
from fmbs.core.status import Status
from fmbs.elements import PlanarBody, RigidBody
from fmbs.forces import MarkerState, PointForce, SpringDamper, Torque, UserForce
from fmbs.joints import (
    Cylindrical,
    Distance,
    Fixed,
    Joint,
    Planar,
    PointOnLine,
    Prismatic,
    Revolute,
    RotationDrive,
    Spherical,
    TranslationDrive,
    Universal,
)
from fmbs.math.signals import SmoothStep
from fmbs.model import Model
from fmbs.results import Solution
from fmbs.solvers.generalized_alpha import GeneralizedAlpha
from fmbs.solvers.ode import AugmentedLagrangian, BaumgarteODE
from fmbs.solvers.partitioning import CoordinatePartitioning
from fmbs.solvers.redundancy import RedundantConstraints

__version__ = "0.1.0"

__all__ = [
    "AugmentedLagrangian",
    "BaumgarteODE",
    "ConvergenceError",
    "CoordinatePartitioning",
    "Cylindrical",
    "Distance",
    "Fixed",
    "GeneralizedAlpha",
    "Interrupted",
    "Joint",
    "Marker",
    "MarkerState",
    "Model",
    "ModelError",
    "Planar",
    "PlanarBody",
    "PointForce",
    "PointOnLine",
    "Prismatic",
    "RedundantConstraints",
    "Revolute",
    "RigidBody",
    "RotationDrive",
    "SmoothStep",
    "Solution",
    "Spherical",
    "SpringDamper",
    "Status",
    "Torque",
    "TranslationDrive",
    "Universal",
    "UserForce",
]
