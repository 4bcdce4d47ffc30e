"""All constraint equations of a model as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.constraint_kernels import (
    constraint_accelerations,
    constraint_count,
    constraint_pattern,
    constraint_rates,
    constraint_residual,
    constraint_tangent,
    constraint_values,
    term_table,
)
from fmbs.core.equations import Equation, Term
from fmbs.core.protocols import Entries, Offsets
from fmbs.core.vectors import VectorPool
from fmbs.math.coordinate_weights import NOWHERE, WeightTable
from fmbs.math.signals import Signal, sampled

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class Constraints:
    """Phi(q, t) = 0 of all parts: values, gradient, curvature and time derivatives by one kernel each."""

    def __init__(self, equations: Sequence[Equation], offsets: Offsets, coordinates: int) -> None:
        terms = [(row, term) for row, equation in enumerate(equations) for term in equation.terms]
        pool = VectorPool()
        first = np.array([pool.number(term.u) for _, term in terms], dtype=np.int64)
        second = np.array([pool.number(term.z) for _, term in terms], dtype=np.int64)
        self.labels = [equation.label for equation in equations]
        self.size = len(equations)
        self.vectors = pool.table(offsets)
        rows = np.array([row for row, _ in terms], dtype=np.int64)
        self.terms = term_table(rows, first, second, len(pool.vectors), _by_coordinates([term for _, term in terms], offsets))
        self._inputs = _Inputs(equations, [term for _, term in terms])
        self._coordinates = coordinates
        self._u, self._rate, self._acceleration = np.zeros((3, len(pool.vectors), 3))

    def pattern(self) -> Entries:
        """Global rows and columns of `tangent`."""
        rows, cols = np.zeros((2, constraint_count(self.vectors, self.terms)), dtype=np.int64)
        constraint_pattern(self.vectors, self.terms, self._coordinates, rows, cols)
        return Entries(rows, cols)

    def value(self, t: float, q: Array) -> Array:  # (m,)
        """Phi(q, t)."""
        weight, phi = self._inputs.at(t)
        constraint_values(self.vectors, self.terms, weight[0], q, self._u, phi[0])
        value: Array = phi[0]
        return value

    def residual(self, t: float, q: Array, lam: Array, force: Array) -> Array:  # (m,)
        """Phi(q, t), and force += Phi_q^T lam."""
        weight, phi = self._inputs.at(t)
        constraint_residual(self.vectors, self.terms, weight[0], q, lam, self._u, phi[0], force)
        value: Array = phi[0]
        return value

    def tangent(self, t: float, q: Array, lam: Array, scale: float, stiffness: float, out: Array) -> None:
        """scale Phi_q (and transpose) and stiffness sum lam Phi_qq into `out`, in the order of the pattern."""
        weight, _ = self._inputs.at(t)
        constraint_tangent(self.vectors, self.terms, weight[0], q, lam, self._u, scale, stiffness, out)

    def rates(self, t: float, q: Array, v: Array) -> Array:  # (m,)
        """d Phi/dt."""
        weights, phi = self._inputs.at(t)
        rates: Array = phi[1]
        constraint_rates(self.vectors, self.terms, weights, q, v, self._u, self._rate, rates)
        return rates

    def accelerations(self, t: float, q: Array, v: Array) -> Array:  # (m,)
        """d^2 Phi/dt^2 at q'' = 0, so that Phi_q q'' is its opposite."""
        weights, phi = self._inputs.at(t)
        second: Array = phi[2]
        work = self._u, self._rate, self._acceleration
        constraint_accelerations(self.vectors, self.terms, weights, q, v, np.zeros_like(v), *work, second)
        return second

    @property
    def driven(self) -> bool:
        """Does any equation depend on time?"""
        return self._inputs.varying

    @property
    def varying(self) -> tuple[Integers, Integers]:
        """Terms whose weights, and equations whose right-hand sides, depend on time."""
        return self._inputs.places

    @property
    def constants(self) -> tuple[Array, Array]:
        """Weights of the terms (3, terms) and right-hand sides -c (3, m), with two derivatives, where they do not vary."""
        return self._inputs.constants

    def inputs_at(self, times: Array) -> Array:
        """Those that do, in the order of `varying`  # (times, 3, n)."""
        return self._inputs.series(times)

    def explicit_rate(self, t: float, q: Array) -> Array:
        """Phi_t, what the drives do by themselves."""
        weights, phi = self._inputs.at(t)
        drift: Array = phi[1]
        constraint_values(self.vectors, self.terms, weights[1], q, self._u, drift)
        return drift


def _by_coordinates(terms: Sequence[Term], offsets: Offsets) -> WeightTable:
    """The functions of coordinates that weights depend on."""
    coordinate, kind, start = np.full((3, len(terms)), NOWHERE, np.int64)
    shape: list[float] = []
    for i, term in enumerate(terms):
        if term.by is not None:
            coordinate[i], kind[i], start[i] = offsets[term.by.body] + term.by.index, term.by.kind, len(shape)
            shape += term.by.shape
    return WeightTable(coordinate, kind, start, np.array(shape, float), np.flatnonzero(coordinate >= 0))


@dataclass(frozen=True)
class _Phase:
    """A term whose weight is cos or sin of a signal."""

    term: int
    weight: float
    signal: Signal
    sine: bool


class _Inputs:
    """Weights and right-hand sides with two time derivatives; only what depends on time is evaluated anew."""

    def __init__(self, equations: Sequence[Equation], terms: Sequence[Term]) -> None:
        self._weight = np.zeros((3, len(terms)))
        self._weight[0] = [term.weight for term in terms]
        self._phases = [_Phase(i, x.weight, x.phase, x.sine) for i, x in enumerate(terms) if x.phase is not None]
        self._minus_c = np.zeros((3, len(equations)))
        self._driven: list[tuple[int, Signal]] = []
        for row, equation in enumerate(equations):
            if callable(equation.value):
                self._driven.append((row, equation.value))
            else:
                self._minus_c[0, row] = -equation.value
        self._t = np.nan
        self.varying = bool(self._phases or self._driven)

    @property
    def places(self) -> tuple[Integers, Integers]:
        terms, rows = [phase.term for phase in self._phases], [row for row, _ in self._driven]
        return np.array(terms, np.int64), np.array(rows, np.int64)

    @property
    def constants(self) -> tuple[Array, Array]:
        return self._weight.copy(), self._minus_c.copy()

    def series(self, times: Array) -> Array:
        """`at` for many times, of what varies  # (times, 3, phases and driven rows)."""
        series = np.zeros((times.size, 3, len(self._phases) + len(self._driven)))
        for i, phase in enumerate(self._phases):
            angle, rate, acceleration = sampled(phase.signal, times)
            cos, sin = phase.weight * np.cos(angle), phase.weight * np.sin(angle)
            y, dy = (sin, cos) if phase.sine else (cos, -sin)
            series[:, :, i] = np.stack([y, dy * rate, dy * acceleration - y * rate * rate], axis=1)
        for i, (_, signal) in enumerate(self._driven, len(self._phases)):
            series[:, :, i] = -sampled(signal, times).T
        return series

    def at(self, t: float) -> tuple[Array, Array]:  # (3, terms), (3, equations): a fresh copy of -c, -c', -c''
        if t != self._t:
            for phase in self._phases:
                angle, rate, acceleration = phase.signal(t)
                cos, sin = phase.weight * np.cos(angle), phase.weight * np.sin(angle)
                y, dy = (sin, cos) if phase.sine else (cos, -sin)
                self._weight[:, phase.term] = y, dy * rate, dy * acceleration - y * rate * rate
            for row, signal in self._driven:
                self._minus_c[:, row] = signal(t)
                self._minus_c[:, row] *= -1.0
            self._t = t
        return self._weight, self._minus_c.copy()
