# mypy: disable-error-code="no-untyped-call,import-untyped,attr-defined"
"""Machine code of a kernel that calls no copy of its parts but its own, so that all processes compute the same bits.

A kernel that is not written into its callers is copied into the object of each of them, and optimised there: the copies round
differently. Numba gives them all one name, and whichever was loaded first would be called by everyone.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage, parse_bitcode
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class OwnCode(JITCodeLibrary):
    """text: LLVM's own of a kernel, for others that call it; it is read where one of them is compiled."""

    text: bytes | None = None

    def _get_module_for_linking(self) -> Any:
        """As from the disk in the process that compiled it too: LLVM may treat what it has in memory in another order."""
        if self._shared_module is None:
            self._ensure_finalized()
            self._shared_module = parse_bitcode(self.text)
        return self._shared_module

    def _finalize_final_module(self) -> None:
        if self.text is None:  # just compiled
            parts = [function for function in self._final_module.functions if function.linkage is Linkage.linkonce_odr]
            kernels = [
                function for function in self._final_module.functions
                if function.linkage is Linkage.external and not function.is_declaration
            ]  # fmt: skip
            for kernel in kernels:
                kernel.linkage = Linkage.linkonce_odr
            self.text = self._final_module.as_bitcode()
            for kernel in kernels:
                kernel.linkage = Linkage.external
            for part in parts:
                part.linkage = Linkage.internal
        super()._finalize_final_module()

    def serialize_using_object_code(self) -> Any:
        self._ensure_finalized()
        return self.name, "object", (self._get_compiled_object(), self.text)


class OwnCompiler(Compiler):
    """Numba's, into `OwnCode`."""

    def _compile_bytecode(self) -> Any:
        state = self.state
        if state.library is None:
            state.library = OwnCode(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super()._compile_bytecode()
