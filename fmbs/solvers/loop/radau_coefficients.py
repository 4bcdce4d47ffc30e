"""Numbers of Radau IIA with three stages, as `tables.Stages` wants them (Hairer & Wanner 1996, sect. IV.8)."""

from __future__ import annotations

import numpy as np

ROOT = np.sqrt(6.0)
C = np.array([(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0])
A = np.array(
    [
        [(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225],
        [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225],
        [(16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9],
    ]
)
INVERSE = np.linalg.inv(A)
ERROR = np.array([-13 - 7 * ROOT, -13 + 7 * ROOT, -1.0]) / 3.0  # weights of the embedded formula, times the real eigenvalue

_values, _vectors = np.linalg.eig(INVERSE)
_real, _pair = int(np.argmin(np.abs(_values.imag))), int(np.argmax(_values.imag))
EIGENVALUES = np.array([_values[_real].real, _values[_pair].real, _values[_pair].imag])
# columns such that INVERSE BACK = BACK [g 0 0; 0 a -b; 0 b a]: a vector x + i y of a + i b gives x and -y
BACK = np.stack([_vectors[:, _real].real, _vectors[:, _pair].real, -_vectors[:, _pair].imag], axis=1)
TO = np.linalg.inv(BACK)
