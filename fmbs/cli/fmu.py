"""fmbs fmu: an FMU of a model in a Python file."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from fmbs.core.checks import nearest
from fmbs.core.errors import ModelError


def add_fmu(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.py", help="with a function that returns (model, inputs, outputs)")
    command.add_argument("--function", default="build", metavar="NAME", help="its name (default: build)")
    command.add_argument("--out", type=Path, metavar="NAME.fmu", help="default: the file's name with _fmu.fmu")
    command.add_argument("--step", type=float, metavar="X", help="fixed step inside a communication step, s")
    command.add_argument("--tolerance", type=float, metavar="X", help="or error control")
    command.set_defaults(action=_export)


def _export(options: argparse.Namespace) -> None:
    from fmbs.export.fmu import export_fmu

    file: Path = options.file
    if not file.is_file():
        raise ModelError(f"fmu: there is no file {str(file)!r}; give the Python file of the model.")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ModelError(f"fmu: {str(file)!r} is no Python file; give one that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    build = getattr(module, options.function, None)
    if build is None:
        raise ModelError(f"fmu: {file.name} has no function {options.function!r}.{nearest(options.function, vars(module))}")
    path = export_fmu(build, options.out or Path(f"{file.stem}_fmu.fmu"), step=options.step, tolerance=options.tolerance)
    print(path)
