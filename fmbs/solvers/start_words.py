"""What the start of a run has changed, in words: which part, by how much, who asked for it, what to do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.solvers.contradictions import Contradiction
from fmbs.solvers.moved_bodies import Moved, length_text

Array = NDArray[np.float64]


def told_of_positions(found: list[Moved], count: int) -> str:
    """A warning about bodies that were moved to fit the joints."""
    worst = found[0]
    others = "".join(f", {body.body!r} by {_distance(body)}" for body in found[1:]) + _more(count - len(found))
    return (
        f"initial positions did not fit the joints: {worst.body!r} was moved by {_distance(worst)}, {worst.share:.2g} of the "
        f"model's size{others}; '{worst.asked}' was open by {worst.gap}. Draw the parts where joints and drives hold them, or "
        f"say that so much is meant: assembly_tolerance={_rounded_up(worst.share):g}."
    )


def told_of_strain(body: str, strain: float, energy: float, asked: str, gap: str) -> str:
    """A warning about a flexible body that is bent or stretched before the run begins."""
    return (
        f"initial positions did not fit the joints, and {body!r} was deformed to make them fit: the run starts with strains up "
        f"to {strain:.2g} and {energy:.3g} J of elastic energy; '{asked}' was open by {gap}. Draw it with the length and the "
        "direction that its joints leave for it, or free one of them. If it is meant, ignore fm.InconsistentStart with "
        "Python's warnings filter."
    )


def told_of_velocities(found: list[Contradiction], count: int) -> str:
    """A warning about given velocities that joints have changed, or about bodies that have to deform at once."""
    worst = found[0]
    if worst.deforming == worst.size:
        return (
            f"initial velocities: {worst.body!r} has to deform from the first instant, with up to {worst.deforming:.3g} m/s "
            f"beside any rigid motion, {_share(worst, count)}; {worst.drive or worst.asked!r} asks for it. Let drives begin at "
            "rest (fm.SmoothStep), give velocities that leave the body its shape, or say that a sudden start is meant: "
            "initial_velocities='impulse'."
        )
    return (
        f"initial velocities: {_change(worst)}, {_share(worst, count)}; {worst.asked!r} asks for it. Give velocities that the "
        f"joints allow, leave velocity= and spin= of {worst.body!r} out, so that they are completed, or say that the joints "
        "catch it with an impulse: initial_velocities='impulse'."
    )


def refused_by_drive(worst: Contradiction, count: int) -> str:
    """An error: a drive contradicts what was given."""
    return (
        f"initial velocities: {_change(worst)}, {_share(worst, count)}; the drive {worst.drive!r} asks for it. Leave velocity= "
        f"and spin= of {worst.body!r} out, so that they are completed from the drive, or let the drive begin with what was "
        "given (fm.SmoothStep), or say that a sudden start is meant: initial_velocities='impulse'."
    )


def refused_by_strictness(worst: Contradiction, count: int) -> str:
    """An error: velocities must fit as they were given."""
    return (
        f"initial velocities: {_change(worst)}, {_share(worst, count)}; {worst.drive or worst.asked!r} asks for it. Give "
        f"{worst.body!r} what is asked for, or let velocities be completed: initial_velocities='complete' instead of 'strict'."
    )


def _change(worst: Contradiction) -> str:
    """From ... to ..., of the velocity, the spin or both."""
    parts = []
    words = (0, "velocity", "m/s at its centre of mass"), (3, "spin", "rad/s")
    for known, (k, word, unit) in zip(worst.known, words, strict=True):
        before, after = (_vector(x[k : k + 3], worst.planar, k == 3) for x in (worst.before, worst.after))
        if known and before != after:
            parts.append(f"the {word} of {worst.body!r} from {before} to {after} {unit}")
    changed = " and ".join(parts) or f"the velocity of {worst.body!r} by {worst.size:.3g} m/s"
    return f"joints and drives change {changed}"


def _vector(x: Array, planar: bool, is_spin: bool) -> str:
    shown = np.where(np.abs(x) < 1e-9 * np.abs(x).max(initial=1e-300), 0.0, x) + 0.0
    if planar and is_spin:
        return f"{shown[2]:.4g}"
    return f"({', '.join(f'{c:.4g}' for c in shown[: 2 if planar else 3])})"


def _share(worst: Contradiction, count: int) -> str:
    share = f"{100.0 * worst.size / worst.fastest:.2g} % of the largest speed, {worst.fastest:.3g} m/s"
    return f"{share}{_more(count - 1)}"


def _distance(body: Moved) -> str:
    turned = f" and {body.turn:.3g} rad" if body.turn > 1e-6 else ""
    return f"{length_text(body.length)}{turned}" if body.length > 0.0 else f"{body.turn:.3g} rad"


def _rounded_up(share: float) -> float:
    """To one digit, so that the remedy works; a tolerance of 0.1 is the default and says nothing."""
    power = 10.0 ** np.floor(np.log10(share))
    tolerance = float(np.ceil(share / power * 1.001) * power)
    return 0.11 if abs(tolerance - 0.1) < 1e-9 else tolerance


def _more(count: int) -> str:
    return f", and {count} more" if count > 0 else ""
