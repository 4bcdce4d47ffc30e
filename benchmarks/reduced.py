"""A rod of a slider-crank as a solid and as a reduced body with 20 modes: processor time of a step, and the deflection.

The rod is a block of 20-node hexahedra, 0.5 m x 20 mm x 20 mm, of steel; the crank speeds up to 60 rad/s within 20 ms. Both
runs take the same steps. "20 modes" are 14 eigenmodes with the interfaces held and the six static modes that are no rigid
motions, or 20 eigenmodes besides those. The time of a step is the difference between a long run and a short one, the least of
several.

    python benchmarks/reduced.py [divisions along the rod] [across]
"""

from __future__ import annotations

import sys
import time

import numpy as np

import fmbs as fm

STEP, SPEED = 5e-5, 60.0
STEEL = fm.Material(E=2.07e11, nu=0.3, density=7850.0, damping=1e-5)


def slider_crank(rod: fm.Solid | fm.ReducedBody) -> fm.Model:
    m = fm.Model("slider-crank", gravity=(0, 0, -9.81))
    crank = m.add(fm.RigidBody("crank", mass=0.5, inertia=(1e-3, 1e-3, 1e-3), com=(-0.05, 0, 0)))
    m.add(rod)
    slider = m.add(fm.RigidBody("slider", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), com=(0.5, 0, 0)))
    main, turning = m.ground.at(-0.1, 0, 0), fm.SmoothStep(0.0, 0.02, 0.0, SPEED)
    m.add(fm.Revolute(main, crank.at(-0.1, 0, 0), axis=(0, 0, 1), name="main"))
    m.add(fm.RotationDrive(main, crank.at(-0.1, 0, 0), axis=(0, 0, 1), speed=turning, name="motor"))
    m.add(fm.Revolute(crank.at(0, 0, 0), rod.interface("x-"), axis=(0, 0, 1), name="crank pin"))
    m.add(fm.Spherical(rod.interface("x+"), slider.com, name="wrist pin"))
    m.add(fm.Prismatic(m.ground.at(0.5, 0, 0), slider.com, axis=(1, 0, 0), name="guide"))
    return m


def step_time(m: fm.Model, steps: int, repeats: int) -> float:
    """Seconds of the processor."""
    found = []
    m.simulate(2 * STEP, step=STEP)  # compiles
    for _ in range(repeats):
        times = []
        for count in (steps // 10, steps):
            begin = time.process_time()
            m.simulate(count * STEP, step=STEP, output_step=steps // 10 * STEP)
            times.append(time.process_time() - begin)
        found.append((times[1] - times[0]) / (steps - steps // 10))
    return min(found)


def deflection(rod: fm.Solid | fm.ReducedBody, t_end: float) -> np.ndarray:
    """Of the middle from the line between the pins, m."""
    sol = slider_crank(rod).simulate(t_end, step=STEP, output_step=10 * STEP)
    a, b = (sol.position(rod.interface(name)) for name in ("x-", "x+"))
    middle = sol.position(rod.at(0.25, 0.01, 0.01)) - 0.5 * (a + b)
    along = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]
    return along[:, 0] * middle[:, 1] - along[:, 1] * middle[:, 0] - 0.01


def main(length: int, across: int) -> None:
    ends = {"x-": "rigid", "x+": "rigid"}
    solid = fm.Solid.block(
        "rod",
        size=(0.5, 0.02, 0.02),
        divisions=(length, across, across),
        material=STEEL,
        corner=(0, -0.01, -0.01),
        interfaces=ends,
    )
    full = step_time(slider_crank(solid), 40, 2)
    print(f"solid, {solid.size} coordinates: {1e3 * full:.3g} ms a step")
    for modes in (14, 20):
        small = solid.reduced(modes)
        own = step_time(slider_crank(small), 4000, 5)
        print(f"{modes} + 6 modes, {small.size} coordinates: {1e3 * own:.3g} ms a step, {full / own:.0f} times faster")
    found, expected = (deflection(rod, 0.03) for rod in (solid.reduced(20), solid))
    print(f"deflection differs by {100 * np.abs(found - expected).max() / np.abs(expected).max():.2g} %")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ("40", "4")))
