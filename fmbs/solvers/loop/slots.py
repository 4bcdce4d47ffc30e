"""What the loop calls by address: a kernel, or a function in Python. Models compile what they use, each kernel by itself.

Those of `Equations.events` are in the order of the places below; those of `Calls` are kernels that Python calls too.
"""

from __future__ import annotations

from fmbs.assembly.constraint_kernels import TermTable
from fmbs.core.vectors import VectorTable
from fmbs.gaps.joint_tables import Gaps, Work
from fmbs.jit.slots import BLOCK, INTEGERS, LINE, ROWS, Slot
from fmbs.solvers.loop.tables import Equations, Inputs, Run

DRIVES = Slot("drives", Equations, BLOCK, int, float, float, Inputs)
TRY = Slot("try a step", Run, float, float, LINE, BLOCK)
TAKE = Slot("take a step", Run, float, float, float)
NOISE = Slot("noise", Run, Inputs, float, float, LINE, LINE, LINE)
CALM = Slot("calm", Run, float, float)
FIRST = Slot("first contact", Run, float, float, LINE, BLOCK)
TOUCH = Slot("touch", Run, Inputs, float)
END = Slot("end of contacts", Run, float, float, bool)
MEMORY_START = Slot("memories at the start", Run)
MEMORY = Slot("memories at the stages", Run, float)
STAGE_LOADS = Slot("loads at a stage", Run, int)
STAGE_SLOPES = Slot("slopes at a stage", Run, float, float, bool, float, float)
LET_GO = Slot("surfaces that let go", Run, float, float, float, LINE, BLOCK)
MEMORY_END = Slot("memories at the end", Run)
HIDDEN_MEMORY = Slot("memories without rates", Run, float)
AT_DRIVES, AT_TRY, AT_TAKE, AT_NOISE, AT_CALM, AT_FIRST, AT_TOUCH, AT_END = range(8)
AT_CLOCK, AT_GATHER = 8, 9  # functions in Python: of time, and of ranks that make forces known to each other
AT_MEMORY_START, AT_MEMORY, AT_LOADS, AT_SLOPES, AT_LET_GO, AT_MEMORY_END, AT_HIDDEN = range(10, 17)  # of stages
EVENTS = 17

CONSTRAINT_POWER = Slot("constraint power", VectorTable, TermTable, LINE, LINE, LINE, ROWS, LINE)
CONSTRAINT_RESIDUAL = Slot("constraint residual", VectorTable, TermTable, LINE, LINE, LINE, ROWS, LINE, LINE)
CONSTRAINT_TANGENT = Slot("constraint tangent", VectorTable, TermTable, LINE, LINE, LINE, ROWS, float, float, LINE)
CONSTRAINT_RATES = Slot("constraint rates", VectorTable, TermTable, ROWS, LINE, LINE, ROWS, ROWS, LINE)
CONSTRAINT_ACCELERATIONS = Slot(
    "constraint accelerations", VectorTable, TermTable, ROWS, LINE, LINE, LINE, ROWS, ROWS, ROWS, LINE
)
GAP_MOVE = Slot("gap move", Gaps, Work, LINE, LINE, ROWS)
GAP_FORCE = Slot("gap force", Gaps, Work, ROWS, float, LINE, LINE, LINE)
GAP_FORCE_HERE = Slot("gap force here", Gaps, Work, LINE, LINE)
GAP_SLOPES = Slot("gap slopes", Gaps, Work, ROWS, float, LINE, LINE, float, float, LINE)
GAP_INFLOW = Slot("gap inflow", Gaps, Work, ROWS, LINE, LINE, LINE)
GAP_END = Slot("gap end", Gaps, Work, ROWS, float, LINE, LINE, INTEGERS, LINE)
