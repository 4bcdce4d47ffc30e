"""Every exported clearance joint between two bodies, with every kind of law; in contact where `pressed` puts it."""

from __future__ import annotations

import numpy as np

import fmbs as fm
from fmbs.assembly.system import System
from fmbs.joints.clearance.base import right_handed
from tests.conformance.cases import BEAM_SIDES, FLAT, SIDES, Case, N, Turn, U

Array = np.ndarray


class Bumper(fm.contact.ContactLaw):
    """A user's law, F = K d (1 + c d')."""

    def normal_force(self, depth, rate, impact_speed):
        return 2e3 * np.asarray(depth) * (1.0 + 0.2 * np.asarray(rate))


class Sandpaper(fm.friction.FrictionLaw):
    """A user's friction law."""

    def mu(self, slip):
        return 0.3 * np.tanh(np.asarray(slip) / 0.2)


HERTZ = fm.contact.LankaraniNikravesh(restitution=0.8, stiffness=1e4)
LUGRE = fm.friction.LuGre(static=0.4, kinetic=0.2, stribeck_speed=0.3, stiffness=50.0, damping=2.0, viscous=0.1)
LEUVEN = fm.friction.Leuven(static=0.4, kinetic=0.2, stribeck_speed=0.3, stiffness=50.0, damping=2.0, count=2)
WEAR = fm.wear.Archard(coefficient=1e-3, hardness=1e6, sectors=12)
LAWS: dict[str, dict[str, object]] = {
    "smooth": {"contact": HERTZ},
    "Stribeck": {"contact": HERTZ, "friction": fm.friction.Stribeck(static=0.4, kinetic=0.2, stribeck_speed=0.3)},
    "LuGre": {"contact": fm.contact.Flores(restitution=0.6, stiffness=1e4), "friction": LUGRE},
    "Maxwell": {"contact": fm.contact.Maxwell(stiffness=1e4, damping=5e3), "friction": fm.friction.Ambrosio(0.3, 0.1, 9.0)},
    "ImpactFunction": {"contact": fm.contact.ImpactFunction(stiffness=1e4, damping=5.0, full_depth=0.05)},
    "Leuven": {"contact": HERTZ, "friction": LEUVEN},
    "user": {"contact": Bumper(), "friction": Sandpaper()},
}
STEEL = fm.Material(E=2e5, nu=0.3, density=7800.0)
BEARING_LAWS: dict[str, dict[str, object]] = {
    "worn": {"contact": HERTZ, "friction": LUGRE, "wear": WEAR},
    "film": {"film": fm.film.ShortBearing(2.0, shear=True)},
    "Liu": {"contact": fm.contact.Liu(restitution=0.8, materials=(STEEL, STEEL)), "friction": LUGRE},
    "Winkler": {"contact": fm.contact.Winkler(restitution=0.8, materials=(STEEL, STEEL), foundation=1e7)},
    "worn, Leuven": {"contact": HERTZ, "friction": LEUVEN, "wear": WEAR},
    "mixed": {"film": fm.film.ShortBearing(2.0), "contact": HERTZ, "friction": LUGRE},
}


def _laws(kind: type) -> dict[str, dict[str, object]]:
    return LAWS | (BEARING_LAWS if kind.cylinder else {})


def _case(kind: type, label: str, laws: dict[str, object]) -> Case:
    """The gap is small beside the moves of the tests, so that all round stations touch; wide where there is a film."""
    clearance, size = (0.3, 0.8) if "film" in laws else (2e-3, 0.1)
    options: dict[str, object] = {"clearance": clearance, **laws}
    if kind not in (fm.ClearancePrismatic, fm.ClearanceGuide):
        options["bearing_radius"] = size
    if kind is fm.ClearanceRevolute:
        options["length"] = 0.2
    if kind is fm.ClearanceCylindrical:
        options |= {"length": 0.2, "axial_clearance": None if "film" in laws else 0.01}
    if kind is fm.ClearancePrismatic:
        options |= {"length": 0.2, "height": 0.1}
    if kind is fm.ClearanceGuide:
        options |= {"length": 0.2, "width": 0.15, "height": 0.1, "side_clearance": 3e-3}
    axes = {
        fm.ClearanceCylindrical: {"axis": N}, fm.ClearancePrismatic: {"axis": FLAT}, fm.ClearanceGuide: {"axis": N, "up": U},
    }.get(kind, {})  # fmt: skip

    def build(a: fm.Marker, b: fm.Marker, turn: Turn) -> object:
        return kind(a, b, **options, **{argument: turn(axis) for argument, axis in axes.items()})

    apart = 0.3 * clearance * (FLAT if kind.flat else U)
    return Case(f"{kind.__name__} {label}", build, kind.flat, apart)


def _surfaces() -> list[Case]:
    """Balls, cams and stops, nearly in touch, with a smooth law and with friction that remembers."""
    angle = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    ellipse = np.column_stack([0.1 * np.cos(angle), 0.07 * np.sin(angle)])
    balls, stop = {"bearing_radius": 0.06, "journal_radius": 0.05}, {"lower": -0.02, "upper": 0.03, "radius": 0.5}
    found = []
    for flat in (True, False):
        first = np.array([1.0, 0.0, 0.0]) if flat else right_handed(N)[0]
        about = {} if flat else {"axis": N}
        side = FLAT if flat else N
        kinds: list[tuple[type, dict[str, object], Array]] = [
            (fm.SphereOnPlane, {"normal": side[:2] if flat else side, "radius": 0.1}, 0.101 * side),
            (fm.SphereOnSphere, balls, 0.111 * side),
            (fm.CamRoller, {"profile": ellipse, "radius": 0.03, **about}, 0.131 * first),
            (fm.CamFlat, {"profile": ellipse, "normal": first[:2] if flat else first, **about}, 0.101 * first),
            (fm.RotationStop, {**stop, **about}, 0.0 * first),
        ]
        if not flat:
            kinds.append((fm.TiltStop, {"axis": N, "limit": 0.01, "length": 0.5}, 0.0 * first))
        for kind, options, apart in kinds:
            for label in ("smooth", "LuGre"):
                given = {**options, **LAWS[label]}
                build = lambda a, b, turn, kind=kind, given=given: kind(a, b, **given)  # noqa: E731
                found.append(Case(f"{kind.__name__} {label}", build, flat, apart))
    return found


KINDS = (fm.ClearanceRevolute, fm.ClearanceCylindrical, fm.ClearanceSpherical, fm.ClearancePrismatic, fm.ClearanceGuide)
CONTACTS = [_case(kind, label, laws) for kind in KINDS for label, laws in _laws(kind).items()] + _surfaces()
CONTACT_SETTINGS = [(case, sides) for case in CONTACTS for sides in (*SIDES, *BEAM_SIDES)]


def bent_history(system: System, seed: int = 5) -> Array:
    """All stations in contact, with bent bristles, a loaded Maxwell branch and a worn wall."""
    rng, contacts = np.random.default_rng(seed), system.contacts
    everyone = np.ones(len(contacts.names()), bool)
    history = contacts.touch(
        contacts.initial_history(), everyone, np.full(everyone.size, 4.0)
    )  # fast, so that no force is cut at zero
    rows = history.reshape(everyone.size, -1)  # approach, phase, bristle (2), memory, wear of the sectors, states
    rows[:, 2:4] = rng.uniform(-2e-3, 2e-3, (everyone.size, 2))
    rows[:, 4] = 1e3
    rows[:, 5:] = rng.uniform(0.0, 2e-3, rows[:, 5:].shape)
    return history


def pressed(system: System, spread: float = 0.03) -> tuple[Array, Array]:
    """A random q and v at the end of a step that began at another place: the first ones at which the joint pushes."""
    history = bent_history(system)
    for seed in range(100):
        scatter = np.random.default_rng(seed).standard_normal((4, system.size))
        q, v = system.initial_position + spread * scatter[0], scatter[1]
        system.contacts.begin(0.36, system.initial_position + spread * scatter[2], scatter[3], history, 0.01)
        if np.abs(joint_force(system, q, v)).max() > 1.0:
            return q, v
    raise AssertionError("the joint never pushes")


def joint_force(system: System, q: Array, v: Array) -> Array:
    """What the joint does to the bodies."""
    force = np.zeros(system.size)
    system.contacts.batches[0].residual(0.37, q, v, force)
    return -force
