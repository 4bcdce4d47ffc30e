"""What one run of a reproduction leaves: settings, costs, numbers and the hashes of its figures, in results.json."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import fmbs as fm
from fmbs.core.files import replace_text
from fmbs.reproduce.cases import PaperCase, Result

FILE = "results.json"
DIGITS = 6  # that are kept of every number


@dataclass(frozen=True)
class Record:
    """version, commit: of fmbs; runs: a case with its settings and costs, members of an ensemble together

    numbers: everything that the page says, nested by name; figures: name -> caption and SHA-256 of the file
    """

    paper: str
    version: str
    commit: str
    quick: bool
    minutes: float
    runs: list[dict[str, Any]]
    numbers: dict[str, Any]
    figures: dict[str, dict[str, str]]

    def save(self, folder: Path) -> None:
        replace_text(folder / FILE, json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, folder: Path) -> Record:
        return cls(**json.loads((folder / FILE).read_text(encoding="utf-8")))


def rounded(x: Any) -> Any:
    """Numbers for JSON, with DIGITS digits: what the file holds is what the page is made of."""
    if isinstance(x, Mapping):
        return {str(key): rounded(value) for key, value in x.items()}
    if isinstance(x, bool | np.bool_):
        return bool(x)
    if isinstance(x, int | np.integer):
        return int(x)
    if isinstance(x, float | np.floating):
        return float(f"{float(x):.{DIGITS}g}")
    if isinstance(x, str) or x is None:
        return x
    if isinstance(x, Iterable):
        return [rounded(value) for value in x]
    raise TypeError(f"results.json cannot hold {x!r}")


def runs_of(cases: Iterable[PaperCase], got: Mapping[str, Result]) -> list[dict[str, Any]]:
    """One entry a case, with the sums over its members."""
    found: dict[str, dict[str, Any]] = {}
    for case in cases:
        r = got[case.label]
        entry = found.setdefault(case.base, _settings(case))
        entry["members"] += 1
        entry["steps"] += r.steps
        entry["wall"] += r.wall
        entry["cpu"] += r.cpu
        entry["failed"] += [r.failed] if r.failed else []
        if case.push:
            entry["push"], entry["seed"] = case.push, case.seed
    return [rounded(entry) for entry in found.values()]


def _settings(case: PaperCase) -> dict[str, Any]:
    options = {key: x if isinstance(x, int | float | str) else repr(x) for key, x in case.settings().items()}
    return {
        "label": case.base, "model": case.model, "parameters": dict(case.parameters), "t_end": case.t_end, "options": options,
        "members": 0, "push": 0.0, "seed": 0, "steps": 0, "wall": 0.0, "cpu": 0.0, "failed": [],
    }  # fmt: skip


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def commit() -> str:
    """Of the source that runs, with "+" if the package was changed since; empty without git."""
    root = Path(fm.__file__).parents[1]

    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--", "fmbs") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""
