"""Files that are written in one go or not at all, and what is said where they cannot be."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fmbs.core.errors import DiskFull, FileError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_target(path: Path) -> None:
    """Refuse what must not be replaced by a file: a folder, a device, a pipe. A link is replaced itself, not what it names."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return  # it is not there, or whoever writes it finds out why not
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        kind = next((word for word, like in _KINDS.items() if like(mode)), "no file")
        raise FileError(f"{path}: is a {kind}, and would be replaced by a file; give the name of a file.")


_KINDS = {"folder": stat.S_ISDIR, "device": lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode), "pipe": stat.S_ISFIFO,
          "socket": stat.S_ISSOCK}  # fmt: skip


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """What the system or HDF5 raises when the disk is full or the folder closed, in one line."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise write_error(path, error) from None


def write_error(path: Path | str, error: OSError | RuntimeError) -> FileError:
    """Such an error for people. HDF5 has the system's number and words inside its own."""
    found = re.search(r"errno = (\d+)", str(error))
    number = (error.errno if isinstance(error, OSError) else None) or (int(found[1]) if found else 0)
    reason = os.strerror(number) if number else str(error).splitlines()[0] if str(error) else type(error).__name__
    if number in NO_ROOM:
        return DiskFull(f"{path}: cannot be written ({reason}); make room on the disk.")
    return FileError(f"{path}: cannot be written ({reason}); check the folder, its permissions and the space on the disk.")


class Reserved:
    """A text that is written when there may be no room left: its room is taken before, in `<path>.part`."""

    def __init__(self, path: Path, size: int) -> None:
        check_target(path)
        self._path, self._part = path, path.with_name(path.name + ".part")
        with writing(path):
            self._part.unlink(missing_ok=True)
            with self._part.open("xb") as file:
                file.write(b" " * size)

    def write(self, text: str) -> None:
        """In place of what was there."""
        with writing(self._path):
            with self._part.open("r+b") as file:
                file.write(text.encode() + b"\n")
                file.truncate()
            os.replace(self._part, self._path)

    def drop(self) -> None:
        self._part.unlink(missing_ok=True)


def replace_text(path: Path, text: str) -> None:
    """All or nothing."""
    check_target(path)
    part = path.with_name(path.name + ".part")
    with writing(path):
        part.unlink(missing_ok=True)
        try:
            with part.open("x") as file:
                file.write(text + "\n")
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
