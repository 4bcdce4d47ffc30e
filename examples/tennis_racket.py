"""A body that spins about its middle axis turns over, again and again: the period from an elliptic integral."""

import numpy as np
from scipy.special import ellipk

import fmbs as fm


def run():
    small, middle, large = 1.0, 2.0, 2.5
    m = fm.Model("racket")
    racket = m.add(fm.RigidBody("racket", mass=1.0, inertia=(small, middle, large), spin=(0.01, 5.0, 0.0)))
    sol = m.simulate(12.0, tolerance=1e-8, integrator=fm.Radau())
    w = np.array([0.01, 5.0, 0.0])
    energy, momentum = (w**2 * (small, middle, large)).sum(), ((w * (small, middle, large)) ** 2).sum()
    a = (large - middle) * (momentum - energy * small)
    b = (middle - small) * (energy * large - momentum)
    modulus = min(a, b) / max(a, b)
    rate = np.sqrt(max(a, b) / (small * middle * large))
    y = sol.rotation(racket.com)[:, :, 1]
    own = (sol.spin(racket.com) * y).sum(axis=1)  # about the middle axis
    turns = np.flatnonzero(own[:-1] * own[1:] < 0)
    found = [sol.t[k] + (sol.t[k + 1] - sol.t[k]) * own[k] / (own[k] - own[k + 1]) for k in turns[:2]]
    return (
        sol,
        {"time between two flips, s": (found[1] - found[0], 2 * ellipk(modulus) / rate, 1e-4)},
        {"curve": (sol.t, own, "t [s]", "spin [rad/s]")},
    )
