"""Films of the ready-made models for docs/gallery.md, their gaps magnified.

    python scripts/gallery.py [MODEL ...]

Every film is a GIF of some hundred kilobytes. Needs fmbs[viz].
"""

from __future__ import annotations

import sys
from pathlib import Path

from fmbs.models import MODELS

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
FRAMES, RATE = 60, 15.0  # pictures of a film, and how many of them a second
FILMS = {  # parameters, t_end [s], view
    "double_pendulum": ({"joint": "dry"}, 1.0, "3d"),
    "slider_crank_spatial": ({"joint": "dry"}, 0.024, "3d"),
    "slider_crank_planar": ({"joint": "dry", "friction": "Ambrosio"}, 0.024, "flat"),
    "press": ({"joint": "dry"}, 0.6, "flat"),
    "slider_crank_lugre": ({"joint": "dry"}, 0.024, "flat"),
    "four_bar": ({"joint": "lubricated"}, 0.4, "flat"),
    "flexible_pendulum": ({"joint": "dry"}, 1.2, "3d"),
}


def main(names: list[str]) -> None:
    for name in names or FILMS:
        parameters, t_end, view = FILMS[name]
        mechanism = MODELS[name](**parameters)
        sol = mechanism.build().simulate(t_end, tolerance=1e-4, output_step=t_end / FRAMES)
        path = sol.animate(FIGURES / f"{name}.gif", duration=FRAMES / RATE, fps=RATE, size=(420, 300), view=view, zoom=1.4)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
