"""Draw the friction-velocity loops of docs/friction.md: every law under the same slip.

python scripts/friction_figure.py docs/figures/friction_loops.png
"""

from __future__ import annotations

import sys

import matplotlib
import numpy as np

import fmbs as fm
from fmbs.laws.law_kernels import FRICTION_OUT, friction_load

FALL = {"static": 0.3, "kinetic": 0.2}
CURVE = {**FALL, "stribeck_speed": 2e-3}
LAWS = (
    fm.friction.Ambrosio(0.2, v0=1e-4, v1=1e-3),
    fm.friction.Stribeck(**CURVE),
    fm.friction.LuGre(**CURVE, damping=50.0),
    fm.friction.Dahl(0.2),
    fm.friction.Karnopp(**FALL, band=2e-4),
    fm.friction.ResetIntegrator(**FALL),
    fm.friction.Bristles(kinetic=0.2),
    fm.friction.Leuven(**CURVE, damping=50.0),
    fm.friction.BlimanSorine(**FALL),
)
AMPLITUDE, CIRCLE, STEPS = 5e-3, 120.0, 6000  # m/s, rad/s, a period: 42 um from end to end


def loop(law: fm.friction.FrictionLaw) -> tuple[np.ndarray, np.ndarray]:
    """Slip speed and coefficient over the third period of a sine."""
    place, row = law.address(), law.row()
    out, z, states = np.zeros(FRICTION_OUT + law.further_states), np.zeros(2), np.zeros(law.further_states)
    h, last, found = 2 * np.pi / CIRCLE / STEPS, 0.0, []
    for k in range(1, 3 * STEPS + 1):
        v = AMPLITUDE * np.sin(CIRCLE * k * h)
        friction_load(place, row, v, 0.0, last, 0.0, *z, h, False, states, out)
        z, states, last = out[6:8].copy(), out[8:].copy(), v
        found.append((v, out[0]))
    v, mu = np.array(found[-STEPS - 1 :]).T
    return v, mu


def main(path: str) -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(3, 3, figsize=(9, 7.5), sharex=True, sharey=True, layout="constrained")
    for axis, law in zip(axes.flat, LAWS, strict=True):
        v, mu = loop(law)
        axis.plot(1e3 * v, mu, lw=1.0)
        axis.set_title(type(law).__name__, fontsize=10)
        axis.axhline(0.0, color="0.8", lw=0.6, zorder=0)
        axis.axvline(0.0, color="0.8", lw=0.6, zorder=0)
    figure.supxlabel("slip speed, mm/s")
    figure.supylabel("coefficient of friction")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(sys.argv[1])
