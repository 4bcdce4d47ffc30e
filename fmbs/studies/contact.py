"""What a clearance joint went through: contact modes, impacts, pressure times velocity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import number, whole
from fmbs.core.errors import ModelError
from fmbs.core.optional import JointWithClearance
from fmbs.results import Solution
from fmbs.results.clearance import MODES, Clearance
from fmbs.results.film_record import FilmRecord
from fmbs.results.solution import check_solution

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class ContactStatistics:
    """Over the ends of a joint and the frames after `skip`.

    shares: share of the time in each mode, their sum is 1
    impacts: contacts that began; rate: of them in a second
    speeds: approach speeds, m/s; lost: energy that impacts took, J
    """

    shares: dict[str, float]
    impacts: int
    rate: float
    speeds: Array
    lost: float


def contact_statistics(solution: Solution, joint: str, *, skip: float = 0.0) -> ContactStatistics:
    """Contact modes and impacts of a clearance joint after `skip`, s."""
    check_solution("contact statistics", solution)
    found = solution.clearance(joint)
    kept = found.t >= number("contact statistics", "skip", skip)
    if not kept.any():
        raise ModelError(f"contact statistics: no frame after skip = {skip:g} s; the run ends at {found.t[-1]:g} s.")
    modes = found.mode[kept]
    own = [impact for impact in found.impacts if impact.t >= skip]
    span = float(found.t[-1] - found.t[kept][0])
    return ContactStatistics(
        shares={str(mode): float((modes == mode).mean()) for mode in dict.fromkeys(MODES.tolist())},
        impacts=len(own),
        rate=len(own) / span if span else 0.0,
        speeds=np.array([impact.approach_speed for impact in own]),
        lost=float(np.nansum([impact.lost for impact in own])),
    )


@dataclass(frozen=True)
class PVMap:
    """Where around a bearing it is loaded and rubbed, by sectors of the circumference in the bearing's axes.

    angle: middle of the sectors, rad; mean_pressure: Pa; mean_pv, largest_pv: W/m^2  # (sectors,)
    """

    angle: Array
    mean_pressure: Array
    mean_pv: Array
    largest_pv: Array


def pv_map(solution: Solution, joint: str, *, sectors: int = 36, skip: float = 0.0) -> PVMap:
    """Pressure times sliding speed of dry contact around a bearing, after `skip`, s."""
    check_solution("pv_map", solution)
    sectors = whole("pv_map", "sectors", sectors)
    found, p, pv = pressure_velocity(solution, joint)
    kept = found.t >= number("pv_map", "skip", skip)
    e = _by_end(found.eccentricity, found)[kept]
    place = np.mod(np.arctan2(e[..., 1], e[..., 0]), 2.0 * np.pi)  # (frames, ends)
    sector = np.minimum((place * sectors / (2.0 * np.pi)).astype(int), sectors - 1).ravel()
    frames = max(int(kept.sum()), 1)
    largest = np.zeros(sectors)
    np.maximum.at(largest, sector, pv[kept].ravel())
    return PVMap(
        angle=(np.arange(sectors) + 0.5) * 2.0 * np.pi / sectors,
        mean_pressure=np.bincount(sector, p[kept].ravel(), sectors) / frames,
        mean_pv=np.bincount(sector, pv[kept].ravel(), sectors) / frames,
        largest_pv=largest,
    )


def pressure_velocity(solution: Solution, joint: str) -> tuple[Clearance, Array, Array]:
    """p = N / (2 R_j L), on the projected area, Pa, and p |v_slip|, W/m^2  # (frames, ends). Two ends share the length L."""
    found, part = solution.clearance(joint), solution.model[joint]
    assert isinstance(part, JointWithClearance)  # or solution.clearance had refused
    length = part.film_length / len(found.ends)
    if not length:
        raise ModelError(f"pv: {joint!r} has no length; give length= of the bearing, m.")
    p = _by_end(found.normal_force, found) / (2.0 * part.stations[0].radius * length)
    return found, p, p * np.linalg.norm(_by_end(found.slip, found), axis=-1)


def _by_end(values: Array, found: Clearance) -> Array:
    """(frames, ends, ...), for joints of one end too."""
    return values if len(found.ends) > 1 else values[:, None]


def _film(solution: Solution, joint: str) -> FilmRecord:
    film = solution.clearance(joint).film
    if film is None:
        raise ModelError(f"measure: {joint!r} is a dry joint, it has no film.")
    return film


# Numbers of a joint for summaries: unit, and a function of solution, joint and the frames that count.
JOINT_NUMBERS: dict[str, tuple[str, Callable[[Solution, str, Mask], float]]] = {
    "impacts": ("", lambda sol, joint, kept: float(sum(x.t >= sol.t[kept][0] for x in sol.clearance(joint).impacts))),
    "touching": ("", lambda sol, joint, kept: float((sol.clearance(joint).mode[kept] != MODES[0]).mean())),
    "pv": ("W/m^2", lambda sol, joint, kept: float(pressure_velocity(sol, joint)[2][kept].max())),
    "least_film": ("m", lambda sol, joint, kept: float(_film(sol, joint).min_thickness[kept].min())),
    "peak_pressure": ("Pa", lambda sol, joint, kept: float(_film(sol, joint).peak_pressure[kept].max())),
}
