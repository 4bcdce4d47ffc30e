"""A heavy top in steady precession, where its weight and its spin balance exactly."""

import numpy as np

import fmbs as fm


def run():
    mass, arm, across, along, tilt, precession = 1.0, 0.2, 0.05, 0.01, 0.5, 3.0
    spin = (mass * 9.81 * arm + (across + mass * arm**2) * precession**2 * np.cos(tilt)) / (along * precession)
    axis = np.array([np.sin(tilt), 0, np.cos(tilt)])
    omega = precession * (np.array([0, 0, 1]) - np.cos(tilt) * axis) + spin * axis
    inertia = across * np.eye(3) + (along - across) * np.outer(axis, axis)
    m = fm.Model("heavy top", gravity=(0, 0, -9.81))
    top = m.add(
        fm.RigidBody("top", mass=mass, inertia=inertia, com=arm * axis, spin=omega, velocity=np.cross(omega, arm * axis))
    )
    m.add(fm.Spherical(m.ground.at(0, 0, 0), top.at(0, 0, 0)))
    sol = m.simulate(0.5, tolerance=1e-8, integrator=fm.Radau())
    place = sol.position(top.com)
    turned = np.unwrap(np.arctan2(place[:, 1], place[:, 0]))[-1]
    shapes = {"top": fm.shapes.Cylinder(0.9 * arm * axis, 1.1 * arm * axis, 0.12)}
    return sol, {"precession, rad/s": (turned / 0.5, precession, 1e-5)}, {"shapes": shapes}
