"""Lock: one writer a file or folder, on whatever file system machines may share.

`<path>.lock` is made exclusively, which network file systems keep to as well, and says who writes: machine, process and the
start of that process, so that a process with the same number later on is not taken for it. A thread renews its time of change.
A lock whose process is gone is stale. Processes of other machines, or of other containers, cannot be seen: theirs is stale when
its time is old by the clock of the file system.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from fmbs.core.errors import FileInUse
from fmbs.core.files import writing

BEAT = 15.0  # s between two signs of life
SILENT = 180.0  # s after which a writer on another machine counts as dead
BREAKING = 60.0  # s after which a file that guards the removal of a stale lock is left over itself
TRIES = 20


@dataclass(frozen=True)
class Holder:
    """Who writes. began: when the process was started, by the count of its system; machine: and its boot and container."""

    token: str = ""
    node: str = "unknown"
    machine: str = ""
    pid: int = 0
    began: str = ""
    since: str = "unknown"

    @classmethod
    def here(cls) -> Holder:
        pid = os.getpid()
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        return cls(secrets.token_hex(8), platform.node(), _machine(), pid, process_start(pid), since)

    def dead(self) -> bool | None:
        """None: it cannot be seen from here."""
        if not self.machine or self.machine != _machine() or sys.platform == "win32":
            return None
        if self.pid == os.getpid() and self.began == process_start(self.pid):
            return self.token not in {mine.holder.token for mine in _held.values()}
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass  # another user's, and alive
        return process_start(self.pid) != self.began


class Lock:
    """Held between `with Lock(path):` and its end; the thread that has it may take it again.

    path: of the file or folder that is written; it need not exist
    """

    def __init__(self, path: Path) -> None:
        self.path, self.file = path, path.with_name(path.name + ".lock")
        self.holder = Holder()
        self._thread, self._depth, self._stop = 0, 0, threading.Event()

    def acquire(self) -> Self:
        """Raises FileInUse."""
        outer = _held.get(self._key)
        if outer is not None and outer.holder.pid == os.getpid() and outer._thread == threading.get_ident():
            outer._depth += 1
            return self
        with writing(self.path):
            for _ in range(TRIES):
                self.holder = Holder.here()
                if self._make():
                    break
                found = self._found()
                if found is not None:
                    self._break(found)
            else:
                raise FileInUse(f"{self.path}: other runs are just taking hold of it ({self.file}); try again.")
        self._thread, self._depth, self._stop = threading.get_ident(), 1, threading.Event()
        _held[self._key] = self
        threading.Thread(target=self._beat, name=f"fmbs {self.file.name}", daemon=True).start()
        return self

    def release(self) -> None:
        mine = _held.get(self._key)
        if mine is None or mine.holder.pid != os.getpid():  # a process that was forked has a copy
            return
        mine._depth -= 1
        if mine._depth == 0:
            mine._stop.set()
            del _held[self._key]
            if mine.kept():
                with suppress(OSError):
                    self.file.unlink()

    def confirm(self) -> None:
        """Raises FileInUse where another run has taken over, as after a sleep of this machine."""
        mine = _held.get(self._key)
        if mine is not None and not mine.kept():
            raise FileInUse(
                f"{self.path}: another run has taken it over, or {self.file} was deleted; this run stops, and has left its "
                "files as they were."
            )

    def kept(self) -> bool:
        """Is it still this one?"""
        try:
            return bool(_read(self.file)[0].token == self.holder.token)
        except OSError:
            return False

    def __enter__(self) -> Self:
        return self.acquire()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()

    @property
    def _key(self) -> tuple[str, int]:
        return os.path.join(os.path.realpath(self.file.parent), self.file.name), os.getpid()

    def _make(self) -> bool:
        try:
            number = os.open(self.file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        except FileExistsError:
            return False
        try:
            os.write(number, json.dumps(asdict(self.holder)).encode())
        except OSError:
            self.file.unlink()
            raise
        finally:
            os.close(number)
        return True

    def _found(self) -> Holder | None:
        """Who has it, if that one is dead; None if it has just gone. Raises FileInUse."""
        try:
            other, changed = _read(self.file)
        except FileNotFoundError:
            return None
        dead = other.dead()
        if dead:
            return other
        who = f"process {other.pid} on {other.node}, since {other.since}"
        if dead is None:
            silent = self._now() - changed
            if silent > SILENT:
                return other
            who += f"; its last sign of life is {max(silent, 0.0):.0f} s old, and after {SILENT:.0f} s it counts as dead"
        raise FileInUse(f"{self.path}: another run is writing it ({who}); wait for it, or give this run another place.")

    def _now(self) -> float:
        """By the clock that stamps the files of this folder."""
        probe = self.file.with_name(f"{self.file.name}.{self.holder.token}")
        try:
            probe.touch()
            return probe.stat().st_mtime
        finally:
            probe.unlink(missing_ok=True)

    def _break(self, stale: Holder) -> None:
        """Remove a stale lock: under a guard, or two runs that see it at once would remove each other's new ones."""
        guard = self.file.with_name(self.file.name + ".stale")
        try:
            os.close(os.open(guard, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            with suppress(FileNotFoundError):
                if self._now() - guard.stat().st_mtime > BREAKING:
                    guard.unlink()
            time.sleep(0.05)
            return
        try:
            with suppress(FileNotFoundError):
                if _read(self.file)[0] == stale:
                    self.file.unlink()
        finally:
            guard.unlink(missing_ok=True)

    def _beat(self) -> None:
        while not self._stop.wait(BEAT):
            with suppress(OSError):
                if self.kept():
                    os.utime(self.file)


_held: dict[tuple[str, int], Lock] = {}


def _read(file: Path) -> tuple[Holder, float]:
    """Who holds a lock, and when it was last renewed; opened, because network file systems ask anew only then."""
    with file.open() as opened:
        changed = os.fstat(opened.fileno()).st_mtime
        try:
            return Holder(**json.loads(opened.read(4096))), changed
        except (ValueError, TypeError):  # being written, or by something else: only its age is known
            return Holder(), changed


def process_start(pid: int) -> str:
    """When a process was started; "" where it is gone or the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]  # ended, but not yet asked for by its parent


def _machine() -> str:
    """Where process numbers mean the same: one start of one machine, one container."""
    found = [platform.node()]
    with suppress(OSError):
        found.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
    with suppress(OSError):
        found.append(os.readlink("/proc/self/ns/pid"))
    return " ".join(found)
