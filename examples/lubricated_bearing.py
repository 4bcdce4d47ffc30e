"""A journal on its oil film comes to rest where the short bearing carries its weight (Ocvirk 1952)."""

import numpy as np
from scipy.optimize import brentq

import fmbs as fm


def run():
    radius, gap, length, viscosity, speed = 0.02, 5e-5, 0.01, 0.05, 200.0
    m = fm.Model("bearing", gravity=(0, -9.81))
    rotor = m.add(fm.PlanarBody("rotor", mass=10.0, inertia=0.01, com=(0, 0)))
    m.add(fm.RotationDrive(m.ground.at(0, 0), rotor.com, speed=speed))
    film = fm.film.ShortBearing(viscosity)
    pin = m.add(
        fm.ClearanceRevolute(m.ground.at(0, 0), rotor.com, bearing_radius=radius, clearance=gap, length=length, film=film)
    )
    sol = m.simulate(0.2, step=1e-4)
    found = np.linalg.norm(sol.clearance(pin).eccentricity[-1]) / gap

    def load(e):  # of the half film, N
        scale = viscosity * speed * radius * length**3 / (4 * gap**2)
        return scale * e / (1 - e**2) ** 2 * np.sqrt(np.pi**2 * (1 - e**2) + 16 * e**2)

    expected = brentq(lambda e: load(e) - 98.1, 1e-3, 0.99)
    return (
        sol,
        {"eccentricity": (found, expected, 5e-3)},
        {"curve": (*(1e6 * sol.clearance(pin).eccentricity.T), "along x [um]", "along y [um]")},
    )
