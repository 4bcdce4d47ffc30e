"""Ideal joints, drives and joints with clearance: one file a joint."""

from fmbs.joints.base import Joint
from fmbs.joints.clearance import (
    CamFlat,
    CamRoller,
    ClearanceCylindrical,
    ClearanceGuide,
    ClearancePrismatic,
    ClearanceRevolute,
    ClearanceSpherical,
    RotationStop,
    SphereOnPlane,
    SphereOnSphere,
    TiltStop,
)
from fmbs.joints.cylindrical import Cylindrical
from fmbs.joints.distance import Distance
from fmbs.joints.drives import RotationDrive, TranslationDrive
from fmbs.joints.fixed import Fixed
from fmbs.joints.gears import Gears, Rack
from fmbs.joints.massless_link import MasslessLink
from fmbs.joints.network import JoinedBeams, beams_from_mesh
from fmbs.joints.planar import Planar
from fmbs.joints.point_on_beam import PointOnBeam
from fmbs.joints.point_on_line import PointOnLine
from fmbs.joints.point_on_plane import PointOnPlane
from fmbs.joints.prismatic import Prismatic
from fmbs.joints.revolute import Revolute
from fmbs.joints.spherical import Spherical
from fmbs.joints.spring_link import SpringLink
from fmbs.joints.universal import Universal

__all__ = [
    "CamFlat",
    "CamRoller",
    "ClearanceCylindrical",
    "ClearanceGuide",
    "ClearancePrismatic",
    "ClearanceRevolute",
    "ClearanceSpherical",
    "Cylindrical",
    "Distance",
    "Fixed",
    "Gears",
    "JoinedBeams",
    "Joint",
    "MasslessLink",
    "Planar",
    "PointOnBeam",
    "PointOnLine",
    "PointOnPlane",
    "Prismatic",
    "Rack",
    "Revolute",
    "RotationDrive",
    "RotationStop",
    "SphereOnPlane",
    "SphereOnSphere",
    "Spherical",
    "SpringLink",
    "TiltStop",
    "TranslationDrive",
    "Universal",
    "beams_from_mesh",
]  # fmt: skip
