"""Figures of clearance joints: orbits, force loops, friction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.gaps.kinematics import WALL
from fmbs.plots.style import COLOURS, literal, panels, scaled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fmbs.core.optional import JointWithClearance
    from fmbs.results.clearance import Clearance

Array = NDArray[np.float64]


def orbit(found: Clearance, joint: JointWithClearance, title: str) -> Figure:
    """The path of the journal's centre, one panel an end; beyond the circle of the clearance it presses into the bearing."""
    shown = [k for k, station in enumerate(joint.stations) if station.kind != WALL]  # a place on a plane wall has no orbit
    if not shown:
        raise ModelError(f"{title}: a block in a guide has no orbit; draw a penetration_loop or the position of its marker.")
    both, unit = scaled(np.append(found.eccentricity, joint.clearance), "m")
    path, radius = _by_end(both[:-1].reshape(found.eccentricity.shape), found), both[-1]
    ends = len(shown)
    figure, axes = panels(1, ends, size=(4.8 * ends, 5.2), sharex=True, sharey=True)
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    reach = 1.08 * max(radius, float(np.abs(path[:, shown]).max()))
    for end, panel in zip(shown, axes[0], strict=True):
        panel.plot(radius * np.cos(angle), radius * np.sin(angle), color=COLOURS[1], linestyle="--", label="clearance")
        panel.plot(*path[:, end].T, color=COLOURS[0], linewidth=0.8, label="journal centre")
        panel.plot(*path[0, end], "o", color=COLOURS[2], markersize=5, label="start")
        panel.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
        panel.set_xlabel(f"$e_x$ [{unit}]")
        if ends > 1:
            panel.set_title(f"end {found.ends[end]}")
    axes[0, 0].set_ylabel(f"$e_y$ [{unit}]")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(literal(title))
    return figure


def penetration_loop(found: Clearance, title: str) -> Figure:
    """Only where there is contact; the lines of separate impacts are not joined."""
    _check_contact(found, title)
    (depth, depth_unit), (force, force_unit) = scaled(found.penetration, "m"), scaled(found.normal_force, "N")
    apart = _by_end(found.penetration, found) <= 0.0
    figure, axes = panels(size=(6.0, 5.0))
    for end, name in enumerate(found.ends):
        x, y = (np.where(apart[:, end], np.nan, _by_end(values, found)[:, end]) for values in (depth, force))
        axes[0, 0].plot(x, y, linewidth=0.9, marker=".", markersize=2, label=f"end {name}")
    axes[0, 0].set_xlabel(f"penetration [{depth_unit}]")
    axes[0, 0].set_ylabel(f"normal force [{force_unit}]")
    if len(found.ends) > 1:
        axes[0, 0].legend(frameon=False)
    figure.suptitle(literal(title))
    return figure


def friction_velocity(found: Clearance, title: str) -> Figure:
    """Friction around the circumference over the sliding speed there; frames in contact as points."""
    _check_contact(found, title)
    touching = (found.penetration > 0.0) & (found.normal_force > 0.0)
    share = found.friction_force[touching][:, 0] / found.normal_force[touching]
    speed, unit = scaled(found.slip[touching][:, 0], "m/s")
    figure, axes = panels(size=(6.0, 4.5))
    axes[0, 0].scatter(speed, share, s=8, color=COLOURS[0], alpha=0.6, linewidths=0)
    axes[0, 0].set_xlabel(f"sliding speed [{unit}]")
    axes[0, 0].set_ylabel("friction / normal force [-]")
    figure.suptitle(literal(title))
    return figure


def _by_end(values: NDArray[Any], found: Clearance) -> NDArray[Any]:
    """(frames, ends, ...), for joints of one end too."""
    return values if len(found.ends) > 1 else values[:, None]


def _check_contact(found: Clearance, title: str) -> None:
    if not (found.penetration > 0.0).any():
        raise ModelError(
            f"{title}: no frame is in contact, so nothing can be drawn; a smaller output_step shows short impacts."
        )
