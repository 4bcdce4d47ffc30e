"""Applied forces and force elements: one file a kind."""

from fmbs.forces.point_force import PointForce
from fmbs.forces.spring_damper import SpringDamper
from fmbs.forces.torque import Torque
from fmbs.forces.user_force import MarkerState, UserForce

__all__ = ["MarkerState", "PointForce", "SpringDamper", "Torque", "UserForce"]
