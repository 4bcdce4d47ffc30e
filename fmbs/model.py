"""Model: what the user writes. Holds parts; numbers nothing, computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import nearest, vector
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Body, Force, Joint, Part
from fmbs.core.ranks import ALONE, Ranks, together
from fmbs.elements.ground import Ground
from fmbs.solvers.redundancy import without_redundancy
from fmbs.solvers.start import ASSEMBLY_TOLERANCE

if TYPE_CHECKING:
    from fmbs.results.solution import Solution
    from fmbs.solvers.buckling import Buckling
    from fmbs.solvers.modes import Modes

P = TypeVar("P", bound=Part)


class Model:
    """A mechanism: bodies, joints, drives and forces.

    name: of the model, for files and figures
    gravity: acceleration, m/s^2: (x, y, z), or (x, y) for planar models
    """

    def __init__(self, name: str, *, gravity: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        size = 2 if np.shape(gravity) == (2,) else 3
        self.name = name
        self.gravity: NDArray[np.float64] = np.append(vector(name, "gravity", gravity, size), np.zeros(3 - size))
        self.ground = Ground()
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.forces: list[Force] = []
        self._known: set[int] = {id(self.ground)}
        self._names: set[str] = set()

    @property
    def parts(self) -> list[Part]:
        """Everything that was added, bodies first."""
        return [*self.bodies, *self.joints, *self.forces]

    def __getitem__(self, name: str) -> Any:
        """The part of this name: m["crank"].at(...), sol.reaction(m["pin"])."""
        for part in self.parts:
            if part.name == name:
                return part
        raise ModelError(f"{self.name}: no part is called {name!r}.{nearest(str(name), self._names - {''})}")

    def add(self, part: P) -> P:
        """Add a body, joint, drive or force, and return it. Bodies come before what takes hold of them."""
        if id(part) in self._known:
            raise ModelError(f"{self.name}: {part.name or part!r} is in the model already; add every part once.")
        name = getattr(part, "name", "")
        if not isinstance(name, str):
            raise ModelError(f"{self.name}: the name {name!r} of a {type(part).__name__} is not a text; give name='pin'.")
        if name and name in self._names:
            raise ModelError(f"{self.name}: there is a part called {name!r} already; give every part its own name.")
        if isinstance(part, Body):
            self.bodies.append(part)
        elif isinstance(part, Joint):
            self._check_markers(part, (part.a, part.b))
            self.joints.append(part)
        elif isinstance(part, Force):
            self._check_markers(part, part.markers)
            self.forces.append(part)
        else:
            raise ModelError(f"{self.name}: {part!r} is no part; add bodies, joints, drives and forces.")
        self._known.add(id(part))
        self._names.add(part.name)
        return part

    def _check_markers(self, part: Part, markers: Any) -> None:
        for marker in markers:
            if not isinstance(marker, Marker):
                raise ModelError(f"{part.name or type(part).__name__}: {marker!r} is not a marker; give body.at(...).")
            if id(marker.body) not in self._known:
                raise ModelError(
                    f"{part.name or type(part).__name__}: marker {marker} belongs to {marker.body.name!r}, which is not in "
                    f"model {self.name!r}; add that body first (and take the ground from this model)."
                )

    def system(self, *, assembly_tolerance: float = ASSEMBLY_TOLERANCE, ranks: Ranks = ALONE) -> System:
        """The equations of motion as arrays and sparse matrices, without redundant equations; `ranks`: shared among these."""
        if not self.bodies:
            raise ModelError(f"{self.name}: the model has no body; add one with m.add(fm.RigidBody(...)).")

        def build(drop: frozenset[int]) -> System:
            return System(self.bodies, self.joints, self.forces, self.gravity, drop=drop, ranks=ranks)

        return without_redundancy(build, assembly_tolerance)

    def simulate(self, t_end: float, **options: Any) -> Solution:
        """Motion from t = 0 to t_end, s. Options: see `fmbs.analysis.simulate`."""
        from fmbs.analysis import simulate

        with together():
            return simulate(self, t_end, **options)

    def kinematics(self, t: ArrayLike, **options: Any) -> Solution:
        """Motion and reactions of a fully driven model at the times t. Options: see `fmbs.analysis.kinematics`."""
        from fmbs.analysis import kinematics

        return kinematics(self, t, **options)

    def equilibrium(self, **options: Any) -> Solution:
        """Static equilibrium; frames are load steps, or points of an arc. Options: see `fmbs.analysis.equilibrium`."""
        from fmbs.analysis import equilibrium

        return equilibrium(self, **options)

    def modes(self, n: int = 6, **options: Any) -> Modes:
        """The n lowest natural modes about the assembled position. Options: see `fmbs.analysis.modes`."""
        from fmbs.analysis import modes

        return modes(self, n, **options)

    def buckling(self, n: int = 3, **options: Any) -> Buckling:
        """The n lowest critical factors of gravity and the loads. Options: see `fmbs.analysis.buckling`."""
        from fmbs.analysis import buckling

        return buckling(self, n, **options)
