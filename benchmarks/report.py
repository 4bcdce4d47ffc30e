"""The table, the growth with N and the machine, as Markdown."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from measure import Result, slope

BEGIN, END = "<!-- {} --write: begin -->", "<!-- {} --write: end -->"
PROGRAMS = {"fmbs": "fmbs", "exudyn": "Exudyn"}
COLUMNS = (
    *("case", "N", "fmbs us/step", "Exudyn us/step", "Exudyn / fmbs", "iterations a step", "factorisations a step"),
    *("building, s", "set-up, s", "fmbs peak, MB", "largest difference, m"),
)


def markdown(results: list[Result]) -> str:
    """Pairs `a / b` are fmbs / Exudyn."""
    head = ["| " + " | ".join(COLUMNS) + " |", "|---|" + "---:|" * (len(COLUMNS) - 1)]
    return "\n".join([machine(), "", *head, *map(_row, results), "", *_growth(results), *_failures(results)])


def line(result: Result) -> str:
    """For the terminal, as the benchmark goes on."""
    parts = [
        f"{name} {timing.failure or f'{timing.us_per_step:.1f} us a step ({timing.repeats} repeats)'}"
        for name, timing in result.timings.items()
    ]
    return f"{result.name} N={result.size}: " + ", ".join(parts)


def _row(result: Result) -> str:
    ours, theirs = result.good("fmbs"), result.good("exudyn")
    cells = [
        result.name,
        str(result.size),
        *(_time(result, program) for program in PROGRAMS),
        f"{theirs.us_per_step / ours.us_per_step:.2f}" if ours and theirs else "",
        *(_pair(result, *column) for column in (("iterations", ".2f"), ("factorizations", ".3f"))),
        *(_pair(result, *column) for column in (("build", ".2g"), ("set_up", ".2g"))),
        f"{ours.memory:.0f}" if ours else "",
        "" if (difference := result.difference()) is None else f"{difference:.1e}",
    ]
    return "| " + " | ".join(cells) + " |"


def _time(result: Result, program: str) -> str:
    timing = result.good(program)
    if timing is None:
        return "failed" if program in result.timings else ""
    return f"{timing.us_per_step:.1f}" if timing.us_per_step < 1000.0 else f"{timing.us_per_step:.0f}"


def _pair(result: Result, attribute: str, form: str) -> str:
    values = [format(getattr(timing, attribute), form) if (timing := result.good(p)) else "-" for p in result.timings]
    return " / ".join(values)


def _growth(results: list[Result]) -> list[str]:
    lines = []
    for name in dict.fromkeys(result.name for result in results):
        mine = [result for result in results if result.name == name]
        slopes = {title: slope(mine, program) for program, title in PROGRAMS.items()}
        text = ", ".join(f"{title} {value:.2f}" for title, value in slopes.items() if value is not None)
        if text:
            lines.append(f"- {name}: d log(time) / d log(N) from N = 100 up (1 is linear): {text}.")
    return lines


def _failures(results: list[Result]) -> list[str]:
    return [
        f"- {result.name} N = {result.size}, {PROGRAMS[program]} failed: {timing.failure}"
        for result in results
        for program, timing in result.timings.items()
        if timing.failure
    ]


def machine() -> str:
    """Processor, versions, commit, load: what the numbers belong to."""
    names = ("numpy", "scipy", "numba", "petsc4py", "exudyn")
    packages = ", ".join(f"{name} {found}" for name in names if (found := _version(name)))
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, fmbs {_version('fmbs')} ({_commit()}); {_processor()}, {os.cpu_count()} cores, "
        f"one used, load {load} at the end; {platform.system()}, Python {platform.python_version()}, {packages}."
    )


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _commit() -> str:
    def git(*arguments: str) -> str:
        here = Path(__file__).parent
        return subprocess.run(["git", *arguments], cwd=here, capture_output=True, text=True, check=False).stdout.strip()

    return git("rev-parse", "--short", "HEAD") + (" with changes" if git("status", "--porcelain", "../fmbs") else "")


def write(path: Path, text: str, name: str) -> None:
    """Replace what stands between the markers of this name."""
    page, begin, end = path.read_text(), BEGIN.format(name), END.format(name)
    if begin not in page or end not in page:
        raise SystemExit(f"{path}: the markers {begin} and {end} are missing")
    head, rest = page.split(begin, 1)
    path.write_text(f"{head}{begin}\n{text}\n{end}{rest.split(end, 1)[1]}")
