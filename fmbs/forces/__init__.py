"""Applied forces and force elements: one file a kind."""

from fmbs.forces.distributed_force import DistributedForce
from fmbs.forces.follower_force import FollowerForce
from fmbs.forces.point_force import PointForce
from fmbs.forces.pressure import Pressure
from fmbs.forces.spring_damper import SpringDamper
from fmbs.forces.torque import Torque
from fmbs.forces.user_force import MarkerState, UserForce

__all__ = ["DistributedForce", "FollowerForce", "MarkerState", "PointForce", "Pressure", "SpringDamper", "Torque", "UserForce"]
