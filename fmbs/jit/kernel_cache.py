# mypy: disable-error-code="no-untyped-call,import-untyped,attr-defined"
"""Compiled kernels on the disk, and how a later process loads them: half of the time to its first step without this file."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from llvmlite.binding import parse_bitcode
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import compile_result
from numba.core.runtime.nrt import rtsys

MARKS = b"fmbs.jit.compiled import", b"fmbs.jit.tables import", b"from numba"


def _cache_folder() -> Path:
    """A folder of compiled kernels named after numba's version and the text of all files that hold any, or tables for them.

    Numba's own key is the file of the function alone: a change in a kernel that others call would leave them with old code.
    """
    package = Path(__file__).parents[1]
    key = hashlib.sha1(numba.__version__.encode(), usedforsecurity=False)
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(name for name in names if name.endswith(".py")):
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read()
            if any(mark in text for mark in MARKS):
                key.update(text)
    home = package if os.access(package, os.W_OK) else Path.home() / ".cache" / "fmbs"
    return home / "__pycache__" / f"kernels-{key.hexdigest()[:12]}"


numba.config.CACHE_DIR = str(_cache_folder())


class _Code(JITCodeLibrary):
    """Machine code from the disk. LLVM's text of it is read only where a kernel is compiled that calls this one."""

    text: bytes

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = parse_bitcode(self.text)
        return self._shared_module


class _Entry(CompileResultCacheImpl):
    """What is kept of a kernel: as numba, and the names of its functions, which numba looks for in the text.

    Every kernel that it calls has an environment, the place of its Python objects, and loading one imports its module, numba's
    own among them. Most hold nothing and are left out.
    """

    def reduce(self, made: Any) -> Any:
        names = made.fndesc.llvm_func_name, made.fndesc.llvm_cpython_wrapper_name, made.fndesc.llvm_cfunc_wrapper_name
        *kept, environments = super().reduce(made)
        kept.append([environment for environment in environments if environment.consts])
        return [name for name in names if made.library.get_pointer_to_function(name)], kept

    def rebuild(self, target_context: Any, kept: Any) -> Any:
        names, (library, fndesc, environment, signature, objectmode, lifted, annotation, init, environments) = kept
        for start in init:
            start()
        title, _, (machine_code, text) = library
        if b"NRT_" in machine_code:  # it counts references: calls of numba's runtime, which takes some time to start
            rtsys.initialize(target_context)
        codegen = target_context.codegen()
        code = _Code(codegen, title)
        code.text = text
        code.enable_object_caching()
        code._set_compiled_object(machine_code)
        code._finalize_final_module()
        codegen._engine._defined_symbols.update(names)
        entry_point = target_context.get_executable(code, fndesc, environment)
        for needed in environments:
            codegen.set_env(needed.env_name, needed)
        return compile_result(
            target_context=target_context, typing_context=target_context.typing_context, library=code, environment=environment,
            entry_point=entry_point, fndesc=fndesc, type_annotation=annotation, signature=signature, objectmode=objectmode,
            lifted=lifted, reload_init=init, referenced_envs=environments,
        )  # fmt: skip


class _Cache(FunctionCache):
    """Numba's cache, without what only the compiler needs: numba's own imports the rules for all that it can compile first."""

    _impl_class = _Entry

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def _as_expected() -> bool:
    """Has this version of numba what the classes above build on? Else its own cache does, half a second later."""
    needed = "enable_object_caching", "_set_compiled_object", "_finalize_final_module", "_get_module_for_linking"
    return all(hasattr(JITCodeLibrary, name) for name in needed) and hasattr(FunctionCache, "_load_overload")


class KernelCache:
    """The cache on disk of one kernel, made when it is first asked: most programs use few of them."""

    def __init__(self, function: Any) -> None:
        self._function = function

    @cached_property
    def _cache(self) -> FunctionCache:
        return _Cache(self._function) if _as_expected() else FunctionCache(self._function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)
