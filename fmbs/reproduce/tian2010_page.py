"""The page of Tian2010."""

from __future__ import annotations

from fmbs.reproduce.page import Page
from fmbs.reproduce.tian2010_claims import STIFFNESS

TIMES = {"ideal": (61, 194, 329), "dry": (3085, 8114, 15751), "lubricated": (3885, 10247, 18114)}  # s, Table 1
STEPS = {"ideal": ("not printed", "1e-3"), "dry": ("2e-6", "1e-5"), "lubricated": ("2e-6", "1e-3")}


def layout(page: Page) -> None:
    n = page.numbers
    page.text(
        "Models `double_pendulum` ({swing:g} s) and `slider_crank_spatial` (perfect and dry 4 turns; dry and "
        "lubricated 2 s, of "
        "which Figs 22 to 24 show the last 0.1 s), with the paper's element and numbers of elements. The dry motion is "
        "chaotic: numbers with ± are means and standard deviations over ensembles with pushes of 1 mN, of the first half "
        "second of the pendulum and of four turns of the slider-crank. Three numbers in a row are for E = 6.9e11, 6.9e9 and "
        "6.9e8 Pa."
    )
    page.statements()
    page.text("## Table 1: total time of computation beside the paper's")
    rows = []
    for joint, times in TIMES.items():
        for (key, (_, count)), paper in zip(STIFFNESS.items(), times, strict=True):
            p = n["pendulum"][key]
            cells = (joint, key, count, STEPS[joint][0], paper, STEPS[joint][1])
            rows.append((*cells, f"{p['wall'][joint]:.1f}", f"**{p['cpu'][joint]:.1f}**"))
    page.table(
        ("joint", "E [Pa]", "elements", "paper: step [s]", "time [s]", "fmbs: step [s]", "wall [s]", "processor [s]"), rows
    )
    page.text(
        "The paper's machine was a PC with four processors of 2.83 GHz. Wall times here are of a machine that others used as "
        "well. Energy that is gained or lost and not accounted for in dry runs is at most "
        f"{max(n['pendulum'][key]['dry']['energy off'] for key in STIFFNESS):.1e}"
        " of the largest kinetic energy."
    )
    page.figures()
    _arrangement(page)
    _kinds(page)
    page.text(
        "## Deviations\n\n"
        "- Steps: the paper's are 2e-6 s for dry and lubricated joints; the table has those of fmbs.\n"
        "- Not printed: the directions of links and axes (above), and the contact's Young's modulus of the pendulum, 207 GPa "
        "here. With 70 GPa the largest force of half a second is {contact of 70 GPa[force]:.0f} N in place of "
        "{contact of 70 GPa[instead]:.0f} N, and D moves by {contact of 70 GPa[off z]:.2f} mm.\n"
        "- The paper's bearing B is a cylindrical joint. Without friction along its axis link CD would slide off QB; here B is "
        "a revolute joint, and with `sliding=true` it is the paper's.\n"
        "- Fig. 12: ADAMS is not run. In its place stand rigid links in natural coordinates, of the same program: no "
        "second opinion.\n"
        "- Fig. 15: at the start the journal rests in the middle, where oil carries nothing: the force begins at zero."
    )
    page.runs()


def _arrangement(page: Page) -> None:
    page.text(
        '## Which way the axes point\n\nThe paper prints no axes. Its words are "spatial double pendulum", its figures show '
        "misaligned journals, and its Fig. 8 needs 4, 12 and 16 elements. Link QB along x with bearing Q about y is common to "
        "all arrangements; CD and the axis of B were tried as follows. Largest difference of z(D) from the run with 16 "
        "elements "
        "of the paper's kind, mm:"
    )
    rows = []
    for name, errors in page.numbers["elements"]["arrangements"].items():
        cells = [f"{errors[key][count]:.2f}" for key in STIFFNESS for count in ("4", "12")]
        rows.append((WORDS.get(name, name), *cells))
    headings = [f"E = {key}, {count}" for key in STIFFNESS for count in (4, 12)]
    page.table(("arrangement", *headings), rows)
    page.text(
        "With CD along y and B about x 4 elements are enough for the stiff links only, 12 nearly for the middle ones, and the "
        "journal is tilted by the weight of CD beside its bearing; this is the default of the model. In the plane "
        "nothing tilts "
        "and 4 elements do for every E."
    )


WORDS = {
    "spatial": "CD along y, B about x (default)", "planar": "CD along x, B about y: in the plane",
    "CD y, B z": "CD along y, B about z", "CD x, B z": "CD along x, B about z",
}  # fmt: skip


def _kinds(page: Page) -> None:
    kinds = page.numbers["elements"]["kinds"]
    if not kinds:
        return
    page.text(
        "## Fig. 8 with other elements\n\nLargest error of z(D) in half a second, mm, against 32 cubic structural "
        "elements, and "
        "processor time:"
    )
    rows = []
    for kind, found in kinds.items():
        for key, errors in found.items():
            cells = [f"{errors[c][0]:.3f} ({errors[c][1]:.1f} s)" if c in errors else "" for c in ("2", "4", "8", "16", "32")]
            rows.append((kind, key, *cells))
    page.table(("element", "E [Pa]", "2", "4", "8", "16", "32"), rows)
