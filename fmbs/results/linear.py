"""A linear model, its eigenvalues and damped modes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from fmbs.core.described import Described, words
from fmbs.core.words import table

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

ROUND_OFF = 1e-6  # damping ratio that cannot be told from none
ZERO = 3e-8  # of the largest eigenvalue: what is nearer to zero is rigid-body motion


@dataclass(frozen=True, eq=False)
class DampedModes(Described, units={"frequencies": "Hz"}):
    """Modes of x' = A x, lowest first; one of each conjugate pair.

    eigenvalues: s, 1/s; frequencies: |Im s|/(2 pi), Hz; damping: -Re s/|s|, negative where the mode grows, 0 at s = 0
    shapes: columns of x, in q  # (n, modes)
    """

    eigenvalues: Complex
    shapes: Complex

    @property
    def frequencies(self) -> Array:
        return np.abs(self.eigenvalues.imag) / (2.0 * np.pi)

    @property
    def damping(self) -> Array:
        size = np.abs(self.eigenvalues)
        ratio: Array = np.divide(-self.eigenvalues.real, size, out=np.zeros(size.shape), where=size > 0.0) + 0.0
        return ratio

    def _facts(self) -> dict[str, Any]:
        return {"frequencies": self.frequencies}

    def __str__(self) -> str:
        rows = zip(self.frequencies, self.damping, strict=True)
        lines = [(str(k), words(hertz, "Hz"), words(100.0 * ratio, "%")) for k, (hertz, ratio) in enumerate(rows, 1)]
        return "\n".join(["DampedModes", table([("mode", "frequency", "damping"), *lines])])


@dataclass(frozen=True, eq=False)
class LinearModel(Described):
    """x' = A x + B u, y = C x + D u about a state of a model; x: coordinates along `basis` and their rates.

    inputs, outputs: names of u and y
    basis: dq of each entry of x, zero for rates  # (n, states)
    t: time of the state, s
    """

    A: Array
    B: Array
    C: Array
    D: Array
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    basis: Array
    t: float

    def _facts(self) -> dict[str, Any]:
        return {"states": self.A.shape[0], "inputs": self.inputs, "outputs": self.outputs, "t": self.t}

    @property
    def eigenvalues(self) -> Complex:
        """Of A, 1/s, by size of their imaginary parts."""
        s = scipy.linalg.eigvals(self.A)
        order: Complex = s[np.lexsort((s.real, np.abs(s.imag)))]
        return order

    @property
    def growth(self) -> float:
        """The largest real part of all eigenvalues, 1/s: above 0 small motions grow. Real parts that are round-off are 0."""
        s = self.eigenvalues
        live = np.abs(s) > ZERO * np.abs(s).max(initial=0.0)
        real = np.where(live & (np.abs(s.real) > ROUND_OFF * np.abs(s)), s.real, 0.0)
        return float(real.max()) if s.size else 0.0

    def modes(self, n: int | None = None) -> DampedModes:
        """The n lowest damped modes, all of them if n is not given."""
        s, x = scipy.linalg.eig(self.A)
        upper = np.flatnonzero(s.imag >= 0.0)
        order = upper[np.lexsort((-s[upper].real, np.abs(s[upper].imag)))][:n]
        return DampedModes(s[order], self.basis @ x[:, order])

    def to_scipy(self) -> Any:
        """As scipy.signal.StateSpace; python-control takes A, B, C and D as they are."""
        import scipy.signal

        return scipy.signal.StateSpace(self.A, self.B, self.C, self.D)
