"""Bodies: one file a kind."""

from fmbs.elements.ground import Ground
from fmbs.elements.planar_body import PlanarBody
from fmbs.elements.rigid_body import RigidBody

__all__ = ["Ground", "PlanarBody", "RigidBody"]
