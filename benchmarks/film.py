"""Times of the film laws, with and without tangent, and of a run: `python benchmarks/film.py`.

The bearing is that of reference.json. Warm: the same journal creeps on from call to call, as in a run. Cold: a new place in the
bearing at every call. The run is one second of Flores2006's slider-crank at 5000 rpm with an oil film in the wrist pin.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

import fmbs as fm
from fmbs.models import SliderCrankPlanar

R, B, C, MU = 0.03, 0.04, 2e-4, 0.4
START = np.array([2e-5, -3e-5, 9e-5, 4e-5, 1e-3, 2e-3, -3e-3, 1e-3, 40.0])
TARGETS = {"ShortBearing": 100.0, "FiniteBearing gumbel": 5000.0, "FiniteBearing reynolds": 5000.0, "FiniteBearing jfo": 5000.0}
FILMS: dict[str, fm.film.Film] = {
    "ShortBearing": fm.film.ShortBearing(MU),
    "ShortBearing, shear": fm.film.ShortBearing(MU, shear=True),
    "LongBearing": fm.film.LongBearing(MU),
    "LongBearing quadrature": fm.film.LongBearing(MU, integration="quadrature"),
    "FiniteBearing gumbel": fm.film.FiniteBearing(MU),
    "FiniteBearing reynolds": fm.film.FiniteBearing(MU, cavitation="reynolds"),
    "FiniteBearing jfo": fm.film.FiniteBearing(MU, cavitation="jfo"),
}


def creeping(n: int) -> list[NDArray[np.float64]]:
    """A journal that moves by its own velocity for 1e-4 s from call to call."""
    states = [START.copy()]
    for _ in range(n - 1):
        z = states[-1].copy()
        z[:4] += 1e-4 * z[4:8]
        z[4:8] -= 1e-2 * z[4:8]
        states.append(z)
    return states


def scattered(n: int) -> list[NDArray[np.float64]]:
    """Ends anywhere within 0.95 of the clearance, velocities and spins of any direction."""
    rng = np.random.default_rng(1)
    ratio, angle = 0.95 * np.sqrt(rng.uniform(size=(n, 2))), rng.uniform(0.0, 2.0 * np.pi, (n, 2))
    places = C * np.stack([ratio * np.cos(angle), ratio * np.sin(angle)], axis=2).reshape(n, 4)
    return list(np.hstack([places, 5e-3 * rng.normal(size=(n, 4)), 50.0 * rng.normal(size=(n, 1))]))


def microseconds(film: fm.film.Film, states: list[NDArray[np.float64]], tangent: bool) -> float:
    """The mean of a call, the least of three passes."""
    best = np.inf
    for _ in range(3):
        clock = time.perf_counter()
        for z in states:
            film.action(z, R, B, C, 0.0, tangent)
        best = min(best, time.perf_counter() - clock)
    return best / len(states) * 1e6


def seconds(film: str, step: float) -> float:
    """Wall time of one second of motion; compiled before."""
    model = SliderCrankPlanar(joint="lubricated", film=film).build()
    model.simulate(10 * step, step=step, output_step=10 * step, progress=False)
    clock = time.perf_counter()
    model.simulate(1.0, step=step, output_step=1e-3, progress=False)
    return time.perf_counter() - clock


def main() -> None:
    print("| film | value, us | with tangent, us | cold, with tangent, us | target, us |\n|---|---|---|---|---|")
    for name, film in FILMS.items():
        n = 2000 if name.startswith(("Short", "Long")) and "quad" not in name else 100
        times = [microseconds(film, creeping(n), tangent) for tangent in (False, True)]
        times.append(microseconds(film, scattered(n), True))
        print(f"| {name} | " + " | ".join(f"{t:.0f}" for t in times) + f" | {TARGETS.get(name, ''):} |", flush=True)
    print("\n| one second of the slider-crank, film | step, s | wall time, s | target, s |\n|---|---|---|---|")
    for name in ("LongBearing", "ShortBearing"):
        print(f"| {name} | 1e-4 | {seconds(name, 1e-4):.2f} | 10 |", flush=True)


if __name__ == "__main__":
    main()
