"""The time loop of generalized-alpha: predict, Newton's iteration, contacts, accept, next step.

tables      what the loop reads and writes        slots       what it calls by address, and with which arguments
equations   residual and matrix                   newton      the iteration of one implicit step
alpha       generalized-alpha itself              contacts    where they start in a step, how they start and end
ledger      energies, and a step that is accepted pace        how long the next step is
run         the loop                              driver      its Python side, with `connect` and `python_force`
"""
