"""Time stepping of rigid surfaces: a chain of N links that hang from each other by journals with clearance.

    python benchmarks/many_contacts.py [--sizes 250 500 1000 2000] [--steps 40]

Every link carries those below it by one contact with friction; the lowest is pulled sideways. Processor time a step and body
is that of a run of many steps less that of a run of one, each the least of three; with a cost that is linear in N it is the
same for all N.
"""

from __future__ import annotations

import argparse
import time
import warnings

import fmbs as fm

GAP, PITCH, STEP, PULL = 1e-3, 0.1, 1e-3, 0.2  # m, m, s, N
REPEATS = 3


def chain(count: int) -> fm.Model:
    m = fm.Model(f"{count} links", gravity=(0.0, -9.81))
    last = m.ground
    size = {"bearing_radius": 0.01, "clearance": GAP, "length": 0.01}
    laws = {"contact": fm.impact.Newton(restitution=0.3), "friction": fm.friction.Ambrosio(0.1, v0=1e-4, v1=1e-3)}
    for k in range(count):
        top = -k * PITCH
        link = m.add(fm.PlanarBody(f"link {k}", mass=0.1, inertia=1e-4, com=(0.0, top - 0.5 * PITCH)))
        m.add(fm.ClearanceRevolute(last.at(0.0, top + GAP), link.at(0.0, top), **size, **laws))
        last = link
    m.add(fm.PointForce(link.com, (PULL, 0.0)))
    return m


def cost(count: int, integrator: object, steps: int) -> tuple[float, float, float]:
    """Microseconds a step and body, iterations a step, and the force of the first contact at the end, N."""
    m, spent = chain(count), []
    for many in (1, steps):
        times = []
        for _ in range(REPEATS):
            clock = time.process_time()
            run = m.simulate(many * STEP, step=STEP, output_step=many * STEP, integrator=integrator, progress=False)
            times.append(time.process_time() - clock)
        spent.append(min(times))
    each = (spent[1] - spent[0]) / (steps - 1) / count * 1e6
    return each, run.statistics.iterations / steps, float(run.clearance(m.forces[0]).normal_force[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[250, 500, 1000, 2000])
    parser.add_argument("--steps", type=int, default=40)
    given = parser.parse_args()
    warnings.simplefilter("ignore", fm.UnbalancedEnergy)
    print("integrator | N | us a step and body | iterations a step | force of the first contact, N")
    for integrator in (fm.MoreauJean(), fm.NonsmoothAlpha()):
        chain(3).simulate(STEP, step=STEP, integrator=integrator, progress=False)
        for count in given.sizes:
            each, iterations, force = cost(count, integrator, given.steps)
            print(f"{type(integrator).__name__} | {count} | {each:.1f} | {iterations:.1f} | {force:.1f}", flush=True)


if __name__ == "__main__":
    main()
