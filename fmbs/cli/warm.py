"""fmbs warm: the kernels of all usual models are compiled now, and not when a model is run for the first time."""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import fmbs as fm
from fmbs.elements.interpolation import INTERPOLATIONS
from fmbs.elements.solid.shapes import VOLUMES
from fmbs.jit import kernel_folder
from fmbs.models import MODELS, Mechanism
from fmbs.models.laws import CONTACTS, FILMS, FRICTIONS, JOINTS

STEPS = 3  # of each run

Work = tuple[str, Callable[[], object]]


def warm(quiet: bool = False) -> int:
    """Short runs of everything, one after the other; what is on the disk already is only loaded."""
    works = list(all_works())
    with _bar(len(works), not quiet) as tell:
        for k, (label, work) in enumerate(works):
            tell(k, label)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # three steps of a mechanism are no study of it
                work()
        tell(len(works), "")
    if not quiet:
        print(f"kernels of {len(works)} kinds of runs are ready in {kernel_folder() or 'memory only: there is no home'}")
    return 0


def all_works() -> Iterator[Work]:
    """Every model with every kind of joint and both integrators, all laws, all beams, and the other analyses."""
    for name, kind in MODELS.items():
        for joint in JOINTS:
            yield f"{name}, {joint}", partial(_run, kind(joint=joint))
    base = MODELS["slider_crank_planar"](joint="dry")
    for law in CONTACTS:
        yield f"contact law {law}", partial(_steps, replace(base, contact=law))
    for law in FRICTIONS:
        yield f"friction law {law}", partial(_steps, replace(base, friction=law))
    for law in FILMS:
        yield f"film {law}", partial(_steps, replace(base, joint="lubricated", film=law))
    for interpolation in INTERPOLATIONS:
        for formulation in ("continuum", "enhanced", "structural"):
            yield f"beam, {interpolation} {formulation}", partial(_beam, interpolation, formulation)
    yield "cable and planar beam", _lines
    yield "network of beams", _network
    for cell in VOLUMES:
        yield f"solid, {cell}", partial(_solid, cell)
    yield "a chain of bodies in space", _chain
    for rigid in (False, True):
        yield f"a ball that bounces off {'rigid' if rigid else 'soft'} walls", partial(_bounce, rigid)


def _run(mechanism: Mechanism) -> None:
    """As `fmbs run` does with the model's own settings, and with error control."""
    with tempfile.TemporaryDirectory() as folder:
        _steps(mechanism, checkpoint=Path(folder) / "run.h5").report(Path(folder) / "report.html")
    for integrator in (fm.Radau(), fm.GeneralizedAlpha()):
        _few(mechanism.build(), tolerance=1e-4, integrator=integrator)


def _steps(mechanism: Mechanism, **options: Any) -> fm.Solution:
    own = mechanism.settings()
    return _few(mechanism.build(), **{key: x for key, x in own.items() if key != "output_step"}, **options)


def _few(m: fm.Model, **options: Any) -> fm.Solution:
    t_end = STEPS * options.get("step", 1e-6)
    return m.simulate(t_end, progress=False, energy_tolerance=None, **options)


def _beam(interpolation: str, formulation: str) -> None:
    m = fm.Model("beam", gravity=(0, 0, -9.81))
    steel = fm.Material(E=2e11, nu=0.3, density=7800, damping=1e-5)
    rod = m.add(
        fm.Beam(
            "rod", start=(0, 0, 0), end=(1, 0, 0), section=fm.Rectangle(0.01, 0.02), material=steel, elements=9,
            interpolation=interpolation, formulation=formulation,
        )
    )  # fmt: skip
    m.add(fm.Fixed(m.ground.at(0, 0, 0), rod.start))
    _few(m, step=1e-4)
    m.equilibrium()
    m.modes(2)


def _network() -> None:
    m = fm.Model("frame", gravity=(0, 0, -9.81))
    steel = fm.Material(E=2e11, nu=0.3, density=7800, damping=1e-5)
    nodes = [(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 0.0, 0.0)]
    frame = m.add(
        fm.BeamNetwork(
            "frame", nodes=nodes, struts=[(0, 1), (1, 2), (2, 3)], section=fm.Rectangle(0.02, 0.02), material=steel, elements=4
        )
    )
    m.add(fm.Fixed(m.ground.at(0, 0, 0), frame.node(0)))
    _few(m, step=1e-4)
    m.equilibrium()


def _solid(kind: str) -> None:
    m = fm.Model("bar", gravity=(0, 0, -9.81))
    steel = fm.Material(E=2e11, nu=0.3, density=7800, damping=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fm.PoorMesh)  # some kinds lock
        bar = m.add(fm.Solid.block("bar", size=(0.2, 0.02, 0.02), divisions=(3, 1, 1), material=steel, kind=kind))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), bar.interface("x-", at=(0, 0, 0))))
    m.add(fm.PointForce(bar.interface("x+", kind="average"), (0, 0, 1.0)))
    _few(m, step=1e-5)
    m.equilibrium()


def _lines() -> None:
    steel, square = fm.Material(E=2e9, nu=0.3, density=7800), fm.Rectangle(0.01, 0.01)
    for kind, point, space in ((fm.Cable, (1, 0, 0), 3), (fm.PlanarBeam, (1, 0), 2)):
        m = fm.Model("line", gravity=(0, -9.81, 0)[:space])
        line = m.add(kind("line", start=(0, 0, 0)[:space], end=point, section=square, material=steel, elements=9))
        m.add((fm.Spherical if space == 3 else fm.Revolute)(m.ground.at(*(0, 0, 0)[:space]), line.start))
        _few(m, step=1e-4)


def _chain() -> None:
    """Bodies in space with springs, torques and forces, on a tree and in so many equations that they are sparse."""
    m = fm.Model("chain", gravity=(0, 0, -9.81))
    before = m.ground.at(0, 0, 0)
    for k in range(30):
        body = m.add(fm.RigidBody(f"link {k}", mass=1.0, inertia=(0.01, 0.02, 0.02), com=(k + 0.5, 0, 0)))
        m.add(fm.Revolute(before, body.at(k, 0, 0), axis=(0, 1, 0)))
        before = body.at(k + 1, 0, 0)
    m.add(fm.SpringDamper(m.ground.at(10, 0, 1), before, stiffness=100.0, length=1.0, damping=1.0))
    m.add(fm.Torque(before, (0, 1.0, 0)))
    m.add(fm.PointForce(before, (0, 0, 1.0)))
    m.add(fm.FollowerForce(before, (0, 0, 1.0)))
    for options in ({"step": 1e-3}, {"tolerance": 1e-4}):
        _few(m, **options)


def _bounce(rigid: bool) -> None:
    """Some impacts, and what is asked of a solution afterwards."""
    law = fm.impact.Newton(restitution=0.5) if rigid else fm.contact.Flores(restitution=0.5, stiffness=1e9)
    m = fm.Model("ball", gravity=(0, -9.81))
    ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=0.01, com=(0, 0)))
    gap = m.add(fm.ClearanceRevolute(m.ground.at(0, 0), ball.com, bearing_radius=0.02, clearance=1e-3, contact=law))
    for integrator in (fm.Radau(), fm.GeneralizedAlpha()):  # they find the ends of impacts in different ways
        solution = m.simulate(0.03, tolerance=1e-4, progress=False, output_step=1e-3, integrator=integrator)
        solution.acceleration(ball.com)
        solution.reaction(gap)
        solution.clearance(gap)


@contextmanager
def _bar(count: int, show: bool) -> Iterator[Callable[[int, str], None]]:
    """A bar on a terminal; nothing where nobody looks on."""
    if not (show and sys.stderr.isatty()):
        yield lambda done, label: None
        return
    from rich.console import Console  # slow to import
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.completed} of {task.total}, {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=count)
        yield lambda done, label: bar.update(task, completed=done, description=label)
