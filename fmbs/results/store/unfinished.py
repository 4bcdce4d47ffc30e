"""Unfinished: an HDF5 file whose writer is at work, or was killed, as if it had been closed.

HDF5 opens such files in its own reader mode only, and there every damaged place of its tables is read a hundred times before it
is given up: minutes for one file. Its tables are whole at any time all the same, since the writer puts them on the disk in the
order in which they refer to each other. So a reader may take the file as it is, but for the first 48 bytes (the superblock:
who has it open, where it ends), which are made anew in memory.
"""

from __future__ import annotations

import io
import struct
from pathlib import Path

SIGNATURE = b"\x89HDF\r\n\x1a\n"
SUPERBLOCK = 48  # bytes of versions 2 and 3, with addresses of 8 bytes
FLAGS, END = 11, 28  # places of the consistency flags and of the end of the file
MASK = 0xFFFFFFFF


class Unfinished(io.RawIOBase):
    """The file with a superblock that says: closed, and as long as it is."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._size = self._file.seek(0, io.SEEK_END)
        self._file.seek(0)
        head = self._file.read(SUPERBLOCK)
        fields = bytearray(head[:-4])
        fields[FLAGS] = 0
        fields[END : END + 8] = struct.pack("<Q", self._size)
        self._head = bytes(fields) + struct.pack("<I", checksum(bytes(fields)))
        self._place = 0

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._file.seek(self._place)
        count = self._file.readinto(buffer) or 0
        part = self._head[self._place : self._place + count]
        buffer[: len(part)] = part
        self._place += count
        return count

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        self._place = place + {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()


def is_unfinished(path: Path) -> bool:
    """Does the superblock, which must be whole, say that a writer has the file open?"""
    head = _superblock(path)
    return head != b"" and head[FLAGS] != 0 and head[-4:] == struct.pack("<I", checksum(head[:-4]))


def stored_end(path: Path) -> int:
    """Where HDF5 says that a closed file ends; 0 where it cannot be told."""
    head = _superblock(path)
    return int.from_bytes(head[END : END + 8], "little") if head and head[FLAGS] == 0 else 0


def _superblock(path: Path) -> bytes:
    """Nothing where it is of another version."""
    with path.open("rb") as file:
        head = file.read(SUPERBLOCK)
    known = len(head) == SUPERBLOCK and head.startswith(SIGNATURE) and head[8] in (2, 3) and head[9] == 8
    return head if known else b""


def checksum(data: bytes) -> int:
    """HDF5's own for its tables: Jenkins' lookup3."""
    a = b = c = (0xDEADBEEF + len(data)) & MASK
    length = (len(data) + 11) // 12 * 12
    parts: tuple[int, ...] = struct.unpack(f"<{length // 4}I", data.ljust(length, b"\0"))
    for k in range(0, len(parts) - 3, 3):
        a, b, c = (a + parts[k]) & MASK, (b + parts[k + 1]) & MASK, (c + parts[k + 2]) & MASK
        a = (a - c & MASK) ^ _turned(c, 4)
        c = c + b & MASK
        b = (b - a & MASK) ^ _turned(a, 6)
        a = a + c & MASK
        c = (c - b & MASK) ^ _turned(b, 8)
        b = b + a & MASK
        a = (a - c & MASK) ^ _turned(c, 16)
        c = c + b & MASK
        b = (b - a & MASK) ^ _turned(a, 19)
        a = a + c & MASK
        c = (c - b & MASK) ^ _turned(b, 4)
        b = b + a & MASK
    a, b, c = (x + y & MASK for x, y in zip((a, b, c), parts[-3:], strict=True))
    c = (c ^ b) - _turned(b, 14) & MASK
    a = (a ^ c) - _turned(c, 11) & MASK
    b = (b ^ a) - _turned(a, 25) & MASK
    c = (c ^ b) - _turned(b, 16) & MASK
    a = (a ^ c) - _turned(c, 4) & MASK
    b = (b ^ a) - _turned(a, 14) & MASK
    return (c ^ b) - _turned(b, 24) & MASK


def _turned(x: int, by: int) -> int:
    return (x << by | x >> 32 - by) & MASK
