"""Linear solvers by name."""

from __future__ import annotations

from fmbs.core.checks import nearest, shown
from fmbs.core.errors import ModelError
from fmbs.core.ranks import ALONE, Ranks
from fmbs.solvers.linear import petsc_methods
from fmbs.solvers.linear.automatic import AutomaticSolver
from fmbs.solvers.linear.banded import BandedSolver
from fmbs.solvers.linear.base import Factor, LinearSolveError, LinearSolver, SingularMatrixError
from fmbs.solvers.linear.cholmod import MassSolver
from fmbs.solvers.linear.dense import DenseSolver
from fmbs.solvers.linear.parallel import parallel_solver
from fmbs.solvers.linear.petsc import PetscSolver
from fmbs.solvers.linear.scipy import ScipySolver

__all__ = [
    "Factor",
    "LinearSolveError",
    "LinearSolver",
    "MassSolver",
    "SingularMatrixError",
    "linear_solver",
]

# Up to which size LAPACK on the full matrix wins: microseconds to factorize (solve), one core, Newton matrices of
# chains of rigid bodies in natural coordinates, 21 unknowns each (R), and of 24-coordinate beam elements, 12 each (B):
#      unknowns      dense        petsc:klu          scipy
#     R      42    13  (3)        14   (3)        57   (8)
#     R     105    61  (5)        37   (5)        97  (13)
#     R     210   283 (13)        75   (6)       162  (20)
#     R    1050 22000 (188)      483  (24)       860  (74)
#     B      65    29  (4)        42   (4)        93   (9)
#     B     113    75  (6)        81   (6)       143  (12)
#     B     209   282 (13)       169   (9)       232  (17)
# KLU crosses at 45 (R) to 120 (B) and must first import PETSc, 0.5 s; SuperLU crosses at 140 (R) to 180 (B), the banded solver
# at 60 to 120 (B).
DENSE_BELOW = 100
DENSE_BELOW_WITHOUT_PETSC = 150


def linear_solver(name: str, size: int, ranks: Ranks = ALONE) -> LinearSolver:
    """The solver called "auto", "dense", "banded", "scipy", "petsc:klu", "petsc:gmres+ilu", ..., for `size` unknowns."""
    if not isinstance(name, str):
        raise ModelError(f"linear_solver = {shown(name)} is not a text; give its name, such as 'auto'.")
    if ranks.count > 1:
        return parallel_solver(name, ranks)
    family, colon, text = name.partition(":")
    if family == "petsc" and bool(colon) == bool(text):
        return PetscSolver(text)
    match name:
        case "auto":
            return _automatic(size)
        case "dense":
            return DenseSolver()
        case "banded":
            return BandedSolver()
        case "scipy":
            return ScipySolver()
    known = ["auto", "dense", "banded", "scipy", "petsc", "petsc:klu", "petsc:mumps", "petsc:gmres+ilu"]
    raise ModelError(
        f"linear_solver = {name!r} is unknown.{nearest(name, known)} "
        "After 'petsc:' stands an LU package, or a Krylov method and its preconditioner."
    )


def _automatic(size: int) -> LinearSolver:
    return DenseSolver() if size < DENSE_BELOW else AutomaticSolver(lambda: _sparse(size))


def _sparse(size: int) -> LinearSolver:
    if petsc_methods.available() and "klu" in petsc_methods.packages():
        return PetscSolver("klu")
    return DenseSolver() if size < DENSE_BELOW_WITHOUT_PETSC else ScipySolver()
