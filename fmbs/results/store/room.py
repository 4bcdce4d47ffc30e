"""Room: space on the disk that a file has before HDF5 writes into it.

HDF5 does not survive a write that fails for want of space: it raises, and crashes when the file is closed. So the file is made
longer first, by the system, which allocates the blocks or raises an ordinary OSError. What is left of it is cut off when
HDF5 has closed the file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from fmbs.results.store.unfinished import stored_end

MARGIN = 256 << 10  # bytes of tables that HDF5 keeps of its own
AHEAD = 4 << 20


class Room:
    """file: of h5py, opened for writing."""

    def __init__(self, file: Any) -> None:
        self._file, self._end = file, 0

    def reserve(self, size: int) -> None:
        """So many bytes can be written. Raises OSError."""
        there: int = self._file.id.get_filesize()
        need = there + size + MARGIN
        if need <= self._end or not hasattr(os, "posix_fallocate"):
            return
        number = self._file.id.get_vfd_handle()
        for end in (need + AHEAD, need):
            try:
                os.posix_fallocate(number, there, end - there)
                self._end = end
                return
            except OSError:
                if end == need:
                    raise


def trim(path: Path) -> None:
    """Give back the room that a closed file did not need."""
    end = stored_end(path)
    if 0 < end < path.stat().st_size:
        os.truncate(path, end)
