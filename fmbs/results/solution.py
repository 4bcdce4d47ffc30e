"""Solution: the frames of a run and everything that can be asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import nearest, shown
from fmbs.core.defaults import PER_ELEMENT, PICTURE_SIZE
from fmbs.core.equations import planar
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.notebook import ShownAsText
from fmbs.core.optional import (
    JointWithClearance,
    LimitedPart,
    ReactingForce,
    RecordedBatch,
    SectionedBody,
    SectionedPart,
    TurningBody,
)
from fmbs.core.own_coordinate import CoordinateOwner
from fmbs.core.protocols import Body, IdealJoint
from fmbs.core.spelling import spelled
from fmbs.core.state import State
from fmbs.core.state_coordinate import StateOwner
from fmbs.core.vectors import Vector, VectorPool
from fmbs.core.words import counted
from fmbs.math.vector_kernels import vector_accelerations, vector_rates, vector_values
from fmbs.results.clearance import Clearance, clearance, contact_reaction
from fmbs.results.contact_log import Impact
from fmbs.results.energy import Energy, energy_row
from fmbs.results.frames import Frames
from fmbs.results.reaction import Reaction, reaction
from fmbs.results.section import SectionForces, check_places, owner_of, section_forces
from fmbs.solvers.flows import STATIONS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fmbs.export.shapes import Shape
    from fmbs.model import Model
    from fmbs.plots import Plots

Array = NDArray[np.float64]


SHOWN = 0.1  # of a run: parts that took more of it in Python are told


@dataclass(frozen=True)
class Statistics:
    """What a run cost and what it did to the user's input.

    integrator: the one that was used; chosen: why, in words, where a tolerance was given and no integrator
    contacts: steps cut at the start of a contact; wall: s
    linear_solver: the one that was used; linear_chosen: why, in words, where a matrix fills in much
    moved, moved_velocity: how far initial values were moved to fit the joints (relative to the model's size or rad,
    and m/s or rad/s), moved_part, moved_velocity_part: the bodies that were moved farthest
    energy_error: share of the energy exchanged that is missing at most; verdict: what to think of it, in words
    in_python: parts, laws and solvers that were called in Python, with the number of calls and their time, s, slowest first
    coarse: what steps were too long for, in words; stability: how an equilibrium that is not stable gives way, in words
    start: what the run warned of at its start, in words; redundant: equations left out; drift: largest |Phi| of all frames
    """

    steps: int = 0
    rejected: int = 0
    iterations: int = 0
    factorizations: int = 0
    contacts: int = 0
    wall: float = 0.0
    linear_solver: str = ""
    linear_chosen: str = ""
    integrator: str = ""
    chosen: str = ""
    moved: float = 0.0
    moved_velocity: float = 0.0
    moved_part: str = ""
    moved_velocity_part: str = ""
    energy_error: float = 0.0
    verdict: str = ""
    in_python: tuple[tuple[str, int, float], ...] = ()
    coarse: tuple[str, ...] = ()
    stability: str = ""
    start: tuple[str, ...] = ()
    redundant: tuple[str, ...] = ()
    drift: float = 0.0


@dataclass(frozen=True, eq=False)
class Solution(ShownAsText):
    """Frames of a simulation, a kinematic analysis or an equilibrium.

    t: time of each frame, s (load factor for an equilibrium)  # (frames,)
    q, v, a: coordinates and their derivatives  # (frames, n)
    lam: multipliers, NaN where a joint was not in force  # (frames, m)
    step_times: end of every accepted step, s
    history: what contacts remember, see State.history
    impacts: of all clearance joints, in the order of their start
    energy: of an equilibrium, what is stored; the work of loads that grow in steps is not known: work and balance are NaN
    """

    system: System
    t: Array
    q: Array
    v: Array
    a: Array
    lam: Array
    energy: Energy
    statistics: Statistics
    step_times: Array = field(default_factory=lambda: np.empty(0))
    static: bool = False  # t is a load factor, the model stays at t = 0: see `times`
    history: Array = field(default_factory=lambda: np.empty((0, 0)))  # (frames, k)
    impacts: tuple[Impact, ...] = ()

    @classmethod
    def from_states(
        cls, system: System, states: Sequence[State], statistics: Statistics, *, entries: Sequence[Array] | None = None,
        loads: Array | None = None,
    ) -> Solution:  # fmt: skip
        """Frames from states; entries: integrated flows of each (see results.energy); loads: load factors of equilibria."""
        if loads is not None:
            entries = [_at_rest(system, state) for state in states]
        entries = [np.zeros(STATIONS + len(system.contacts.names()))] * len(states) if entries is None else entries
        frames = Frames()
        for state, totals in zip(states, entries, strict=True):
            frames.record(state, energy_row(system, state, totals))
        arrays = frames.arrays() if loads is None else {**frames.arrays(), "t": loads}
        return cls.from_arrays(system, arrays, statistics, static=loads is not None)

    @classmethod
    def from_arrays(
        cls, system: System, arrays: Mapping[str, Array], statistics: Statistics, *, static: bool = False,
        impacts: Sequence[Impact] = (),
    ) -> Solution:  # fmt: skip
        """Frames from columns, named as the fields of a Solution and "energy/..." for those of its ledger."""
        energy = Energy(**{name.partition("/")[2]: values for name, values in arrays.items() if name.startswith("energy/")})
        columns = {name: arrays[name] for name in ("t", "q", "v", "a", "lam", "history", "step_times")}
        return cls(system=system, energy=energy, statistics=statistics, static=static, impacts=tuple(impacts), **columns)

    @property
    def times(self) -> Array:
        """Time of the model in each frame, s: t, or 0 in all frames of an equilibrium  # (frames,)."""
        return np.zeros(len(self)) if self.static else self.t

    def position(self, marker: Marker) -> Array:
        """Of a marker, m, in global axes  # (frames, 3), or (frames, 2) on planar bodies."""
        return self._trim(marker, self._vectors([_marker("position", marker).point])[0])

    def velocity(self, marker: Marker) -> Array:
        """Of a marker, m/s  # (frames, 3) or (frames, 2)."""
        return self._trim(marker, self._vectors([_marker("velocity", marker).point], 1)[0])

    def acceleration(self, marker: Marker) -> Array:
        """Of a marker, m/s^2  # (frames, 3) or (frames, 2)."""
        return self._trim(marker, self._vectors([_marker("acceleration", marker).point], 2)[0])

    def rotation(self, marker: Marker) -> Array:
        """Rotation matrix since t = 0 of the marker's frame  # (frames, 3, 3)."""
        return np.moveaxis(self._vectors(_marker("rotation", marker).frame), 0, -1)

    def spin(self, marker: Marker) -> Array:
        """Angular velocity, rad/s, in global axes: 1/2 sum d_i x d_i'  # (frames, 3), or (frames,) on planar bodies."""
        frame = _marker("spin", marker).frame
        omega = 0.5 * np.cross(self._vectors(frame), self._vectors(frame, 1)).sum(axis=0)
        spin: Array = omega[:, 2] if marker.planar else omega
        return spin

    def angle(self, body: Body) -> Array:
        """Of a planar body, rad, counted on over full turns  # (frames,)."""
        if not isinstance(body, TurningBody):
            what = repr(getattr(body, "name", "")) if isinstance(body, Body) else shown(body)
            raise ModelError(f"angle: {what} is not a planar body; sol.rotation(marker) gives rotation matrices.")
        self._check_body("angle", body)
        return body.turned(self.q[:, self.system.dofs.coordinates_of(body)])

    def reaction(self, joint: IdealJoint | JointWithClearance | ReactingForce | str) -> Reaction:
        """Force and moment of a joint, drive, spring or bushing (itself or its name) on the body of its second marker."""
        found = self._joint(joint, "reaction")
        if isinstance(found, JointWithClearance):
            if id(found) not in self._reactions:
                batch, states, _ = self._contacts(found)
                self._reactions[id(found)] = contact_reaction(batch, found, states)
            return self._reactions[id(found)]
        if isinstance(found, ReactingForce):
            force, moment = found.acting(self)
            return Reaction(force[:, :2], moment[:, 2]) if found.b.planar else Reaction(force, moment)
        holder: Any = found if isinstance(found, IdealJoint) else found.own_coordinates[0]
        rows = self.system.dofs.multipliers_of(holder)
        flat = planar(found.a, found.b)
        equations, lam = self.system.equations_of[id(holder)], np.nan_to_num(self.lam[:, rows], nan=0.0)  # NaN: not in force
        return reaction(equations, found.b, flat, self.times, self.q, lam, self.system.dofs)

    def coordinate(self, part: CoordinateOwner | str) -> Array:
        """What a part counts by itself: the angle of a RotationSpringDamper since t = 0, over any number of turns, rad; the
        angles of Gears and Rack; the place of a PointOnBeam along it, m  # (frames,), or (frames, k) of k.
        """
        owners = [x for x in (*self.system.joints, *self.system.forces) if isinstance(x, CoordinateOwner)]
        for owner in owners:
            if owner is part or (isinstance(part, str) and getattr(owner, "name", "") == part):
                own = self.q[:, [self.system.dofs[x] for x in owner.own_coordinates]]
                return own[:, 0] if own.shape[1] == 1 else own
        names = [owner.name for owner in owners if getattr(owner, "name", "")]
        asked = part if isinstance(part, str) else getattr(part, "name", part)
        raise ModelError(f"coordinate: {shown(asked)} has no coordinate of its own in this solution.{nearest(asked, names)}")

    def states(self, part: StateOwner | str) -> Array:
        """States of a force of its own or of a controller: z of every frame  # (frames, k)."""
        owners = [x for x in self.system.forces if isinstance(x, StateOwner) and x.own_states]
        for owner in owners:
            if owner is part or (isinstance(part, str) and owner.name == part):
                values: Array = self.v[:, [self.system.dofs[x] for x in owner.own_states]]
                return values
        names = [owner.name for owner in owners if owner.name]
        asked = part if isinstance(part, str) else getattr(part, "name", part)
        raise ModelError(f"states: {shown(asked)} has no states in this solution.{nearest(asked, names)}")

    def clearance(self, joint: JointWithClearance | str) -> Clearance:
        """Orbit, penetration, forces, contact mode and impacts of a clearance joint (itself or its name)."""
        found = self._joint(joint, "clearance")
        if not isinstance(found, JointWithClearance):
            raise ModelError(f"clearance: {found.name!r} is an ideal joint; sol.reaction(joint) gives its force.")
        if id(found) not in self._clearances:
            batch, states, dissipated = self._contacts(found)
            made = clearance(batch, found, states, dissipated, self.impacts)
            self._clearances[id(found)] = made.under_loads(self.t) if self.static else made
        return self._clearances[id(found)]

    # Laws and kinematics of every frame take a while, and figures, reports and summaries ask for them again and again.
    @cached_property
    def _clearances(self) -> dict[int, Clearance]:
        return {}

    @cached_property
    def _reactions(self) -> dict[int, Reaction]:
        return {}

    @property
    def notes(self) -> tuple[str, ...]:
        """In words: what was moved at the start, what steps were too long for, how an equilibrium is unstable, where the run
        left the range of validity of its contact and film laws.
        """
        joints = [force for force in self.system.forces if isinstance(force, JointWithClearance)]
        limits = [text for joint in joints for text in self.clearance(joint).limits]
        parts = [
            part
            for part in (*self.system.dofs.bodies, *self.system.joints, *self.system.forces)
            if isinstance(part, LimitedPart)
        ]
        limits += [text for part in parts for text in part.limits(self)]
        done = self.statistics
        return (*done.start, *done.coarse, *([done.stability] if done.stability else []), *limits)

    def section(self, beam: SectionedBody | SectionedPart, s: ArrayLike) -> SectionForces:
        """Strains, section forces and stresses of a beam, cable, strut or body of your own at places 0 <= s <= 1 along it."""
        places = check_places(beam, s)
        self._check_body("section", owner_of(beam))
        return section_forces(beam, places, self.q, self.system.dofs)

    @property
    def drift(self) -> Array:
        """Phi of every frame: how far the constraints are violated; 0 where one is not in force  # (frames, m)."""
        phi = [self.system.constraints(float(t), q) for t, q in zip(self.times, self.q, strict=True)]
        return np.where(np.isnan(self.lam), 0.0, np.array(phi).reshape(len(self), -1))

    @property
    def model(self) -> Model:
        """The parts by name: sol.model["rod"].end."""
        from fmbs.results.store.description import model_of

        return model_of(self.system)

    def save(self, path: str | Path) -> Path:
        """Write everything to one HDF5 file; `fm.load` reads it."""
        from fmbs.results.store import save

        return save(self, path)

    @spelled
    def to_vtk(
        self, path: str | Path, *, shapes: Mapping[Any, Shape] | None = None, per_element: int = PER_ELEMENT,
        every: int | None = None, magnify: float | None = None,
    ) -> list[Path]:  # fmt: skip
        """Files for ParaView: run.pvd or run.vtkhdf. `fmbs.export.files.to_vtk` explains the arguments."""
        from fmbs.export.files import to_vtk

        return to_vtk(self, path, shapes=shapes, per_element=per_element, every=every, magnify=magnify)

    @spelled
    def to_meshio(
        self, path: str | Path, *, t: float | None = None, shapes: Mapping[Any, Shape] | None = None,
        per_element: int = PER_ELEMENT,
    ) -> Path:  # fmt: skip
        """One frame in any format of meshio. `fmbs.export.files.to_meshio` explains the arguments."""
        from fmbs.export.files import to_meshio

        return to_meshio(self, path, t=t, shapes=shapes, per_element=per_element)

    @spelled
    def report(
        self, path: str | Path = "report.html", *, title: str = "", figures: Sequence[Figure] | None = None,
        shapes: Mapping[Any, Shape] | None = None, magnify: float | None = None,
    ) -> Path:  # fmt: skip
        """One HTML page with parameters, summary, figures and animation. `fmbs.export.report.report` explains the arguments."""
        from fmbs.export.report import report

        return report(self, path, title=title, figures=figures, shapes=shapes, magnify=magnify)

    @spelled
    def render(
        self, path: str | Path, *, t: float | None = None, field: str = "von_mises",
        shapes: Mapping[Any, Shape] | None = None, size: tuple[int, int] = PICTURE_SIZE, view: str | ArrayLike = "",
        zoom: float = 1.0, magnify: float | None = None,
    ) -> Path:  # fmt: skip
        """A picture of one frame, without a screen. `fmbs.export.pictures.render` explains the arguments."""
        from fmbs.export.pictures import render

        return render(self, path, t=t, field=field, shapes=shapes, size=size, view=view, zoom=zoom, magnify=magnify)

    @spelled
    def animate(
        self, path: str | Path, *, duration: float = 8.0, fps: int = 30, field: str = "von_mises",
        shapes: Mapping[Any, Shape] | None = None, size: tuple[int, int] = PICTURE_SIZE, view: str | ArrayLike = "",
        zoom: float = 1.0, magnify: float | None = None,
    ) -> Path:  # fmt: skip
        """A film, .mp4 or .gif, without a screen. `fmbs.export.pictures.animate` explains the arguments."""
        from fmbs.export.pictures import animate

        return animate(
            self, path, duration=duration, fps=fps, field=field, shapes=shapes, size=size, view=view, zoom=zoom, magnify=magnify
        )

    def show(self, **options: Any) -> Any:
        """The report with its animation: within a notebook, or in a browser; options: those of `report` but its path."""
        from fmbs.export.show import show

        return show(self, **options)

    @property
    def plot(self) -> Plots:
        """Figures: sol.plot.energy(), sol.plot.orbit(joint), ...; see `fmbs.plots.figures`."""
        from fmbs.plots import Plots

        return Plots(self)

    def __len__(self) -> int:
        return int(self.t.size)

    def __repr__(self) -> str:
        what, unit = ("load factor", "") if self.static else ("t", " s")
        span = f"{what} = {self.t[0]:g} ... {self.t[-1]:g}{unit}"
        return f"Solution({counted(len(self), 'frame')}, {span}, {counted(self.statistics.steps, 'step')})"

    def __str__(self) -> str:
        done = self.statistics
        lines = [f"  start: {text}" for text in done.start] + [f"  steps: {text}" for text in done.coarse]
        lines += [f"  integrator: {done.integrator}, {done.chosen}"] if done.chosen else []
        lines += [f"  linear solver: {done.linear_solver}, {done.linear_chosen}"] if done.linear_chosen else []
        lines += [f"  stability: {done.stability}"] if done.stability else []
        slow = [(name, count, time) for name, count, time in done.in_python if time > SHOWN * done.wall]
        lines += [f"  in Python: {name}, {count} calls, {time:.2g} s of {done.wall:.2g} s" for name, count, time in slow]
        return "\n".join([repr(self), *lines, *([f"  energy: {done.verdict}"] if done.verdict else [])])

    def _joint(self, joint: object, question: str) -> Any:
        known: list[Any] = [*self.system.joints]
        told = JointWithClearance, ReactingForce, CoordinateOwner
        known += [part for part in self.system.forces if isinstance(part, told)]
        for part in known:
            if part is joint or (isinstance(joint, str) and part.name == joint):
                return part
        names = [part.name for part in known if part.name]
        asked = joint if isinstance(joint, str) else getattr(joint, "name", joint)
        raise ModelError(f"{question}: no joint {shown(asked)} in this solution.{nearest(asked, names)}")

    def _check_body(self, question: str, body: Body | SectionedBody) -> None:
        if id(body) not in self.system.dofs.start:
            raise ModelError(f"{question}: {body.name!r} is not in the solution's model.")

    def _contacts(self, joint: JointWithClearance) -> tuple[RecordedBatch, list[State], Array]:
        """The batch of a clearance joint, its states frame by frame, and what its stations have dissipated."""
        batches = self.system.contacts.batches
        batch = cast(RecordedBatch, next(batch for batch in batches if any(owner is joint for owner, _ in batch.names())))
        history, stations = self.system.contacts.slices(batch)
        frames = zip(self.times, self.q, self.v, self.a, self.lam, self.history[:, history], strict=True)
        states = [State(float(t), q, v, a, lam, q, history=own) for t, q, v, a, lam, own in frames]
        return batch, states, self.energy.contacts[:, stations]

    def _vectors(self, vectors: Sequence[Vector], derivative: int = 0) -> Array:  # (vectors, frames, 3)
        for vector in vectors:
            if vector.body is not None and vector.body.size and id(vector.body) not in self.system.dofs.start:
                raise ModelError(f"body {vector.body.name!r} of this marker is not in the solution's model.")
        pool = VectorPool()
        pool.vectors = list(vectors)
        table = pool.table(self.system.dofs)
        out = np.empty((len(self), len(vectors), 3))
        u = np.empty((len(vectors), 3))
        for frame in range(len(self)):
            vector_values(table, self.q[frame], u)
            if derivative == 0:
                out[frame] = u
            elif derivative == 1:
                vector_rates(table, self.q[frame], self.v[frame], u, out[frame])
            else:
                vector_accelerations(table, self.q[frame], self.v[frame], self.a[frame], u, out[frame])
        return np.moveaxis(out, 0, 1)

    def _trim(self, marker: Marker, vectors: Array) -> Array:
        return vectors[:, :2] if marker.planar else vectors


def _at_rest(system: System, state: State) -> Array:
    """Integrated flows of an equilibrium: all that went into a contact is stored there."""
    system.contacts.begin(state.t, state.q, state.v, state.history)
    _, stored = system.contacts.exchange(state.t, state.q, state.v)
    return np.concatenate([[np.nan, 0.0, 0.0], stored])


def check_solution(question: str, solution: object) -> None:
    """Studies take one."""
    if not isinstance(solution, Solution):
        raise ModelError(f"{question}: {shown(solution)} is not a solution; give what m.simulate(...) or fm.load(...) returns.")


def _marker(what: str, marker: Marker) -> Marker:
    if not isinstance(marker, Marker):
        raise ModelError(
            f"{what}: {shown(marker)} is not a marker; give one of a body, such as body.com or body.at(0.1, 0, 0)."
        )
    return marker
