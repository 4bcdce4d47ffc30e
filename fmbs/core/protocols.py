"""What the layers know of each other. What parts may give besides, to be stored and drawn, is in `fmbs.core.optional`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fmbs.core.equations import Equation
from fmbs.core.marker import Marker
from fmbs.core.vectors import Vector
from fmbs.jit.slots import LINE, TABLE, Slot
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


Made = TypeVar("Made", covariant=True)


class Triplets(NamedTuple):
    """A sparse matrix by entries."""

    row: Integers
    column: Integers
    value: Array


class Part(Protocol):
    """Anything that `Model.add` takes."""

    @property
    def name(self) -> str: ...


@runtime_checkable
class Body(Part, Protocol):
    """Coordinates q with q' = v and a constant mass matrix."""

    @property
    def planar(self) -> bool: ...
    @property
    def size(self) -> int: ...  # number of coordinates

    def initial_position(self) -> Array: ...  # (size,)
    def initial_velocity(self) -> Array: ...  # (size,)
    def is_length(self) -> NDArray[np.bool_]: ...  # (size,) True: metres, False: dimensionless
    def mass_matrix(self) -> Triplets: ...  # local indices
    def weight(self, gravity: Array) -> Array: ...  # generalized force of gravity, (size,)
    def equations(self) -> list[Equation]: ...  # what keeps the body in shape
    @property
    def mass_damping(self) -> float: ...  # alpha of a force -alpha M v, 1/s
    @property
    def batch(self) -> BatchKind[ElementBatch | tuple[ElementBatch, ...]] | None: ...  # elastic elements, if it has any
    def point(self, marker: Marker) -> Vector: ...
    def direction(self, marker: Marker, components: Array) -> Vector: ...


@runtime_checkable
class MovableBody(Body, Protocol):
    """A body that the start of a run can move as a whole; a model with other bodies starts without that."""

    @property
    def given(self) -> tuple[bool, bool]: ...  # did the user give an initial velocity, an initial spin?
    def rigid_rates(self, q: Array) -> Array:
        """q' for unit velocities along x, y, z and for unit spins about these axes through the origin  # (size, 6)."""

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        """q of the body turned by the rotation vector `turn` about `centre`, then moved by `shift`  # (size,)."""


@runtime_checkable
class IdealJoint(Part, Protocol):
    """Equations between two markers."""

    @property
    def a(self) -> Marker: ...
    @property
    def b(self) -> Marker: ...
    def equations(self) -> list[Equation]: ...


class Offsets(Protocol):
    """First global coordinate of a body."""

    def __getitem__(self, body: Body) -> int: ...


class Entries(NamedTuple):
    """Places in the Newton matrix, one by one, in the order in which a batch writes their values."""

    row: Integers
    column: Integers


class Blocks(NamedTuple):
    """Full blocks of the Newton matrix: element e couples all coordinates of its nodes, each with `width` of them."""

    first: Integers  # (elements, nodes): first coordinate of each node
    width: int


class BatchEnergy(NamedTuple):
    """What a batch of force elements holds and moves at one instant."""

    stored: float  # J
    dissipated: float  # W, >= 0
    supplied: float  # W, work done on the system


class Batch(Protocol):
    """Force elements of one kind, lowered to arrays. Residual convention: M a + Phi_q^T lam + f = 0."""

    is_load: ClassVar[bool]  # applied from outside, so that an equilibrium's load steps scale it

    def pattern(self) -> Entries: ...  # places of the values that `tangent` writes
    def residual(self, t: float, q: Array, v: Array, out: Array) -> None: ...  # out += f(t, q, v)
    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        """out = stiffness df/dq + damping df/dv, entry by entry of the pattern."""

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy: ...


@runtime_checkable
class ContactBatch(Batch, Protocol):
    """Force elements with a history and with gaps that may close.

    History is part of the State; the batch only holds that of the step being solved, so a rejected step leaves no trace.
    Places that may touch are `stations`; one that is free exerts no force until `touch` says that it is in contact.
    """

    history_size: int
    overdamped: bool  # are there films, whose transients are over in microseconds?

    def initial_history(self) -> Array: ...
    def begin(self, t: float, q: Array, v: Array, history: Array, h: float) -> None:
        """A step of size h starts at this state; h = 0: forces are those of this very instant."""

    def end(self, t: float, q: Array, v: Array) -> Array: ...  # history after the step
    def gaps(self, q: Array, v: Array) -> tuple[Array, Array]: ...  # penetration, m (< 0: open), and its rate, m/s
    def free(self, history: Array) -> NDArray[np.bool_]: ...  # stations that are not in contact
    def touch(self, history: Array, stations: NDArray[np.bool_], speed: Array) -> Array: ...  # history with new contacts
    def exchange(
        self, t: float, q: Array, v: Array
    ) -> tuple[Array, Array]: ...  # power into each station, W, and what it stores, J
    def names(self) -> list[tuple[Part, str]]: ...  # joint and end of every station
    def tables(self) -> Any: ...  # fmbs.gaps.joint_tables.GapTables, for the time loop


@runtime_checkable
class RigidBatch(ContactBatch, Protocol):
    """Contacts some of which are between rigid surfaces, with impulses in place of forces."""

    @property
    def rigid(self) -> NDArray[np.bool_]: ...  # (stations,) which they are

    def impact_laws(self) -> list[tuple[Any, float, int]]: ...  # law of fm.impact, coefficient of friction, directions of slip
    def clearances(self) -> Array: ...  # (stations,) m
    def motion(self, q: Array, v: Array) -> Array: ...  # (stations, 4) depth, its rate and the slips
    def rows(self, q: Array, chosen: Integers) -> Any: ...  # csr (3 chosen, n): how rate and slips depend on v


class ElementBatch(Protocol):
    """Finite elements of one kind, whose matrices go straight into the sparse structure."""

    def blocks(self) -> Blocks: ...
    def subset(self, elements: Integers) -> ElementBatch: ...  # a batch of these elements only, by their numbers in this one
    def residual(self, t: float, q: Array, v: Array, out: Array) -> None: ...  # out += f(t, q, v)
    def add_tangent(
        self, t: float, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
    ) -> None: ...  # data += stiffness df/dq + damping df/dv
    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy: ...


@runtime_checkable
class ElasticBatch(Protocol):
    """Elements of an elastic material."""

    def viscous(self) -> ElementBatch:
        """The same elements with a retardation time of 1 s: at v = 0 their df/dv is the stiffness of the material alone,
        without what stresses add to it.
        """


@table
class BlockTarget:
    """Where the tangents of a batch of elements go: as `slots` and `data` of ElementBatch.add_tangent."""

    slots: NDArray[np.int32]
    data: Array


FORCE = Slot("force", TABLE, LINE, LINE, LINE)
TANGENT = Slot("tangent", TABLE, LINE, LINE, float, float, LINE)
BLOCK_TANGENT = Slot("block tangent", TABLE, LINE, LINE, float, float, BlockTarget)
POWER = Slot("power", TABLE, LINE, LINE, LINE)


class PythonFunction(NamedTuple):
    """A function in Python that the kernels of a batch call through the slot PYTHON."""

    owner: str  # who is told in `sol.statistics.in_python`
    function: Callable[[int], None]
    place: Integers  # (1,) of the batch's table: where its address goes


@dataclass(frozen=True)
class CompiledPart:
    """A batch for the time loop: a table, and kernels that take it.

    force: kernel (table, q, v, out) that fits FORCE, out += f(q, v)
    tangent: kernel (table, q, v, stiffness, damping, out) of the values of `pattern`, that fits TANGENT; of elements with a
             BlockTarget for out, that fits BLOCK_TANGENT
    is_load: as in Batch
    damped: does f depend on v?
    update: writes into the table what it holds at a time; None where nothing changes
    viscous: the table of the same elements with a retardation time of 1 s (see ElasticBatch); None where nothing is elastic
    power: kernel (table, q, v, out) that fits POWER, out[0] += power supplied, out[1] += dissipated, W, beyond what is_load
           and damped tell: by whoever changes what the force element stores, for example; None without any
    python: what the kernels ask Python for
    """

    table: Any
    force: Callable[..., None]
    tangent: Callable[..., None]
    is_load: bool = False
    damped: bool = False
    update: Callable[[float], None] | None = None
    viscous: Any = None
    power: Callable[..., None] | None = None
    python: PythonFunction | None = None


@runtime_checkable
class CompiledBatch(Protocol):
    """A batch that the time loop can evaluate by itself."""

    def compiled(self) -> CompiledPart | None: ...  # None where Python is needed


class BatchKind(Protocol[Made]):
    """What makes a batch out of the parts that share it; batches are grouped by its equality."""

    def build(self, parts: Sequence[Any], offsets: Offsets) -> Made: ...


@runtime_checkable
class Force(Part, Protocol):
    """A part that becomes a member of a batch."""

    @property
    def batch(self) -> BatchKind[Batch]: ...
    @property
    def markers(self) -> Sequence[Marker]: ...
