"""What contact laws, friction laws and films have in common: a formula, in Python or as a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.jit.slots import Slot

Array = NDArray[np.float64]

IN_PYTHON = -1  # in place of an address
RIGID = -2  # the same, of rigid surfaces: their force is what the station remembers


class Law(Described):
    """A law is evaluated by its kernel, or in Python if it has none: class Mine(ContactLaw, kernel=my_kernel).

    kernel: under @fm.jit.law, or a function of C (of ctypes, with its argtypes, or a numba.cfunc); it fits `slot`
    memory: of a law that remembers, a kernel of the rate of what it remembers; it fits `memory_slot`
    slot, memory_slot: what the kernels are called with
    formula: name of the method that a law in Python has. One below a law with a kernel is asked in place of the kernel.
    """

    slot: ClassVar[Slot]
    memory_slot: ClassVar[Slot | None] = None
    formula: ClassVar[str]
    in_python: ClassVar[bool] = True
    _kernel: ClassVar[Any] = None
    _memory: ClassVar[Any] = None

    def __init_subclass__(cls, *, kernel: Any = None, memory: Any = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if memory is not None and cls.memory_slot is None:
            raise TypeError(f"{cls.__name__}: laws of this kind remember nothing; leave memory= out.")
        if kernel is not None:
            cls.slot.check(kernel)
            cls._kernel = staticmethod(kernel)  # numba would make a method of it
            cls._memory = None  # that of a law above belongs to another formula
        if memory is not None and cls.memory_slot is not None:
            cls.memory_slot.check(memory)
            cls._memory = staticmethod(memory)
        if kernel is not None or cls.formula in vars(cls):
            cls.in_python = kernel is None

    def parameters(self) -> Sequence[float]:
        """The numbers that its kernel gets, p[0], p[1] and so on."""
        return ()

    @property
    def remembers(self) -> bool:
        """Does its force depend on what was before? Integrators of high order want the rate of it, `memory=`."""
        return self.memory is not None

    @property
    def kernel(self) -> Any:
        """The kernel, whether or not a formula in Python stands before it."""
        return self._kernel

    @property
    def memory(self) -> Any:
        """The kernel of the rate of what it remembers, if it has one."""
        return None if self.in_python else self._memory

    @property
    def memory_place(self) -> int:
        """The address of that kernel, or 0."""
        return 0 if self.memory is None or self.memory_slot is None else self.memory_slot.address(self.memory)

    @property
    def place(self) -> int:
        """The address of its kernel, or IN_PYTHON."""
        return IN_PYTHON if self.in_python else self.address()

    def address(self) -> int:
        """Of its kernel."""
        if self.kernel is None:
            raise ModelError(f"{type(self).__name__}: a law defines {self.formula}(...), or is made with kernel=.")
        return self.slot.address(self.kernel)

    def row(self) -> Array:
        """The parameters as its kernel gets them; at least one number."""
        row = np.array(self.parameters(), dtype=float)
        if row.ndim != 1 or not np.isfinite(row).all():
            raise ModelError(f"{type(self).__name__}: parameters() = {self.parameters()!r} must be finite numbers in a row.")
        return row if row.size else np.zeros(1)


def rows(laws: Sequence[Law | None]) -> Array:
    """The parameters of all laws, as wide as the longest needs  # (laws, width)."""
    own = [np.zeros(1) if law is None else law.row() for law in laws]
    table = np.zeros((len(own), max((row.size for row in own), default=1)))
    for k, row in enumerate(own):
        table[k, : row.size] = row
    return table


def places(laws: Sequence[Law | None]) -> NDArray[np.int64]:
    """Where the kernels of all laws begin; 0 where there is no law, IN_PYTHON for those without a kernel."""
    return np.array([0 if law is None else law.place for law in laws], np.int64)


def memory_places(laws: Sequence[Law | None]) -> NDArray[np.int64]:
    """Where the kernels of the rates of their memories begin; 0 where there is none."""
    return np.array([0 if law is None else law.memory_place for law in laws], np.int64)
