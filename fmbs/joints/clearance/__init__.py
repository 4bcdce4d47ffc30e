"""Joints with clearance: one file a joint. Kinematics in fmbs.gaps, laws in fmbs.laws."""

from fmbs.joints.clearance.cylindrical import ClearanceCylindrical
from fmbs.joints.clearance.guide import ClearanceGuide
from fmbs.joints.clearance.prismatic import ClearancePrismatic
from fmbs.joints.clearance.revolute import ClearanceRevolute
from fmbs.joints.clearance.spherical import ClearanceSpherical

__all__ = ["ClearanceCylindrical", "ClearanceGuide", "ClearancePrismatic", "ClearanceRevolute", "ClearanceSpherical"]
