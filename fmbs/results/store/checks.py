"""Checks: a number for every row and every text of a file, by which damage and what belongs to another run are recognised.

check = key + sum_k w_k y_k mod 2^64, y_k = x_k xor (x_k >> 32): x are the row's 64-bit words, w odd numbers that differ from
word to word and from name to name, key that of the run and of the row's place. A changed word is always noticed, anything else
but for one case in 2^32 or fewer. Row by row, so that the last block of a file may be written again and again, and so that the
rows before a damaged one can be told to be whole.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.jit.compiled import kernel

Words = NDArray[np.uint64]

MASK = (1 << 64) - 1


def row_sums(name: str, rows: NDArray[np.generic]) -> Words:  # (n,)
    """The sum of every row of one quantity; `name` chooses the weights."""
    sums = np.zeros(len(rows), np.uint64)
    words = _words(rows)
    if words.size:
        add_sums(words, _weights(zlib.crc32(name.encode()), words.shape[1]), sums)
    return sums


@kernel(plain=True)
def add_sums(words: Words, weights: Words, sums: Words) -> None:
    """sums += sum_k w_k y_k of every row  # (n, k), (k,), (n,)."""
    half = np.uint64(32)
    for i in range(sums.size):
        total = sums[i]
        for k in range(weights.size):
            total += (words[i, k] ^ (words[i, k] >> half)) * weights[k]
        sums[i] = total


def row_keys(run: str, group: str, first: int, count: int) -> Words:  # (count,)
    """What is added to the sums of the rows from `first` on."""
    start = (int(run, 16) ^ zlib.crc32(group.encode()) << 32) & MASK
    return _mixed(np.arange(first, first + count, dtype=np.uint64) ^ np.uint64(start))


def seal(run: str, name: str, content: bytes | ArrayLike) -> int:
    """The check of a text or of a whole array, its shape and type included; it fits an int64."""
    if isinstance(content, bytes):
        label, flat = f"{name} text {len(content)}", np.frombuffer(content, np.uint8)
    else:
        array = np.asarray(content)
        label, flat = f"{name} {array.dtype.str} {array.shape}", np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    row = (np.pad(flat, (0, -flat.size % 8)) if flat.size % 8 else flat).view(np.uint64)[None]
    return int((row_sums(label, row) + row_keys(run, label, 0, 1))[0] >> np.uint64(1))


def _words(rows: NDArray[np.generic]) -> Words:  # (n, k)
    rows = np.require(rows, requirements=["C", "W"]).reshape(len(rows), -1 if rows.size else 0)  # one kernel for all
    return rows.view(np.uint64) if rows.dtype.itemsize == 8 else rows.astype(np.float64).view(np.uint64)


@lru_cache(64)
def _weights(seed: int, count: int) -> Words:
    return _mixed(np.arange(1, count + 1, dtype=np.uint64) + np.uint64(seed << 32)) | np.uint64(1)


def _mixed(x: Words) -> Words:
    """Neighbouring numbers become unlike each other (splitmix64)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
