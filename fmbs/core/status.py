"""The outcome of a step as a value that says what to try."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """Why a step ended. `ok` tells success; `remedy` is written for the user."""

    CONVERGED = ("converged", "")
    DIVERGED = (
        "the Newton iteration diverged",
        "a smaller step (or tolerance=...), tangent='numerical' if you wrote a force yourself, or rho_inf < 1.",
    )
    SLOW = (
        "the Newton iteration did not converge",
        "a smaller step (or tolerance=...), or GeneralizedAlpha(newton_tolerance=...) less strict than 1e-8.",
    )
    LEAP = (
        "the only solution of a step lies far from where the motion leads",
        "a smaller step (or tolerance=...): bodies turn or bend by more than 0.1 in one step; or look for a jump in a drive.",
    )
    SINGULAR = (
        "the Newton matrix is singular",
        "look for a mechanism at a dead point, a body without any inertia, or constraints that became dependent.",
    )
    SINGULAR_POSITION = (
        "the model came too close to a singular position",
        "a longer step, or a larger tolerance=, which passes over it: shorter ones only come closer; or change a length a bit.",
    )
    NOT_FINITE = (
        "a force or position became NaN or infinite",
        "check forces and drives that are functions of time, and the initial velocities; then a smaller step.",
    )
    USER_ERROR = (
        "a force or drive raised an error",
        "the error it raised is attached to this one; make the function valid for all times and positions of the run.",
    )
    ENERGY = (
        "more energy is missing than was exchanged",
        "a much shorter step, or tolerance= in place of step=; energy_tolerance=None if you want to see where the run leads.",
    )
    STEP_TOO_SMALL = (
        "error control asked for a step below the smallest allowed",
        "a larger tolerance, integrator=fm.GeneralizedAlpha(), or look for a jump in a drive or a force at this time.",
    )
    HIDDEN_MEMORY = (
        "a law of yours remembers something of which it tells no rate, which fm.Radau() would carry to second order only",
        "memory= beside kernel= where the law is made (docs/extending.md), or integrator=fm.GeneralizedAlpha().",
    )
    IMPACT = (
        "no impulses or forces of rigid surfaces were found",
        "a smaller step; or a law of fm.contact, which is soft where rigid surfaces with friction have no solution (Painleve).",
    )
    NO_EQUILIBRIUM = (
        "no equilibrium was found",
        "follow='arc' where the path turns back before the whole load (snap-through); m.buckling() for what the model bears.",
    )
    NOT_AT_REST = (
        "no equilibrium was found: the model does not come to rest",
        "check that it is held somewhere, by a joint, a spring or a contact; or draw it closer to its equilibrium.",
    )
    PATH_LOST = (
        "no equilibrium was found: the path could not be followed any further",
        "a larger max_iterations; or draw the last frames to see where the path leads, it may never come to the whole load.",
    )

    def __init__(self, text: str, remedy: str) -> None:
        self.text = text
        self.remedy = remedy

    @property
    def ok(self) -> bool:
        return self is Status.CONVERGED
