"""A system as a description, and a description as a model and a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System, part_label
from fmbs.core.equations import named
from fmbs.core.own_coordinate import own_coordinates
from fmbs.core.protocols import Body, IdealJoint
from fmbs.model import Model
from fmbs.results.store.encoding import Decoder, Encoder, Json, UnknownClass


class Description(NamedTuple):
    """parts: of a system, with their parameters; arrays: those too large for JSON; own: functions, and parts of the user's own
    classes, by their place: what a description cannot hold.
    """

    parts: Json
    arrays: list[NDArray[Any]]
    own: dict[str, Any]


def describe(system: System, name: str, t_end: float) -> Description:
    """t_end: functions of time are sampled from 0 to here, s."""
    encoder = Encoder(system.bodies, t_end)
    description = {
        "name": name,
        "gravity": system.gravity.tolist(),
        "bodies": [encoder.part(body) for body in system.bodies],
        "joints": [encoder.part(joint) for joint in system.joints],
        "forces": [encoder.part(force) for force in system.forces],
        "dropped": list(system.dropped),  # labels of redundant equations, which have no multiplier
        "sampled": encoder.sampled,
    }
    return Description(description, encoder.arrays, encoder.own)


def rebuild(description: Json, arrays: Mapping[str, NDArray[Any]], classes: Sequence[type]) -> tuple[Model, System]:
    """The model and its system. Raises UnknownClass for the user's own classes that were not given."""
    model = Model(description["name"], gravity=np.array(description["gravity"]))
    decoder = Decoder(model.ground, arrays, classes)
    missing = sorted(decoder.missing(description))
    if missing:
        those = f"class {missing[0]}, which is" if len(missing) == 1 else f"classes {', '.join(missing)}, which are"
        raise UnknownClass(f"it uses the {those} not of fmbs; give your own: fm.load(path, classes=[{', '.join(missing)}])")
    for item in description["bodies"]:
        decoder.bodies.append(model.add(decoder.part(item)))
    for item in (*description["joints"], *description["forces"]):
        model.add(decoder.part(item))
    owners: list[Body | IdealJoint] = [*model.bodies, *own_coordinates((*model.joints, *model.forces)), *model.joints]
    labels = [eq.label for i, owner in enumerate(owners) for eq in named(part_label(owner, i), owner.equations())]
    gone = set(description["dropped"])
    drop = frozenset(k for k, label in enumerate(labels) if label in gone)
    return model, System(model.bodies, model.joints, model.forces, model.gravity, drop=drop)


def model_of(system: System, name: str = "model") -> Model:
    """A model of a system's own parts: model["rod"] finds them by name."""
    model = Model(name, gravity=system.gravity)
    markers = [marker for joint in system.joints for marker in (joint.a, joint.b)]
    markers += [marker for force in system.forces for marker in force.markers]
    for marker in markers:
        if marker.body.size == 0:
            model.ground = marker.body  # type: ignore[assignment]
            model._known.add(id(marker.body))
    for part in (*system.bodies, *system.joints, *system.forces):
        model.add(part)
    return model
