"""Beams of every kind and shape, for the tests."""

from __future__ import annotations

import numpy as np

import fmbs as fm

Array = np.ndarray

KINDS = [(x, y) for x in ("hermite", "quadratic", "cubic") for y in ("continuum", "enhanced", "structural")]
STEEL = fm.Material(E=207e9, nu=0.3, density=7800.0)
BAR = fm.Rectangle(y=0.1, z=0.16)


def helix(s: float) -> tuple[float, float, float]:
    return (np.cos(2.5 * s), np.sin(2.5 * s), 0.7 * s)


def twist(s: float) -> tuple[float, float, float]:
    """A right angle along a beam in the direction (2, 1, 0.5)."""
    return (-np.sin(0.5 * np.pi * s), 0.3, np.cos(0.5 * np.pi * s))


SHAPES = {
    "straight": {"start": (0.1, -0.2, 0.3), "end": (2.1, 0.8, 0.8)},
    "twisted": {"start": (0.1, -0.2, 0.3), "end": (2.1, 0.8, 0.8), "up": twist},
    "curved": {"curve": helix, "up": (0.1, 0.2, 1.0)},
}


def beam(
    kind: tuple[str, str], shape: str = "straight", *, name: str = "beam", elements: int = 3, **options: object
) -> fm.Beam:
    """A beam of a kind and shape of this file, of steel unless told otherwise."""
    given = {"section": BAR, "material": STEEL, **SHAPES[shape], **options}
    return fm.Beam(name, elements=elements, interpolation=kind[0], formulation=kind[1], **given)


def alone(part: fm.Beam, **options: object) -> tuple[fm.Model, fm.Beam]:
    """A model of one free beam."""
    model = fm.Model("free beam", **options)
    return model, model.add(part)


def nodal_vectors(part: fm.Beam, q: Array) -> Array:  # (nodes, vectors, 3), the first of each node its position
    return q.reshape(part.node_count, -1, 3)


def moved(part: fm.Beam, q: Array, rotation: Array, shift: Array) -> Array:
    """x -> rotation x + shift."""
    vectors = nodal_vectors(part, q) @ rotation.T
    vectors[:, 0] += shift
    return vectors.ravel()


def rigid_velocity(part: fm.Beam, q: Array, velocity: Array, spin: Array) -> Array:
    """velocity + spin x r."""
    vectors = np.cross(spin, nodal_vectors(part, q))
    vectors[:, 0] += velocity
    return vectors.ravel()
