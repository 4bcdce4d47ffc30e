"""Accuracy for time: a cantilever with every kind of beam and with Exudyn's ANCFBeam, in one run.

    python benchmarks/beam_accuracy.py            prints a table and draws docs/figures/beam_accuracy.png

Tip error against the exact Reissner solution (tests/oracles/reissner.py; the cases are
those of tests/literature/test_beam_cantilever.py) over the time of a static solution in ten load steps,
the least of several repeats, model building not counted.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported
ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import exudyn_solver  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

import fmbs as fm  # noqa: E402
from tests.oracles import reissner  # noqa: E402

E, NU, LENGTH, LOAD_STEPS, REPEATS = 207e9, 0.3, 2.0, 10, 3
SIZES = (1, 2, 4, 8, 16, 32, 64)
CASES = {"slender": (0.1, 0.1, 3 * E * (0.1**4 / 12) / LENGTH**2), "thick": (0.1, 0.5, 62.5e6)}  # width, height, N
KINDS = [(i, f) for f in ("structural", "enhanced", "continuum") for i in ("hermite", "quadratic", "cubic")]
Curve = list[tuple[int, float, float]]  # elements, seconds, relative tip error


Solution = tuple[float, list[float]]  # seconds, tip displacement


def fmbs_tip(interpolation: str, formulation: str, width: float, height: float, force: float, n: int) -> Solution:
    m = fm.Model("cantilever")
    steel = fm.Material(E=E, nu=NU, density=7850)
    kind = {"interpolation": interpolation, "formulation": formulation, "elements": n}
    beam = m.add(fm.Beam("b", start=(0, 0, 0), end=(LENGTH, 0, 0), section=fm.Rectangle(width, height), material=steel, **kind))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    m.add(fm.PointForce(beam.end, (0, 0, force)))
    solution = m.equilibrium(load_steps=LOAD_STEPS)
    x, _, z = solution.position(beam.end)[-1]
    return solution.statistics.wall, [x - LENGTH, z]


def exudyn_tip(width: float, height: float, force: float, n: int) -> Solution:
    exu, ii = exudyn_solver.load(), exudyn_solver.load("exudyn.itemInterface")
    mbs = exu.SystemContainer().AddSystem()
    area, i_y, i_z, shear = width * height, width * height**3 / 12, height * width**3 / 12, E / (2 * (1 + NU))
    factor, step = 10 * (1 + NU) / (12 + 11 * NU), LENGTH / n
    section = exu.BeamSection()
    section.massPerLength, section.inertia = 1.0, np.eye(3)
    across = factor * shear * area
    section.stiffnessMatrix = np.diag([E * area, across, across, shear * (i_y + i_z), E * i_y, E * i_z])
    nodes = [mbs.AddNode(ii.NodePointSlope23(referenceCoordinates=[k * step, 0, 0, 0, 1, 0, 0, 0, 1])) for k in range(n + 1)]
    for k in range(n):
        mbs.AddObject(ii.ObjectANCFBeam(nodeNumbers=nodes[k : k + 2], length=step, sectionData=section))
    ground = mbs.AddMarker(ii.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(ii.NodePointGround()), coordinate=0))
    for c in range(9):
        marker = mbs.AddMarker(ii.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=c))
        mbs.AddObject(ii.ObjectConnectorCoordinate(markerNumbers=[ground, marker]))
    tip = mbs.AddMarker(ii.MarkerNodePosition(nodeNumber=nodes[-1]))
    mbs.AddLoad(ii.LoadForceVector(markerNumber=tip, loadVector=[0, 0, force]))
    mbs.Assemble()
    options = exu.SimulationSettings()
    options.staticSolver.numberOfLoadSteps, options.staticSolver.verboseMode = LOAD_STEPS, 0
    options.staticSolver.newton.relativeTolerance, options.staticSolver.newton.absoluteTolerance = 1e-8, 1e-4
    options.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    options.solution.file.write = False
    clock = time.perf_counter()
    mbs.SolveStatic(options)
    seconds = time.perf_counter() - clock
    x, _, z = mbs.GetNodeOutput(nodes[-1], exu.OutputVariableType.Displacement)
    return seconds, [x, z]


def curve(solve: Callable[[int], Solution], exact: np.ndarray) -> Curve:
    rows = []
    for n in SIZES:
        runs = [solve(n) for _ in range(REPEATS)]
        rows.append((n, min(seconds for seconds, _ in runs), float(np.linalg.norm(runs[0][1] - exact) / np.linalg.norm(exact))))
    return rows


def main() -> None:
    figure = Figure(figsize=(11, 5), layout="constrained")
    colours = {"structural": "#0072B2", "enhanced": "#009E73", "continuum": "#999999"}
    marks = {"hermite": "o", "quadratic": "s", "cubic": "^"}
    for axes, (case, (width, height, force)) in zip(figure.subplots(1, 2, sharey=True), CASES.items(), strict=True):
        shear = 10 * (1 + NU) / (12 + 11 * NU)
        exact = reissner.tip_force(LENGTH, reissner.rectangle(E, NU, width, height, shear), (0.0, force)).displacement
        for interpolation, formulation in KINDS:
            rows = curve(partial(fmbs_tip, interpolation, formulation, width, height, force), exact)
            show(case, f"{interpolation} {formulation}", rows)
            style = {"color": colours[formulation], "label": f"{interpolation} {formulation}"}
            axes.loglog(*np.array(rows).T[1:], marks[interpolation] + "-", **style)
        if exudyn_solver.available():
            rows = curve(partial(exudyn_tip, width, height, force), exact)
            show(case, "Exudyn ANCFBeam", rows)
            axes.loglog(*np.array(rows).T[1:], "D--", color="#D55E00", label="Exudyn ANCFBeam")
        axes.set(title=f"{case}: {width:g} x {height:g} m, L = 2 m", xlabel="time of ten load steps [s]")
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("tip error, relative to Reissner's beam")
    figure.axes[0].set_ylim(1e-10, 1)
    figure.axes[1].legend(fontsize=8)
    figure.savefig(ROOT / "docs" / "figures" / "beam_accuracy.png", dpi=110)


def show(case: str, name: str, rows: Curve) -> None:
    print(case, name.ljust(22), "  ".join(f"{n}: {1e3 * seconds:.1f} ms {error:.1e}" for n, seconds, error in rows), flush=True)


if __name__ == "__main__":
    main()
