"""A controller as a `UserForce`: an arm goes to its angle with the damping that was asked for."""

from dataclasses import dataclass, field

import numpy as np

import fmbs as fm


@dataclass(frozen=True, eq=False)
class Servo(fm.UserForce):
    """M = P (target - phi) - D phi', phi from the arm's own frame."""

    arm: fm.Marker
    target: float = field(kw_only=True)
    p: float = field(kw_only=True)
    d: float = field(kw_only=True)

    def force(self, t, arm):
        angle = np.arctan2(arm.frame[1, 0], arm.frame[0, 0])
        return [((0.0, 0.0), self.p * (self.target - angle) - self.d * arm.omega[2])]


def run():
    m = fm.Model("servo")
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.25, com=(0.5, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), arm.at(0, 0)))
    m.add(Servo(arm.at(0, 0), target=1.0, p=50.0, d=5.0))  # J = 0.5: omega = 10, half of the critical damping
    sol = m.simulate(1.0, step=2e-3)
    overshoot = sol.angle(arm).max() - 1.0
    return (
        sol,
        {"overshoot, rad": (overshoot, np.exp(-np.pi * 0.5 / np.sqrt(1 - 0.25)), 2e-3)},
        {"curve": (sol.t, sol.angle(arm), "t [s]", "angle [rad]")},
    )
