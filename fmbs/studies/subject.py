"""What a study runs again and again: a ready-made model, or your own function of parameters."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

from fmbs.core.checks import nearest, positive, shown, text
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import LineBody
from fmbs.model import Model
from fmbs.models import MODELS, Mechanism
from fmbs.models import parameters as parameters_of
from fmbs.results import Solution
from fmbs.solvers.redundancy import RedundantConstraints
from fmbs.studies.push import MEMBER, Push

Build = Callable[..., Model | Solution]

STEPS = ("step", "tolerance")
IN_TURNS = ("turns", "steps_per_turn", "frames_per_turn")  # t_end, step, output_step for runs of different speeds
SETTINGS = (*STEPS, *IN_TURNS, "t_end", "output_step", "linear_solver")  # what a study may set of `simulate`


@dataclass(frozen=True)
class Subject:
    """A model with free parameters. It can be pickled if its function can.

    model: name of a ready-made model, a function build(**parameters) that returns a Model (or a Solution, of an equilibrium for
           example), or "file.py:function", that function in a file
    settings: of `simulate`, for all runs: t_end and step or tolerance; or turns, the length in periods, steps_per_turn and
              frames_per_turn. Ready-made models have their own.
    push: of the members of an ensemble, which are told apart by the parameter `member`
    """

    model: str | Build
    settings: Mapping[str, Any]
    push: Push | None = None

    @classmethod
    def of(cls, model: str | type[Mechanism] | Build | Subject, settings: Mapping[str, Any]) -> Subject:
        if isinstance(model, Subject):
            return model
        given = {key: value for key, value in settings.items() if value is not None}
        for key in given:
            if key not in SETTINGS:
                raise ModelError(f"study: there is no setting {key!r}.{nearest(key, SETTINGS)}")
            check: Callable[[str, str, object], object] = text if key == "linear_solver" else positive
            check("study", key, given[key])
        subject = cast("str | Build", model.name if isinstance(model, type) and issubclass(model, Mechanism) else model)
        if not isinstance(subject, str) and not callable(subject):
            raise ModelError(f"study: model = {shown(model)} is neither the name of a model nor a function that returns one.")
        if isinstance(subject, str) and subject not in MODELS and ":" not in subject:
            raise ModelError(
                f"there is no model {subject!r}.{nearest(subject, MODELS)} Or give a file: path/to/file.py:function."
            )
        if isinstance(subject, str) and ":" in subject:
            _function(subject)  # a wrong path is found before anything runs
        return cls(subject, given)

    @property
    def name(self) -> str:
        return self.model if isinstance(self.model, str) else getattr(self.model, "__name__", "model")

    def mechanism(self, parameters: Mapping[str, Any]) -> Mechanism | None:
        """The ready-made model with these parameters; None for a function of one's own."""
        if not isinstance(self.model, str) or self.model not in MODELS:
            return None
        kind = MODELS[self.model]
        known = [item.name for item in fields(kind)]
        own = self._without_settings(parameters)
        for key in own:
            if key not in known:
                raise ModelError(f"{self.model}: there is no parameter {key!r}.{nearest(key, known)}")
        return kind(**own)

    def run(self, parameters: Mapping[str, Any]) -> Solution:
        """One run, silent."""
        mechanism = self.mechanism(parameters)
        given = {**self.settings, **{key: value for key, value in parameters.items() if key in SETTINGS}}
        for short, long in (("turns", "t_end"), ("steps_per_turn", "step"), ("frames_per_turn", "output_step")):
            if short in given and long in given:
                raise ModelError(f"{self.name}: give {short} or {long}, not both.")
        if "turns" in given:
            given["t_end"] = positive(self.name, "turns", given.pop("turns")) * self.period(parameters)
        for short, long in (("steps_per_turn", "step"), ("frames_per_turn", "output_step")):
            if short in given:
                given[long] = self.period(parameters) / positive(self.name, short, given.pop(short))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RedundantConstraints)  # said once a run; in a study it is noise
            if mechanism is not None:
                own = mechanism.settings()
                if any(key in given for key in STEPS):
                    own = {key: value for key, value in own.items() if key not in STEPS}
                options = {"t_end": mechanism.t_end, **own, **given}
                return self._pushed(mechanism.build(), parameters).simulate(**options, progress=False)
            made = self._own(self._without_settings(parameters))
            if isinstance(made, Solution):
                if self.push is not None and self.push.size > 0.0:
                    raise ModelError(f"{self.name}: returned a Solution, which nothing can push; return a Model.")
                return made
            if "t_end" not in given:
                raise ModelError(f"{self.name}: t_end is not given; a function that returns a Model needs t_end and step.")
            return self._pushed(made, parameters).simulate(**given, progress=False)

    def _pushed(self, m: Model, parameters: Mapping[str, Any]) -> Model:
        return m if self.push is None else self.push.on(m, parameters.get(MEMBER, 0))

    def _without_settings(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the model itself is called with."""
        others = SETTINGS if self.push is None else (*SETTINGS, MEMBER)
        return {key: value for key, value in parameters.items() if key not in others}

    def period(self, parameters: Mapping[str, Any]) -> float:
        """Of the motion, s: the parameter `period`, or 60 / rpm."""
        mechanism = self.mechanism(parameters)
        known = dict(parameters) if mechanism is None else {**asdict(mechanism), **parameters}
        if "period" in known:
            return positive(self.name, "period", known["period"])
        if "rpm" not in known:
            raise ModelError(f"{self.name}: has neither a parameter rpm nor period; give t_end and skip in seconds.")
        return 60.0 / positive(self.name, "rpm", known["rpm"])

    def unit(self, parameter: str) -> str:
        """Of a ready-made model's parameter; "" where none is known."""
        known = parameters_of(MODELS[self.model]) if isinstance(self.model, str) and self.model in MODELS else ()
        return next((item.unit for item in known if item.name == parameter), "")

    def points(self, solution: Solution, parameters: Mapping[str, Any]) -> dict[str, Marker]:
        """Markers that quantities may name besides bodies: the model's own, and "link.start", "link.end" of flexible links."""
        m, mechanism = solution.model, self.mechanism(parameters)
        links = [body for body in m.bodies if isinstance(body, LineBody)]
        ends = {f"{link.name}.{end}": getattr(link, end) for link in links for end in ("start", "end")}
        return ends if mechanism is None else {**ends, **mechanism.points(m)}

    def _own(self, parameters: Mapping[str, Any]) -> Model | Solution:
        build = _function(self.model) if isinstance(self.model, str) else self.model
        try:
            made = build(**parameters)
        except TypeError as error:
            raise ModelError(f"{self.name}: cannot be called with {shown(dict(parameters))}: {error}.") from error
        if not isinstance(made, (Model, Solution)):
            raise ModelError(f"{self.name}: returned {type(made).__name__}; return a Model or a Solution.")
        return made


def _function(place: str) -> Build:
    """The function of "file.py:function"."""
    path, _, name = place.rpartition(":")
    if not path.endswith(".py") or not Path(path).is_file():
        raise ModelError(f"there is no file {path!r}; give a model's name or path/to/file.py:function.")
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None  # it is a file that ends in .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ModelError(f"{path}: cannot be loaded ({type(error).__name__}: {error}).") from error
    found = vars(module).get(name)
    if not callable(found):
        names = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise ModelError(f"{path}: there is no function {name!r}.{nearest(name, names)}")
    return found  # type: ignore[no-any-return]
