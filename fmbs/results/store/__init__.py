"""The HDF5 file of a run: written while it goes or at its end, read back without executing anything from the file.

/ attributes      format = "fmbs", layout, run and fingerprint (its identity), versions, check,
                  complete (False: the run is going on, or was killed)
/model            description: JSON of the parts and their parameters (see `encoding`); arrays/<k>: its large arrays
/frames           one dataset a quantity, one row a frame: t, q, v, a, lam, energy/kinetic, ...
/rows             one dataset a quantity that has its own rows: step_times, ...
/checks           one number a frame, and a row of each of /rows; texts and arrays have theirs as an attribute (see `checks`)
/committed        how many rows of /frames and /rows are whole, and a check of these counts
/summary          JSON: statistics and whatever else a Solution holds
"""

from fmbs.results.store.reader import load
from fmbs.results.store.save import save
from fmbs.results.store.writer import RunWriter

__all__ = ["RunWriter", "load", "save"]
