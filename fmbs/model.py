"""Model: what the user writes. Holds parts; numbers nothing, computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import array, nearest, shown, vector
from fmbs.core.defaults import ASSEMBLY_TOLERANCE, ENERGY_TOLERANCE, EQUILIBRIUM_ITERATIONS, EQUILIBRIUM_TOLERANCE
from fmbs.core.described import Described, words
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.origin import Origin
from fmbs.core.own_coordinate import own_coordinates
from fmbs.core.protocols import Body, Force, IdealJoint, Part
from fmbs.core.ranks import ALONE, Ranks, together
from fmbs.core.spelling import spelled
from fmbs.core.words import counted, table
from fmbs.elements.ground import Ground
from fmbs.solvers.redundancy import without_redundancy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from fmbs.analysis.integrators import Integrator
    from fmbs.analysis.linear import Output
    from fmbs.analysis.phases import Simulation
    from fmbs.core.input import Input
    from fmbs.results.linear import LinearModel
    from fmbs.results.modes import Modes
    from fmbs.results.solution import Solution
    from fmbs.solvers.buckling import Buckling

P = TypeVar("P", bound=Part)

ROWS = 40  # parts that a printed model lists


class Model(Described):
    """A mechanism: bodies, joints, drives and forces.

    name: of the model, for files and figures
    gravity: acceleration, m/s^2: (x, y, z), or (x, y) for planar models
    """

    def __init__(self, name: str, *, gravity: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        size = 2 if array(name, "gravity", gravity, "give 3 numbers").shape == (2,) else 3
        self.name = name
        self.gravity: NDArray[np.float64] = np.append(vector(name, "gravity", gravity, size), np.zeros(3 - size))
        self.ground = Ground()
        self.bodies: list[Body] = []
        self.joints: list[IdealJoint] = []
        self.forces: list[Force] = []
        self._known: set[int] = {id(self.ground)}
        self._names: set[str] = set()

    def __repr__(self) -> str:
        numbers = {"body": len(self.bodies), "joint": len(self.joints), "force": len(self.forces)}
        counts = ", ".join(counted(number, kind) for kind, number in numbers.items())
        return f"Model({self.name!r}, {counts}, gravity={words(self.gravity, 'm/s^2')})"

    def __str__(self) -> str:
        """With a table: kind, name and numbers of every part."""
        rows = [(type(x).__name__, x.name, x.facts if isinstance(x, Described) else "") for x in self.parts[:ROWS]]
        more = [f"  and {len(self.parts) - ROWS} more"] if len(self.parts) > ROWS else []
        return "\n".join([repr(self), *([table(rows)] if rows else []), *more])

    @property
    def parts(self) -> list[Part]:
        """Everything that was added, bodies first."""
        return [*self.bodies, *self.joints, *self.forces]

    def __getitem__(self, name: str) -> Any:
        """The part of this name: m["crank"].at(...), sol.reaction(m["pin"])."""
        for part in self.parts:
            if isinstance(name, str) and part.name == name:
                return part
        raise ModelError(f"{self.name}: no part is called {shown(name)}.{nearest(name, self._names - {''})}")

    def add(self, part: P) -> P:
        """Add a body, joint, drive or force, and return it. Bodies come before what takes hold of them."""
        if id(part) in self._known:
            raise ModelError(f"{self.name}: {part.name or part!r} is in the model already; add every part once.")
        name = getattr(part, "name", "")
        if not isinstance(name, str):
            raise ModelError(f"{self.name}: the name {shown(name)} of a {type(part).__name__} is not a text; give name='pin'.")
        if name and name in self._names:
            raise ModelError(f"{self.name}: there is a part called {name!r} already; give every part its own name.")
        if isinstance(part, Body):
            self.bodies.append(part)
        elif isinstance(part, IdealJoint):
            self._check_markers(part, (part.a, part.b))
            self.joints.append(part)
        elif isinstance(part, Force):
            self._check_markers(part, part.markers)
            self.forces.append(part)
        else:
            raise ModelError(f"{self.name}: {shown(part)} is no part; add bodies, joints, drives and forces.")
        self._known.add(id(part))
        self._names.add(part.name)
        return part

    def _check_markers(self, part: Part, markers: Any) -> None:
        for marker in markers:
            if not isinstance(marker, Marker):
                raise ModelError(f"{part.name or type(part).__name__}: {shown(marker)} is not a marker; give body.at(...).")
            if id(marker.body) not in self._known:
                raise ModelError(
                    f"{part.name or type(part).__name__}: marker {marker} belongs to {marker.body.name!r}, which is not in "
                    f"model {self.name!r}; add that body first (and take the ground from this model)."
                )

    @property
    def moving(self) -> list[Body]:
        """Everything with coordinates, in the order of a system."""
        return [*self.bodies, *own_coordinates((*self.joints, *self.forces))]

    def system(
        self, *, assembly_tolerance: float = ASSEMBLY_TOLERANCE, ranks: Ranks = ALONE, origin: Origin | None = None
    ) -> System:
        """The equations of motion as arrays and sparse matrices, without redundant equations; `ranks`: shared among these;
        `origin`: where a run begins that goes on from another one.
        """
        if not self.bodies:
            raise ModelError(f"{self.name}: the model has no body; add one with m.add(fm.RigidBody(...)).")

        def build(drop: frozenset[int]) -> System:
            return System(self.moving, self.joints, self.forces, self.gravity, drop=drop, ranks=ranks, origin=origin)

        return without_redundancy(build, assembly_tolerance)

    @spelled
    def simulate(
        self, t_end: float, *, step: float | None = None, tolerance: float | None = None, output_step: float | None = None,
        integrator: Integrator | str | None = None, linear_solver: str = "auto",
        tangent: str = "exact", progress: bool | None = None, assembly_tolerance: float = ASSEMBLY_TOLERANCE,
        initial_velocities: str = "complete",
        energy_tolerance: float | None = ENERGY_TOLERANCE, checkpoint: str | Path | None = None,
        start: Solution | None = None, at: float | None = None,
    ) -> Solution:  # fmt: skip
        """Motion from t = 0, or from a state of `start`, to t_end, s. `fmbs.analysis.simulate` explains the arguments."""
        from fmbs.analysis import simulate

        with together():
            return simulate(
                self, t_end, step=step, tolerance=tolerance, output_step=output_step, integrator=integrator,
                linear_solver=linear_solver, tangent=tangent, progress=progress, assembly_tolerance=assembly_tolerance,
                initial_velocities=initial_velocities, energy_tolerance=energy_tolerance, checkpoint=checkpoint,
                start=start, at=at,
            )  # fmt: skip

    @spelled
    def kinematics(self, t: ArrayLike, *, assembly_tolerance: float = ASSEMBLY_TOLERANCE) -> Solution:
        """Motion and reactions of a fully driven model at the times t, s. `fmbs.analysis.kinematics` says more."""
        from fmbs.analysis import kinematics

        return kinematics(self, t, assembly_tolerance=assembly_tolerance)

    @spelled
    def equilibrium(
        self, *, load_steps: int | None = None, follow: str = "load", tolerance: float = EQUILIBRIUM_TOLERANCE,
        max_iterations: int = EQUILIBRIUM_ITERATIONS, linear_solver: str = "auto", tangent: str = "exact",
        assembly_tolerance: float = ASSEMBLY_TOLERANCE,
    ) -> Solution:  # fmt: skip
        """Static equilibrium; frames are load steps, or points of an arc. `fmbs.analysis.equilibrium` says more."""
        from fmbs.analysis import equilibrium

        return equilibrium(
            self, load_steps=load_steps, follow=follow, tolerance=tolerance, max_iterations=max_iterations,
            linear_solver=linear_solver, tangent=tangent, assembly_tolerance=assembly_tolerance,
        )  # fmt: skip

    @spelled
    def modes(self, n: int = 6, *, at: Solution | None = None, assembly_tolerance: float = ASSEMBLY_TOLERANCE) -> Modes:
        """The n lowest natural modes about the last frame of `at`, or about the start. `fmbs.analysis.modes` says more."""
        from fmbs.analysis import modes

        return modes(self, n, at=at, assembly_tolerance=assembly_tolerance)

    @spelled
    def buckling(
        self, n: int = 3, *, at: Solution | None = None, linear_solver: str = "auto",
        assembly_tolerance: float = ASSEMBLY_TOLERANCE,
    ) -> Buckling:  # fmt: skip
        """The n lowest critical factors of gravity and the loads. `fmbs.analysis.buckling` explains the arguments."""
        from fmbs.analysis import buckling

        return buckling(self, n, at=at, linear_solver=linear_solver, assembly_tolerance=assembly_tolerance)

    @spelled
    def linearise(
        self, *, at: Solution | None = None, t: float | None = None, inputs: Sequence[Input] = (),
        outputs: Mapping[str, Output] | Sequence[Output] = (), assembly_tolerance: float = ASSEMBLY_TOLERANCE,
    ) -> LinearModel:  # fmt: skip
        """A, B, C and D of small motions about a state. `fmbs.analysis.linearise` explains the arguments."""
        from fmbs.analysis import linearise

        return linearise(self, at=at, t=t, inputs=inputs, outputs=outputs, assembly_tolerance=assembly_tolerance)

    @spelled
    def steady(self, *, assembly_tolerance: float = ASSEMBLY_TOLERANCE) -> Solution:
        """The steady spin of a rotor. `fmbs.analysis.steady` says more."""
        from fmbs.analysis import steady

        return steady(self, assembly_tolerance=assembly_tolerance)

    @spelled
    def start(self, *, start: Solution | None = None, at: float | None = None, **options: Any) -> Simulation:
        """A run in phases, sim = m.start(step=1e-3); sim.run(until=1.0); sim.lock(joint). Options as of `simulate`."""
        from fmbs.analysis.phases import begin_phases

        return begin_phases(self, start, at, options)
