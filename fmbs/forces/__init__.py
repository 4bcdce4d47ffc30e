"""Applied forces and force elements: one file a kind."""

from fmbs.forces.bushing import Bushing
from fmbs.forces.distributed_force import DistributedForce
from fmbs.forces.feedback import Feedback
from fmbs.forces.follower_force import FollowerForce
from fmbs.forces.point_force import PointForce
from fmbs.forces.pressure import Pressure
from fmbs.forces.rotation_spring_damper import RotationSpringDamper
from fmbs.forces.spring_damper import SpringDamper
from fmbs.forces.torque import Torque
from fmbs.forces.user_force import MarkerState, UserForce

__all__ = [
    "Bushing",
    "DistributedForce",
    "Feedback",
    "FollowerForce",
    "MarkerState",
    "PointForce",
    "Pressure",
    "RotationSpringDamper",
    "SpringDamper",
    "Torque",
    "UserForce",
]
