"""fmbs: flexible multibody systems with imperfect joints."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fmbs import jit
from fmbs.core.errors import ConvergenceError, DiskFull, FileError, FileInUse, Interrupted, ModelError
from fmbs.core.input import Input
from fmbs.core.marker import Marker
from fmbs.core.smooth_step import SmoothStep
from fmbs.core.status import Status
from fmbs.elements import (
    Beam,
    BeamNetwork,
    Cable,
    Circle,
    GeneralSection,
    Material,
    NodalBody,
    NodeSet,
    Pipe,
    PlanarBeam,
    PlanarBody,
    PoorMesh,
    Rectangle,
    ReducedBody,
    RigidBody,
    Section,
    Solid,
)
from fmbs.forces import (
    Bushing,
    DistributedForce,
    Feedback,
    FollowerForce,
    MarkerState,
    PointForce,
    Pressure,
    RotationSpringDamper,
    SpringDamper,
    Torque,
    UserForce,
)
from fmbs.joints import (
    CamFlat,
    CamRoller,
    ClearanceCylindrical,
    ClearanceGuide,
    ClearancePrismatic,
    ClearanceRevolute,
    ClearanceSpherical,
    Cylindrical,
    Distance,
    Fixed,
    Gears,
    Joint,
    MasslessLink,
    Planar,
    PointOnBeam,
    PointOnLine,
    PointOnPlane,
    Prismatic,
    Rack,
    Revolute,
    RotationDrive,
    RotationStop,
    SphereOnPlane,
    SphereOnSphere,
    Spherical,
    SpringLink,
    TiltStop,
    TranslationDrive,
    Universal,
    beams_from_mesh,
)
from fmbs.joints.drive_kinks import KinkInDrive
from fmbs.laws import contact, film, friction, impact, wear
from fmbs.model import Model
from fmbs.results import Solution
from fmbs.results.resolution import CoarseSteps
from fmbs.results.store import load
from fmbs.results.witness import NumericalDamping, UnbalancedEnergy
from fmbs.solvers.generalized_alpha import GeneralizedAlpha
from fmbs.solvers.impacts.landing import EnergyCreated
from fmbs.solvers.nonsmooth.moreau_jean import MoreauJean
from fmbs.solvers.nonsmooth.nonsmooth_alpha import NonsmoothAlpha
from fmbs.solvers.ode import AugmentedLagrangian, BaumgarteODE
from fmbs.solvers.partitioning import CoordinatePartitioning
from fmbs.solvers.radau import Radau
from fmbs.solvers.redundancy import RedundantConstraints
from fmbs.solvers.stability import UnstableEquilibrium
from fmbs.solvers.start import InconsistentStart

if TYPE_CHECKING:
    from fmbs import models, studies
    from fmbs.export import shapes
    from fmbs.export.fmu import export_fmu

__version__ = "0.2.0"

_LATER = {"models": "fmbs.models", "shapes": "fmbs.export.shapes", "studies": "fmbs.studies"}
_FUNCTIONS = {"export_fmu": "fmbs.export.fmu"}


def __getattr__(name: str) -> Any:
    """What most models do without is imported when first used, as SciPy's packages are: a twentieth of a second."""
    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    if name not in _LATER:
        raise AttributeError(f"module 'fmbs' has no attribute {name!r}")
    return import_module(_LATER[name])


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "AugmentedLagrangian",
    "BaumgarteODE",
    "Beam",
    "BeamNetwork",
    "Bushing",
    "Cable",
    "CamFlat",
    "CamRoller",
    "Circle",
    "ClearanceCylindrical",
    "ClearanceGuide",
    "ClearancePrismatic",
    "ClearanceRevolute",
    "ClearanceSpherical",
    "CoarseSteps",
    "ConvergenceError",
    "CoordinatePartitioning",
    "Cylindrical",
    "DiskFull",
    "Distance",
    "DistributedForce",
    "EnergyCreated",
    "Feedback",
    "FileError",
    "FileInUse",
    "Fixed",
    "FollowerForce",
    "Gears",
    "GeneralSection",
    "GeneralizedAlpha",
    "InconsistentStart",
    "Input",
    "Interrupted",
    "Joint",
    "KinkInDrive",
    "Marker",
    "MarkerState",
    "MasslessLink",
    "Material",
    "Model",
    "ModelError",
    "MoreauJean",
    "NodalBody",
    "NodeSet",
    "NonsmoothAlpha",
    "NumericalDamping",
    "Pipe",
    "Planar",
    "PlanarBeam",
    "PlanarBody",
    "PointForce",
    "PointOnBeam",
    "PointOnLine",
    "PointOnPlane",
    "PoorMesh",
    "Pressure",
    "Prismatic",
    "Rack",
    "Radau",
    "Rectangle",
    "ReducedBody",
    "RedundantConstraints",
    "Revolute",
    "RigidBody",
    "RotationDrive",
    "RotationSpringDamper",
    "RotationStop",
    "Section",
    "SmoothStep",
    "Solid",
    "Solution",
    "SphereOnPlane",
    "SphereOnSphere",
    "Spherical",
    "SpringDamper",
    "SpringLink",
    "Status",
    "TiltStop",
    "Torque",
    "TranslationDrive",
    "UnbalancedEnergy",
    "Universal",
    "UnstableEquilibrium",
    "UserForce",
    "beams_from_mesh",
    "contact",
    "export_fmu",
    "film",
    "friction",
    "impact",
    "jit",
    "load",
    "models",
    "shapes",
    "studies",
    "wear",
]
