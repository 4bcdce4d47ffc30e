"""Files of a run that are garbled, and what must come of it."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import fmbs as fm
from fmbs.results.recorder import Recorder
from tests.robustness.reliability_cases import Outcome, difference, started
from tests.robustness.reliability_models import rattle


def garble(data: bytes, rng: np.random.Generator) -> bytes:
    """Flip bytes, cut, zero a block, exchange blocks."""
    found = bytearray(data)
    what = int(rng.integers(5))
    at, size = int(rng.integers(len(data))), int(rng.choice([1, 8, 64, 512, 4096]))
    if what == 0:
        for place in rng.integers(len(data), size=int(rng.integers(1, 10))):
            found[place] ^= int(rng.integers(1, 256))
    elif what == 1:
        return data[:at]
    elif what == 2:
        found[at : at + size] = bytes(len(found[at : at + size]))
    elif what == 3:
        other = int(rng.integers(len(data)))
        block = data[other : other + size]
        found[at : at + len(block)] = block[: len(found) - at]
    else:
        found[at : at + size] = rng.integers(256, size=len(found[at : at + size]), dtype=np.uint8).tobytes()
    return bytes(found)


def edit(path: Path, rng: np.random.Generator) -> None:
    """Change the file by HDF5's own means, so that its own checks are right."""
    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) and item.size else None)
        item = file[names[int(rng.integers(len(names)))]]
        what = int(rng.integers(4))
        if what == 0 and item.attrs:
            key = str(rng.choice(list(item.attrs)))
            item.attrs[key] = np.bytes_(b"0") if isinstance(item.attrs[key], bytes) else item.attrs[key] + 1
        elif what == 1 and file.attrs:
            key = str(rng.choice(list(file.attrs)))
            value = file.attrs[key]
            file.attrs[key] = value + b"x" if isinstance(value, bytes) else not value if value.dtype == bool else value + 1
        elif what == 2 and item.chunks:
            item.resize(int(rng.choice([0, 1, len(item) - 1, len(item) + 1, 10**9])), axis=0)
        elif item.dtype.kind == "S":
            text = item[()].replace(b"1", b"2", 1).replace(b'"elements": 3', b'"elements": 9')
            item[()] = np.array(text, item.dtype)
        else:
            values = item[()]
            place = tuple(int(rng.integers(n)) for n in values.shape)
            change = (
                values[place] + values.dtype.type(1) if values.dtype.kind in "iu" else values[place] * (1.0 + 1e-15) + 1e-300
            )
            item[place] = change


@cache
def material() -> dict[str, bytes]:
    """Files to garble: of a run that ended, and of one that was killed after a checkpoint."""

    def run_and_die() -> None:
        pause, step = Recorder.pause, 0

        def pause_and_die(self: Recorder, state: Any) -> None:
            nonlocal step
            step += 1
            if step == 100:
                self.checkpoint(state)
            if step == 150:
                self.frames.flush()
                os.kill(os.getpid(), signal.SIGKILL)
            pause(self, state)

        Recorder.pause = pause_and_die  # type: ignore[method-assign]
        garbled_run(path)

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "run.h5"
        garbled_run(path)
        found = {"run.h5": path.read_bytes()}
        path.unlink()
        process, _, _ = started(run_and_die)
        process.join()
        return found | {each: (Path(name) / each).read_bytes() for each in ("run.h5.partial", "run.h5.checkpoint")}


def garbled_run(path: Path | None) -> fm.Solution:
    """Short: every garbled checkpoint is tried."""
    return rattle().simulate(0.02, step=1e-4, output_step=1e-4, checkpoint=path, progress=False, energy_tolerance=None)


@cache
def garbled_whole() -> fm.Solution:
    return garbled_run(None)


def garbled_case(seed: int, folder: Path) -> Outcome:
    """Garble one file of a run, load it or go on from it: refused by fmbs, or the same numbers. None takes long."""
    rng = np.random.default_rng(seed)
    name = ("run.h5", "run.h5.partial", "run.h5.checkpoint")[seed % 3]
    edited = seed % 5 == 0 and name != "run.h5.partial"  # which HDF5 cannot open for writing
    kind, files = f"{name}, {'edited' if edited else 'garbled'}", material()
    folder.mkdir()
    for each in ("run.h5.partial", "run.h5.checkpoint") if name == "run.h5.checkpoint" else (name,):
        (folder / each).write_bytes(files[each])
    if edited:
        edit(folder / name, rng)
    else:
        (folder / name).write_bytes(garble(files[name], rng))
    begin = time.monotonic()
    try:
        found = garbled_run(folder / "run.h5") if name == "run.h5.checkpoint" else fm.load(folder / name)
        full = garbled_whole()
        there = full.q[: len(found)] if name == "run.h5.partial" else full.q
        intact = _loaded(name)
        same = np.array_equal(found.q, there) and (intact is None or not difference(found, intact))
        result, wrong = "equal", "" if same else "other numbers"
    except fm.FileError as error:
        result, wrong = "refused", "" if str(folder) in str(error) else f"does not name the file: {error}"
    except Exception as error:
        result, wrong = "raw", f"{type(error).__name__}: {error}"
    if time.monotonic() - begin > 20.0:
        wrong = wrong or f"took {time.monotonic() - begin:.0f} s"
    shutil.rmtree(folder)
    return Outcome(kind, wrong, ((result, 1),))


@cache
def _loaded(name: str) -> fm.Solution | None:
    """The file as it was."""
    if name == "run.h5.checkpoint":
        return garbled_whole()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(material()[name])
        return fm.load(path)
