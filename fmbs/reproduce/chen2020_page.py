"""The page of Chen2020."""

from __future__ import annotations

from fmbs.reproduce.chen2020_claims import SIZES, SPEEDS
from fmbs.reproduce.page import Page


def layout(page: Page) -> None:
    n = page.numbers
    page.text(
        "Model `press`, dry joints at both ends of the rod, 100 rpm and 0.1 mm unless said otherwise. Figures show the "
        "last two turns of a run. Ideal joints have a largest acceleration of " + f"{n['ideal']['100']:.3f}" + " m/s² at 100 "
        "rpm; the closed form r w² (1 + r/l) gives {closed form:.3f} (ours, the paper prints none)."
    )
    page.statements()
    page.figures()
    page.text(
        "## Peaks\n\nThe motion is sensitive to everything: peaks of the acceleration differ from turn to turn. The "
        "tables have "
        "means ± standard deviations over the turns from the second on of all runs of an ensemble, and of the largest value of "
        "whole runs with their start, in m/s²."
    )
    groups = [("0.1 mm, " + key + " rpm", n["speed"][key], n["ideal"][key]) for key in SPEEDS]
    groups += [(key + " mm, 100 rpm", n["size"][key], n["ideal"]["100"]) for key in SIZES[1:]]
    rows: list[tuple[object, ...]] = []
    for label, g, ideal in groups:
        spread = f"{g['peak'][0]:.2f} ± {g['peak'][1]:.2f}"
        most = f"{g['least peak']:.2f} to {g['largest peak']:.2f}"
        whole = f"{g['whole'][0]:.2f} ± {g['whole'][1]:.2f}"
        rows.append((label, f"{g['runs']}, {g['turns']}", spread, most, whole, f"{g['peak'][0] / ideal:.1f}", _mm(g["depth"])))
    page.table(("run", "runs, turns", "a turn", "least and largest", "whole run", "a turn / ideal", "deepest [mm]"), rows)
    page.text(
        "## What the printed peaks may be: a hypothesis\n\nThe paper prints neither the radius of its bearings nor the "
        "direction "
        "of gravity, and its eq. 14 has R_b + R_j where a journal inside a bearing has R_b - R_j. These readings were tried; "
        "printed are 9.511 m/s² with 0.1 mm and 17.47 m/s² with 1 mm, a ratio of 1.84:"
    )
    rows = []
    for label, g in n["reading"].items():
        a, b = g["0.1"], g["1"]
        turn = [f"{x['peak'][0]:.1f} ± {x['peak'][1]:.1f}" for x in (a, b)]
        runs = [f"{x['whole'][0]:.1f} ± {x['whole'][1]:.1f}" for x in (a, b)]
        rows.append((label, *turn, *runs, f"{b['whole'][0] / a['whole'][0]:.2f}", f"{a['loose'][0]:.0%}"))
    page.table(
        ("K, radius, gravity", "0.1 mm, a turn", "1 mm, a turn", "0.1 mm, whole", "1 mm, whole", "ratio, whole", "loose"), rows
    )
    page.text(
        "With the K of eq. 14 and the largest value of the whole run, start included, both printed peaks are near, for "
        "bearings "
        'of any radius: the paper may have taken that. Its words are "after the steady state has been reached". Gravity along '
        "the stroke presses the slider to one side as long as r w² (1 - r/l) is below g; what is loose then is the start. "
        "Between flights the speed of impacts grows with a power of the clearance between 1/2 and 2/3, and Hertz's peaks with "
        "its power 6/5: with one K for all clearances as eq. 14 has it, c^0.6 to c^0.8."
    )
    page.text(
        "## Deviations\n\nNot printed and chosen here: bearings of 100 mm radius, uniform rod, the speeds of the "
        "friction law, no "
        "gravity. What two of them change, at 0.1 mm and 100 rpm, in single runs:"
    )
    rows = [(label, f"{g['peak'][0]:.2f} ± {g['peak'][1]:.2f}", _mm(g["depth"])) for label, g in n["chosen"].items()]
    page.table(("chosen otherwise", "peak of a turn [m/s²]", "deepest [mm]"), rows)
    page.runs()


def _mm(depth: list[float]) -> str:
    return f"{1e3 * depth[0]:.3f}"
