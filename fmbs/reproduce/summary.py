"""The table of all papers: how many statements, and what became of them."""

from __future__ import annotations

from pathlib import Path

from fmbs.core.errors import ModelError
from fmbs.reproduce.claim import VERDICTS
from fmbs.reproduce.papers import PAPERS, paper
from fmbs.reproduce.record import FILE, Record

HEAD = """# Papers reproduced

What the five papers state about their results, beside what fmbs gets with their data. Each page is written whole by one run of
`fmbs reproduce PAPER`, with its figures and a `results.json` that holds every number of the page, the settings of every run and
the commit. A statement about a motion that is sensitive to everything comes from an ensemble: the same run with pushes of 1 mN,
fixed seeds. Every statement has a test in `tests/literature`, or says why it has none.
"""


def summary(folder: Path) -> str:
    """Markdown, from the records in the folders of the papers."""
    lines = [HEAD, f"| paper | statements | {' | '.join(VERDICTS)} | run of |", "|---|" + "---|" * (len(VERDICTS) + 2)]
    total = [0] * (len(VERDICTS) + 1)
    for name in sorted(PAPERS):
        if not (folder / name / FILE).exists():
            continue
        record, claims = Record.load(folder / name), paper(name).claims
        said = [claim.judged(record.numbers) for claim in claims]
        counts = [len(said), *(said.count(each) for each in VERDICTS)]
        total = [a + b for a, b in zip(total, counts, strict=True)]
        minutes = sum(run["cpu"] for run in record.runs) / 60.0
        title = f"[{name.capitalize()}]({name}/README.md)"
        lines.append(f"| {title} | {' | '.join(map(str, counts))} | {minutes:.1f} minutes of a core, `{record.commit[:7]}` |")
    lines.append(f"| all | {' | '.join(map(str, total))} | |")
    return "\n".join(lines) + "\n"


def write_summary(folder: Path) -> Path:
    """Into README.md of the folder that holds the papers' folders."""
    if not any((folder / name / FILE).exists() for name in PAPERS):
        raise ModelError(f"reproduce summary: {folder} holds no PAPER/{FILE}; name the folder above the papers with --out.")
    path = folder / "README.md"
    path.write_text(summary(folder), encoding="utf-8")
    print(f"wrote {path}")
    return path
