"""System: the equations of motion of a model, frozen into arrays.

M a + Phi_q^T lam + f(t, q, v) = 0,   Phi(q, t) = 0          (Tian2010 eq 43 with f = F_elastic - Q)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix

from fmbs.assembly.constraints import Constraints
from fmbs.assembly.contacts import Contacts
from fmbs.assembly.differences import ColumnGroups
from fmbs.assembly.pattern import Pattern, add_product, scatter
from fmbs.core.dofmap import DofMap
from fmbs.core.equations import Equation, named
from fmbs.core.protocols import Batch, BatchKind, Body, ElementBatch, Energy, Entries, Force, Joint, Part

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class Coefficients(NamedTuple):
    """The Newton matrix is [mass M + damping D + stiffness K, constraint Phi_q^T; constraint Phi_q, 0]."""

    mass: float = 0.0
    damping: float = 0.0
    stiffness: float = 0.0
    constraint: float = 1.0
    load: float = 1.0  # share of the applied loads, as in System.force


class System:
    """Matrices and residuals of a model; made by `Model.system()`.

    mass_matrix: constant, scipy csr
    dofs: where bodies and joints sit in q and lam
    dropped: labels of redundant equations that were left out
    contacts: histories and gaps of the clearance joints
    drag: damping proportional to mass, of each coordinate, 1/s
    """

    def __init__(
        self, bodies: Sequence[Body], joints: Sequence[Joint], forces: Sequence[Force], gravity: Array, *,
        drop: frozenset[int] = frozenset(),
    ) -> None:  # fmt: skip
        owners: list[Body | Joint] = [*bodies, *joints]
        owned = [(owner, named(part_label(owner, i), owner.equations())) for i, owner in enumerate(owners)]
        numbered: list[tuple[Body | Joint, list[Equation]]] = []
        self.dropped: list[str] = []
        count = 0
        for owner, equations in owned:
            gone = [count + i in drop for i in range(len(equations))]
            count += len(equations)
            self.dropped += [equation.label for equation, out in zip(equations, gone, strict=True) if out]
            numbered.append((owner, [equation for equation, out in zip(equations, gone, strict=True) if not out]))
        self.joints, self.forces, self.gravity = tuple(joints), tuple(forces), gravity
        self.dofs = DofMap.number(bodies, [(owner, len(equations)) for owner, equations in numbered])
        self.size, self.multipliers = self.dofs.coordinates, self.dofs.multipliers
        self.equations_of = {id(owner): equations for owner, equations in numbered}
        everything = [equation for _, equations in numbered for equation in equations]
        self.equations = Constraints(everything, self.dofs, self.size)
        self.batches: list[Batch] = _batches(forces, self.dofs)
        self.contacts = Contacts(self.batches)
        self.elements: list[ElementBatch] = _batches([body for body in bodies if body.batch is not None], self.dofs)
        self.mass_matrix = _mass_matrix(bodies, self.dofs)
        self.weight = _stack([body.weight(gravity) for body in bodies])  # (n,)
        mass = self.mass_matrix.tocoo()
        segments = [self.equations.pattern(), *(batch.pattern() for batch in self.batches)]
        inertia = Entries(mass.row.astype(np.int64), mass.col.astype(np.int64))
        blocks = [batch.blocks() for batch in self.elements]
        self._pattern = Pattern(self.size + self.multipliers, [inertia, *segments], blocks)
        self._mass_data = mass.data
        self.drag = np.repeat([body.mass_damping for body in bodies], [body.size for body in bodies])  # (n,) 1/s
        self._drag_data = mass.data * self.drag[mass.col]
        self._buffers = [np.zeros(segment.row.size) for segment in segments]

    @property
    def damped(self) -> bool:
        """Is there damping proportional to mass?"""
        return bool(self.drag.any())

    @cached_property
    def initial_position(self) -> Array:
        return _stack([body.initial_position() for body in self.dofs.bodies])

    @cached_property
    def initial_velocity(self) -> Array:
        return _stack([body.initial_velocity() for body in self.dofs.bodies])

    @cached_property
    def length_scale(self) -> float:
        """A typical length of the model: the extent of its points, m."""
        points = [marker.position for joint in self.joints for marker in (joint.a, joint.b)]
        points += [marker.position for force in self.forces for marker in force.markers]
        q, lengths = self.initial_position, self.lengths
        points += [q[first : first + 2 + (not body.planar)] for body in self.dofs.bodies if (first := self.dofs[body]) >= 0]
        padded = np.array([np.append(p, np.zeros(3 - p.size)) for p in points])
        extent = float(np.ptp(padded, axis=0).max()) if points else 0.0
        return extent or float(np.abs(q[lengths]).max(initial=0.0)) or 1.0

    @cached_property
    def lengths(self) -> NDArray[np.bool_]:
        """Which coordinates are metres; the others are dimensionless."""
        flags: NDArray[np.bool_] = np.concatenate([np.empty(0, bool), *(body.is_length() for body in self.dofs.bodies)])
        return flags

    @cached_property
    def scale(self) -> Array:
        """Size of a typical change of each coordinate: the model's length, or 1 for angles and directions."""
        return np.where(self.lengths, self.length_scale, 1.0)

    @cached_property
    def mass_scale(self) -> float:
        """A typical diagonal entry of M; balances the constraint rows of the Newton matrix."""
        diagonal = self.mass_matrix.diagonal()
        return float(diagonal.mean()) if diagonal.size else 1.0

    def constraints(self, t: float, q: Array) -> Array:  # (m,)
        """Phi(q, t)."""
        return self.equations.value(t, q)

    def constraint_jacobian(self, t: float, q: Array) -> csr_matrix:  # (m, n)
        """Phi_q."""
        matrix = self.jacobian(t, q, np.zeros(self.size), np.zeros(self.multipliers), Coefficients())
        return csr_matrix(matrix[self.size :, : self.size])

    def force(self, t: float, q: Array, v: Array, load: float = 1.0) -> Array:  # (n,)
        """f(t, q, v): everything but inertia and constraints, on the left-hand side; `load` scales gravity and loads."""
        out = -load * self.weight
        for elements in self.elements:
            elements.residual(t, q, v, out)
        if self.damped:
            self.add_inertia(self.drag * v, out)
        for batch in self.batches:
            if batch.is_load and load != 1.0:
                applied = np.zeros_like(out)
                batch.residual(t, q, v, applied)
                out += load * applied
            else:
                batch.residual(t, q, v, out)
        return out

    def balance(self, t: float, q: Array, v: Array, lam: Array, load: float = 1.0) -> tuple[Array, Array]:  # (n,), (m,)
        """f + Phi_q^T lam, and Phi: the residual without inertia."""
        out = self.force(t, q, v, load)
        phi = self.equations.residual(t, q, lam, out)
        return out, phi

    def add_inertia(self, a: Array, out: Array) -> None:
        """out += M a."""
        add_product(self.mass_matrix.indptr, self.mass_matrix.indices, self.mass_matrix.data, a, out)

    def residual(self, t: float, q: Array, v: Array, a: Array, lam: Array) -> Array:  # (n + m,)
        """[M a + Phi_q^T lam + f; Phi]."""
        out, phi = self.balance(t, q, v, lam)
        self.add_inertia(a, out)
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
        scatter(self._pattern.slots[1], constraint, data)
        if not (coefficients.stiffness or coefficients.damping):
            return self._pattern.matrix(data)
        for batch, buffer, slots in zip(self.batches, batches, self._pattern.slots[2:], strict=True):
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

    def matrix(self, data: Array) -> csc_matrix:
        """A Newton matrix of these values, as `jacobian` orders them."""
        return self._pattern.matrix(data)

    def _inertia(self, coefficients: Coefficients, data: Array | None = None) -> Array:
        """The data array with mass M and the damping that is proportional to it."""
        if data is None:
            data = np.zeros(self._pattern.nonzeros)
        else:
            data.fill(0.0)
        values = coefficients.mass * self._mass_data + coefficients.damping * self._drag_data
        scatter(self._pattern.slots[0], values, data)
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
        return 0.5 * float(v @ (self.mass_matrix @ v))

    def potential_energy(self, q: Array) -> float:
        """Of gravity, zero at the start."""
        return float(-self.weight @ (q - self.initial_position))

    def element_energy(self, t: float, q: Array, v: Array) -> Energy:
        """Sum over the force elements, without contacts: these have `contacts.exchange`."""
        sources: list[ElementBatch | Batch] = [*self.elements, *(b for b in self.batches if b not in self.contacts.batches)]
        parts = [batch.energy(t, q, v) for batch in sources]
        drag = Energy(0.0, float(v @ (self.mass_matrix @ (self.drag * v))) if self.drag.any() else 0.0, 0.0)
        return Energy(*(float(sum(column)) for column in zip(drag, *parts, strict=True)))

    def drive_power(self, t: float, q: Array, lam: Array) -> float:
        """Work that the drives do on the system a second: lam . Phi_t."""
        return float(lam @ self.equations.explicit_rate(t, q)) if self.equations.driven else 0.0


def part_label(part: Part, position: int) -> str:
    """The part's name, or its kind and place in the model where the user gave none."""
    return part.name or f"{type(part).__name__} (part {position + 1})"


def _batches(parts: Sequence[Any], dofs: DofMap) -> list[Any]:
    """Parts of one kind become one batch."""
    kinds: dict[BatchKind[Any], list[Any]] = {}
    for part in parts:
        kinds.setdefault(part.batch, []).append(part)
    return [kind.build(members, dofs) for kind, members in kinds.items()]


def _mass_matrix(bodies: Sequence[Body], dofs: DofMap) -> csr_matrix:
    blocks = [(dofs[body], body.mass_matrix()) for body in bodies]
    rows = np.concatenate([np.empty(0, np.int64), *(offset + block.row for offset, block in blocks)])
    cols = np.concatenate([np.empty(0, np.int64), *(offset + block.column for offset, block in blocks)])
    values = _stack([block.value for _, block in blocks])
    return csr_matrix(coo_matrix((values, (rows, cols)), shape=(dofs.coordinates, dofs.coordinates)))


def _stack(pieces: Sequence[Array]) -> Array:
    return np.concatenate([np.empty(0), *pieces])
