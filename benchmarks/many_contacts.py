"""Time stepping of rigid surfaces: a chain of N links that hang from each other by journals with clearance.

    python benchmarks/many_contacts.py [--sizes 250 500 1000 2000] [--steps 40]

Every link carries those below it by one contact with friction. Links start with sideways speeds that alternate, so that
journals slide, stick, leave their bearings and come back. Processor time a step and body is that of a run of many steps less
that of a run of one, each the least of three; with a cost that is linear in N it is the same for all N.
"""

from __future__ import annotations

import argparse
import time
import warnings

import fmbs as fm

GAP, PITCH, STEP, SPEED = 1e-3, 0.1, 1e-3, 0.02  # m, m, s, m/s
REPEATS = 3


def chain(count: int) -> fm.Model:
    m = fm.Model(f"{count} links", gravity=(0.0, -9.81))
    last = m.ground
    size = {"bearing_radius": 0.01, "clearance": GAP, "length": 0.01}
    laws = {"contact": fm.impact.Newton(restitution=0.3), "friction": fm.friction.Ambrosio(0.1, v0=1e-4, v1=1e-3)}
    for k in range(count):
        top, way = -k * PITCH, 1.0 if k % 2 else -1.0
        place = {"com": (0.0, top - 0.5 * PITCH), "velocity": (way * SPEED, 0.0)}
        link = m.add(fm.PlanarBody(f"link {k}", mass=0.1, inertia=1e-4, **place))
        m.add(fm.ClearanceRevolute(last.at(0.0, top + GAP), link.at(0.0, top), **size, **laws))
        last = link
    return m


def cost(count: int, integrator: object, steps: int) -> tuple[float, float, int]:
    """Microseconds a step and body, iterations a step, and contacts that push at the end."""
    m, spent = chain(count), []
    for many in (1, steps):
        times = []
        for _ in range(REPEATS):
            clock = time.process_time()
            run = m.simulate(many * STEP, step=STEP, output_step=many * STEP, integrator=integrator, progress=False)
            times.append(time.process_time() - clock)
        spent.append(min(times))
    pushing = sum(bool(run.clearance(joint).normal_force[-1] > 0.0) for joint in m.forces[:: max(count // 50, 1)])
    share = pushing / len(m.forces[:: max(count // 50, 1)])
    return (spent[1] - spent[0]) / (steps - 1) / count * 1e6, run.statistics.iterations / steps, round(share * count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[250, 500, 1000, 2000])
    parser.add_argument("--steps", type=int, default=40)
    given = parser.parse_args()
    warnings.simplefilter("ignore", fm.UnbalancedEnergy)
    print("integrator | N | us a step and body | iterations a step | contacts that push, about")
    for integrator in (fm.MoreauJean(), fm.NonsmoothAlpha()):
        chain(3).simulate(STEP, step=STEP, integrator=integrator, progress=False)
        for count in given.sizes:
            each, iterations, pushing = cost(count, integrator, given.steps)
            print(f"{type(integrator).__name__} | {count} | {each:.1f} | {iterations:.1f} | {pushing}", flush=True)


if __name__ == "__main__":
    main()
