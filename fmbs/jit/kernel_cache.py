# mypy: disable-error-code="no-untyped-call,import-untyped,attr-defined"
"""Compiled kernels on the disk, and how a later process loads them: half of the time to its first step without this file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numba
from llvmlite.binding import parse_bitcode
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, _CacheLocator, _SourceFileBackedLocatorMixin
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import compile_result
from numba.core.runtime.nrt import rtsys

PACKAGE = Path(__file__).parents[1]
MARKS = b"fmbs.jit.compiled import", b"fmbs.jit.tables import", b"fmbs.jit.slots import", b"from numba"
VARIABLE = "FMBS_KERNELS"  # of the environment: a folder in place of the default ones

missed: ContextVar[Callable[[], None] | None] = ContextVar("missed", default=None)
"""What is called, once, when a kernel is not on the disk and has to be compiled."""


def kernel_folder() -> Path:
    """A folder of compiled kernels named after numba's version and the text of all files that hold any, or tables for them.

    Numba's own key is the file of the function alone: a change in a kernel that others call would leave them with old code. The
    folder lies in FMBS_KERNELS or NUMBA_CACHE_DIR of the environment, else in the package, else in the user's ~/.cache/fmbs.
    """
    asked = os.environ.get(VARIABLE) or numba.config.CACHE_DIR
    return (Path(asked) if asked else _default_home()) / f"kernels-{_key()}"


@cache
def _default_home() -> Path:
    return (PACKAGE if os.access(PACKAGE, os.W_OK) else Path.home() / ".cache" / "fmbs") / "__pycache__"


@cache
def _key() -> str:
    key = hashlib.sha1(numba.__version__.encode(), usedforsecurity=False)
    for folder, folders, names in os.walk(PACKAGE):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(name for name in names if name.endswith(".py")):
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read()
            if any(mark in text for mark in MARKS):
                key.update(text)
    return key.hexdigest()[:12]


class _Locator(_SourceFileBackedLocatorMixin, _CacheLocator):
    """Where numba keeps a kernel of ours. Functions that users compile with numba itself stay where numba puts them."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file, self._lineno = file, function.__code__.co_firstlineno
        self._path = str(kernel_folder() / self.get_suitable_cache_subpath(file))

    def get_cache_path(self) -> str:
        return self._path

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator | None:
        return cls(py_func, py_file) if os.path.exists(py_file) else None


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

    _locator_classes = [_Locator, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012

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
        with suppress(OSError):  # as below
            return self._load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # a disk that is full or cannot be written to: the kernel is compiled again next time
            super().save_overload(sig, data)


class KernelCache:
    """The cache on disk of one kernel, made when it is first asked: most programs use few of them."""

    def __init__(self, function: Any) -> None:
        self._function = function

    @cached_property
    def _cache(self) -> Any:
        try:
            return _Cache(self._function)
        except RuntimeError:  # a function without a file, from a prompt
            return NullCache()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for arguments of these types; None, and word to whoever waits for it, if it is not on the disk."""
        made = self._cache.load_overload(sig, target_context)
        if made is None and (tell := missed.get()) is not None:
            missed.set(None)
            tell()
        return made

    def holds(self, sig: Any, target_context: Any) -> bool:
        """Is the kernel for arguments of these types on the disk?"""
        cache = self._cache
        return cache.cache_path is not None and (
            cache._index_key(sig, target_context.codegen()) in cache._cache_file._load_index()
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)
