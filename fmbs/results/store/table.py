"""Table: rows that grow at the end of one dataset of an HDF5 file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.results.store.checks import Words, row_sums

CHUNK_BYTES = 1 << 20
CHUNK_ROWS = 512  # of small rows: a short run takes no more room on the disk than it needs


class Table:
    """Collects rows to whole chunks and puts those into the file as they are.

    HDF5's own way, through its cache of chunks, copies everything once more and takes twice the time.

    file: of h5py
    name: of the dataset to make
    like: an array with the shape of its rows and their type  # (any, ...)
    """

    def __init__(self, file: Any, name: str, like: NDArray[Any]) -> None:
        row = like.shape[1:]
        count = max(1, min(CHUNK_ROWS, CHUNK_BYTES // max(1, int(np.prod(row)) * like.itemsize)))
        chunks = (count, *(max(1, size) for size in row))  # a model without joints has no multipliers; chunks are not empty
        largest = (None, *(size or None for size in row))
        self._name, self._sums = name, [np.empty(0, np.uint64)]
        self._dataset = file.create_dataset(name, (0, *row), maxshape=largest, chunks=chunks, dtype=like.dtype)
        self._rows = np.zeros((count, *row), like.dtype)  # of the last chunk
        self.count = self._written = 0  # rows there, and rows in the file

    @property
    def chunk_bytes(self) -> int:
        return int(self._rows.nbytes)

    def extend(self, block: NDArray[Any]) -> None:
        """Add rows; chunks that become whole are written."""
        size = len(self._rows)
        while len(block):
            at = self.count % size
            part = block[: size - at]
            if len(part) < size:
                self._rows[at : at + len(part)] = part
            self.count += len(part)
            if self.count % size == 0:
                self._put(part if len(part) == size else self._rows)
            block = block[len(part) :]

    def flush(self) -> None:
        """Write what there is of the last chunk too; the rows behind it do not count yet."""
        if self._written < self.count:
            self._put(self._rows)

    def take_sums(self) -> Words:
        """For the checks of the rows that were written since it was last asked."""
        sums, self._sums = np.concatenate(self._sums), [np.empty(0, np.uint64)]
        return sums

    def _put(self, chunk: NDArray[Any]) -> None:
        """Write the chunk with the last row."""
        self._dataset.resize(self.count, axis=0)
        begin = (self.count - 1) // len(chunk) * len(chunk)
        self._sums.append(row_sums(self._name, chunk[self._written - begin : self.count - begin]))
        if chunk.size:
            corner = (begin, *(0 for _ in chunk.shape[1:]))
            self._dataset.id.write_direct_chunk(corner, np.ascontiguousarray(chunk, self._rows.dtype))
        self._written = self.count
