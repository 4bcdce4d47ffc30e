"""The page of Muvengei2012."""

from __future__ import annotations

from fmbs.reproduce.muvengei2012_claims import run, said
from fmbs.reproduce.page import Page


def layout(page: Page) -> None:
    n = page.numbers
    page.text(
        "Model `slider_crank_lugre`, clearance 0.5 mm at the crank pin (c-cr) or the wrist pin (s-cr); the second turn is "
        "shown, as in the paper. Impacts make the motion sensitive: all numbers are means ± standard deviations over the runs "
        "of an ensemble with pushes of 1 mN (20 runs for c-cr at 2000 rev/min, where the paper states orders in time, 4 "
        "elsewhere). An order is confirmed if neighbouring means differ by more than two standard errors, confirmed with "
        "deviation if they only lie in this order."
    )
    page.statements()
    page.figures()
    page.text(
        "## Stribeck speed\n\nThe paper takes 1 % of the largest tangential velocity of each run. Here a run with the model's "
        "own finds it for every set of parameters, and the runs of the table use it:"
    )
    labels = [label for label in n["runs"] if "none" not in label]
    rows: list[tuple[object, ...]] = [(label, f"{run(n, label, 'v_s')[0]:.4f}", said(n, [label], "slip")) for label in labels]
    page.table(("runs", "v_s [m/s]", "largest tangential velocity [m/s]"), rows)
    page.text("## All ensembles\n\nThe second turn. Accelerations are in parts of the ideal peak.")
    rows = []
    for label, r in n["runs"].items():
        cells = (f"{r['peak'][0]:.2f} ± {r['peak'][1]:.1g}", f"{r['flight'][0]:.0%}", f"{r['reversals'][0]:.1f}")
        rows.append((label, r["count"], *cells, f"{r['friction'][0]:.1f} ± {r['friction'][1]:.1g}", f"{r['largest'][0]:.3f}"))
    page.table(
        ("place, rev/min, μ_k", "runs", "peak acceleration", "flight", "reversals", "median friction [N]", "largest F_T / F_N"),
        rows,
    )
    page.text(
        "## Deviations\n\n- The paper puts the bristle into its steady state and prints exp(+|v|) in eq. 30; here the "
        "bristle is "
        "a state of the contact and the curve decays. Eq. 33 adds friction along the normal; here it acts along the tangent. "
        "The rows `steady` and `no gravity` say what the steady bristle and gravity, which is not printed, change.\n"
        '- Fig. 8 and Sect. 4.2 of the paper contradict each other: a friction of 0.1 changes the acceleration "very '
        'slightly", and 0.05 in place of 0.01 makes "greater variations".\n'
        "- Figs 9 and 16 show 0.2 ms around a reversal of the slip. With the clearance at c-cr the slip seldom reverses in "
        "contact here, so the figures show s-cr as well."
    )
    page.runs()
