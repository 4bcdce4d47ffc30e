"""The figures that papers on mechanisms print, one line each: sol.plot.orbit(joint). Each returns a matplotlib Figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import choice, listed, number, positive, whole
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import Drive, JointWithClearance
from fmbs.core.protocols import IdealJoint
from fmbs.plots.clearance import friction_velocity, orbit, penetration_loop
from fmbs.plots.signals import amplitudes, stroboscope
from fmbs.plots.style import COLOURS, curves, literal, panels, scaled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fmbs.results.solution import Solution

Array = NDArray[np.float64]
UNITS = {"position": "m", "velocity": "m/s", "acceleration": "m/s²"}
AXES = ("x", "y", "z")


class Plots:
    """The figures of one solution."""

    def __init__(self, solution: Solution) -> None:
        self._sol = solution

    def history(self, marker: Marker, *, quantities: tuple[str, ...] = ("position", "velocity", "acceleration")) -> Figure:
        """Position, velocity and acceleration of a marker over time, by components."""
        if not listed("plot", "quantities", quantities, "quantities"):
            raise ModelError(f"plot: quantities = {quantities!r} is empty; give some of {', '.join(UNITS)}.")
        values = [self._of(marker, quantity) for quantity in quantities]
        figure, axes = panels(len(quantities), sharex=True)
        x = time_axis(axes[-1, 0], self._sol.t, self._sol.static)
        for panel, quantity, value in zip(axes[:, 0], quantities, values, strict=True):
            curves(panel, x, value, UNITS[quantity], quantity, AXES[: value.shape[1]])
        figure.suptitle(literal(str(marker)))
        return figure

    def reaction(self, joint: IdealJoint | JointWithClearance | str) -> Figure:
        """Force and moment of a joint or drive on the body of its second marker: components and size."""
        found = self._sol.reaction(joint)
        flat = found.moment.ndim == 1
        carries = bool(np.abs(found.moment).max(initial=0.0) > 0.0)  # a pin has no moment to draw
        figure, axes = panels(2 if carries else 1, sharex=True)
        x = time_axis(axes[-1, 0], self._sol.t, self._sol.static)
        force = np.column_stack([found.force, np.linalg.norm(found.force, axis=1)])
        curves(axes[0, 0], x, force, "N", "force", (*AXES[: found.force.shape[1]], "size"))
        if carries:
            curves(axes[1, 0], x, found.moment, "N m", "moment", ("",) if flat else AXES)
        figure.suptitle(literal(_title(joint)))
        return figure

    def drive(self, joint: Drive | str) -> Figure:
        """Driving moment (about its axis) or force (along it) over time, and the power if the axis stands still."""
        found, part = self._sol.reaction(joint), self._part(joint)
        if not isinstance(part, Drive):
            raise ModelError(f"drive: {_title(joint)!r} is not a drive; plot.reaction(joint) shows what a joint carries.")
        values = found.moment if part.turns else found.force
        if values.ndim == 2:
            axis = np.asarray(part.axis, dtype=float)[: values.shape[1]]
            a = self._sol.rotation(part.a) @ np.append(axis, np.zeros(3 - axis.size))  # the axis rides on a's body
            values = np.einsum("fi,fi->f", values, a[:, : values.shape[1]] / np.linalg.norm(axis))
        figure, axes = panels()
        x = time_axis(axes[0, 0], self._sol.t, self._sol.static)
        curves(axes[0, 0], x, values, "N m" if part.turns else "N", f"driving {'moment' if part.turns else 'force'}")
        figure.suptitle(literal(_title(joint)))
        return figure

    def energy(self) -> Figure:
        """The ledger: what is stored, dissipated and put in, and below what does not add up."""
        e = self._sol.energy
        figure, axes = panels(2, sharex=True, gridspec_kw={"height_ratios": (2.0, 1.0)})
        x = time_axis(axes[1, 0], self._sol.t, self._sol.static)
        entries = {name: getattr(e, name) for name in ("kinetic", "elastic", "potential", "dissipated", "work")}
        seen = {name: values for name, values in entries.items() if values.any()} or entries  # rigid bodies store nothing
        curves(axes[0, 0], x, np.column_stack(list(seen.values())), "J", "energy", tuple(seen))
        curves(axes[1, 0], x, e.balance, "J", "balance")
        return figure

    def spectrum(self, marker: Marker, *, quantity: str = "acceleration", axis: int = 0) -> Figure:
        """Amplitudes of one component over frequency (Hann window; a sine of amplitude A peaks at A)."""
        self._needs_time("spectrum")
        frequency, amplitude = amplitudes(self._sol.t, self._component(marker, quantity, axis))
        figure, axes = panels()
        f, unit = scaled(frequency, "Hz")
        axes[0, 0].loglog(f[1:], np.maximum(amplitude[1:], 1e-12 * amplitude.max()))
        axes[0, 0].set_xlabel(f"frequency [{unit}]")
        axes[0, 0].set_ylabel(f"{quantity} {AXES[axis]} [{UNITS[quantity]}]")
        figure.suptitle(literal(str(marker)))
        return figure

    def poincare(self, marker: Marker, *, period: float, axis: int = 0, skip: float = 0.0) -> Figure:
        """Position and velocity of one component once a period: a fixed point for periodic motion, a cloud for chaos.

        period: of the drive, s; skip: leave out the transient before this time, s
        """
        self._needs_time("poincare")
        positive("poincare", "period", period)
        path, speed = (self._component(marker, quantity, axis) for quantity in ("position", "velocity"))
        x, v = stroboscope(self._sol.t, path, speed, period, skip)
        figure, axes = panels(size=(6.0, 5.0))
        (_, x_unit), (_, v_unit) = scaled(path, "m"), scaled(speed, "m/s")
        px, pv = scaled(np.append(path, x), "m")[0], scaled(np.append(speed, v), "m/s")[0]
        after = self._sol.t >= skip
        axes[0, 0].plot(px[: path.size][after], pv[: path.size][after], color="0.8", linewidth=0.8, zorder=1)  # gives the scale
        axes[0, 0].scatter(px[path.size :], pv[path.size :], s=16, color=COLOURS[0], alpha=0.8, linewidths=0, zorder=2)
        axes[0, 0].set_xlabel(f"position {AXES[axis]} [{x_unit}]")
        axes[0, 0].set_ylabel(f"velocity {AXES[axis]} [{v_unit}]")
        figure.suptitle(f"{literal(str(marker))}: {x.size} sections, every {period:.4g} s")
        return figure

    def velocity_acceleration(self, marker: Marker, *, axis: int = 0, skip: float = 0.0) -> Figure:
        """The velocity-acceleration map of one component; skip: leave out the transient before this time, s."""
        self._needs_time("velocity_acceleration")
        kept = self._sol.t >= number("velocity_acceleration", "skip", skip)
        v, a = (self._component(marker, quantity, axis)[kept] for quantity in ("velocity", "acceleration"))
        figure, axes = panels(size=(6.0, 5.0))
        (pv, v_unit), (pa, a_unit) = scaled(v, "m/s"), scaled(a, "m/s²")
        axes[0, 0].plot(pv, pa, linewidth=0.9)
        axes[0, 0].set_xlabel(f"velocity {AXES[axis]} [{v_unit}]")
        axes[0, 0].set_ylabel(f"acceleration {AXES[axis]} [{a_unit}]")
        figure.suptitle(literal(str(marker)))
        return figure

    def step_size(self) -> Figure:
        """Size of every accepted step over time."""
        times = np.concatenate([[self._sol.t[0]], self._sol.step_times])
        if times.size < 2:
            raise ModelError("step_size: this solution has no time steps; only simulate() takes them.")
        figure, axes = panels()
        x = time_axis(axes[0, 0], times, False)
        axes[0, 0].step(x[1:], np.diff(times), where="pre")
        axes[0, 0].set_yscale("log")
        axes[0, 0].set_ylabel("step [s]")
        figure.suptitle(f"{self._sol.statistics.steps} steps, {self._sol.statistics.rejected} rejected")
        return figure

    def orbit(self, joint: Any) -> Figure:
        """Journal centre inside the clearance circle, one panel for each end."""
        return orbit(self._sol.clearance(joint), self._part(joint), _title(joint))

    def penetration_loop(self, joint: Any) -> Figure:
        """Normal force over penetration: the loop's area is what an impact dissipates."""
        return penetration_loop(self._sol.clearance(joint), _title(joint))

    def friction_velocity(self, joint: Any) -> Figure:
        """Friction force over normal force, against the sliding speed, while in contact."""
        return friction_velocity(self._sol.clearance(joint), _title(joint))

    def _needs_time(self, figure: str) -> None:
        if self._sol.static:
            raise ModelError(f"{figure}: frames of an equilibrium are load factors, not times; use a solution of m.simulate.")

    def _of(self, marker: Marker, quantity: str) -> Array:
        found: Array = getattr(self._sol, choice("plot", "quantity", quantity, UNITS))(marker)
        return found

    def _component(self, marker: Marker, quantity: str, axis: int) -> Array:
        values = self._of(marker, quantity)
        return values[:, whole("plot", "axis", axis, 0, values.shape[1] - 1)]

    def _part(self, part: Any) -> Any:
        return self._sol.model[part] if isinstance(part, str) else part


def _title(joint: Any) -> str:
    return joint if isinstance(joint, str) else joint.name or type(joint).__name__
