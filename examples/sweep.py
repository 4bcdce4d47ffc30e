"""A sweep over a parameter: the period of a pendulum grows with the root of its length."""

import tempfile

import numpy as np

import fmbs as fm
from fmbs.studies import grid, sweep


def pendulum(length):
    m = fm.Model("pendulum", gravity=(0, -9.81))
    bob = m.add(fm.PlanarBody("bob", mass=1.0, inertia=1e-9, com=(0.02 * length, -length)))
    m.add(fm.Revolute(m.ground.at(0, 0), bob.at(0, 0)))
    return m


def run():
    found = sweep(
        pendulum, grid({"length": [0.5, 1.0, 2.0]}), ["peak(velocity(bob).x)"], folder=tempfile.mkdtemp(), t_end=2.0, step=5e-3
    )
    fastest = found.column("peak(velocity(bob).x)")  # 0.02 l sqrt(g/l)
    sol = pendulum(1.0).simulate(1.0, step=5e-3)
    return (
        sol,
        {"speed of the longest, m/s": (fastest[-1], 0.02 * np.sqrt(9.81 * 2.0), 1e-3)},
        {"curve": ([0.5, 1.0, 2.0], fastest, "length [m]", "speed [m/s]")},
    )
