"""Models as FMUs, FMI 2.0 for co-simulation, through pythonfmu."""

from __future__ import annotations

import importlib.util
import inspect
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from fmbs.analysis.integrators import check_steps
from fmbs.analysis.stepwise import Stepwise
from fmbs.core.checks import checked_path, shown
from fmbs.core.errors import ModelError
from fmbs.core.input import Input
from fmbs.model import Model

Build = Callable[[], Any]

SLAVE = '''"""Made by fmbs: {title}."""

from pathlib import Path

import fmbs as fm
from fmbs.export.fmu import Coupling
from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class {title}(Fmi2Slave):
    author = "fmbs {version}"
    description = "fmbs: {file}, {function}()"

    def __init__(self, **options):
        super().__init__(**options)
        self._coupling = Coupling.of(Path(self.resources) / "{file}", "{function}", {settings})
        for u in self._coupling.inputs:
            self.register_variable(
                Real(u.name, causality=Fmi2Causality.input, variability=Fmi2Variability.continuous, start=u.value,
                     getter=lambda u=u: u.value, setter=lambda value, u=u: setattr(u, "value", float(value)))
            )
        for name in self._coupling.outputs:
            self.register_variable(
                Real(name, causality=Fmi2Causality.output, variability=Fmi2Variability.continuous,
                     getter=lambda name=name: self._coupling.value(name))
            )

    def do_step(self, current_time, step_size):
        self._coupling.go(current_time + step_size)
        return True
'''


class Coupling:
    """A model between its inputs and outputs: what an FMU holds."""

    def __init__(self, model: Model, inputs: Sequence[Input], outputs: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
        self.inputs, self.outputs, self._model, self._settings = tuple(inputs), dict(outputs), model, dict(settings)
        self._run: Stepwise | None = None

    @classmethod
    def of(cls, file: Path, function: str, **settings: Any) -> Coupling:
        """From the file that the FMU carries; every FMU has a model of its own."""
        spec = importlib.util.spec_from_file_location(f"fmbs_fmu_{file.stem}", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return cls(*checked(function, getattr(module, function)()), settings)

    def go(self, until: float) -> None:
        """Step to this time, s."""
        self._begun.go(until)

    def value(self, name: str) -> float:
        """Of an output, now."""
        return float(np.asarray(self.outputs[name](self._begun.solution), dtype=float).ravel()[-1])

    @property
    def _begun(self) -> Stepwise:
        if self._run is None:
            self._run = Stepwise(self._model, **self._settings)
        return self._run


def export_fmu(
    build: Build, path: str | Path, *, step: float | None = None, tolerance: float | None = None, integrator: Any = None
) -> Path:
    """Write an FMU, FMI 2.0 for co-simulation, that runs where fmbs and pythonfmu are installed.

    build: a function in a file of its own that takes nothing and returns (model, inputs, outputs): fm.Input objects that loads
           follow, and functions of a solution by name, {"x": lambda sol: sol.position(slider.com)[:, 0]}. The file goes into
           the FMU
    path: of the FMU; its name without .fmu is that of the model
    step, tolerance, integrator: as of `simulate`; inside a communication step inputs are held
    """
    try:
        from pythonfmu import FmuBuilder
    except ImportError:
        raise ModelError("export_fmu: needs pythonfmu; install it with pip install 'fmbs[fmu]'.") from None
    target = checked_path("export_fmu", "path", path)
    name = getattr(build, "__name__", "")
    try:
        source = Path(inspect.getsourcefile(build) or "")
    except TypeError:
        source = Path()
    if not callable(build) or not name.isidentifier() or build.__qualname__ != name or not source.is_file():
        raise ModelError(
            f"export_fmu: build = {shown(build)} is no function at the top of a Python file; write one, def build(), that "
            "returns (model, inputs, outputs), and give it."
        )
    if target.suffix != ".fmu" or not target.stem.isidentifier():
        raise ModelError(f"export_fmu: path = {shown(path)}; give the name of a file such as slider_crank.fmu.")
    if target.stem == source.stem:
        raise ModelError(f"export_fmu: the FMU and {source.name} have the same name; give the FMU another one.")
    model, _, _ = checked(name, build())
    check_steps(model.name, step, tolerance)
    settings = f"step={step!r}, tolerance={tolerance!r}, integrator={'None' if integrator is None else f'fm.{integrator!r}'}"
    import fmbs

    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / f"{target.stem}.py"
        slave = {"title": target.stem, "version": fmbs.__version__, "file": source.name, "function": name, "settings": settings}
        script.write_text(SLAVE.format(**slave))
        target.parent.mkdir(parents=True, exist_ok=True)
        made = FmuBuilder.build_FMU(script, dest=target.parent, project_files=[source])
    _complete(Path(made))
    return Path(made)


def _complete(path: Path) -> None:
    """FMI asks for a list of what is calculated at the start, which pythonfmu leaves out: the outputs."""
    with zipfile.ZipFile(path) as archive:
        files = {item: archive.read(item) for item in archive.infolist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for item, data in files.items():
            if item.filename == "modelDescription.xml":
                root = ElementTree.fromstring(data)
                structure = root.find("ModelStructure")
                outputs = None if structure is None else structure.find("Outputs")
                if structure is not None and outputs is not None and structure.find("InitialUnknowns") is None:
                    unknowns = ElementTree.SubElement(structure, "InitialUnknowns")
                    for unknown in outputs.findall("Unknown"):
                        ElementTree.SubElement(unknowns, "Unknown", index=unknown.get("index", ""))
                data = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
            archive.writestr(item, data)


def checked(function: str, made: object) -> tuple[Model, list[Input], dict[str, Any]]:
    """What build() returned."""
    fits = isinstance(made, tuple) and len(made) == 3 and isinstance(made[0], Model) and isinstance(made[2], Mapping)
    if not fits or not all(isinstance(u, Input) for u in made[1]) or not all(callable(y) for y in made[2].values()):  # type: ignore[index]
        raise ModelError(
            f"export_fmu: {function}() returned {shown(made)}; return (model, inputs, outputs): a list of fm.Input objects, "
            "and functions of a solution by name."
        )
    assert isinstance(made, tuple)
    return made[0], list(made[1]), dict(made[2])
