"""Identity: what tells the files of one run from those of another."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Identity:
    """fingerprint: of model and settings, the same for equal runs; run: drawn anew for each, kept when it is continued."""

    fingerprint: str
    run: str = field(default_factory=lambda: secrets.token_hex(8))

    @classmethod
    def of(cls, file: Any) -> Identity | None:
        """That of an open HDF5 file; None where it has none, as those of earlier versions."""
        run, fingerprint = (text(file.attrs.get(name)) for name in ("run", "fingerprint"))
        if not (isinstance(run, str) and isinstance(fingerprint, str) and re.fullmatch("[0-9a-f]{16}", run)):
            return None
        return cls(fingerprint, run)


def text(value: Any) -> Any:
    """An attribute that is a text; any other as it is."""
    return value.decode() if isinstance(value, bytes) else value


def beside(path: Path, *endings: str) -> Path:
    """`run.h5` with "partial", "earlier" -> `run.h5.partial.earlier`."""
    return path.with_name(".".join([path.name, *endings]))


def partial_path(path: Path) -> Path:
    """Where a run is written until it is whole."""
    return beside(path, "partial")


def leftovers(path: Path) -> list[Path]:
    """What a run that was killed may leave, beside its frames and its checkpoint; none of it is of use to a new run.

    partial.earlier: the frames before the run was continued, until they are computed again
    partial.new, checkpoint.new: the next ones, half written
    """
    return [beside(path, "partial", "earlier"), beside(path, "partial", "new"), beside(path, "checkpoint", "new")]
