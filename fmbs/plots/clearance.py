"""Figures of clearance joints: orbits, force loops, friction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.plots.style import COLOURS, panels, scaled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


class Clearance(Protocol):
    """What sol.clearance(joint) gives; ends: 2 (A and W) for joints of finite length, 1 in the plane."""

    @property
    def eccentricity(self) -> Array: ...  # (frames, ends, 2), journal centre in the bearing's frame, m
    @property
    def penetration(self) -> Array: ...  # (frames, ends), m, > 0 in contact
    @property
    def normal_force(self) -> Array: ...  # (frames, ends), N
    @property
    def friction_force(self) -> Array: ...  # (frames, ends), N
    @property
    def sliding_speed(self) -> Array: ...  # (frames, ends), m/s


def orbit(found: Clearance, joint: Any, title: str) -> Figure:
    """The path of the journal's centre; beyond the circle it presses into the bearing."""
    path, unit = scaled(found.eccentricity, "m")
    factor = _factor(found.eccentricity, path)
    radius = float(joint.clearance) / factor
    ends = path.shape[1]
    figure, axes = panels(1, ends, size=(4.8 * ends, 4.8), sharex=True, sharey=True)
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    for end in range(ends):
        panel = axes[0, end]
        panel.plot(radius * np.cos(angle), radius * np.sin(angle), color=COLOURS[1], linestyle="--", label="clearance")
        panel.plot(*path[:, end].T, color=COLOURS[0], linewidth=0.8, label="journal centre")
        panel.plot(*path[0, end], "o", color=COLOURS[2], markersize=5, label="start")
        panel.set_aspect("equal")
        panel.set_xlabel(f"$e_x$ [{unit}]")
        if ends > 1:
            panel.set_title(f"end {'AW'[end]}")
    axes[0, 0].set_ylabel(f"$e_y$ [{unit}]")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(title)
    return figure


def penetration_loop(found: Clearance, title: str) -> Figure:
    """Only where there is contact; the lines of separate impacts are not joined."""
    _touching(found, title)
    (depth, depth_unit), (force, force_unit) = scaled(found.penetration, "m"), scaled(found.normal_force, "N")
    figure, axes = panels(size=(6.0, 5.0))
    for end in range(depth.shape[1]):
        apart = found.penetration[:, end] <= 0.0
        x, y = (np.where(apart, np.nan, values[:, end]) for values in (depth, force))
        axes[0, 0].plot(x, y, linewidth=0.9, marker=".", markersize=2, label=f"end {'AW'[end]}" if depth.shape[1] > 1 else None)
    axes[0, 0].set_xlabel(f"penetration [{depth_unit}]")
    axes[0, 0].set_ylabel(f"normal force [{force_unit}]")
    if depth.shape[1] > 1:
        axes[0, 0].legend(frameon=False)
    figure.suptitle(title)
    return figure


def friction_velocity(found: Clearance, title: str) -> Figure:
    """Frames in contact as points."""
    _touching(found, title)
    touching = (found.penetration > 0.0) & (np.abs(found.normal_force) > 0.0)
    share = found.friction_force[touching] / np.abs(found.normal_force[touching])
    speed, unit = scaled(found.sliding_speed[touching], "m/s")
    figure, axes = panels(size=(6.0, 4.5))
    axes[0, 0].scatter(speed, share, s=8, color=COLOURS[0], alpha=0.6, linewidths=0)
    axes[0, 0].set_xlabel(f"sliding speed [{unit}]")
    axes[0, 0].set_ylabel("friction / normal force [-]")
    figure.suptitle(title)
    return figure


def _touching(found: Clearance, title: str) -> None:
    if not (found.penetration > 0.0).any():
        raise ModelError(
            f"{title}: no frame is in contact, so there is nothing to draw; a smaller output_step shows short impacts."
        )


def _factor(values: Array, scaled_values: Array) -> float:
    largest = np.abs(values).argmax()
    return float(values.flat[largest] / scaled_values.flat[largest]) if values.flat[largest] else 1.0
