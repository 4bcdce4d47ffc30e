"""A ball that slides on the floor begins to roll, at 5/7 of its speed (Coriolis 1835)."""

import fmbs as fm


def run():
    m, radius = fm.Model("ball", gravity=(0, 0, -9.81)), 0.1
    ball = m.add(fm.RigidBody("ball", mass=2.0, inertia=(8e-3, 8e-3, 8e-3), com=(0, 0, radius), velocity=(3, 0, 0)))
    contact, friction = fm.contact.KelvinVoigt(stiffness=1e6, damping=2e3), fm.friction.Ambrosio(0.3, v0=1e-4, v1=1e-3)
    floor = m.ground.at(0, 0, 0)
    m.add(fm.SphereOnPlane(floor, ball.com, normal=(0, 0, 1), radius=radius, contact=contact, friction=friction))
    sol = m.simulate(0.5, step=1e-3)
    return (
        sol,
        {"speed at last, m/s": (sol.velocity(ball.com)[-1, 0], 15 / 7, 1e-4)},
        {"curve": (sol.t, sol.velocity(ball.com)[:, 0], "t [s]", "speed [m/s]")},
    )
