"""System: the equations of motion of a model, frozen into arrays.

M a + Phi_q^T lam + f(t, q, v) = 0,   Phi(q, t) = 0          (Tian2010 eq 43 with f = F_elastic - Q)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from fmbs.assembly.constraints import Constraints
from fmbs.assembly.contacts import Contacts
from fmbs.assembly.cores import on_cores
from fmbs.assembly.differences import ColumnGroups
from fmbs.assembly.elastic import ElasticBatches
from fmbs.assembly.pattern import Pattern, add_columns, add_product, scatter
from fmbs.core.dofmap import DofMap
from fmbs.core.equations import Equation, named
from fmbs.core.origin import Origin
from fmbs.core.own_coordinate import found_coordinates, own_coordinates
from fmbs.core.protocols import Batch, BatchEnergy, BatchKind, Blocks, Body, ElementBatch, Force, IdealJoint, Part
from fmbs.core.ranks import ALONE, Ranks

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

ROUND_OFF = 1e-9  # extent of points that coincide, relative to the largest coordinate


class Coefficients(NamedTuple):
    """The Newton matrix is [mass M + damping D + stiffness K, constraint Phi_q^T; constraint Phi_q, 0]."""

    mass: float = 0.0
    damping: float = 0.0
    stiffness: float = 0.0
    constraint: float = 1.0
    load: float = 1.0  # share of the applied loads, as in System.force


class System:
    """Matrices and residuals of a model; made by `Model.system()`.

    bodies: of the model
    mass_matrix: constant, scipy csr
    dofs: where bodies and joints sit in q and lam
    dropped: labels of redundant equations that were left out
    contacts: histories and gaps of the clearance joints
    elastic: the elastic ones among the elements
    drag: damping proportional to mass, of each coordinate, 1/s
    origin: where the run begins, if it does not begin with the drawing
    ranks: processes that share the model. Each owns a range of the unknowns and has the elements that touch it and its columns
           of the mass and Newton matrices, complete; vectors, joints and forces are known to all
    """

    def __init__(
        self, bodies: Sequence[Body], joints: Sequence[IdealJoint], forces: Sequence[Force], gravity: Array, *,
        drop: frozenset[int] = frozenset(), ranks: Ranks = ALONE, origin: Origin | None = None,
    ) -> None:  # fmt: skip
        self.origin = origin
        own = own_coordinates((*joints, *forces))
        known = {id(body) for body in own}
        self.bodies = tuple(body for body in bodies if id(body) not in known)  # those of `dofs` have the others behind them
        self._made_of = partial(System, drop=drop, origin=origin), (self.bodies, tuple(joints), tuple(forces), gravity)
        bodies = [*self.bodies, *own]
        owners: list[Body | IdealJoint] = [*bodies, *joints]
        owned = [(owner, named(part_label(owner, i), owner.equations())) for i, owner in enumerate(owners)]
        numbered: list[tuple[Body | IdealJoint, list[Equation]]] = []
        self.dropped: list[str] = []
        count = 0
        for owner, equations in owned:
            gone = [count + i in drop for i in range(len(equations))]
            count += len(equations)
            self.dropped += [equation.label for equation, out in zip(equations, gone, strict=True) if out]
            numbered.append((owner, [equation for equation, out in zip(equations, gone, strict=True) if not out]))
        self.ranks = ranks
        self.joints, self.forces, self.gravity = tuple(joints), tuple(forces), gravity
        self.dofs = DofMap.number(bodies, [(owner, len(equations)) for owner, equations in numbered])
        self.size, self.multipliers = self.dofs.coordinates, self.dofs.multipliers
        self.equations_of = {id(owner): equations for owner, equations in numbered}
        everything = [equation for _, equations in numbered for equation in equations]
        self.equations = Constraints(everything, self.dofs, self.size)
        self.batches: list[Batch] = _batches(forces, self.dofs)
        self.contacts = Contacts(self.batches)
        total = self.size + self.multipliers
        self._bounds = np.minimum(ranks.bounds(total), self.size)  # own coordinates of each rank
        span = self._bounds[ranks.rank :][:2]
        batches: list[ElementBatch] = _batches([body for body in bodies if body.batch is not None], self.dofs)
        if ranks.count > 1:  # a core each
            self.elements = [batch.subset(_touching(batch.blocks(), *span)) for batch in batches]
        else:
            self.elements = [on_cores(batch) for batch in batches]
        self._counted = [batch.subset(_beginning(batch.blocks(), *span)) for batch in batches] if ranks.count > 1 else batches
        self.mass_matrix = _rows(_mass_matrix(bodies, self.dofs), *span)
        self.weight = _stack([body.weight(gravity) for body in bodies])  # (n,)
        segments = [self.equations.pattern(), *(batch.pattern() for batch in self.batches)]
        blocks = [batch.blocks() for batch in self.elements]
        self._pattern = Pattern(total, _symmetric_columns(self.mass_matrix, total), segments, blocks)
        self.elastic = ElasticBatches(self.elements, self._pattern.block_slots, self.size, self.gather)
        self.drag = np.repeat([body.mass_damping for body in bodies], [body.size for body in bodies])  # (n,) 1/s
        self._buffers = [np.zeros(segment.row.size) for segment in segments]
        self._gradient = np.flatnonzero(segments[0].row >= self.size)  # entries of Phi_q among those of the constraints
        self._gradient_place = (segments[0].row[self._gradient] - self.size, segments[0].column[self._gradient])

    def __reduce__(self) -> Any:
        """For pickle: made anew in another process, where nothing lies at the same address."""
        return self._made_of

    @property
    def damped(self) -> bool:
        """Is there damping proportional to mass?"""
        return bool(self.drag.any())

    @cached_property
    def drawn_position(self) -> Array:
        return _stack([body.initial_position() for body in self.dofs.bodies])

    @property
    def initial_time(self) -> float:
        return self.origin.t if self.origin else 0.0

    @cached_property
    def initial_position(self) -> Array:
        return found_coordinates(self.dofs, self.origin.q) if self.origin else self.drawn_position

    @cached_property
    def initial_velocity(self) -> Array:
        return self.origin.v if self.origin else _stack([body.initial_velocity() for body in self.dofs.bodies])

    @cached_property
    def length_scale(self) -> float:
        """A typical length of the model: the extent of its points, m."""
        points = [marker.position for joint in self.joints for marker in (joint.a, joint.b)]
        points += [marker.position for force in self.forces for marker in force.markers]
        q, lengths = self.drawn_position, self.lengths
        points += [q[first : first + 2 + (not body.planar)] for body in self.bodies if (first := self.dofs[body]) >= 0]
        padded = np.array([np.append(p, np.zeros(3 - p.size)) for p in points])
        extent = float(np.ptp(padded, axis=0).max()) if points else 0.0
        largest = float(np.abs(q[lengths]).max(initial=0.0))
        return extent if extent > ROUND_OFF * largest else largest or 1.0

    @cached_property
    def lengths(self) -> NDArray[np.bool_]:
        """Which coordinates are metres; the others are dimensionless."""
        flags: NDArray[np.bool_] = np.concatenate([np.empty(0, bool), *(body.is_length() for body in self.dofs.bodies)])
        return flags

    @cached_property
    def vectors(self) -> Integers:
        """First coordinates of all points, directions and angles."""
        pieces = [self.dofs[body] + _vectors(body) for body in self.dofs.bodies if body.size]
        places: Integers = np.concatenate([np.empty(0, np.int64), *pieces])
        return places

    @cached_property
    def directions(self) -> Integers:  # (directions, 2)
        """First coordinates of directions and angles, and the coordinates after them: their rates tell how bodies turn."""
        ends = np.append(self.vectors[1:], self.size)
        spans: Integers = np.stack([self.vectors, ends], axis=1)[~self.lengths[self.vectors]]
        return spans

    def spin(self, v: Array) -> float:
        """The largest rate of a direction or an angle, rad/s."""
        return float(_norms(v, self.vectors)[~self.lengths[self.vectors]].max(initial=0.0))

    def spin_of(self, body: Body, v: Array) -> float:
        """The same of one body."""
        first, own = self.dofs[body], v[self.dofs.coordinates_of(body)]
        inside = (self.vectors >= first) & (self.vectors < first + body.size)
        places = self.vectors[inside]
        return float(_norms(own, places - first)[~self.lengths[places]].max(initial=0.0))

    def pace(self, rate: Array) -> float:
        """The largest rate of a point, relative to the model's size, of a direction or an angle, 1/s; the same in all axes."""
        return float(_norms(rate / self.scale, self.vectors).max(initial=0.0))

    @cached_property
    def scale(self) -> Array:
        """Size of a typical change of each coordinate: the model's length, or 1 for angles and directions."""
        return np.where(self.lengths, self.length_scale, 1.0)

    @cached_property
    def mass_scale(self) -> float:
        """A typical diagonal entry of M; balances the constraint rows of the Newton matrix."""
        diagonal = self.mass_matrix.diagonal()
        return self.ranks.sum(float(diagonal.mean())) if diagonal.size else 1.0

    def constraints(self, t: float, q: Array) -> Array:  # (m,)
        """Phi(q, t)."""
        return self.equations.value(t, q)

    def constraint_jacobian(self, t: float, q: Array) -> csr_matrix:  # (m, n)
        """Phi_q."""
        values = self._buffers[0]
        self.equations.tangent(t, q, np.zeros(self.multipliers), 1.0, 0.0, values)
        return csr_matrix((values[self._gradient], self._gradient_place), shape=(self.multipliers, self.size))

    def force(self, t: float, q: Array, v: Array, load: float = 1.0, a: Array | None = None) -> Array:  # (n,)
        """f(t, q, v): everything but inertia and constraints, on the left-hand side; `load` scales gravity and loads. With `a`
        inertia too: M a + f.
        """
        out = -load * self.weight
        for elements in self.elements:
            elements.residual(t, q, v, out)
        if a is not None:
            self._add_inertia(a, out)
        if self.damped:
            self._add_inertia(self.drag * v, out)
        self.gather(out)
        for batch in self.batches:
            if batch.is_load and load != 1.0:
                applied = np.zeros_like(out)
                batch.residual(t, q, v, applied)
                out += load * applied
            else:
                batch.residual(t, q, v, out)
        return out

    def applied(self, t: float, q: Array) -> Array:  # (n,)
        """Gravity and applied loads, on the left-hand side: df/dload of `force`."""
        out, still = -self.weight, np.zeros_like(q)
        for batch in self.batches:
            if batch.is_load:
                batch.residual(t, q, still, out)
        return out

    def balance(
        self, t: float, q: Array, v: Array, lam: Array, load: float = 1.0, a: Array | None = None
    ) -> tuple[Array, Array]:  # (n,), (m,)
        """f + Phi_q^T lam, with `a` M a too, and Phi."""
        out = self.force(t, q, v, load, a)
        phi = self.equations.residual(t, q, lam, out)
        return out, phi

    def inertia(self, a: Array) -> Array:  # (n,)
        """M a."""
        out = np.zeros(self.size)
        self._add_inertia(a, out)
        self.gather(out)
        return out

    def gather(self, force: Array) -> None:
        """Every rank's own part to all."""
        self.ranks.gather(force, self._bounds)

    def _add_inertia(self, a: Array, out: Array) -> None:
        """out += M a."""
        add_product(self.mass_matrix.indptr, self.mass_matrix.indices, self.mass_matrix.data, a, out)

    def residual(self, t: float, q: Array, v: Array, a: Array, lam: Array) -> Array:  # (n + m,)
        """[M a + Phi_q^T lam + f; Phi]."""
        out, phi = self.balance(t, q, v, lam, a=a)
        return np.concatenate([out, phi])

    def jacobian(
        self, t: float, q: Array, v: Array, lam: Array, coefficients: Coefficients, tangent: str = "exact",
        data: Array | None = None,
    ) -> csc_matrix:  # fmt: skip
        """The Newton matrix for these coefficients; `tangent` is "exact" or "numerical"; `data`: where its values may go."""
        if tangent == "numerical":
            return self._numerical_jacobian(t, q, v, lam, coefficients)
        data = self._inertia(coefficients, data)
        constraint, *batches = self._buffers
        self.equations.tangent(t, q, lam, coefficients.constraint, coefficients.stiffness, constraint)
        scatter(self._pattern.slots[0], constraint, data)
        if not (coefficients.stiffness or coefficients.damping):
            return self._pattern.matrix(data)
        for batch, buffer, slots in zip(self.batches, batches, self._pattern.slots[1:], strict=True):
            share = coefficients.load if batch.is_load else 1.0
            batch.tangent(t, q, v, share * coefficients.stiffness, share * coefficients.damping, buffer)
            scatter(slots, buffer, data)
        for elements, first in zip(self.elements, self._pattern.block_slots, strict=True):
            elements.add_tangent(t, q, v, coefficients.stiffness, coefficients.damping, first, data)
        return self._pattern.matrix(data)

    @property
    def nonzeros(self) -> int:
        """Stored entries of the Newton matrix."""
        return self._pattern.nonzeros

    @cached_property
    def workspace(self) -> Array:
        """Where the values of one Newton matrix after the other may go: at a million elements each takes gigabytes."""
        return np.zeros(self._pattern.nonzeros)

    def matrix(self, data: Array) -> csc_matrix:
        """A Newton matrix of these values, as `jacobian` orders them."""
        return self._pattern.matrix(data)

    def _inertia(self, coefficients: Coefficients, data: Array | None = None) -> Array:
        """The data array with mass M and the damping that is proportional to it."""
        if data is None:
            data = np.zeros(self._pattern.nonzeros)
        else:
            data.fill(0.0)
        mass, slots, damping = self.mass_matrix, self._pattern.column_slots, coefficients.damping
        add_columns(mass.indptr, slots, mass.data, coefficients.mass, self.drag, damping, data)
        return data

    def _numerical_jacobian(self, t: float, q: Array, v: Array, lam: Array, c: Coefficients) -> csc_matrix:
        """The same matrix from differences of the residual. Phi_q^T is the transpose of the differenced Phi_q."""
        none = np.zeros(self.multipliers)

        def with_position(x: Array) -> Array:
            force, phi = self.balance(t, x, v, lam, c.load)
            return np.concatenate([c.stiffness * force, c.constraint * phi])

        def with_velocity(x: Array) -> Array:
            return np.concatenate([c.damping * self.force(t, q, x, c.load), none])

        split = int(self._pattern.indptr[self.size])  # slots before it belong to coordinates, after it to multipliers
        data = self._inertia(Coefficients(mass=c.mass))
        data[:split] += self._groups.differentiate(with_position, q, self.scale)
        data[split:] = data[self._pattern.mirror[split:]]
        if c.damping:
            data[:split] += self._groups.differentiate(with_velocity, v, np.maximum(np.abs(v), self.scale))
        return self._pattern.matrix(data)

    @cached_property
    def _groups(self) -> ColumnGroups:
        return ColumnGroups(self._pattern.matrix(np.ones(self._pattern.nonzeros)), self.size)

    def kinetic_energy(self, v: Array) -> float:
        return self.ranks.sum(0.5 * float(v @ (self.mass_matrix @ v)))

    def potential_energy(self, q: Array) -> float:
        """Of gravity, zero where the model is drawn."""
        return float(-self.weight @ (q - self.drawn_position))

    def element_energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        """Sum over the force elements, without contacts: these have `contacts.exchange`."""
        drag = BatchEnergy(0.0, float(v @ (self.mass_matrix @ (self.drag * v))) if self.drag.any() else 0.0, 0.0)
        own = _total([drag, *(batch.energy(t, q, v) for batch in self._counted)])
        shared = [batch.energy(t, q, v) for batch in self.batches if batch not in self.contacts.batches]
        return _total([BatchEnergy(*map(self.ranks.sum, own)), *shared])

    def drive_power(self, t: float, q: Array, lam: Array) -> float:
        """Work that the drives do on the system a second: lam . Phi_t."""
        return float((lam * self.equations.explicit_rate(t, q)).sum()) if self.equations.driven else 0.0


def part_label(part: Part, position: int) -> str:
    """The part's name, or its kind and place in the model where the user gave none."""
    return part.name or f"{type(part).__name__} (part {position + 1})"


def _batches(parts: Sequence[Any], dofs: DofMap) -> list[Any]:
    """Parts of one kind become one batch, or several where their elements differ."""
    kinds: dict[BatchKind[Any], list[Any]] = {}
    for part in parts:
        kinds.setdefault(part.batch, []).append(part)
    found: list[Any] = []
    for kind, members in kinds.items():
        made = kind.build(members, dofs)
        found += made if isinstance(made, tuple) else [made]
    return found


def _mass_matrix(bodies: Sequence[Body], dofs: DofMap) -> csr_matrix:
    rows, columns, values = [], [], []
    for body in bodies:
        row, column, value = body.mass_matrix()
        rows.append((dofs[body] + row).astype(np.int32))  # as SciPy keeps them: half the memory of what the sums need
        columns.append((dofs[body] + column).astype(np.int32))
        values.append(value)
    place = (np.concatenate(rows), np.concatenate(columns))
    return csr_matrix((np.concatenate(values), place), shape=(dofs.coordinates, dofs.coordinates))


def _touching(blocks: Blocks, begin: int, end: int) -> Integers:
    """Elements with a coordinate in this range: all that its forces and columns of the matrix need."""
    return np.flatnonzero(((blocks.first < end) & (blocks.first + blocks.width > begin)).any(axis=1))


def _beginning(blocks: Blocks, begin: int, end: int) -> Integers:
    """Elements whose first coordinate is in this range: each belongs to one rank."""
    return np.flatnonzero((blocks.first[:, 0] >= begin) & (blocks.first[:, 0] < end))


def _rows(matrix: csr_matrix, begin: int, end: int) -> csr_matrix:
    """The matrix with these rows only, the others empty."""
    if end - begin == matrix.shape[0]:
        return matrix
    first, last = matrix.indptr[begin], matrix.indptr[end]
    arrays = (matrix.data[first:last].copy(), matrix.indices[first:last].copy(), np.clip(matrix.indptr, first, last) - first)
    return csr_matrix(arrays, shape=matrix.shape)


def _total(parts: Sequence[BatchEnergy]) -> BatchEnergy:
    return BatchEnergy(*(float(sum(column)) for column in zip(*parts, strict=True)))


def _symmetric_columns(matrix: csr_matrix, size: int) -> csc_matrix:
    """A symmetric matrix as compressed columns, its rows, in the corner of one with `size` columns; shares the arrays."""
    indptr = np.append(matrix.indptr, np.full(size - matrix.shape[0], matrix.nnz, matrix.indptr.dtype))
    return csc_matrix((matrix.data, matrix.indices, indptr), shape=(size, size))


def _vectors(body: Body) -> Integers:
    """First local coordinates of the points, directions and angles of a body."""
    flags, place = body.is_length(), np.arange(body.size)
    run = np.maximum.accumulate(np.where(np.diff(flags, prepend=flags[:1]), place, 0))  # where coordinates of one kind begin
    return np.flatnonzero((place - run) % (2 if body.planar else 3) == 0)


def _norms(x: Array, vectors: Integers) -> Array:
    """Of the pieces of x that begin at these places."""
    norms: Array = np.sqrt(np.add.reduceat(x * x, vectors)) if vectors.size else np.empty(0)
    return norms


def _stack(pieces: Sequence[Array]) -> Array:
    return np.concatenate([np.empty(0), *pieces])
