"""Draw force against depth of docs/conformal.md: every contact law on one journal, solid where it is meant to hold.

python scripts/contact_figure.py docs/figures/contact_laws.png
"""

from __future__ import annotations

import sys

import matplotlib
import numpy as np

import fmbs as fm

STEEL = fm.Material(E=207e9, nu=0.3, density=7800.0)
PAIR = (STEEL, STEEL)
R, L, GAP = 0.01, 0.02, 1e-4
LAWS = {
    "Hertz (K of the radii)": fm.contact.Hertz(materials=PAIR),
    "Dubowsky-Freudenstein, as printed": fm.contact.DubowskyFreudenstein(materials=PAIR),
    "ESDU-78035, as printed": fm.contact.ESDU78035(materials=PAIR),
    "Johnson": fm.contact.Johnson(materials=PAIR),
    "Pereira": fm.contact.Pereira(materials=PAIR),
    "Liu": fm.contact.Liu(materials=PAIR),
    "Winkler, steel liner 1 mm": fm.contact.Winkler(materials=PAIR, layer=1e-3),
}


def main(path: str) -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(7.5, 5.5), layout="constrained")
    share = np.geomspace(1e-3, 5.0, 300)
    for k, (name, law) in enumerate(LAWS.items()):
        bound = law.bound("pin", R + GAP, R, L)
        force = bound.normal_force(share * GAP, 0.0, 1.0)
        least, most, _ = bound.depths
        most = min(most, GAP) if isinstance(law, fm.contact.Hertz) else most  # said of all laws: not beyond the clearance
        inside = (share * GAP >= least) & (share * GAP <= most)
        axis.loglog(share, force, ":", color=f"C{k}", lw=1.0)
        axis.loglog(share, np.where(inside, force, np.nan), color=f"C{k}", lw=1.8, label=name)
    axis.set_xlabel("depth / clearance")
    axis.set_ylabel("force, N")
    axis.legend(frameon=False)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(sys.argv[1])
