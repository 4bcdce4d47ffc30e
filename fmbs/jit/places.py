"""Places in arrays that are known not to be negative.

Of a signed index numba asks each time whether it counts from the end. Where indices come from an array this takes longer than
the reading. `place(i)` is unsigned; sums with it are signed again, but the compiler knows where they begin.
"""

import numpy as np

place = np.uint32
