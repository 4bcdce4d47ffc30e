"""Every public object prints itself in one line with its name, its numbers and their units; tables are small."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import fmbs as fm
from fmbs.core.described import Described, words
from fmbs.core.words import counted, table

steel = fm.Material(E=2.1e11, nu=0.3, density=7850)
m = fm.Model("press", gravity=(0, 0, -9.81))
ram = m.add(fm.RigidBody("ram", mass=2.0, inertia=(1, 2, 2.5), com=(1, 0, 0), spin=(0, 0, 3)))
rod = m.add(fm.Beam("rod", start=(0, 0, 0), end=(2, 0, 0), section=fm.Circle(0.01), material=steel, elements=4))
foot = m.ground.at(0, 0, 0)
pin = m.add(fm.Revolute(foot, ram.at(0, 0, 0), axis=(0, 1, 0), name="pin"))
load = m.add(fm.PointForce(rod.end, lambda t: (0.0, 0.0, t), name="load"))
flores = fm.contact.Flores(restitution=0.9, stiffness=1e9)

LINES = {
    repr(steel): "Material(E=2.1e+11 Pa, nu=0.3, density=7850 kg/m^3)",
    repr(fm.Circle(0.01)): "Circle(radius=0.01 m)",
    repr(fm.Rectangle(0.1, 0.2)): "Rectangle(y=0.1 m, z=0.2 m)",
    repr(ram): "RigidBody('ram', mass=2 kg, inertia=(1, 2, 2.5) kg m^2, com=(1, 0, 0) m, spin=(0, 0, 3) rad/s)",
    repr(fm.PlanarBody("arm", mass=1.0, inertia=2.0, com=(1, 0))): (
        "PlanarBody('arm', mass=1 kg, inertia=2 kg m^2, com=(1, 0) m, angle=0 rad)"
    ),
    repr(rod): (
        "Beam('rod', length=2 m, mass=4.9323 kg, elements=4, section=Circle(radius=0.01 m), "
        f"material={steel!r}, interpolation='cubic', formulation='structural')"
    ),
    repr(rod.end): "Marker(rod.at(2, 0, 0) m, s=1)",
    repr(ram.com): "Marker(ram.at(1, 0, 0) m)",
    repr(m.ground): "Ground('ground')",
    repr(pin): "Revolute('pin', a=ground.at(0, 0, 0), b=ram.at(0, 0, 0), axis=(0, 1, 0))",
    repr(fm.RotationDrive(foot, ram.com, speed=3.0)): "RotationDrive(a=ground.at(0, 0, 0), b=ram.at(1, 0, 0), speed=3 rad/s)",
    repr(load): "PointForce('load', marker=rod.at(2, 0, 0), force=function)",
    repr(fm.DistributedForce(rod, (0, 0, -5.0))): "DistributedForce(beam='rod', force=(0, 0, -5) N/m)",
    repr(fm.SpringDamper(foot, ram.com, stiffness=100.0, damping=2.0)): (
        "SpringDamper(a=ground.at(0, 0, 0), b=ram.at(1, 0, 0), stiffness=100 N/m, damping=2 N s/m)"
    ),
    repr(flores): "Flores(stiffness=1e+09 N/m^n, restitution=0.9)",
    repr(fm.friction.LuGre(static=0.2, kinetic=0.1, stribeck_speed=0.01, damping=300.0)): (
        "LuGre(static=0.2, kinetic=0.1, stribeck_speed=0.01 m/s, damping=300 s/m)"
    ),
    repr(fm.film.ShortBearing(0.04)): "ShortBearing(viscosity=0.04 Pa s)",
    repr(fm.ClearanceSpherical(foot, ram.at(0, 0, 0), bearing_radius=0.01, clearance=1e-4, contact=flores, name="ball")): (
        "ClearanceSpherical('ball', bearing=ground.at(0, 0, 0), journal=ram.at(0, 0, 0), clearance=0.0001 m, "
        f"contact={flores!r}, bearing_radius=0.01 m)"
    ),
    repr(m): "Model('press', 2 bodies, 1 joint, 1 force, gravity=(0, 0, -9.81) m/s^2)",
}


@pytest.mark.parametrize("line", LINES)
def test_one_line(line: str):
    assert line == LINES[line]


def test_every_public_class_of_parts_and_laws_prints_itself():
    homes = (fm, fm.contact, fm.friction, fm.film, fm.wear)
    classes = {x for home in homes for x in vars(home).values() if isinstance(x, type) and x.__module__.startswith("fmbs.")}
    parts = {x for x in classes if x.__module__.split(".")[1] in ("elements", "joints", "forces", "laws")}
    silent = {x.__name__ for x in parts if not issubclass(x, (Described, Warning, tuple))}
    assert silent == {"Elastic"}  # what a material must have: no object


def test_model_prints_a_table_of_its_parts():
    head, *rows = str(m).splitlines()
    assert head == repr(m)
    assert [row.split()[:2] for row in rows] == [
        ["RigidBody", "ram"], ["Beam", "rod"], ["Revolute", "pin"], ["PointForce", "load"]
    ]  # fmt: skip
    assert max(map(len, rows)) <= 128
    assert str(fm.Model("nothing")) == "Model('nothing', 0 bodies, 0 joints, 0 forces, gravity=(0, 0, 0) m/s^2)"


def test_a_large_model_prints_its_first_parts():
    large = fm.Model("chain")
    for k in range(50):
        large.add(fm.PlanarBody(f"link {k}", mass=1.0, inertia=1.0, com=(k, 0)))
    assert str(large).splitlines()[-1] == "  and 10 more"


def test_results():
    column = fm.Model("column")
    beam = column.add(fm.PlanarBeam("b", start=(0, 0), end=(1, 0), section=fm.Circle(0.01), material=steel, elements=2))
    clamp = column.add(fm.Fixed(column.ground.at(0, 0), beam.start, name="clamp"))
    column.add(fm.PointForce(beam.end, (-1.0, 0.0)))
    modes, buckling, rest = column.modes(2), column.buckling(1), column.equilibrium()
    assert repr(modes) == f"Modes(frequencies=({modes.frequencies[0]:.6g}, {modes.frequencies[1]:.6g}) Hz)"
    assert [line.split() for line in str(modes).splitlines()[1:]] == [
        ["mode", "frequency", "damping"], *([str(k + 1), f"{f:.6g}", "Hz", "0", "%"] for k, f in enumerate(modes.frequencies))
    ]  # fmt: skip
    assert repr(buckling) == f"Buckling(factors=({buckling.factors[0]:.6g}))"
    assert str(buckling).splitlines()[1:] == ["  mode  load factor", f"  1     {buckling.factors[0]:.6g}"]
    assert repr(rest).startswith("Solution(1 frame, load factor = 1 ... 1, ")
    assert repr(rest.reaction(clamp)).startswith("Reaction(force=((1, ") and "\n" not in repr(rest.energy)


def test_own_classes_print_without_units_that_fmbs_cannot_know():
    @dataclass(frozen=True)
    class Cubic(fm.contact.ContactLaw):
        stiffness: float

    @dataclass(frozen=True)
    class Stiffer(fm.contact.Hertz):
        factor: float = 2.0

    assert repr(Cubic(3.0)) == "Cubic(stiffness=3)"
    assert repr(Stiffer(stiffness=1e9, factor=3.0)) == "Stiffer(stiffness=1e+09 N/m^n, factor=3)"


def test_integrators_print_what_is_not_the_default():
    assert repr(fm.GeneralizedAlpha()) == "GeneralizedAlpha(rho_inf=0.8)"
    assert repr(fm.GeneralizedAlpha(0.5, max_iterations=3)) == "GeneralizedAlpha(rho_inf=0.5, max_iterations=3)"
    assert repr(fm.BaumgarteODE(alpha=3.0)) == "BaumgarteODE(method='BDF', alpha=3 1/s)"
    assert repr(fm.AugmentedLagrangian(method="Radau")) == "AugmentedLagrangian(method='Radau')"
    assert repr(fm.CoordinatePartitioning(rtol=1e-6)) == "CoordinatePartitioning(method='BDF', rtol=1e-06)"
    with pytest.raises(fm.ModelError, match=r"GeneralizedAlpha: there is no argument 'rho'\. Did you mean 'rho_inf'"):
        fm.GeneralizedAlpha(rho=0.8)


def test_values():
    assert words(np.arange(12.0).reshape(4, 3), "m") == "4 x 3 numbers up to 11 m"
    assert words(np.empty((3, 0))) == "()" and words(True) == "True" and words("A") == "'A'"
    assert words((steel, None)) == f"({steel!r}, None)"
    assert [counted(n, what) for n, what in ((1, "body"), (2, "body"), (0, "force"))] == ["1 body", "2 bodies", "0 forces"]
    assert table([("a", "bb"), ("ccc", "d" * 200)], width=12) == "  a    bb\n  ccc  d ..."
