"""Where a reduced body is held: sets of its nodes, each with one point and one frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, choice, series, shown, vector
from fmbs.core.described import Described
from fmbs.core.errors import ModelError

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

KINDS = ("rigid", "average")
FLAT = 1e-4  # extent across, relative to the longest one, below which nodes lie in a plane or on a line


@dataclass(frozen=True, eq=False)
class NodeSet(Described):
    """Nodes that joints and forces take hold of together.

    nodes: their numbers, from 0 on
    kind: "rigid": all nodes move as one rigid body, as if a stiff part were glued to them; "average": a joint holds their mean
          position and rotation and spreads its force over them, and they deform freely
    at: the point of the marker, global coordinates at t = 0, m; None: the mean of the nodes
    weights: shares of the nodes in the mean; None: all alike
    levers: int N_i (X - centre) dA over the area, for faces of second order; None: weights times arms  # (nodes, 3), m
    """

    nodes: Sequence[int] | Integers
    kind: str = "rigid"
    at: ArrayLike | None = None
    weights: ArrayLike | None = None
    levers: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class Seat:
    """An interface as numbers: a scalar field with the values u at its nodes has there the mean and the slopes weights @ u.

    at: the point of the marker, m; centre: the mean of the nodes, m  # (3,)
    axes: principal ones of the nodes, right-handed; those across come first  # (3, 3)
    moments: mean squares of the nodes' distances from the centre along the axes, 0 across a plane in which they lie  # (3,)
    weights: of the field that is linear along the axes with a moment and fits best  # (3 or 4, nodes)
    shares: of the nodes in a mean, sum 1
    levers: in a mean rotation; of a body read from a file, which needs them no more, none  # (nodes, 3), m
    """

    name: str
    nodes: Integers
    rigid: bool
    at: Array
    centre: Array
    axes: Array
    moments: Array
    weights: Array
    shares: Array
    levers: Array | None = None

    @property
    def slopes(self) -> int:
        """How many of the axes have slopes: the first ones."""
        return len(self.weights) - 1


def seats_of(part: str, interfaces: Mapping[str, NodeSet | Sequence[int] | Integers], nodes: Array) -> tuple[Seat, ...]:
    """Checked: numbers of nodes that exist, which define a rotation and are not held twice."""
    if not isinstance(interfaces, Mapping):
        raise ModelError(f"{part}: interfaces = {shown(interfaces)} is not a dict; give {{'big end': [node numbers], ...}}.")
    seats = []
    for name, given in interfaces.items():
        interface = given if isinstance(given, NodeSet) else NodeSet(given)
        seats.append(_seat(f"{part}: interface {name!r}", name, interface, nodes))
    held = np.concatenate([np.zeros(0, np.int64), *(seat.nodes for seat in seats if seat.rigid)])
    number, count = np.unique(held, return_counts=True)
    if (count > 1).any():
        raise ModelError(
            f"{part}: node {number[count > 1][0]} is in two rigid interfaces; a node can be glued to one only: "
            "leave it out of one, or make that one kind='average'."
        )
    return tuple(seats)


def _seat(label: str, name: str, interface: NodeSet, points: Array) -> Seat:
    kind = choice(label, "kind", interface.kind, KINDS)
    nodes, first = np.unique(_numbers(label, interface.nodes, len(points)), return_index=True)
    shares = np.full(nodes.size, 1.0 / nodes.size)
    if interface.weights is not None:
        given = series(label, "weights", interface.weights)
        if given.size != np.size(interface.nodes) or given.sum() <= 0.0:
            raise ModelError(f"{label}: weights has {given.size} numbers; give one for each node, with a positive sum.")
        shares = given[first] / given[first].sum()
    centre = shares @ points[nodes]
    arms = points[nodes] - centre
    levers = shares[:, None] * arms if interface.levers is None else _levers(label, interface)[first]
    spread = arms.T @ levers
    moments, axes = np.linalg.eigh(0.5 * (spread + spread.T))
    moments, axes = np.maximum(moments[::-1], 0.0), axes.T[::-1]
    axes[2] = np.cross(axes[0], axes[1])
    count = int((moments > FLAT**2 * moments[0]).sum())
    if nodes.size < 3 or count < 2:
        raise ModelError(
            f"{label} has {nodes.size} node{'s' * (nodes.size != 1)}, which define no rotation; give three or more that do not "
            "lie on a line."
        )
    moments[count:] = 0.0
    fit, shared = (np.column_stack([w, x @ axes[:count].T]) for w, x in ((np.ones(nodes.size), arms), (shares, levers)))
    at = centre if interface.at is None else vector(label, "at", interface.at)
    return Seat(
        name,
        nodes,
        kind == KINDS[0],
        at,
        centre,
        axes,
        moments,
        np.linalg.solve(shared.T @ fit, shared.T),
        shares,
        levers,
    )


def _levers(label: str, interface: NodeSet) -> Array:
    given = array(label, "levers", interface.levers, "give an array (nodes, 3), m")
    if given.shape != (np.size(interface.nodes), 3) or not np.isfinite(given).all():
        raise ModelError(f"{label}: levers has shape {given.shape}; give three finite numbers for each node, (nodes, 3), m.")
    return given


def _numbers(label: str, nodes: object, count: int) -> Integers:
    try:
        numbers = np.asarray(nodes)
        whole = numbers.ndim == 1 and numbers.size > 0 and numbers.dtype.kind in "iu"
    except ValueError:
        whole = False
    if not whole:
        raise ModelError(f"{label}: nodes = {shown(nodes)} is not a list of node numbers; give whole numbers from 0 on.")
    if numbers.min() < 0 or numbers.max() >= count:
        wrong = numbers[(numbers < 0) | (numbers >= count)][0]
        raise ModelError(f"{label}: node {wrong} does not exist; there are nodes 0 to {count - 1}.")
    return numbers.astype(np.int64)
