"""Error against steps and against time: fmbs's integrators and SUNDIALS' IDA on problems with references.

    python benchmarks/work_precision.py            prints the tables of README.md, "Error against work"
    python benchmarks/work_precision.py --figure docs/figures/work_precision.png

Every run has error control and frames at a few times only. Times are processor times of a whole run less those of one step,
the least of several runs: set-up cancels. IDA (pip install scikit-sundae) has the residual from fmbs in Python, see `ida_peer`;
where it stands in brackets is its time without residual and matrix, less than any program could take with it.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import ida_peer  # noqa: E402
import numpy as np  # noqa: E402

import fmbs as fm  # noqa: E402
from fmbs.models import SliderCrankPlanar  # noqa: E402

REFERENCE = json.loads((Path(__file__).parents[1] / "tests" / "literature" / "reference.json").read_text())
REPEATS = 3
METHODS: dict[str, tuple[Any, tuple[float, ...]]] = {
    "generalized-alpha": (fm.GeneralizedAlpha(), (1e-4, 1e-5, 1e-6, 1e-7, 1e-8)),
    "Radau IIA 5": (fm.Radau(), (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)),
    "Baumgarte, SciPy's Radau": (fm.BaumgarteODE(method="Radau"), (1e-6, 1e-8)),
    "IDA": (ida_peer.Ida(), (1e-4, 1e-6, 1e-8, 1e-10)),
}


@dataclass(frozen=True)
class Case:
    """A model, how long it runs, and its error."""

    build: Callable[[], fm.Model]
    t_end: float
    error: Callable[[fm.Solution], float]
    unit: str
    loosest: float = 1e-4
    smooth: bool = True  # without contacts, which IDA does not have
    frames: int = 1  # as many as the error needs: each takes as long as 20 to 50 steps


def pin_crank(**laws: Any) -> fm.Model:
    """The slider-crank of the reference, with a gap at the slider."""
    p = REFERENCE["slider_crank_planar_dry"]["parameters"]
    w, r, length = p["rpm"] * np.pi / 30.0, p["r"], p["l"]
    m = fm.Model("slider-crank", gravity=(0.0, -p["g"]))
    rim, end = (0.0, w * r / 2), (r + length, 0.0)
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-5, com=(r / 2, 0), velocity=rim, spin=w))
    started = {"velocity": rim, "spin": -w * r / length}
    rod = m.add(fm.PlanarBody("rod", mass=p["m_rod"], inertia=p["I_rod"], com=(r + length / 2, 0), **started))
    slider = m.add(fm.PlanarBody("slider", mass=p["m_sl"], inertia=1e-4, com=end))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0)))
    m.add(fm.Revolute(crank.at(r, 0), rod.at(r, 0)))
    m.add(fm.Prismatic(m.ground.at(*end), slider.com, axis=(1, 0)))
    m.add(fm.RotationDrive(m.ground.at(0, 0), crank.at(0, 0), speed=w))
    m.add(fm.ClearanceRevolute(rod.at(*end), slider.com, bearing_radius=p["R_b"], clearance=p["c"], name="pin", **laws))
    return m


def dry_crank() -> fm.Model:
    p = REFERENCE["slider_crank_planar_dry"]["parameters"]
    steel = fm.Material(E=p["E"], nu=p["nu"], density=7800)
    return pin_crank(contact=fm.contact.LankaraniNikravesh(restitution=p["ce"], materials=(steel, steel)))


def film_crank() -> fm.Model:
    p = REFERENCE["slider_crank_planar_lubricated"]["parameters"]
    return pin_crank(film=fm.film.ShortBearing(p["mu"]), length=p["L"])


def journal() -> fm.Model:
    p = REFERENCE["journal_in_bearing_dry"]["parameters"]
    m = fm.Model("journal in bearing")
    motion = {"com": p["com"], "velocity": p["velocity"], "spin": p["spin"]}
    body = m.add(fm.RigidBody("journal", mass=p["mass"], inertia=np.diag(p["inertia"]), **motion))
    steel = fm.Material(E=p["E"], nu=p["nu"], density=7800)
    contact = fm.contact.LankaraniNikravesh(restitution=p["ce"], materials=(steel, steel))
    size = {"bearing_radius": p["R_b"], "clearance": p["c"], "length": p["B"], "axis": (0, 0, 1)}
    m.add(fm.ClearanceCylindrical(m.ground.at(0, 0, 0), body.com, contact=contact, name="pin", **size))
    return m


def pendulum() -> fm.Model:
    """A01 of the IFToMM benchmark: a point mass on a rod of 1 m, released from the horizontal."""
    m = fm.Model("pendulum", gravity=(0.0, -9.81))
    mass = m.add(fm.PlanarBody("mass", mass=1.0, inertia=1e-12, com=(-1.0, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), mass.at(0, 0)))
    return m


def top() -> fm.Model:
    p = REFERENCE["heavy_top"]
    m = fm.Model("heavy top", gravity=(0, 0, -p["g"]))
    velocity = np.cross(p["omega0"], p["com"])
    body = m.add(fm.RigidBody("top", mass=p["m"], inertia=p["J"], com=p["com"], velocity=velocity, spin=p["omega0"]))
    m.add(fm.Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)))
    return m


def impact_times(name: str) -> Callable[[fm.Solution], float]:
    expected = np.array([x["t"] for x in REFERENCE[name]["impacts"]])

    def error(sol: fm.Solution) -> float:
        found = np.array([impact.t for impact in sol.clearance("pin").impacts])
        return float(np.abs(found - expected).max()) if found.size == expected.size else np.nan

    return error


def ideal_slider(sol: fm.Solution) -> float:
    angle = 2.0 * np.pi * 5000 / 60 * sol.t
    place = 0.05 * np.cos(angle) + np.sqrt(0.12**2 - (0.05 * np.sin(angle)) ** 2)
    return float(np.abs(sol.position(sol.model["slider"].com)[:, 0] - place).max())


def film_slider(sol: fm.Solution) -> float:
    rows = [row for row in REFERENCE["slider_crank_planar_lubricated"]["rows"] if row["t"] <= sol.t[-1] * 1.001]
    places = np.interp([row["t"] for row in rows], sol.t, sol.position(sol.model["slider"].com)[:, 0])
    return float(np.abs(places - [row["x_slider"] for row in rows]).max())


def pendulum_place(sol: fm.Solution) -> float:
    return float(np.abs(sol.position(sol.model["mass"].com)[-1, :2] - REFERENCE["pendulum_A01"]["xy"]["10"]).max())


def top_place(sol: fm.Solution) -> float:
    return float(np.abs(sol.position(sol.model["top"].com)[-1] - REFERENCE["heavy_top"]["com_pos"]).max())


CASES = {
    "dry slider-crank, impact times": Case(dry_crank, 1.1e-3, impact_times("slider_crank_planar_dry"), "s", 1e-5, False),
    "journal in a bearing, impact times": Case(journal, 0.01, impact_times("journal_in_bearing_dry"), "s", 1e-5, False),
    "ideal slider-crank, slider": Case(lambda: SliderCrankPlanar().build(), 0.024, ideal_slider, "m", frames=8),
    "lubricated slider-crank, slider": Case(film_crank, 0.024, film_slider, "m", frames=8),
    "pendulum, 10 s": Case(pendulum, 10.0, pendulum_place, "m"),
    "heavy top, 0.2 s": Case(top, 0.2, top_place, "m"),
}


def spent(case: Case, method: Any, tolerance: float, t_end: float) -> tuple[float, fm.Solution]:
    m, begin = case.build(), time.process_time()
    sol = m.simulate(
        t_end, tolerance=tolerance, output_step=t_end / case.frames, integrator=method, progress=False,
        energy_tolerance=None,
    )  # fmt: skip
    return time.process_time() - begin, sol


def measured(case: Case, method: Any, tolerance: float) -> dict[str, float]:
    whole, short = [], []
    for _ in range(REPEATS):
        whole.append(spent(case, method, tolerance, case.t_end))
        short.append(spent(case, method, tolerance, 1e-4 * case.t_end))
    seconds, sol = min(whole, key=lambda each: each[0])
    start, few = min(short, key=lambda each: each[0])
    loop = (seconds - start) * sol.statistics.steps / max(sol.statistics.steps - few.statistics.steps, 1)
    found = {"tolerance": tolerance, "error": case.error(sol), "steps": sol.statistics.steps, "ms": 1e3 * max(loop, 1e-5)}
    if isinstance(method, ida_peer.Ida):
        spent(case, method, tolerance, case.t_end)
        found["own"] = 1e3 * float(method.outside[0])
    return found


def figure(found: dict[str, dict[str, list[dict[str, float]]]], path: Path) -> None:
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(2, len(found), figsize=(3.2 * len(found), 6.0), constrained_layout=True)
    for column, (name, methods) in enumerate(found.items()):
        for row, (key, label) in enumerate((("steps", "steps"), ("ms", "processor time, ms"))):
            ax = axes[row, column]
            for method, points in methods.items():
                line = ax.loglog([p[key] for p in points], [p["error"] for p in points], "o-", ms=3, label=method)[0]
                if key == "ms" and points and "own" in points[0]:
                    own, colour = [p["own"] for p in points], line.get_color()
                    ax.loglog(own, [p["error"] for p in points], "--", color=colour, label="IDA without its residual")
            ax.set_xlabel(label)
            ax.grid(True, which="major", alpha=0.3)
            if column == 0:
                ax.set_ylabel("error")
        axes[0, column].set_title(f"{name}, {CASES[name].unit}", fontsize=8)
    lines = {line.get_label(): line for ax in axes.flat for line in ax.get_lines()}
    fig.legend(lines.values(), lines, loc="outside lower center", ncols=len(lines), fontsize=8)
    fig.savefig(path, dpi=110)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--figure", type=Path)
    asked.add_argument("--only", nargs="*", default=list(CASES))
    given = asked.parse_args()
    warnings.simplefilter("ignore")
    found: dict[str, dict[str, list[dict[str, float]]]] = {}
    print("| problem | method | tolerance | error | steps | ms |\n|---|---|---:|---:|---:|---:|")
    for name, case in CASES.items():
        if name not in given.only and not any(word in name for word in given.only):
            continue
        found[name] = {}
        for method, (integrator, tolerances) in METHODS.items():
            if method == "IDA" and not (case.smooth and ida_peer.available()):
                continue
            points = [measured(case, integrator, tolerance) for tolerance in tolerances if tolerance <= case.loosest]
            found[name][method] = points
            for p in points:
                ms = f"{p['ms']:.1f}" + (f" ({p['own']:.1f})" if "own" in p else "")
                print(
                    f"| {name} | {method} | {p['tolerance']:g} | {p['error']:.1e} | {p['steps']:.0f} | {ms} |",
                    flush=True,
                )
    if given.figure:
        figure(found, given.figure)


if __name__ == "__main__":
    main()
