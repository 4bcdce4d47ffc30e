"""Modified Newton iteration of one implicit step, with a factorised matrix that is kept until convergence slows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients, System
from fmbs.core.state import Counters
from fmbs.core.status import Status
from fmbs.jit.compiled import kernel
from fmbs.solvers.linear import Factor, LinearSolveError, LinearSolver

Array = NDArray[np.float64]

FACTOR_COST = 5  # of a tangent and its factorisation, in iterations; the same for all linear solvers, so that they agree
SMALL, SMALL_COST = 60, 2  # equations up to which they cost less: the driver inverts such matrices itself
LONG = 300  # equations from which on round-off may add up along the model
FAR = 30_000  # coordinates from which on the last bit of positions far from the origin counts in the strains
GROWTHS = 3  # of the increment, before the iteration is given up
LARGEST_ERROR = 1e-8  # of a coordinate, scaled, however large the accelerations
FORGET = 0.9  # of the largest acceleration, a step: a tolerance that followed a bad step for good would let in the next
LEAP = 0.1  # scaled: a solution that is farther from where the motion leads belongs to another branch of the equations
ROUND_OFF = 2e-15  # a scaled increment below this is noise
REMEMBERED = ("noise", "worn", "fewest", "extra", "step", "contraction", "largest")


class Slopes(NamedTuple):
    """How accelerations and velocities at the end of a step of size h follow q there: da = b dq, dv = g dq."""

    h: float
    b: float
    g: float


class Newton:
    """Solves M a + Phi_q^T lam + f = 0, Phi = 0 for q, a = a(q), v = v(q) and lam; see generalized_alpha for its matrix.

    tolerance: error allowed in an acceleration, relative to the largest one of late
    iterations: at most so many
    """

    def __init__(self, system: System, linear: LinearSolver, tangent: str, tolerance: float, iterations: int) -> None:
        self._system, self._linear, self._tangent = system, linear, tangent
        self._tolerance, self._iterations = tolerance, iterations
        self._data = system.workspace  # values of the matrix, written again and again
        self.counters = Counters()
        self.factor: Factor | None = None
        self.step = 0.0  # step size that the factorised matrix belongs to
        self.worn = False
        self.fewest = self.extra = 0  # iterations of its best step, and those above it since
        self.contraction = 1.0  # of the last converged step
        self.largest = 0.0  # scaled acceleration
        self.stressed: Array | None = None  # place whose stresses the matrix takes in a step that turns stiff bodies far
        self.noise: float | None = None  # scaled change of q that round-off in Phi causes

    def snapshot(self) -> dict[str, Any]:
        """Everything that the next solution depends on."""
        kept = {name: getattr(self, name) for name in REMEMBERED}
        alone = self._system.ranks.count == 1  # else no rank has the whole matrix: a continued run makes a new one
        return {**kept, "matrix": self._data} if alone and self.factor is not None else kept

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        for name in REMEMBERED:
            setattr(self, name, kept[name])
        if "matrix" in kept and self._system.ranks.count == 1:
            self._data[:] = kept["matrix"]
            self.factor = self._linear.factorize(self._system.matrix(self._data))

    def solve(self, t: float, slopes: Slopes, q: Array, v: Array, a: Array, lam: Array, fresh: bool) -> Status:
        """In place. Stops on the estimated error of the increment, scaled; never on the residual alone. A solution far from
        the predicted place is none: stiff equations have others, which conserve nothing.

        fresh: the matrix of this very step is wanted afterwards, so that it is not kept for the next
        """
        system, s, (h, b, g) = self._system, self._system.mass_scale, slopes
        rhs = np.empty(system.size + system.multipliers)
        last, way = np.inf, 0.0
        first = float(np.abs(a / system.scale).max(initial=0.0))  # a diverging iterate must not loosen the tolerance
        grown, renewed = 0, False
        for iteration in range(self._iterations):
            if self.factor is None or self.step != h or self.worn:
                status, renewed = self.factorize(t, slopes, q, v, lam), True
                if not status.ok:
                    return status
            force, phi = system.balance(t, q, v, lam, a=a)
            _right_hand_side(force, phi, -1.0 / b, -s, rhs)
            assert self.factor is not None
            try:
                x = self.factor.solve(rhs)
            except LinearSolveError:
                return Status.SINGULAR if np.isfinite(rhs).all() else Status.NOT_FINITE
            self.counters.iterations += 1
            size, largest = _update(x, b, g, s, system.scale, q, v, a, lam)
            if not np.isfinite(size):
                return Status.NOT_FINITE
            way += size
            if way > LEAP:
                return Status.LEAP
            level = max(self.largest, min(largest, first))
            allowed = min(max(self._tolerance * level / b, self.noise or ROUND_OFF), LARGEST_ERROR)
            contraction = size / last if iteration else self.contraction
            if size <= ROUND_OFF or size * contraction / max(1.0 - contraction, 1e-3) <= allowed:
                if iteration:
                    self.contraction = min(max(contraction, 1e-2), 0.5)
                self.largest = max(FORGET * self.largest, largest)
                self._wear(iteration + 1, fresh)
                return Status.CONVERGED
            if iteration and contraction > 0.5:
                if size < 100.0 * ROUND_OFF:
                    return Status.CONVERGED  # stalled at round-off
                if renewed and size <= self._round_off(t, b, q, v, lam):  # with the tangent of this very place
                    return Status.CONVERGED  # near a singular position no more can be had
                if renewed and self.noise and size < 100.0 * self.noise:
                    self.noise = min(size, 2.0 * self.noise)
                    return Status.CONVERGED
                grown += contraction > 1.0
                if grown > GROWTHS:
                    return Status.DIVERGED
                self.factor = None  # too slow: take the tangent here
            last = size
        return Status.SLOW

    def factorize(self, t: float, slopes: Slopes, q: Array, v: Array, lam: Array) -> Status:
        """The matrix at this place."""
        h, b, g = slopes
        coefficients = Coefficients(mass=1.0, damping=g / b, stiffness=1.0 / b, constraint=self._system.mass_scale)
        matrix = self._system.jacobian(t, q, v, lam, coefficients, self._tangent, self._data)
        if self._tangent == "numerical":
            self._data[:] = matrix.data  # for a snapshot
        if self.stressed is not None and self._tangent == "exact":
            self._system.elastic.change_stresses(q, self.stressed, v, 1.0 / b, self._data)
        try:
            self.factor = self._linear.factorize(matrix)
        except LinearSolveError:
            return Status.SINGULAR if np.isfinite(matrix.data).all() else Status.NOT_FINITE
        if self.noise is None and self._long:
            self.noise = self._round_off(t, b, q, v, lam)
        self.step, self.worn = h, False
        self.fewest, self.extra = self._iterations, 0
        self.counters.factorizations += 1
        return Status.CONVERGED

    @property
    def _long(self) -> bool:
        return self._system.multipliers >= LONG or self._system.size >= FAR

    @property
    def knows_noise(self) -> bool:
        """Is it settled what round-off does? In long models the first factorised matrix tells."""
        return self.noise is not None or not self._long

    @property
    def factor_cost(self) -> int:
        """Iterations above those of its best step that pay for a new matrix."""
        return SMALL_COST if self._system.size + self._system.multipliers <= SMALL else FACTOR_COST

    def _wear(self, iterations: int, fresh: bool) -> None:
        """The factorised matrix is worn when the iterations it has cost above its best step pay for a new one.

        Counted, not timed: a run repeats itself to the last bit.
        """
        self.fewest = min(self.fewest, iterations)
        self.extra += iterations - self.fewest
        self.worn = fresh or self.extra >= self.factor_cost

    def _round_off(self, t: float, b: float, q: Array, v: Array, lam: Array) -> float:
        """In long chains, and near singular positions, round-off in Phi, eps |Phi_q| |q|, moves parts by more than eps, and in
        long beams that of q is one of strains, eps |q| / element length: Newton cannot do better.

        One solve with random signs tells by how much; four times that is allowed for.
        """
        system, n, m = self._system, self._system.size, self._system.multipliers
        if self.factor is None:
            return ROUND_OFF
        eps, random = np.finfo(float).eps, np.random.default_rng(0)
        rhs = np.zeros(n + m)
        rows = system.mass_scale * (abs(system.constraint_jacobian(t, q)) @ np.abs(q))
        rhs[n:] = eps * random.choice([-1.0, 1.0], m) * rows
        if n >= FAR:
            near = q * (1.0 + eps * random.choice([-1.0, 1.0], n))
            rhs[:n] = (system.balance(t, near, v, lam)[0] - system.balance(t, q, v, lam)[0]) / b
        moved = self.factor.solve(rhs)[:n]
        return max(ROUND_OFF, 4.0 * float(np.abs(moved / system.scale).max()))


@kernel
def _right_hand_side(force: Array, phi: Array, force_factor: float, phi_factor: float, out: Array) -> None:
    """[force_factor f; phi_factor Phi]."""
    n = force.size
    for i in range(n):
        out[i] = force_factor * force[i]
    for i in range(phi.size):
        out[n + i] = phi_factor * phi[i]


@kernel
def _update(
    x: Array, b: float, g: float, s: float, scale: Array, q: Array, v: Array, a: Array, lam: Array
) -> tuple[float, float]:
    """q += dq, v += g dq, a += b dq, lam += b s dmu; returns the largest scaled increment and acceleration."""
    size = largest = 0.0
    n = q.size
    for i in range(n):
        dq = x[i]
        q[i] += dq
        v[i] += g * dq
        a[i] += b * dq
        increment, acceleration = abs(dq) / scale[i], abs(a[i]) / scale[i]
        if not increment <= size:  # lets NaN through
            size = increment
        largest = max(largest, acceleration)
    for i in range(lam.size):
        lam[i] += b * s * x[n + i]
    return size, largest
