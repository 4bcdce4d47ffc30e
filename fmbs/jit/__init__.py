"""The compiler toolkit: kernels, the tables they take, calls by address, the cache on disk. It knows no mechanics.

`fm.jit`; the manual's page is docs/jit.md. Eight numbers at a time are in `fmbs.jit.lanes`.
"""

from fmbs.jit.addresses import address_of
from fmbs.jit.assign_kernels import assign, assign_table
from fmbs.jit.beside import CompilerBeside
from fmbs.jit.c_functions import NUMBERS
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel, law
from fmbs.jit.kernel_cache import kernel_folder
from fmbs.jit.slots import BLOCK, INTEGERS, LINE, ROWS, TABLE, Slot
from fmbs.jit.tables import address, table

__all__ = [
    "BLOCK",
    "INTEGERS",
    "LINE",
    "NUMBERS",
    "ROWS",
    "TABLE",
    "CompilerBeside",
    "Slot",
    "address",
    "address_of",
    "assign",
    "assign_table",
    "call",
    "kernel",
    "kernel_folder",
    "law",
    "table",
]
