"""Modified Newton iteration of one implicit step, with a factorised matrix that is kept until convergence slows.

It solves M a + Phi_q^T lam + f = 0, Phi = 0 for q, a = a(q), v = v(q) and lam, with da = b dq and dv = g dq; see `alpha` for
its matrix.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.equations import ROUND_OFF, new_matrix, residual, solve
from fmbs.solvers.loop.tables import Inputs, Run

Array = NDArray[np.float64]

LARGEST_ERROR = 1e-8  # of a coordinate, scaled, however large the accelerations
FORGET = 0.9  # of the largest acceleration, a step: a tolerance that followed a bad step for good would let in the next
LONGEST_WAY = 0.1  # scaled: a solution that is farther from where the motion leads belongs to another branch of the equations
GROWTHS = 3  # of the increment, before the iteration is given up


@kernel(plain=True, part=True)
def newton(r: Run, inputs: Inputs, h: float, b: float, g: float) -> int:
    """From the prediction in `s`, in place; returns how it went.

    It stops on the estimated error of the increment, scaled; never on the residual alone. A solution far from the predicted
    place is none: stiff equations have others, which conserve nothing.
    """
    e, method, memory, s = r.equations, r.method, r.memory, r.scratch
    n, numbers, sizes = s.q.size, memory.numbers, memory.sizes
    first = 0.0  # a diverging iterate must not loosen the tolerance
    for i in range(n):
        first = max(first, abs(s.a[i]) * e.per_scale[i])
    last, way, grown, renewed = np.inf, 0.0, 0, False
    for iteration in range(method.max_iterations):
        here = numbers[tables.FACTORED] == 0 or numbers[tables.WORN] == 1
        if here:
            renewed = True
            status = new_matrix(r, inputs, h, b, g, s.q, s.v, s.lam)
            if status != tables.CONVERGED:
                return status
        residual(r, inputs, h, s.q, s.v, s.a, s.lam, here, s.force)
        if s.fine[0] == 0:
            return tables.NOT_FINITE
        share = -1.0 / b
        for i in range(n):
            s.x[i] = share * s.force[i]
        for i in range(s.phi.size):
            s.phi[i] = -s.phi[i]
        solve(r, s.phi)
        numbers[tables.ITERATIONS] += 1
        size, largest = update(r, b, g)
        if not np.isfinite(size):
            return tables.SINGULAR if np.isfinite(s.force.sum() + s.phi.sum()) else tables.NOT_FINITE
        way += size
        if way > LONGEST_WAY:
            return tables.LEAP
        level = max(sizes[tables.LARGEST], min(largest, first))
        allowed = min(max(method.newton_tolerance * level / b, sizes[tables.NOISE]), LARGEST_ERROR)
        contraction = size / last if iteration else sizes[tables.CONTRACTION]
        if size <= ROUND_OFF or size * contraction / max(1.0 - contraction, 1e-3) <= allowed:
            if iteration:
                sizes[tables.CONTRACTION] = min(max(contraction, 1e-2), 0.5)
            sizes[tables.LARGEST] = max(FORGET * sizes[tables.LARGEST], largest)
            wear(r, iteration + 1)
            return tables.CONVERGED
        if iteration and contraction > 0.5:
            if size < 100.0 * ROUND_OFF:
                return tables.CONVERGED  # stalled at round-off
            if renewed:  # with the matrix of this very place
                if size < 100.0 * sizes[tables.NOISE]:
                    sizes[tables.NOISE] = min(size, 2.0 * sizes[tables.NOISE])
                    return tables.CONVERGED
                call(slots.NOISE, e.events[slots.AT_NOISE], r, inputs, h, b, s.q, s.v, s.lam)
                if size <= s.answer[0]:
                    return tables.CONVERGED  # near a singular position no more can be had
            grown += 1 if contraction > 1.0 else 0
            if grown > GROWTHS:
                return tables.DIVERGED
            numbers[tables.FACTORED] = 0  # too slow: take the matrix here
        last = size
    return tables.SLOW


@kernel(plain=True, part=True)
def update(r: Run, b: float, g: float) -> tuple[float, float]:
    """q += dq, v += g dq, a += b dq, lam += b s dmu; returns the largest scaled increment and acceleration."""
    e, s = r.equations, r.scratch
    size = largest = 0.0
    n = s.q.size
    for i in range(n):
        s.q[i] += s.x[i]
        s.v[i] += g * s.x[i]
        s.a[i] += b * s.x[i]
        if not abs(s.x[i]) * e.per_scale[i] <= size:  # lets NaN through
            size = abs(s.x[i]) * e.per_scale[i]
        largest = max(largest, abs(s.a[i]) * e.per_scale[i])
    for i in range(s.lam.size):
        s.lam[i] += b * e.mass_scale * s.x[n + i]
    return size, largest


@kernel(plain=True, part=True)
def wear(r: Run, iterations: int) -> None:
    """The factorised matrix is worn when the iterations it has cost above its best step pay for a new one.

    Counted, not timed: a run repeats itself to the last bit. Velocities that are always straightened want the constraints of
    this very step, or energy is lost; bodies that turn far in a step, and steps after a change of size, want a better matrix.
    Contacts cut steps too often for that to pay.
    """
    e, method, memory = r.equations, r.method, r.memory
    numbers = memory.numbers
    numbers[tables.FEWEST] = min(numbers[tables.FEWEST], iterations)
    numbers[tables.EXTRA] += iterations - numbers[tables.FEWEST]
    fresh = method.always or numbers[tables.COARSE] == 1 or (numbers[tables.SETTLING] > 0 and e.gap_places.size == 0)
    numbers[tables.WORN] = 1 if fresh or numbers[tables.EXTRA] >= method.factor_cost else 0
