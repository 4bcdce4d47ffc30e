"""Bodies: one file a kind."""

from fmbs.elements.beam import Beam
from fmbs.elements.cable import Cable
from fmbs.elements.ground import Ground
from fmbs.elements.material import Material
from fmbs.elements.network import BeamNetwork
from fmbs.elements.nodal_body import NodalBody
from fmbs.elements.planar_beam import PlanarBeam
from fmbs.elements.planar_body import PlanarBody
from fmbs.elements.reduced import NodeSet, ReducedBody
from fmbs.elements.rigid_body import RigidBody
from fmbs.elements.section import Circle, GeneralSection, Pipe, Rectangle, Section
from fmbs.elements.solid.mesh_checks import PoorMesh
from fmbs.elements.solid.solid import Solid

__all__ = [
    "Beam", "BeamNetwork", "Cable", "Circle", "GeneralSection", "Ground", "Material", "NodalBody", "NodeSet", "Pipe",
    "PlanarBeam", "PlanarBody", "PoorMesh", "Rectangle", "ReducedBody", "RigidBody", "Section", "Solid",
]  # fmt: skip
