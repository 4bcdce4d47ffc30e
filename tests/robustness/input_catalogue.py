"""Everything public that takes arguments, called as it should be."""

from __future__ import annotations

import inspect
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import fmbs as fm
from tests.robustness.input_calls import (
    Call,
    analysis,
    body,
    cantilever,
    command,
    driven,
    falling,
    integrator,
    law,
    part,
    plain,
    plane,
    result,
    solutions,
    space,
    study,
)
from tests.robustness.reliability_models import STEEL, rattle


def com(sol: fm.Solution) -> Any:
    return sol.model.bodies[-1].com


def first(sol: fm.Solution) -> Any:
    return sol.model.bodies[0]


def tip(sol: fm.Solution) -> Any:
    return sol.model.bodies[-1].end


@cache
def calls() -> tuple[Call, ...]:
    """All of them."""
    line = {"section": fm.Rectangle(0.01, 0.02), "material": STEEL, "elements": 2}
    hole = {"clearance": 1e-4, "bearing_radius": 0.02, "contact": fm.contact.Hertz(stiffness=1e8), "name": "hole"}
    pair = (STEEL, STEEL)
    hertzian = {"stiffness": 1e8, "exponent": 1.5}
    x, t = np.sin(np.linspace(0.0, 30.0, 200)), np.linspace(0.0, 30.0, 200)
    s, end = fm.studies, {"t_end": 2e-2, "step": 1e-2}
    found = [
        plain("parts", fm.Model, "m", gravity=(0.0, 0.0, -9.81)),
        plain("parts", fm.Material, E=2e11, nu=0.3, density=7800.0, damping=0.0),
        plain("parts", fm.Circle, 0.01), plain("parts", fm.Pipe, 0.02, 0.01), plain("parts", fm.Rectangle, 0.01, 0.02),
        plain("parts", fm.GeneralSection, A=1e-4, I_y=1e-9, I_z=1e-9, Jt=1e-9),
        body(fm.RigidBody, "arm", mass=1.0, inertia=(1.0, 1.0, 1.0), com=(0.0, 0.0, 0.0), velocity=(0, 0, 0), spin=(0, 0, 1)),
        body(fm.PlanarBody, "arm", mass=1.0, inertia=1.0, com=(0.0, 0.0), angle=0.0, velocity=(0, 0), spin=1.0),
        body(fm.Beam, "rod", start=(0, 0, 0), end=(1, 0, 0), **line),
        body(fm.PlanarBeam, "rod", start=(0, 0), end=(1, 0), **line),
        body(fm.Cable, "rod", start=(0, 0, 0), end=(1, 0, 0), **line | {"section": fm.Circle(0.01)}),
        body(fm.Beam, "rod", curve=lambda s: (s, 0, 0), formulation="continuum", interpolation="hermite", **line),
        part(fm.Revolute, plane, "a", "b", name="pin"), part(fm.Revolute, space, "a", "b", name="pin", axis=(0, 1, 0)),
        part(fm.Spherical, space, "a", "b", name="pin"), part(fm.Fixed, space, "a", "b", name="pin"),
        part(fm.Cylindrical, space, "a", "b", axis=(0, 0, 1)), part(fm.Planar, space, "a", "b", normal=(0, 0, 1)),
        part(fm.Prismatic, plane, "a", "b", axis=(1, 0)), part(fm.Prismatic, space, "a", "b", axis=(1, 0, 0)),
        part(fm.PointOnLine, space, "a", "b", axis=(1, 0, 0)), part(fm.Universal, space, "a", "b", axis_a=(1, 0, 0),
             axis_b=(0, 1, 0)),
        part(fm.Distance, lambda: (m := space()) and (m[0], m[1], m[2].body.com), "a", "b", length=0.5),
        part(fm.MasslessLink, lambda: (m := space()) and (m[0], m[1], m[2].body.com), "a", "b", clearance=0.5),
        part(fm.SpringLink, lambda: (m := space()) and (m[0], m[1], m[2].body.com), "a", "b", clearance=0.5, stiffness=1e3,
             damping=1.0),
        part(fm.RotationDrive, plane, "a", "b", speed=1.0), part(fm.RotationDrive, plane, "a", "b", angle=lambda t: 3.0 * t),
        part(fm.RotationDrive, space, "a", "b", axis=(0, 0, 1), speed=([0.0, 1.0, 2.0], [1.0, 2.0, 0.0])),
        part(fm.RotationDrive, plane, "a", "b", speed=lambda t: t), part(fm.TranslationDrive, space, "a", "b", axis=(1, 0,
             0), speed=1.0),
        part(fm.TranslationDrive, plane, "a", "b", axis=(1, 0), position=([0, 1], [0, 1])),
        part(fm.PointForce, plane, "b", (1.0, 0.0)), part(fm.PointForce, space, "b", lambda t: (t, 0.0, 1.0)),
        part(fm.FollowerForce, space, "b", (1.0, 0.0, 0.0)), part(fm.Torque, plane, "b", 1.0), part(fm.Torque, space, "b",
             (0, 0, 1)),
        part(fm.SpringDamper, lambda: (m := plane()) and (m[0], m[1], m[2].body.com), "a", "b", stiffness=1.0, damping=0.1,
             length=0.1),
        part(fm.SpringDamper, lambda: (m := plane()) and (m[0], m[1], m[2].body.com), "a", "b", stiffness=lambda t: 1.0 + t),
        part(fm.DistributedForce, lambda: (m := cantilever()) and (m, m.ground.at(0, 0), m.bodies[0].start), "body", (0.0,
             1.0)),
        part(fm.ClearanceRevolute, plane, "a", "b", length=0.01, friction=fm.friction.Ambrosio(0.1, 1e-3, 1e-2), **hole),
        part(fm.ClearanceRevolute, plane, "a", "b", length=0.01, film=fm.film.ShortBearing(0.1), wear=None, **hole),
        part(fm.ClearanceSpherical, space, "a", "b", **hole),
        part(fm.ClearanceCylindrical, space, "a", "b", axis=(0, 0, 1), length=0.02, axial_clearance=1e-4, **hole),
        part(fm.ClearancePrismatic, plane, "a", "b", axis=(1, 0), length=0.02, height=0.01, corner_radius=1e-3,
             clearance=1e-4,
             contact=hole["contact"]),
        part(fm.ClearanceGuide, space, "a", "b", axis=(1, 0, 0), up=(0, 0, 1), length=0.02, width=0.01, height=0.01,
             side_clearance=2e-4, clearance=1e-4, contact=hole["contact"]),
        *(law(kind, "contact", restitution=0.9, **hertzian)
          for kind in (fm.contact.Flores, fm.contact.HuntCrossley, fm.contact.LankaraniNikravesh)),
        law(fm.contact.Hertz, "contact", **hertzian), law(fm.contact.KelvinVoigt, "contact", stiffness=1e6, damping=10.0),
        law(fm.contact.Maxwell, "contact", stiffness=1e6, damping=10.0),
        law(fm.contact.StandardLinearSolid, "contact", stiffness=1e6, damping=10.0, parallel_stiffness=1e6),
        law(fm.contact.TwoBranch, "contact", stiffness=1e6, restitution=0.8, blend=0.02),
        law(fm.contact.ImpactFunction, "contact", damping=10.0, full_depth=1e-6, **hertzian),
        law(fm.contact.DubowskyFreudenstein, "contact", materials=pair, restitution=0.9),
        *(law(kind, "contact", restitution=0.9) for kind in (fm.impact.Newton, fm.impact.Poisson, fm.impact.Stronge)),
        law(fm.contact.ESDU78035, "contact", materials=pair, restitution=0.9),
        *(law(kind, "contact", materials=pair, restitution=0.9) for kind in (fm.contact.Johnson, fm.contact.Liu)),
        law(fm.contact.Pereira, "contact", materials=pair, restitution=0.9),
        law(fm.contact.Winkler, "contact", materials=pair, restitution=0.9, layer=1e-3),
        law(fm.contact.Winkler, "contact", materials=pair, foundation=1e12),
        plain("laws", fm.contact.hertz_stiffness, 0.02, 0.019, *pair), plain("laws", fm.contact.chen2020_stiffness, 0.02,
             0.019, *pair),
        law(fm.friction.Ambrosio, "friction", first=0.1, v0=1e-3, v1=1e-2),
        law(fm.friction.LuGre, "friction", static=0.2, kinetic=0.1, stribeck_speed=1e-2),
        law(fm.friction.Stribeck, "friction", static=0.2, kinetic=0.1, stribeck_speed=1e-2),
        law(fm.friction.Karnopp, "friction", static=0.2, kinetic=0.1, band=1e-3), law(fm.friction.Dahl, "friction", first=0.1),
        law(fm.friction.ResetIntegrator, "friction", static=0.2, kinetic=0.1),
        law(fm.friction.Bristles, "friction", kinetic=0.1, count=5, spread=0.3),
        law(fm.friction.Leuven, "friction", static=0.2, kinetic=0.1, stribeck_speed=1e-2, exponent=2.0, count=3),
        law(fm.friction.BlimanSorine, "friction", static=0.2, kinetic=0.1, ratio=0.2),
        law(fm.film.ShortBearing, "film", first=0.1, limit=1e-3), law(fm.film.LongBearing, "film", first=0.1),
        law(fm.film.FiniteBearing, "film", first=0.1, grid=(24, 5)), law(fm.film.FiniteBearing, "film", first=0.1,
             grid=(24, 5), supply=fm.film.Groove(0.0)),
        law(fm.wear.Archard, "wear", coefficient=1e-5, hardness=1e9),
        plain("laws", fm.film.Groove, 0.0, pressure=1e5, width=0.01), plain("laws", fm.film.Hole, 0.0, diameter=1e-3),
        plain("laws", fm.film.coefficients, fm.film.ShortBearing(0.1), load=(0.0, -10.0), spin=100.0, radius=0.02,
             length=0.02, clearance=1e-4),
        plain("parts", fm.SmoothStep, 0.0, 1.0, 0.0, 1.0), plain("analyses", fm.GeneralizedAlpha, 0.8,
             newton_tolerance=1e-9, max_iterations=20),
        plain("parts", fm.beams_from_mesh, "missing.msh", fm.Circle(0.01), STEEL),
        Call("parts", "Model.add", lambda: (plane()[0].add, [None], {})),
        Call("parts", "Model[...]", lambda: (plane()[0].__getitem__, ["arm"], {})),
        Call("parts", "PlanarBody.at", lambda: (plane()[2].body.at, [0.0, 0.0], {})),
        Call("parts", "RigidBody.at", lambda: (space()[2].body.at, [0.0, 0.0, 0.0], {})),
        Call("parts", "Ground.at", lambda: (plane()[0].ground.at, [0.0, 0.0], {})),
        Call("parts", "Beam.at", lambda: (cantilever().bodies[0].at, [0.5], {})),
        analysis(driven, "simulate", 2e-3, step=1e-3, progress=False), analysis(rattle, "simulate", 2e-3, tolerance=1e-3,
             progress=False),
        analysis(driven, "simulate", 2e-3, step=1e-3, output_step=1e-3, integrator=None, checkpoint="run.h5", progress=False),
        analysis(driven, "simulate", 1e-3, integrator=fm.BaumgarteODE(), progress=False, output_step=1e-3),
        analysis(driven, "kinematics", [0.0, 0.01]), analysis(driven, "kinematics", 0.01), analysis(cantilever,
             "equilibrium"),
        analysis(cantilever, "equilibrium", load_steps=2, tolerance=1e-8, max_iterations=20, follow="load"),
        analysis(cantilever, "modes", 2), analysis(cantilever, "modes", 2, at=None), analysis(cantilever, "buckling", 1),
        analysis(cantilever, "buckling", 1, at=None), analysis(driven, "modes", 1, at=None),
        integrator(fm.BaumgarteODE, method="BDF", rtol=1e-6, atol=1e-8, alpha=5.0, beta=5.0),
        integrator(fm.CoordinatePartitioning, rtol=1e-6),
        integrator(fm.AugmentedLagrangian, method="BDF", rtol=1e-6, atol=1e-8, penalty=1e6, iterations=4),
        *(result(of, name, com) for of, name in [("rattle", "position"), ("rattle", "velocity"), ("spatial", "acceleration"),
          ("spatial", "rotation"), ("rattle", "spin"), ("rattle", "plot.history"), ("rattle", "plot.spectrum"),
          ("rattle", "plot.velocity_acceleration")]),
        result("rattle", "angle", first), result("driven", "reaction", "pin"), result("rattle", "reaction", "hole"),
        result("rattle", "clearance", "hole"), result("oiled", "clearance", "bearing"),
        result("flexible", "section", lambda sol: sol.model["rod"], [0.0, 0.5]), result("flexible", "section",
             lambda sol: sol.model["rod"], 0.5),
        result("flexible", "position", tip), result("cantilever", "position", tip), result("cantilever", "plot.history", tip),
        result("spatial", "model.__getitem__", "ball"), result("rattle", "save", "run.h5"),
        result("rattle", "plot.poincare", com, period=1e-3, axis=0, skip=0.0), result("rattle", "plot.spectrum", com,
             quantity="position", axis=0),
        result("rattle", "plot.history", com, quantities=("position",)), result("driven", "plot.reaction", "pin"),
        result("driven", "plot.drive", "motor"), result("rattle", "plot.orbit", "hole"), result("rattle",
             "plot.penetration_loop", "hole"),
        result("rattle", "plot.friction_velocity", "hole"), result("rattle", "plot.velocity_acceleration", com, axis=1,
             skip=0.0),
        result("flexible", "to_vtk", "run.pvd", per_element=2, every=5), result("flexible", "to_vtk", "run.vtkhdf",
             shapes=None, every=5),
        result("driven", "to_vtk", "run.pvd", shapes={"arm": fm.shapes.Box(0.1, 0.1, 0.1)}, every=5),
        result("driven", "to_meshio", "run.stl", t=0.0, per_element=2), result("driven", "report", "report.html",
             title="x", figures=[]),
        result("driven", "render", "run.png", t=0.0, field="", size=(64, 48)),
        result("driven", "animate", "run.gif", duration=0.1, fps=10, field="", size=(64, 48)),
        plain("results", fm.load, "missing.h5", salvage=False),
        plain("results", fm.shapes.Box, 1.0, 1.0, 1.0, centre=(0, 0, 0)), plain("results", fm.shapes.Cylinder, (0, 0, 0),
             (1, 0, 0), 0.1),
        plain("results", fm.shapes.Sphere, 1.0, centre=(0, 0, 0)), plain("results", fm.shapes.STL, "missing.stl", 1.0, (0,
             0, 0)),
        study(s.grid, {"height": [1.0, 2.0]}), study(s.random, {"height": [1.0, 2.0]}, 2, seed=0),
        study(s.latin_hypercube, {"height": [1.0, 2.0]}, 2, seed=0), study(s.strobe, t, x, 1.0, 0.0), study(s.crossings, t,
             x, x, 0.0),
        study(s.spectrum, t, x), study(s.richardson, [1.0, 0.5, 0.25], [1.1, 1.03, 1.01]),
        study(s.divergence, x, dimension=2, lag=1, apart=1, span=5),
        study(s.lyapunov_of_series, x, 0.1, dimension=2, lag=1, apart=1, span=5, first=0),
        study(s.lyapunov, lambda x: 4.0 * x * (1.0 - x), [0.3], 1.0, steps=10, skip=1, apart=1e-8),
        study(s.signal, "rattle", "position(disc).x", {}), study(s.contact_statistics, "rattle", "hole", skip=0.0),
        study(s.pv_map, "oiled", "bearing", sectors=12, skip=0.0), study(s.Measure.parse, "peak(position(disc).x)", 0.0),
        Call("studies", "Measure.of", lambda: (s.Measure.parse("peak(position(disc).x)").of, [solutions()["rattle"], {}],
             {})),
        Call("studies", "lyapunov_of_model", lambda: (s.lyapunov_of_model, [falling()],
             {"time": 1e-2, "stretches": 2, "step": 1e-3, "skip": 1, "apart": 1e-7, "seed": 0}), ("integrator",
             "share_memory")),
        *(study(s.sweep, falling, [{"height": 1.0}], ["last(position(ball).y)"], folder="sweep", jobs=1, progress=False,
             section="",
                skip=0.0, **end) for _ in range(2)),
        study(s.ensemble, falling, ["last(position(ball).y)"], folder="ensemble", runs=2, push=1e-3, seed=0, vary={},
              parameters={"height": 1.0}, statements=["last(position(ball).y) < 2"], signals=[], jobs=1, progress=False, **end),
        *(study(s.convergence, falling, {"height": [1.0, 2.0, 3.0]}, "last(position(ball).y)", parameters={}, skip=0.0, **end)
          for _ in range(2)),
        study(s.convergence, falling, {"step": [1e-2, 5e-3]}, "last(position(ball).y)", t_end=2e-2, curves={"height": [1.0,
             2.0]}),
        *(study(s.sensitivities, falling, {"height": 1.0}, ["last(position(ball).y)"], fixed={}, jobs=1, skip=0.0,
             **end) for _ in range(2)),
        *(study(s.bifurcation, falling, "height", [1.0, 2.0], "position(ball).y", folder="bifurcation", turns=2,
             skip_turns=1, jobs=1,
                parameters={"period": 1e-3}, progress=False, step=5e-4) for _ in range(2)),
        *(Call("studies", kind.name, lambda kind=kind: (lambda **o: kind(**o).build(), [], {}),
             tuple(inspect.signature(kind).parameters))
          for kind in fm.models.MODELS.values()),
        Call("studies", "Sweep.column", lambda: (s.Sweep(Path(), (), 0).column, ["height"], {})),
        command("run", "double_pendulum", "length=1", "--t-end", "0.02", "--step", "0.01", "--out", "out", "--no-files"),
        command("run", "slider_crank_planar", "joint=dry", "--tolerance", "1e-3", "--out", "out", "--no-files",
             after=("--t-end=1e-4",)),
        command("run", "double_pendulum", "--linear-solver", "dense", "--output-step", "0.001", "--out", "out", "--quiet",
             after=("--t-end=0.002",)),
        command("show", "press"), command("list", "--json"), command("plot", "out"), command("view", "out"),
        command("sweep", "double_pendulum", "length=1,2", "--measure", "peak(position(D).x)", "--out", "out", "--jobs", "1",
                after=("--t-end=0.002",)),
        command("ensemble", "double_pendulum", "length=1", "--measure", "peak(position(D).x)", "--runs", "2", "--out", "out",
                "--jobs", "1", after=("--t-end=0.002",)),
        command("converge", "double_pendulum", "step=1e-3,5e-4", "--quantity", "last(position(D).x)", "--out", "out",
                after=("--t-end=0.002",)),
        command("completion", "bash"), command("reproduce", "unknown", "--out", "out"),
    ]  # fmt: skip
    return tuple(found)
