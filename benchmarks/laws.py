"""Laws from outside beside built-in ones of the same formula: the dry slider-crank of `slider_crank_dry.py`.

    python benchmarks/laws.py                 prints the table of README.md, "Laws from outside"
    python benchmarks/laws.py --repeat 40

Lankarani and Nikravesh's contact and Ambrosio's friction, built in, as numba kernels with and without their derivatives, and
as classes in Python. Processor time a step, the least of all repeats, which take turns.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import argparse  # noqa: E402
import math  # noqa: E402
import time  # noqa: E402
import warnings  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
import slider_crank_dry  # noqa: E402
from slider_crank_dry import FRICTION, RESTITUTION, SLOW, STEP, STIFFNESS  # noqa: E402

import fmbs as fm  # noqa: E402

HYSTERESIS = 0.75 * (1.0 - RESTITUTION**2)


@fm.jit.law
def contact(p, depth, rate, impact_speed, depth_0, memory_0, h, out):  # type: ignore[no-untyped-def]
    elastic, ratio = p[0] * depth * math.sqrt(depth), p[1] / max(impact_speed, 1e-5)
    out[0] = elastic * (1.0 + ratio * rate)
    out[1] = 1.5 * out[0] / depth
    out[2] = elastic * ratio
    out[4] = 0.4 * elastic * depth


@fm.jit.law
def bare_contact(p, depth, rate, impact_speed, depth_0, memory_0, h, out):  # type: ignore[no-untyped-def]
    out[0] = p[0] * depth * math.sqrt(depth) * (1.0 + p[1] / max(impact_speed, 1e-5) * rate)


@fm.jit.law
def friction(p, slip_c, slip_a, slip0_c, slip0_a, z0_c, z0_a, h, out):  # type: ignore[no-untyped-def]
    speed = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    if speed > p[1]:
        mu = p[0] * min((speed - p[1]) / (p[2] - p[1]), 1.0)
        out[0], out[1] = mu * slip_c / speed, mu * slip_a / speed


class Contact(fm.contact.ContactLaw, kernel=contact):
    def parameters(self) -> tuple[float, float]:
        return STIFFNESS, HYSTERESIS


class BareContact(Contact, kernel=bare_contact):
    """Without derivatives."""


class Friction(fm.friction.FrictionLaw, kernel=friction):
    def parameters(self) -> tuple[float, float, float]:
        return FRICTION, 0.1 * SLOW, SLOW


class PythonContact(fm.contact.ContactLaw):
    def normal_force(self, depth: Any, rate: Any, impact_speed: Any) -> Any:
        return STIFFNESS * depth**1.5 * (1.0 + HYSTERESIS / max(impact_speed, 1e-5) * rate)


class PythonFriction(fm.friction.FrictionLaw):
    def mu(self, slip: Any) -> Any:
        return FRICTION * np.clip((np.abs(slip) - 0.1 * SLOW) / (0.9 * SLOW), 0.0, 1.0) * np.sign(slip)


LAWS: dict[str, dict[str, Any]] = {
    "built in": {},
    "numba kernels": {"contact": Contact(), "friction": Friction()},
    "numba kernels, no derivatives": {"contact": BareContact(), "friction": Friction()},
    "contact in Python": {"contact": PythonContact()},
    "both in Python": {"contact": PythonContact(), "friction": PythonFriction()},
}


def spent(laws: dict[str, Any], t_end: float) -> float:
    """Processor time a step, us."""
    m, _ = slider_crank_dry.in_fmbs()
    joint = next(part for part in m.parts if isinstance(part, fm.ClearanceRevolute))
    for argument, law in laws.items():
        object.__setattr__(joint, argument, law)
    begin = time.process_time()
    sol = m.simulate(t_end, step=STEP, output_step=1e-3, progress=False)
    return 1e6 * (time.process_time() - begin) / sol.statistics.steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=10, metavar="N")
    repeat = parser.parse_args().repeat
    warnings.simplefilter("ignore")
    for laws in LAWS.values():
        spent(laws, 1e-3)
    least = dict.fromkeys(LAWS, math.inf)
    for _ in range(repeat):
        least = {name: min(least[name], spent(laws, 0.1)) for name, laws in LAWS.items()}
    print("| laws | us a step | ratio |\n|---|---:|---:|")
    for name, us in least.items():
        print(f"| {name} | {us:.1f} | {us / least['built in']:.2f} |")


if __name__ == "__main__":
    main()
