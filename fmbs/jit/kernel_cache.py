# mypy: disable-error-code="no-untyped-call,import-untyped,attr-defined"
"""Compiled kernels on the disk, and how a later process loads them: half of the time to its first step without this file.

Every kernel for arguments of certain types is one file, written under another name and renamed, so that processes that compile
at the same time cannot mix them up. It begins with a checksum: what is damaged is deleted and compiled again. Nothing here is
needed: where no folder can be written to, kernels are compiled into memory. A wheel may bring kernels with it
(`fmbs.jit.shipped`): they come first, so that results do not depend on what else lies on the disk.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from contextvars import ContextVar
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, _CacheLocator, _SourceFileBackedLocatorMixin
from numba.core.compiler import compile_result
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from fmbs.jit.own_code import OwnCode
from fmbs.jit.shipped import PACKAGE, kernels_shipped, shipped_for
from fmbs.jit.turns import turn

IMPORTS = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|[^\n]*)|import ([^\n]*))", re.MULTILINE)
WORD = re.compile(r"[\w.]+")
VARIABLE = "FMBS_KERNELS"  # of the environment: a folder in place of the default ones
PRIVATE = 0o700  # what lies in a folder is run by whoever loads it
CHECKSUM = 32  # bytes

missed: ContextVar[Callable[[], None] | None] = ContextVar("missed", default=None)
"""What is called, once, when a kernel is not on the disk and has to be compiled."""


def kernel_folder() -> Path | None:
    """Where compiled kernels are kept, by versions of the compiler: it holds a folder for every file of kernels and its text.

    It lies in FMBS_KERNELS or NUMBA_CACHE_DIR of the environment, else where a user's programs keep such things:
    XDG_CACHE_HOME/fmbs or ~/.cache/fmbs. Never in the package, which would be left behind by pip uninstall, and still be
    importable. None: this user has no home.
    """
    asked = os.environ.get(VARIABLE) or numba.config.CACHE_DIR
    home = Path(asked) if asked else _default_home()
    return home and home / f"kernels-{_versions()}"


def _default_home() -> Path | None:
    given = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(given):  # the standard says that others are ignored
        return Path(given) / "fmbs"
    try:
        return Path.home() / ".cache" / "fmbs"
    except RuntimeError:  # no HOME, and no entry in the list of users
        return None


def _made_folder(path: Path) -> bool:
    """Make a folder that is private, with all above it; False where that is not possible, or nothing can be written into it."""
    try:
        for folder in reversed([folder for folder in (path, *path.parents) if not folder.exists()]):
            folder.mkdir(PRIVATE, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK)


def can_keep() -> bool:
    """Is there a folder for kernels?"""
    folder = kernel_folder()
    return folder is not None and _made_folder(folder)


@cache
def _versions() -> str:
    numpy = np.__version__.partition(".")[0]  # arrays are laid out alike in all versions with the same first number
    return _short(f"{numba.__version__} {llvmlite.__version__} {numpy}".encode())


def _short(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:12]


@cache
def source_key(file: str) -> str:
    """Of the text of a file and of all files of the package that it imports, directly or not.

    Numba's own key is the file of the function alone: a change in a kernel that others call, or in a number that it takes from
    elsewhere, would leave them with old code. This one does not depend on where files lie or when they were written.
    """
    return _short(b"\0".join([_text(file), *(_text(path) for _, path in sorted(_imported(file).items()))]))


@cache
def _modules() -> dict[str, str]:
    """All files of the package, by the names of their modules."""
    found: dict[str, str] = {}
    for folder, folders, names in os.walk(PACKAGE):
        folders[:] = [name for name in folders if name != "__pycache__"]
        above = ".".join([PACKAGE.name, *Path(folder).relative_to(PACKAGE).parts])
        found |= {f"{above}.{name[:-3]}": os.path.join(folder, name) for name in names if name.endswith(".py")}
    return {name.removesuffix(".__init__"): path for name, path in found.items()}


@cache
def _text(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()


@cache
def _imports(file: str) -> frozenset[str]:
    """Modules of the package that a file names in its imports."""
    named = set()
    for source, names, modules in IMPORTS.findall(_text(file).decode(errors="replace")):
        named |= {source, *(f"{source}.{name}" for name in WORD.findall(names)), *WORD.findall(modules)}
    return frozenset(named & _modules().keys())


def _imported(file: str) -> dict[str, str]:
    """All that a file imports of the package, directly or not."""
    found: dict[str, str] = {}
    waiting = [file]
    while waiting:
        new = _imports(waiting.pop()) - found.keys()
        found |= {name: _modules()[name] for name in new}
        waiting += [found[name] for name in new]
    return found


class _Locator(_SourceFileBackedLocatorMixin, _CacheLocator):
    """Where a kernel of ours is kept. Functions that users compile with numba itself stay where numba puts them."""

    def __init__(self, function: Any, file: str, folder: Path) -> None:
        self._py_file, self._lineno = file, function.__code__.co_firstlineno
        self._key = source_key(file)
        own = PACKAGE in Path(file).parents
        self._stamp = self._key if own else super().get_source_stamp()  # a file of a user's may import others of his
        name = ".".join(Path(file).relative_to(PACKAGE.parent).with_suffix("").parts) if own else None
        self._path = str(folder / f"{name or self.get_suitable_cache_subpath(file)}-{self._key}")

    def get_cache_path(self) -> str:
        return self._path

    def get_source_stamp(self) -> Any:
        return self._stamp

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator | None:
        folder = kernel_folder()
        return cls(py_func, py_file, folder) if folder is not None and os.path.exists(py_file) else None


# cells of a notebook have no file, and numba has a place for them
_LOCATORS: list[Any] = [_Locator, *(each for each in CompileResultCacheImpl._locator_classes if "IPython" in each.__name__)]


class _Entry(CompileResultCacheImpl):
    """What is kept of a kernel: as numba, and the names of its functions, which numba looks for in the text.

    Every kernel that it calls has an environment, the place of its Python objects, and loading one imports its module, numba's
    own among them. Most hold nothing and are left out.
    """

    _locator_classes = _LOCATORS

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
        code = OwnCode(codegen, title)
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


class KernelCache:
    """The cache on disk of one kernel, with what numba's dispatchers ask of a cache."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._paths: dict[Any, Path] = {}

    @cached_property
    def _entry(self) -> _Entry | None:
        """Made when it is first asked, since most programs use few kernels. None: one without a file, or nowhere to keep it."""
        try:
            return _Entry(self._function)
        except RuntimeError:
            return None

    @property
    def cache_path(self) -> str | None:
        return None if self._entry is None else self._entry.locator.get_cache_path()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for arguments of these types; None, and word to whoever waits for it, if it is not on the disk."""
        made = None
        if self._entry is not None and (kept := self._read(sig, target_context.codegen())) is not None:
            made = self._entry.rebuild(target_context, kept)
        if made is None and (tell := missed.get()) is not None:
            missed.set(None)
            tell()
        return made

    def save_overload(self, sig: Any, made: Any) -> None:
        """Nothing happens where it cannot be kept, on a full disk for example: it is compiled again next time."""
        entry = self._entry
        if entry is None or not entry.check_cachable(made):
            return
        path = self._path(sig, made.codegen)
        if _made_folder(path.parent):
            _write(path, dumps((entry.locator.get_source_stamp(), entry.reduce(made))))

    def holds(self, sig: Any, target_context: Any) -> bool:
        """Is the kernel for arguments of these types on the disk?"""
        return self._entry is not None and self._read(sig, target_context.codegen()) is not None

    def turn(self, sig: Any, target_context: Any) -> AbstractContextManager[None]:
        """While it lasts no other process compiles this kernel; of those that miss it at the same time one is enough."""
        if self._entry is None:
            return nullcontext()
        path = self._path(sig, target_context.codegen())
        return nullcontext() if path.exists() or not _made_folder(path.parent) else turn(path)

    def flush(self) -> None:
        """Forget all that is kept of this kernel."""
        if self._entry is not None:
            for path in Path(self._entry.locator.get_cache_path()).glob(f"{self._entry.filename_base}-*.kernel"):
                _delete(path)

    def _path(self, sig: Any, codegen: Any) -> Path:
        """Where a kernel is kept."""
        assert self._entry is not None
        if sig not in self._paths:
            self._paths[sig] = Path(self._entry.locator.get_cache_path()) / self._name(sig, codegen.magic_tuple())
        return self._paths[sig]

    def _name(self, sig: Any, processor: Any) -> str:
        """Named after all that the machine code depends on: types, processor, code, and what a function has enclosed."""
        assert self._entry is not None
        enclosed = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        key = hashlib.sha256(repr((sig, processor)).encode())
        key.update(self._function.__code__.co_code + (dumps(enclosed) if enclosed else b""))
        return f"{self._entry.filename_base}-{key.hexdigest()[:24]}.kernel"

    def _read(self, sig: Any, codegen: Any) -> Any:
        """What was kept, of the function as it is now; None otherwise."""
        assert self._entry is not None
        if (processor := shipped_for(codegen)) is not None:
            folder = kernels_shipped(_versions()) / Path(self._entry.locator.get_cache_path()).name
            kept = self._content(folder / self._name(sig, processor), ours=False)
            if kept is not None:
                return kept
        return self._content(self._path(sig, codegen), ours=True)

    def _content(self, path: Path, *, ours: bool) -> Any:
        """ours: may it be deleted?"""
        assert self._entry is not None
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if content[:CHECKSUM] == _checksum(content[CHECKSUM:]):
            with suppress(Exception):  # sound, but of modules that are no longer there
                stamp, kept = pickle.loads(content[CHECKSUM:])
                return kept if stamp == self._entry.locator.get_source_stamp() else None
        if ours:
            _delete(path)
        return None


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    name = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
        with os.fdopen(handle, "wb") as file:
            file.write(_checksum(content) + content)
        os.replace(name, path)
    except OSError:
        if name is not None:
            _delete(Path(name))


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
