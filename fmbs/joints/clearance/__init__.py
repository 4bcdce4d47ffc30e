"""Joints with clearance: one file a joint. Kinematics in fmbs.gaps, laws in fmbs.laws."""

from fmbs.joints.clearance.cams import CamFlat, CamRoller
from fmbs.joints.clearance.cylindrical import ClearanceCylindrical
from fmbs.joints.clearance.guide import ClearanceGuide
from fmbs.joints.clearance.prismatic import ClearancePrismatic
from fmbs.joints.clearance.revolute import ClearanceRevolute
from fmbs.joints.clearance.spheres import SphereOnPlane, SphereOnSphere
from fmbs.joints.clearance.spherical import ClearanceSpherical
from fmbs.joints.clearance.stops import RotationStop, TiltStop

__all__ = [
    "CamFlat",
    "CamRoller",
    "ClearanceCylindrical",
    "ClearanceGuide",
    "ClearancePrismatic",
    "ClearanceRevolute",
    "ClearanceSpherical",
    "RotationStop",
    "SphereOnPlane",
    "SphereOnSphere",
    "TiltStop",
]
