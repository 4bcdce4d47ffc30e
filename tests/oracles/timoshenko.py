"""Natural frequencies of straight uniform beams: Timoshenko's bending, rods and shafts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

from ._common import Array

ENDS = {"clamped": (0, 1), "free": (2, 3), "pinned": (0, 2)}  # which of (w, psi, M, Q) vanish


@dataclass(frozen=True)
class Beam:
    """Bending in one plane: length, EI, k GA, rho A, rho I."""

    length: float
    EI: float
    GA: float
    mass: float  # a length
    inertia: float  # a length, rotary


def bending(beam: Beam, ends: tuple[str, str], count: int) -> Array:
    """The lowest `count` circular frequencies > 0, rad/s, for ends among clamped, free, pinned.

    w' = psi + Q/GA, psi' = M/EI, M' = -rho I om^2 psi - Q, Q' = -rho A om^2 w: y' = A y, so that y(l) = exp(A l) y(0).
    A frequency is a zero of the 2 x 2 determinant of what vanishes at the end for what is free at the start.
    """
    free_at_start = [i for i in range(4) if i not in ENDS[ends[0]]]
    zero_at_end = list(ENDS[ends[1]])
    unit = np.sqrt(beam.EI / beam.mass) / beam.length**2
    l, x = beam.length, beam.EI / beam.length  # states scaled: w/l, psi, M l/EI, Q l^2/EI

    def determinant(omega: float) -> float:
        a = np.zeros((4, 4))
        a[0, 1], a[0, 3] = 1.0, x / (l * beam.GA)
        a[1, 2] = 1.0
        a[2, 1], a[2, 3] = -beam.inertia * omega**2 * l**2 / beam.EI, -1.0
        a[3, 0] = -beam.mass * omega**2 * l**4 / beam.EI
        transfer = expm(a)[np.ix_(zero_at_end, free_at_start)]
        return float(np.linalg.det(transfer / np.abs(transfer).max()))

    found: list[float] = []
    step, omega = 0.25, 0.5  # of `unit`; frequencies of an Euler-Bernoulli beam are farther apart than 3
    last = determinant(omega * unit)
    while len(found) < count:
        value = determinant((omega + step) * unit)
        if value * last < 0.0:
            found.append(float(brentq(lambda s: determinant(s * unit), omega, omega + step, xtol=1e-13)) * unit)
        omega, last = omega + step, value
    return np.array(found)


def waves(length: float, stiffness: float, inertia: float, ends: tuple[str, str], count: int) -> Array:
    """Stretching (EA, rho A) or twisting (GJ, rho I_p) of a rod: c k_n k_n = n pi/l; (n - 1/2) pi/l if clamped and free."""
    n = np.arange(1, count + 1) - (0.5 if ends[0] != ends[1] else 0.0)
    return n * np.pi / length * np.sqrt(stiffness / inertia)
