"""Campbell diagram: frequencies and damping of a rotor over its speed, and the speed from which it whirls by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import positive, series, shown, whole
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.model import Model
from fmbs.plots.style import COLOURS, panels
from fmbs.results.linear import ROUND_OFF

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Build = Callable[[float], Model]

TURNS = 1e-4  # of the speed: what swings more slowly is the rotation itself, with round-off
OVERDAMPED = 0.999  # damping ratio from which on there is nothing to see in a diagram


@dataclass(frozen=True, eq=False)
class Campbell(Described, units={"speeds": "rad/s"}):
    """The lowest modes at each speed; NaN where there are fewer.

    speeds: rad/s  # (n,)
    frequencies: Hz; damping: ratio, negative where the mode grows  # (n, modes)
    growth: the largest real part of all eigenvalues, 1/s  # (n,)
    """

    speeds: Array
    frequencies: Array
    damping: Array
    growth: Array

    def _facts(self) -> dict[str, Any]:
        return {"speeds": self.speeds, "modes": self.frequencies.shape[1]}

    @property
    def threshold(self) -> float:
        """The first speed of the diagram at which small motions grow, rad/s; NaN if at none."""
        growing = np.flatnonzero(self.growth > 0.0)
        return float(self.speeds[growing[0]]) if growing.size else np.nan

    @property
    def critical(self) -> Array:
        """Speeds at which a frequency is that of the rotation, rad/s, between the speeds of the diagram."""
        found = []
        apart = 2.0 * np.pi * self.frequencies - self.speeds[:, None]
        for column in apart.T:
            for k in np.flatnonzero(np.sign(column[:-1]) * np.sign(column[1:]) < 0.0):
                share = column[k] / (column[k] - column[k + 1])
                found.append(self.speeds[k] + share * (self.speeds[k + 1] - self.speeds[k]))
        return np.sort(np.array(found))

    def figure(self) -> Figure:
        """Frequencies with the line of the rotation, and damping below; modes that grow are filled red."""
        figure, axes = panels(2, size=(8.0, 7.0))
        rpm = self.speeds * 30.0 / np.pi
        above, below = axes[0, 0], axes[1, 0]
        grows = self.damping < -ROUND_OFF
        for k in range(self.frequencies.shape[1]):
            above.plot(rpm, self.frequencies[:, k], ".", color=COLOURS[0], markersize=5)
            below.plot(rpm, 100.0 * self.damping[:, k], ".", color=COLOURS[0], markersize=5)
        across = np.broadcast_to(rpm[:, None], grows.shape)
        above.plot(across[grows], self.frequencies[grows], "o", color=COLOURS[1], markersize=6, label="grows")
        below.plot(across[grows], 100.0 * self.damping[grows], "o", color=COLOURS[1], markersize=6)
        above.plot(rpm, self.speeds / (2.0 * np.pi), "--", color=COLOURS[6], linewidth=1.0, label="rotation")
        above.plot(rpm, self.speeds / (4.0 * np.pi), ":", color=COLOURS[6], linewidth=1.0, label="half of it")
        above.set_ylim(0.0, 1.1 * float(np.nanmax(self.frequencies, initial=1.0)))
        above.set_ylabel("frequency [Hz]")
        above.legend(loc="best")
        below.axhline(0.0, color=COLOURS[6], linewidth=0.8)
        below.set_ylabel("damping ratio [%]")
        below.set_xlabel("speed [1/min]")
        return figure


def campbell(build: Build, speeds: Sequence[float], *, modes: int = 6) -> Campbell:
    """The lowest modes that swing, about the steady spin at every speed, by size of their frequency.

    build: a function that makes the model for a speed, rad/s; speeds: rad/s; modes: how many are kept
    """
    values, count = series("campbell", "speeds", speeds), whole("campbell", "modes", modes)
    frequencies, damping = np.full((2, values.size, count), np.nan)
    growth = np.zeros(values.size)
    for i, speed in enumerate(values):
        linear = _linear(build, float(speed))
        found = linear.modes()
        least = max(TURNS * abs(float(speed)), TURNS**2 * float(np.abs(found.eigenvalues).max(initial=0.0)))  # 1/s
        turns = 2.0 * np.pi * found.frequencies > least
        swings = np.flatnonzero((np.abs(found.damping) < OVERDAMPED) & turns)[:count]
        frequencies[i, : swings.size], damping[i, : swings.size] = found.frequencies[swings], found.damping[swings]
        growth[i] = linear.growth
    return Campbell(values, frequencies, damping, growth)


def stability_threshold(build: Build, slow: float, fast: float, *, tolerance: float = 1e-4) -> float:
    """The speed between a stable and an unstable one, rad/s, from which on small motions about the steady spin grow.

    build: as for `campbell`; slow, fast: rad/s; tolerance: relative, of the answer
    """
    low, high = positive("stability_threshold", "slow", slow), positive("stability_threshold", "fast", fast)
    share = positive("stability_threshold", "tolerance", tolerance)
    for speed, grows in ((low, False), (high, True)):
        if (_linear(build, speed).growth > 0.0) is not grows:
            what = "is unstable already at slow" if grows is False else "is stable still at fast"
            raise ModelError(f"stability_threshold: the model {what} = {speed:g} rad/s; widen the range of speeds.")
    while high - low > share * high:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if _linear(build, middle).growth > 0.0 else (middle, high)
    return 0.5 * (low + high)


def _linear(build: Build, speed: float) -> Any:
    model = build(speed)
    if not isinstance(model, Model):
        raise ModelError(f"campbell: build({speed:g}) returned {shown(model)}, not a model; return an fm.Model.")
    return model.linearise(at=model.steady())
