"""Checkpoint: what a run needs to go on, in a file beside its frames."""

from __future__ import annotations

import io
import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.errors import FileError
from fmbs.core.files import check_target, writing
from fmbs.core.state import State
from fmbs.results.store.checks import seal
from fmbs.results.store.identity import Identity, beside, partial_path
from fmbs.results.store.reader import frames_in
from fmbs.results.store.stored import Damaged

Array = NDArray[np.float64]

MARK = b"fmbs "
CHECK = len(MARK) + 8  # bytes at the end of the file


@dataclass(frozen=True)
class Checkpoint:
    """Numbers and text in `values`, arrays by name, and whose they are."""

    identity: Identity
    values: dict[str, Any]
    arrays: dict[str, Array]

    def write(self, path: Path) -> None:
        """In one go: until the new one is whole the old one stays."""
        import h5py  # here and below: slow to import, and most runs write no file

        check_target(path)
        fresh = beside(path, "new")
        text = json.dumps({"identity": asdict(self.identity), "values": self.values}).encode()
        size = len(text) + sum(np.asarray(array).nbytes for array in self.arrays.values()) + (1 << 16)
        with h5py.File("checkpoint", "w", driver="core", backing_store=False, block_size=size, libver="latest") as file:
            file["values"] = np.array(text, dtype=h5py.string_dtype("utf-8", len(text)))
            for name, array in self.arrays.items():
                file[f"arrays/{name}"] = array
            file.flush()
            image = file.id.get_file_image()  # HDF5 does not survive a full disk: the system's own write does
        with writing(path):
            fresh.unlink(missing_ok=True)
            try:
                with fresh.open("xb") as raw:
                    raw.write(image)
                    raw.write(_check(image))
                os.replace(fresh, path)
            except OSError:
                fresh.unlink(missing_ok=True)  # the room may be needed for what comes next
                raise

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        """HDF5 sees it only if it is whole."""
        import h5py

        try:
            data = path.read_bytes()
            image, check = data[:-CHECK], data[-CHECK:]
            if check != _check(image):
                raise Damaged("it is not as it was written")
            with h5py.File(io.BytesIO(image), "r") as file:
                stored = json.loads(file["values"][()])
                return cls(Identity(**stored["identity"]), stored["values"], _arrays(file["arrays"]))
        except Exception as error:
            frames = partial_path(path.with_suffix(""))
            have = f"; the frames are there: fm.load({str(frames)!r})" if frames_in(frames) else ""
            reason = (str(error) or type(error).__name__).splitlines()[0]
            raise FileError(
                f"{path}: is no checkpoint of fmbs, or damaged ({reason}); the run cannot be continued, delete it to start "
                f"anew{have}."
            ) from None

    @property
    def state(self) -> State:
        """Where the run continues."""
        kept = {field.name: self.arrays[f"state/{field.name}"] for field in fields(State)}
        t, h, taken = (float(kept.pop(name)) for name in ("t", "h", "taken"))
        return State(t=t, h=h, taken=taken, **kept)

    def fits(self, system: System) -> bool:
        """Are its arrays as long as those of the model?"""
        sizes = dict.fromkeys("qva", system.size)
        sizes |= {"lam": system.multipliers, "history": system.contacts.initial_history().size}
        return all(self.arrays[f"state/{name}"].shape == (size,) for name, size in sizes.items())


def _check(image: bytes) -> bytes:
    return MARK + seal("0", "checkpoint", image).to_bytes(8, "little")


def _arrays(group: Any) -> dict[str, Array]:
    """All datasets of a group and its subgroups, by their path in it."""
    import h5py

    found: dict[str, Array] = {}
    for name, item in group.items():
        found |= {name: item[()]} if isinstance(item, h5py.Dataset) else {f"{name}/{k}": v for k, v in _arrays(item).items()}
    return found


def state_arrays(state: State) -> dict[str, Array]:
    """A state as `Checkpoint.state` reads it."""
    return {f"state/{field.name}": np.asarray(getattr(state, field.name)) for field in fields(State)}


def flatten(prefix: str, kept: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Array]]:
    """Plain values and arrays of a nested dictionary."""
    plain: dict[str, Any] = {}
    arrays: dict[str, Array] = {}
    for key, value in kept.items():
        name = f"{prefix}/{key}"
        if isinstance(value, dict):
            inner = flatten(name, value)
            plain |= inner[0]
            arrays |= inner[1]
        elif isinstance(value, np.ndarray):
            arrays[name] = value
        else:
            plain[name] = value
    return plain, arrays


def unflatten(checkpoint: Checkpoint, prefix: str) -> dict[str, Any]:
    """The nested dictionary again."""
    kept: dict[str, Any] = {}
    for name, value in [*checkpoint.values.items(), *checkpoint.arrays.items()]:
        if name.startswith(prefix + "/"):
            *groups, last = name.split("/")[1:]
            place = kept
            for group in groups:
                place = place.setdefault(group, {})
            place[last] = value
    return kept
