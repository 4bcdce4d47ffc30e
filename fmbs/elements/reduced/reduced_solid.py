"""Solids by few modes: their linear matrices, and stresses on the whole mesh."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from fmbs.core.cells import Cells, Snapshot, Surface
from fmbs.core.checks import shown
from fmbs.core.errors import ModelError
from fmbs.core.protocols import BlockTarget
from fmbs.elements.reduced.component_modes import component_modes
from fmbs.elements.reduced.interface import NodeSet, seats_of
from fmbs.elements.reduced.matrices import Structure
from fmbs.elements.reduced.mode_space import ModeSpace, mode_space
from fmbs.elements.reduced.reduced_body import ReducedBody
from fmbs.elements.solid.interface import Interface
from fmbs.elements.solid.solid import Solid
from fmbs.elements.solid.stresses import TENSOR, principal, von_mises
from fmbs.elements.solid.volume_batch import VolumeKind

Array = NDArray[np.float64]

AT_ONCE = 2048  # cells whose matrices are made together
SMALL = 1e-4  # share of the deflection at which stresses are taken: those of first order are left


class ReducedSolid(ReducedBody):
    """A reduced body that knows the cells it was made of, for its stresses.

    mesh: what makes the solid again: points, cells, material, bending
    """

    def __init__(self, name: str, *, space: ModeSpace, mesh: Mapping[str, Any], **options: Any) -> None:
        super().__init__(name, space=space, **options)
        self.mesh = dict(mesh)

    def arguments(self) -> dict[str, Any]:
        found = super().arguments()
        del found["faces"]  # the mesh has them
        return {**found, "mesh": self.mesh}

    @cached_property
    def solid(self) -> Solid:
        """The mesh as it is at t = 0, without interfaces."""
        return bare_solid(self.name, self.mesh)

    def surface(self, per_element: int) -> Surface:
        return LinearStresses(self, self.solid.surface(per_element))

    def volume(self) -> Surface:
        """All cells, for ParaView."""
        return LinearStresses(self, self.solid.volume())


class LinearStresses:
    """A drawn solid that moves with a reduced body, with stresses that are linear in the deflection and turn with the body."""

    def __init__(self, body: ReducedSolid, drawn: Surface) -> None:
        self._body, self._drawn = body, drawn
        self._order = _blocks(body.solid)

    @property
    def cells(self) -> Cells:
        return self._drawn.cells

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        body, solid = self._body, self._body.solid
        moved, rate, small = self._of_solid(body.places(q)), self._of_solid(body.places(v)), self._of_solid(body.relative(q))
        shot = self._drawn.snapshot(moved, rate)
        near = self._drawn.snapshot(solid.initial_position() + SMALL * small, np.zeros(small.size))
        fields = {**shot.fields, "von_mises": near.fields["von_mises"] / SMALL}
        if "stress" in near.fields:
            r = body.frame(q)
            tensor = r @ (near.fields["stress"][:, TENSOR] / SMALL) @ r.T
            fields["stress"] = tensor[:, [0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]
            fields["von_mises"], fields["principal_stress"] = von_mises(fields["stress"]), principal(fields["stress"])
        return Snapshot(shot.points, fields)

    def _of_solid(self, places: Array) -> Array:
        """The solid's own coordinates."""
        q = np.empty_like(places)
        q[self._order] = places
        return q.ravel()


def reduced_solid(
    solid: Solid, modes: int, interfaces: Iterable[str] | Mapping[str, str] | None, name: str, **options: Any
) -> ReducedSolid:
    """See `fm.Solid.reduced`."""
    known = solid.arguments()
    kinds = _kinds(solid.name, known["interfaces"], interfaces)
    mesh = {key: known[key] for key in ("points", "cells", "material", "bending")}
    structure = _structure(bare_solid(name, mesh))
    sets = {}
    for key, kind in kinds.items():
        interface = Interface.of(solid.name, solid.mesh, key, kind)
        sets[key] = NodeSet(interface.nodes, kind, at=interface.position, weights=interface.weights, levers=interface.moments)
    seats = seats_of(name, sets, structure.nodes)
    if not seats and not modes:
        raise ModelError(f"{name}: modes = 0 and no interfaces leave no modes; give one of both.")
    space = mode_space(structure, seats, component_modes(name, structure, seats, modes))
    settings: dict[str, Any] = {"damping": solid.material.damping}
    settings |= {key: known[key] for key in ("velocity", "spin", "about") if key in known}
    return ReducedSolid(name, space=space, mesh=mesh, **(settings | options))


def _kinds(part: str, known: Mapping[str, str], asked: Iterable[str] | Mapping[str, str] | None) -> dict[str, str]:
    """Names of sets and kinds of interfaces: those that the solid has, or what is asked for."""
    if asked is None:
        return dict(known)
    if isinstance(asked, Mapping):
        return dict(asked)
    names = [asked] if isinstance(asked, str) else list(asked) if isinstance(asked, Iterable) else []
    if not all(isinstance(name, str) for name in names) or (not names and asked != [] and asked != ()):
        raise ModelError(f"{part}: interfaces = {shown(asked)}; give names of sets, or {{'big end': 'average', ...}}.")
    kinds: dict[str, str] = {name: known.get(name, "rigid") for name in names}
    return kinds


def bare_solid(name: str, mesh: Mapping[str, Any]) -> Solid:
    """The mesh without interfaces and sets, linear in its strains to first order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the user has heard of it when the solid was made
        return Solid(name, **mesh)


def _blocks(solid: Solid) -> NDArray[np.int64]:
    """Where each node, and then each internal mode, is among the solid's coordinates, in blocks of three."""
    carriers = csr_array(solid.layout.carriers)
    return np.asarray(carriers.indices, np.int64)


def _structure(solid: Solid) -> Structure:
    """Nodes, then internal modes of cells."""
    blocks = _blocks(solid)
    own = (3 * blocks[:, None] + np.arange(3)).ravel()
    size = own.size
    stiffness, still = csr_array((size, size)), np.zeros(size)
    q = solid.initial_position()
    for batch in VolumeKind(neo=False).build([solid], {solid: 0}):
        count, nodes = batch.table.first.shape
        for begin in range(0, count, AT_ONCE):
            some = batch.subset(np.arange(begin, min(begin + AT_ONCE, count)))
            first = some.table.first
            width = 3 * nodes
            start = (
                width * width * np.arange(len(first))[:, None, None] + width * np.arange(width)[:, None] + 3 * np.arange(nodes)
            )
            data = np.zeros(len(first) * width * width)
            some.tangent(some.table, q, still, 1.0, 0.0, BlockTarget(start.astype(np.int32), data))
            places = (first[:, :, None] + np.arange(3)).reshape(len(first), width)
            shape = (len(first), width, width)
            row, column = (np.broadcast_to(x, shape).ravel() for x in (places[:, None, :], places[:, :, None]))
            stiffness = stiffness + csr_array(coo_array((data, (row, column)), shape=(size, size)))
    k = csr_array(stiffness[own][:, own])
    drawn = q.reshape(-1, 3)[blocks]
    constant = (np.arange(len(blocks)) < len(solid.mesh.points)).astype(float)
    return Structure(csr_array(solid.place_mass), csr_array((k + k.T) / 2), drawn, constant)
