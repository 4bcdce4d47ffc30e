"""Numerical tangents: the whole residual differentiated column group by column group."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

Array = NDArray[np.float64]


class ColumnGroups:
    """Columns that share no row can be perturbed together (Curtis, Powell & Reid 1974)."""

    def __init__(self, pattern: csc_matrix, columns: int) -> None:
        """Differentiate with respect to the first `columns` unknowns."""
        part = csc_matrix(pattern[:, :columns])
        self._row = part.indices
        self._column = np.repeat(np.arange(columns), np.diff(part.indptr))
        from scipy.optimize._numdiff import group_columns  # slow to import

        groups = group_columns(csc_matrix((np.ones(part.nnz), part.indices, part.indptr), shape=part.shape))
        self._groups = [np.flatnonzero(groups == g) for g in range(int(groups.max()) + 1)] if columns else []
        self._entries = [np.flatnonzero(groups[self._column] == g) for g in range(len(self._groups))]

    def differentiate(self, function: Callable[[Array], Array], x: Array, scale: Array) -> Array:
        """df/dx at the pattern's entries, by central differences with step 1e-6 of each unknown's scale."""
        values = np.empty(self._row.size)
        for columns, entries in zip(self._groups, self._entries, strict=True):
            step = np.zeros_like(x)
            step[columns] = 1e-6 * scale[columns]
            change = function(x + step) - function(x - step)
            values[entries] = change[self._row[entries]] / (2.0 * step[self._column[entries]])
        return values
