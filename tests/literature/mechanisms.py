"""The oracles' mechanisms built with fmbs: every builder returns the model and its parts by name."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

import fmbs as fm
from tests.oracles import four_bar as four_bar_oracle
from tests.oracles import slider_crank as slider_crank_oracle
from tests.oracles import spatial_four_bar

FLAT = 1e-3  # share of a planar body's inertia that its spatial twin has about the rod's own axis

FLORES = slider_crank_oracle.SliderCrank(phi0=0.4)  # Flores2006 parameters, 5000 rpm, not at a dead point
SLOW = slider_crank_oracle.SliderCrank(omega=20.0, phi0=0.4)  # the same where gravity matters

DOUBLE = {  # arguments of the oracle of the double pendulum
    "lengths": (0.5, 0.4),
    "masses": (1.0, 0.7),
    "inertias": (1.0 * 0.5**2 / 12, 0.7 * 0.4**2 / 12),
    "angles": (-0.3, 0.4),
    "rates": (1.0, -2.0),
}


FOUR_BAR = four_bar_oracle.FourBar(
    ground=0.8,
    crank=four_bar_oracle.Link(length=0.2, mass=0.5, J=0.002),
    coupler=four_bar_oracle.Link(length=0.7, mass=1.2, J=0.05),
    rocker=four_bar_oracle.Link(length=0.5, mass=0.9, J=0.02),
    omega=-6.0,
    phi0=0.4,
)


def error(got: np.ndarray, want: np.ndarray) -> float:
    """Largest difference, relative to the largest value wanted."""
    return float(np.abs(got - want).max() / np.abs(want).max())


def pointing(angle: float) -> np.ndarray:
    """Unit vector at an angle from +x."""
    return np.array([np.cos(angle), np.sin(angle)])


def turned(angle: float) -> np.ndarray:
    """Its derivative by the angle."""
    return np.array([-np.sin(angle), np.cos(angle)])


def double_pendulum(lengths, masses, inertias, angles, rates=(0.0, 0.0), g=9.81) -> SimpleNamespace:
    """Two planar rods, the first pinned to the origin."""
    m = fm.Model("double pendulum", gravity=(0.0, -g))
    (l1, l2), (q1, q2), (w1, w2) = lengths, angles, rates
    elbow, v_elbow = l1 * pointing(q1), l1 * w1 * turned(q1)
    tip, v_tip = elbow + l2 * pointing(q2), v_elbow + l2 * w2 * turned(q2)
    upper = m.add(
        fm.PlanarBody("upper", mass=masses[0], inertia=inertias[0], com=elbow / 2, angle=q1, velocity=v_elbow / 2, spin=w1)
    )
    lower = m.add(
        fm.PlanarBody(
            "lower", mass=masses[1], inertia=inertias[1], com=(elbow + tip) / 2, angle=q2,
            velocity=(v_elbow + v_tip) / 2, spin=w2,
        )
    )  # fmt: skip
    pin = m.add(fm.Revolute(m.ground.at(0.0, 0.0), upper.at(0.0, 0.0), name="pin"))
    joint = m.add(fm.Revolute(upper.at(*elbow), lower.at(*elbow), name="elbow"))
    return SimpleNamespace(model=m, upper=upper, lower=lower, pin=pin, elbow=joint, tip=lower.at(*tip))


def slider_crank(p: slider_crank_oracle.SliderCrank, *, driven: bool = True) -> SimpleNamespace:
    """Planar; the drive's reaction is the crank moment. Not driven: it starts with the speed of the driven one."""
    s = slider_crank_oracle.solve(p, np.array([0.0]))
    pin, centre, end, theta = s.pin[0], s.rod_centre[0], np.array([s.x[0], 0.0]), s.theta[0]
    v_pin = p.r * p.omega * turned(p.phi0)
    m = fm.Model("slider-crank", gravity=(0.0, -p.g))
    crank = m.add(fm.PlanarBody("crank", mass=p.m1, inertia=p.J1, com=pin / 2, angle=p.phi0, velocity=v_pin / 2, spin=p.omega))
    rod = m.add(
        fm.PlanarBody(
            "rod", mass=p.m2, inertia=p.J2, com=centre, angle=theta,
            velocity=v_pin + 0.5 * p.l * s.theta_t[0] * turned(theta), spin=s.theta_t[0],
        )
    )  # fmt: skip
    slider = m.add(fm.PlanarBody("slider", mass=p.m3, inertia=1e-4, com=end, velocity=(s.x_t[0], 0.0)))
    o = m.add(fm.Revolute(m.ground.at(0.0, 0.0), crank.at(0.0, 0.0), name="O"))
    a = m.add(fm.Revolute(crank.at(*pin), rod.at(*pin), name="A"))
    b = m.add(fm.Revolute(rod.at(*end), slider.at(*end), name="B"))
    guide = m.add(fm.Prismatic(m.ground.at(0.0, 0.0), slider.at(*end), axis=(1.0, 0.0), name="guide"))
    drive = None
    if driven:
        drive = m.add(fm.RotationDrive(m.ground.at(0.0, 0.0), crank.at(0.0, 0.0), speed=p.omega, name="motor"))
    return SimpleNamespace(model=m, crank=crank, rod=rod, slider=slider, O=o, A=a, B=b, guide=guide, drive=drive)


def slider_crank_spatial(p: slider_crank_oracle.SliderCrank, *, redundant: bool) -> SimpleNamespace:
    """The same from RigidBody; with revolutes at A and B the loop has redundant equations, with a spherical A and a
    cylindrical B it has none."""
    s = slider_crank_oracle.solve(p, np.array([0.0]))
    pin, centre, end = (np.append(x, 0.0) for x in (s.pin[0], s.rod_centre[0], (s.x[0], 0.0)))
    z = np.array([0.0, 0.0, 1.0])
    v_pin = np.append(p.r * p.omega * turned(p.phi0), 0.0)
    m = fm.Model("slider-crank in space", gravity=(0.0, -p.g, 0.0))

    def rod_inertia(J: float, angle: float) -> np.ndarray:
        R = np.column_stack([np.append(pointing(angle), 0.0), np.append(turned(angle), 0.0), z])
        return R @ np.diag([FLAT * J, J, J]) @ R.T

    crank = m.add(
        fm.RigidBody("crank", mass=p.m1, inertia=rod_inertia(p.J1, p.phi0), com=pin / 2, velocity=v_pin / 2, spin=p.omega * z)
    )
    rod = m.add(
        fm.RigidBody(
            "rod", mass=p.m2, inertia=rod_inertia(p.J2, s.theta[0]), com=centre, spin=s.theta_t[0] * z,
            velocity=v_pin + np.cross(s.theta_t[0] * z, centre - pin),
        )
    )  # fmt: skip
    slider = m.add(fm.RigidBody("slider", mass=p.m3, inertia=(1e-4, 1e-4, 1e-4), com=end, velocity=(s.x_t[0], 0.0, 0.0)))
    origin = m.ground.at(0.0, 0.0, 0.0)
    m.add(fm.Revolute(origin, crank.at(0.0, 0.0, 0.0), axis=z, name="O"))
    m.add(fm.Prismatic(origin, slider.at(*end), axis=(1.0, 0.0, 0.0), name="guide"))
    if redundant:
        m.add(fm.Revolute(crank.at(*pin), rod.at(*pin), axis=z, name="A"))
        m.add(fm.Revolute(rod.at(*end), slider.at(*end), axis=z, name="B"))
    else:
        m.add(fm.Spherical(crank.at(*pin), rod.at(*pin), name="A"))
        m.add(fm.Cylindrical(rod.at(*end), slider.at(*end), axis=z, name="B"))
    m.add(fm.RotationDrive(origin, crank.at(0.0, 0.0, 0.0), axis=z, speed=p.omega, name="motor"))
    return SimpleNamespace(model=m, crank=crank, rod=rod, slider=slider)


def four_bar(p: four_bar_oracle.FourBar) -> SimpleNamespace:
    """Planar, driven at the crank."""
    s = four_bar_oracle.solve(p, np.array([0.0]))
    a, b, d = s.a[0], s.b[0], np.array([p.ground, 0.0])
    m = fm.Model("four-bar", gravity=(0.0, -p.g))
    bodies = {}
    for name, link, start, end, angle in (
        ("crank", p.crank, 0.0 * a, a, p.phi0),
        ("coupler", p.coupler, a, b, s.coupler[0]),
        ("rocker", p.rocker, d, b, s.rocker[0]),
    ):
        bodies[name] = m.add(fm.PlanarBody(name, mass=link.mass, inertia=link.J, com=(start + end) / 2, angle=angle))
    crank, coupler, rocker = bodies.values()
    m.add(fm.Revolute(m.ground.at(0.0, 0.0), crank.at(0.0, 0.0), name="O"))
    m.add(fm.Revolute(crank.at(*a), coupler.at(*a), name="A"))
    m.add(fm.Revolute(coupler.at(*b), rocker.at(*b), name="B"))
    m.add(fm.Revolute(m.ground.at(*d), rocker.at(*d), name="D"))
    m.add(fm.RotationDrive(m.ground.at(0.0, 0.0), crank.at(0.0, 0.0), speed=p.omega, name="motor"))
    return SimpleNamespace(model=m, **bodies)


def rssr(input_link: spatial_four_bar.Crank, output_link: spatial_four_bar.Crank, psi: float, omega: float) -> SimpleNamespace:
    """Spatial four-bar: two cranks on ground axes joined by a massless bar. Drawn at phi = 0 and the given psi."""
    m = fm.Model("RSSR", gravity=(0.0, 0.0, -9.81))
    parts = {}
    for name, link, angle in (("input", input_link, 0.0), ("output", output_link, psi)):
        n = np.asarray(link.axis) / np.linalg.norm(link.axis)
        centre, ball = (link.turned(point, np.array([angle]))[0][0] for point in (link.centre, link.ball))
        arm = centre - np.asarray(link.pivot)
        about_com = link.inertia - link.mass * (arm @ arm - (arm @ n) ** 2)  # about n, as the oracle has it about the axis
        body = m.add(fm.RigidBody(name, mass=link.mass, inertia=about_com * np.eye(3), com=centre))
        m.add(fm.Revolute(m.ground.at(*link.pivot), body.at(*link.pivot), axis=n, name=f"{name} axis"))
        parts[name], parts[name + "_ball"] = body, body.at(*ball)
    m.add(fm.Distance(parts["input_ball"], parts["output_ball"], name="coupler"))
    base = m.ground.at(*input_link.pivot)
    m.add(fm.RotationDrive(base, parts["input"].at(*input_link.pivot), axis=input_link.axis, speed=omega, name="motor"))
    return SimpleNamespace(model=m, **parts)
