"""Spring and damper along a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import asked, not_negative
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import BatchEnergy, CompiledPart
from fmbs.core.vectors import VectorTable
from fmbs.forces.acting import Acting
from fmbs.forces.load import check_marker
from fmbs.forces.pairs import PairForces
from fmbs.jit.compiled import kernel
from fmbs.math.vector_kernels import block_values, curvature_values, pull, vector_rates, vector_values

Array = NDArray[np.float64]
Parameter = float | Callable[[float], float]

TIME_STEP = 1e-6  # s, for the power of parameters that change with time


@kernel(part=True)
def _pull_force(parameters: Array, i: int, u: Array, rate: Array, n: Array) -> tuple[float, float, float]:
    """Direction n from a to b; returns (F, F / L, L')."""
    length = np.sqrt((u[i + 1, 0] - u[i, 0]) ** 2 + (u[i + 1, 1] - u[i, 1]) ** 2 + (u[i + 1, 2] - u[i, 2]) ** 2)
    stiffness, free, damping = parameters[i // 2, 0], parameters[i // 2, 1], parameters[i // 2, 2]
    for c in range(3):
        n[c] = (u[i + 1, c] - u[i, c]) / length if length > 0.0 else 0.0
    stretching = 0.0
    for c in range(3):
        stretching += n[c] * (rate[i + 1, c] - rate[i, c])
    force = stiffness * (length - free) + damping * stretching
    return force, (force / length if length > 0.0 else stiffness), stretching


@kernel
def _force(acting: Acting, q: Array, v: Array, out: Array) -> None:
    table, parameters, u, rate = acting.vectors, acting.values, acting.u, acting.rate
    vector_values(table, q, u)
    vector_rates(table, q, v, u, rate)
    n = np.empty(3)
    for i in range(0, table.kind.size, 2):
        force, _, _ = _pull_force(parameters, i, u, rate, n)
        pull(table, i, q, u, -force * n[0], -force * n[1], -force * n[2], out)
        pull(table, i + 1, q, u, force * n[0], force * n[1], force * n[2], out)


@kernel
def _slopes(acting: Acting, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """With d = r_b - r_a: d(F n)/dd = k n n^T + F/L (1 - n n^T) + c n d'^T (1 - n n^T) / L and d(F n)/dd' = c n n^T."""
    table, parameters, u, rate = acting.vectors, acting.values, acting.u, acting.rate
    vector_values(table, q, u)
    vector_rates(table, q, v, u, rate)
    n, h, d = np.empty(3), np.empty((3, 3)), np.empty((3, 3))
    p = 0
    for i in range(0, table.kind.size, 2):
        force, over_length, stretching = _pull_force(parameters, i, u, rate, n)
        k, c = parameters[i // 2, 0], parameters[i // 2, 2]
        squared = (u[i + 1, 0] - u[i, 0]) ** 2 + (u[i + 1, 1] - u[i, 1]) ** 2 + (u[i + 1, 2] - u[i, 2]) ** 2
        inverse = 1.0 / np.sqrt(squared) if squared > 0.0 else 0.0
        for a in range(3):
            for b in range(3):
                across = (rate[i + 1, b] - rate[i, b]) - stretching * n[b]
                h[a, b] = (k - over_length) * n[a] * n[b] + c * n[a] * across * inverse
                d[a, b] = c * n[a] * n[b]
            h[a, a] += over_length
        for a in (i, i + 1):
            sign = 1.0 if a == i + 1 else -1.0
            for b in (i, i + 1):
                if a != b:
                    p = block_values(table, a, b, q, v, u, -h, -d, out, p, stiffness, damping)
                else:
                    p = block_values(table, a, b, q, v, u, h, d, out, p, stiffness, damping)
            g = stiffness * sign * force
            p = curvature_values(table, a, q, u, g * n[0], g * n[1], g * n[2], out, p)


@kernel
def _supply(acting: Acting, q: Array, v: Array, out: Array) -> None:
    """out[0] += dU/dt at rest: whoever changes the stiffness or the free length does work."""
    table, u = acting.vectors, acting.u
    vector_values(table, q, u)
    for i in range(0, table.kind.size, 2):
        length = np.sqrt((u[i + 1, 0] - u[i, 0]) ** 2 + (u[i + 1, 1] - u[i, 1]) ** 2 + (u[i + 1, 2] - u[i, 2]) ** 2)
        stretch = length - acting.values[i // 2, 1]
        out[0] += stretch * (0.5 * stretch * acting.rates[i // 2, 0] - acting.values[i // 2, 0] * acting.rates[i // 2, 1])


class SpringDampers(PairForces):
    """Batch of spring-dampers; values: stiffness, free length, damping  # (n, 3)."""

    force, slopes = staticmethod(_force), staticmethod(_slopes)

    def __init__(self, vectors: VectorTable, parts: Sequence[SpringDamper]) -> None:
        self._varying = [(i, part) for i, part in enumerate(parts) if part.varies]
        super().__init__(vectors, parts, self._change if self._varying else None)

    def _change(self, t: float) -> None:
        for i, part in self._varying:
            self._acting.values[i] = part.parameters(t)

    def _change_with_rates(self, t: float) -> None:
        before, after = max(t - TIME_STEP, 0.0), t + TIME_STEP  # before the start a function need not make sense
        for i, part in self._varying:
            self._acting.rates[i] = np.subtract(part.parameters(after), part.parameters(before)) / (after - before)
        self._change(t)

    def compiled(self) -> CompiledPart:
        part = super().compiled()
        return replace(part, update=self._change_with_rates, power=_supply) if self._varying else part

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        u, rates = self.moved(q, v)
        d, rate = np.diff(u.reshape(-1, 2, 3), axis=1)[:, 0], np.diff(rates.reshape(-1, 2, 3), axis=1)[:, 0]
        length = np.linalg.norm(d, axis=1)
        stretching = (d * rate).sum(axis=1) / np.maximum(length, 1e-300)
        supplied = np.zeros(1)
        if self._varying:
            self._change_with_rates(t)
            _supply(self._acting, q, v, supplied)
        k, free, c = self._acting.values.T
        stored = 0.5 * k * (length - free) ** 2
        return BatchEnergy(float(stored.sum()), float((c * stretching**2).sum()), float(supplied[0]))


def pull_of(part: Any, sol: Any) -> tuple[Array, Array]:
    """Force of a spring-damper on the body of its marker b, and no moment about b  # (frames, 3) each."""
    apart, rate = (_spatial(of(part.b)) - _spatial(of(part.a)) for of in (sol.position, sol.velocity))
    length = np.linalg.norm(apart, axis=1)
    n = np.divide(apart, length[:, None], out=np.zeros_like(apart), where=length[:, None] > 0.0)
    k, free, c = np.array([part.parameters(float(t)) for t in sol.times]).T
    force = k * (length - free) + c * (n * rate).sum(axis=1)
    return -force[:, None] * n, np.zeros_like(apart)


def _spatial(x: Array) -> Array:
    return x if x.shape[1] == 3 else np.pad(x, ((0, 0), (0, 1)))


@dataclass(frozen=True, eq=False)
class SpringDamper(Described, units={"damping": "N s/m"}):
    """Linear spring and damper between two points: F = k (L - L_0) + c L' pulls them together, L = |r_b - r_a|.

    Each of the three is a number or a function of t.

    stiffness: k, N/m
    length: free length L_0, m; the distance at t = 0 if not given
    damping: c, N s/m
    """

    a: Marker
    b: Marker
    stiffness: Parameter = field(kw_only=True)
    length: Parameter | None = field(default=None, kw_only=True)
    damping: Parameter = field(default=0.0, kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        name = self.name or "SpringDamper"
        for argument, marker in (("a", self.a), ("b", self.b)):
            check_marker(name, argument, marker)
        for argument in ("stiffness", "length", "damping"):
            if callable(value := getattr(self, argument)):
                asked(name, argument, value, 0.0)
        _, free_length, _ = self.parameters(0.0)
        if self.a.body is self.b.body:
            raise ModelError(f"{name}: a and b are both on {self.a.body.name!r}; a spring connects two bodies.")
        if not np.linalg.norm(self.b.position - self.a.position) and free_length:
            raise ModelError(f"{name}: {self.a} and {self.b} coincide, so the spring has no direction; move one or length=0.")

    @property
    def varies(self) -> bool:
        return any(callable(value) for value in (self.stiffness, self.length, self.damping))

    def parameters(self, t: float) -> tuple[float, float, float]:
        """Stiffness, free length and damping at time t, checked."""
        length = np.linalg.norm(self.b.position - self.a.position) if self.length is None else self.length
        given = {"stiffness": self.stiffness, "length": length, "damping": self.damping}
        name = self.name or "SpringDamper"
        k, length, c = (not_negative(name, key, value(t) if callable(value) else value) for key, value in given.items())
        return k, length, c

    @property
    def batch(self) -> type[SpringDampers]:
        return SpringDampers

    @property
    def markers(self) -> tuple[Marker, Marker]:
        return self.a, self.b

    def acting(self, sol: Any) -> tuple[Array, Array]:
        """Force on b's body, and no moment about b  # (frames, 3) each."""
        return pull_of(self, sol)
