"""Force elements that are evaluated in Python, in the compiled loop: a table and kernels that call by address."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Batch, BlockTarget, CompiledPart, ElementBatch, PythonFunction
from fmbs.jit.assign_kernels import assign
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.python_calls import PYTHON
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

FORCES, TANGENTS, POWERS = 0, 1, 2  # what is asked for


@table
class PythonForce:
    """What Python is asked with, and its answers."""

    address: Integers  # (1,)
    q: Array
    v: Array
    factors: Array  # (2,) of df/dq and df/dv
    force: Array
    entries: Array  # of the tangent
    power: Array  # (2,) supplied and dissipated, W


@kernel(plain=True, part=True)
def ask(part: PythonForce, q: Array, v: Array, what: int) -> None:
    """Let Python answer what is asked for at (q, v)."""
    assign(part.q, q)
    assign(part.v, v)
    call(PYTHON, part.address[0], what)


@kernel(plain=True)
def python_force(part: PythonForce, q: Array, v: Array, out: Array) -> None:
    """out += f(q, v)."""
    ask(part, q, v, FORCES)
    for i in range(out.size):
        out[i] += part.force[i]


@kernel(plain=True)
def python_tangent(part: PythonForce, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """out = stiffness df/dq + damping df/dv."""
    part.factors[0], part.factors[1] = stiffness, damping
    ask(part, q, v, TANGENTS)
    assign(out, part.entries)


@kernel(plain=True)
def python_block_tangent(part: PythonForce, q: Array, v: Array, stiffness: float, damping: float, out: BlockTarget) -> None:
    """The same of elements, whose blocks Python adds to the matrix itself."""
    part.factors[0], part.factors[1] = stiffness, damping
    ask(part, q, v, TANGENTS)


@kernel(plain=True)
def python_power(part: PythonForce, q: Array, v: Array, out: Array) -> None:
    """out += power supplied and dissipated."""
    ask(part, q, v, POWERS)
    for i in range(2):
        out[i] += part.power[i]


def python_part(batch: Batch | ElementBatch, target: BlockTarget | None, size: int) -> CompiledPart:
    """A batch that has no kernels. target: of a batch of elements; size: coordinates of the system."""
    forces: Any = batch
    entries = 0 if target is not None else forces.pattern().row.size
    q, v, force = np.zeros((3, size))
    now = [0.0]

    def answer(what: int) -> None:
        t = now[0]
        if what == FORCES:
            force[:] = 0.0
            forces.residual(t, q, v, force)
        elif what == POWERS:
            energy = forces.energy(t, q, v)
            part.power[:] = energy.supplied, energy.dissipated
        elif target is None:
            forces.tangent(t, q, v, *part.factors, part.entries)
        else:
            forces.add_tangent(t, q, v, *part.factors, target.slots, target.data)

    def update(t: float) -> None:
        now[0] = t

    part = PythonForce(np.zeros(1, np.int64), q, v, np.zeros(2), force, np.zeros(entries), np.zeros(2))
    function = PythonFunction(name_of(batch), answer, part.address)
    tangent = python_tangent if target is None else python_block_tangent
    if target is not None:  # several ranks may have the same element: what it dissipates follows from forces that are gathered
        return CompiledPart(part, python_force, tangent, update=update, damped=True, python=function)
    return CompiledPart(part, python_force, tangent, update=update, power=python_power, python=function)


def name_of(batch: object) -> str:
    """Of the parts in a batch, or of its kind."""
    parts = getattr(batch, "parts", ())
    names = [part.name or type(part).__name__ for part in parts]
    return ", ".join(dict.fromkeys(names)) or type(batch).__name__
