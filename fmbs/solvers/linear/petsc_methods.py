"""What this PETSc can do, and the names it goes by."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import Any

from fmbs.core.checks import nearest
from fmbs.core.errors import ModelError

M_MMAP_THRESHOLD, M_MMAP_MAX = -3, -4  # of mallopt
LARGE = 1 << 25  # bytes from which on an array has pages of its own

PREFERRED = ("klu", "umfpack", "mumps", "superlu", "petsc")  # one process, very sparse: KLU is made for it


def load() -> Any:
    """The module petsc4py.PETSc. Importing it starts PETSc, which reads PETSC_OPTIONS: 0.5 s, once a process."""
    try:
        import petsc4py

        petsc4py.init(["fmbs", "-no_signal_handler"])  # Ctrl-C and broken pipes belong to Python
        from petsc4py import PETSc
    except ImportError as error:
        raise ModelError(
            f"linear_solver: PETSc cannot be loaded ({error}). Get it by `apt install python3-petsc4py-real` (Debian: "
            "`make -B setup` links it), `conda install -c conda-forge petsc4py` or `pip install petsc petsc4py` "
            "(compiles), or use linear_solver='scipy'."
        ) from None
    _give_back()
    return PETSc


@cache
def _give_back() -> None:
    """Let malloc return large arrays to the system when they are freed.

    Libraries behind PETSc tell it never to: every new factorisation of a large matrix then stays in memory beside the old one.
    """
    library = ctypes.CDLL(None)
    try:
        library.mallopt(M_MMAP_MAX, 65536)
        library.mallopt(M_MMAP_THRESHOLD, LARGE)
    except AttributeError:  # not the GNU library
        pass


def available() -> bool:
    try:
        load()
    except ModelError:
        return False
    return True


@cache
def packages() -> tuple[str, ...]:
    """LU packages of this PETSc that pivot, found by trying each on a matrix with zeros on its diagonal.

    PETSc's own LU does not pivot but is always there; see `method`. Debian's SuperLU_DIST has no pivoting code (MC64).
    """
    PETSc = load()
    A = PETSc.Mat().createAIJ((2, 2), csr=([0, 2, 4], [0, 1, 0, 1], [0.0, 1.0, 1.0, 0.0]), comm=PETSc.COMM_SELF)
    found = ["petsc"]
    for package in _constants(PETSc.Mat.SolverType):
        ksp = PETSc.KSP().create(PETSc.COMM_SELF)
        ksp.setOperators(A)
        ksp.setType("preonly")
        pc = ksp.getPC()
        pc.setType("lu")
        try:
            pc.setFactorSolverType(package)
            ksp.setUp()
            if ksp.getConvergedReason() >= 0:
                found.append(package)
        except PETSc.Error:
            pass
        ksp.destroy()
    return tuple(found)


def _has(owner: Any, name: str) -> bool:
    """Whether this PETSc knows the Krylov method (owner KSP) or preconditioner (owner PC)."""
    PETSc = load()
    try:
        owner().create(PETSc.COMM_SELF).setType(name)
    except PETSc.Error:
        return False
    return True


def _constants(namespace: Any) -> list[str]:
    return sorted({str(value) for key, value in vars(namespace).items() if key.isupper()})


@dataclass(frozen=True, slots=True)
class PetscMethod:
    """A Krylov method with its preconditioner; "preonly" and "lu" with a package is a direct solver."""

    ksp: str
    pc: str
    package: str | None = None

    @property
    def name(self) -> str:
        return f"petsc:{self.package or f'{self.ksp}+{self.pc}'}"


def method(text: str) -> PetscMethod:
    """The method that stands behind "petsc:" in a solver's name: "", "klu", "gmres+ilu"."""
    if "+" in text:
        ksp, pc = text.split("+", 1)
        PETSc = load()
        for word, what, owner in ((ksp, "Krylov method", PETSc.KSP), (pc, "preconditioner", PETSc.PC)):
            if word == "preonly" or not _has(owner, word):
                known = nearest(word, _constants(owner.Type))
                raise ModelError(f"linear_solver = 'petsc:{text}': this PETSc has no {what} {word!r}.{known}")
        return PetscMethod(ksp, pc)
    package = text or next(p for p in PREFERRED if p in packages())
    if package not in packages():
        known = nearest(package, packages())
        raise ModelError(
            f"linear_solver = 'petsc:{text}': this PETSc has no LU package {package!r} that pivots.{known} "
            "A Krylov method is written with its preconditioner, as in 'petsc:gmres+ilu'."
        )
    # PETSc's own LU does not pivot: it shifts small pivots, and GMRES around it takes the shift out again.
    return PetscMethod("gmres" if package == "petsc" else "preonly", "lu", package)
