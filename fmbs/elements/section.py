"""Cross-sections of beams: areas, moments, torsion and shear constants, and points to integrate over.

y and z are the section's own axes, principal and through its centroid: Iy = int z^2 dA bends in z, Iz = int y^2 dA in y.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import pi, tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import number, positive
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]


class Section(Described, ABC):
    """A cross-section. `outline` is drawn; `points` are integrated over."""

    @property
    @abstractmethod
    def area(self) -> float: ...  # m^2

    @property
    @abstractmethod
    def Iy(self) -> float: ...  # int z^2 dA, m^4

    @property
    @abstractmethod
    def Iz(self) -> float: ...  # int y^2 dA, m^4

    @property
    @abstractmethod
    def J(self) -> float: ...  # torsion constant, m^4

    @property
    def rotary(self) -> tuple[float, float]:
        """int z^2 dA and int y^2 dA of what has mass, m^4: rotary inertia over density."""
        return self.Iy, self.Iz

    @abstractmethod
    def shear_factors(self, nu: float) -> tuple[float, float]:
        """k_y, k_z of Timoshenko's beam."""

    @abstractmethod
    def points(self, n: int) -> tuple[Array, Array, Array]:
        """y, z and weights of a quadrature of the area, exact for products y^a z^b with a, b < 2 n."""

    @abstractmethod
    def outline(self) -> Array:
        """Corners of the section, counter-clockwise  # (k, 2)."""

    def holes(self) -> list[Array]:
        """The inner wall of a hollow section, with as many points as the outline; one hole is drawn."""
        return []


@dataclass(frozen=True)
class Rectangle(Section):
    """Sides along the section's y and z axes, m. Torsion: Saint-Venant's series."""

    y: float
    z: float

    def __post_init__(self) -> None:
        positive("Rectangle", "y", self.y)
        positive("Rectangle", "z", self.z)

    @property
    def area(self) -> float:
        return self.y * self.z

    @property
    def Iy(self) -> float:
        return self.y * self.z**3 / 12.0

    @property
    def Iz(self) -> float:
        return self.z * self.y**3 / 12.0

    @property
    def J(self) -> float:
        long, short = max(self.y, self.z), min(self.y, self.z)
        series = sum(tanh(k * pi * long / (2.0 * short)) / k**5 for k in range(1, 60, 2))
        return long * short**3 * (1.0 / 3.0 - 64.0 / pi**5 * short / long * series)

    def shear_factors(self, nu: float) -> tuple[float, float]:
        """Cowper 1966."""
        k = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu)
        return k, k

    def points(self, n: int) -> tuple[Array, Array, Array]:
        x, w = gauss(n)
        y, z = np.meshgrid(self.y * (x - 0.5), self.z * (x - 0.5), indexing="ij")
        return y.ravel(), z.ravel(), (self.area * np.outer(w, w)).ravel()

    def outline(self) -> Array:
        return 0.5 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * (self.y, self.z)


@dataclass(frozen=True)
class Pipe(Section):
    """Hollow circle, m."""

    outer: float  # radius
    inner: float

    def __post_init__(self) -> None:
        positive("Pipe", "outer", self.outer)
        if not 0.0 <= number("Pipe", "inner", self.inner) < self.outer:
            raise ModelError(f"Pipe: inner = {self.inner:g} must be in [0, outer = {self.outer:g}); both are radii, m.")

    @property
    def area(self) -> float:
        return pi * (self.outer**2 - self.inner**2)

    @property
    def Iy(self) -> float:
        return 0.25 * pi * (self.outer**4 - self.inner**4)

    @property
    def Iz(self) -> float:
        return self.Iy

    @property
    def J(self) -> float:
        return 2.0 * self.Iy

    def shear_factors(self, nu: float) -> tuple[float, float]:
        """Cowper 1966."""
        m = (1.0 + (self.inner / self.outer) ** 2) ** 2
        k = 6.0 * (1.0 + nu) * m / ((7.0 + 6.0 * nu) * m + (20.0 + 12.0 * nu) * (self.inner / self.outer) ** 2)
        return k, k

    def points(self, n: int) -> tuple[Array, Array, Array]:
        """Gauss points over r^2, equal angles: exact for polynomials."""
        x, w = gauss(n)
        square = self.inner**2 + (self.outer**2 - self.inner**2) * x
        angle = (np.arange(4 * n) + 0.5) * 2.0 * pi / (4 * n)
        radius = np.repeat(np.sqrt(square), angle.size)
        weights = np.repeat(self.area * w / angle.size, angle.size)
        return radius * np.tile(np.cos(angle), n), radius * np.tile(np.sin(angle), n), weights

    def outline(self) -> Array:
        angle = np.linspace(0.0, 2.0 * pi, 16, endpoint=False)
        return self.outer * np.column_stack([np.cos(angle), np.sin(angle)])

    def holes(self) -> list[Array]:
        return [self.inner / self.outer * self.outline()] if self.inner > 0.0 else []


class Circle(Pipe):
    """Full circle of a radius, m."""

    def __init__(self, radius: float) -> None:
        positive("Circle", "radius", radius)
        super().__init__(outer=radius, inner=0.0)

    def _facts(self) -> dict[str, Any]:
        return {"radius": self.outer}


@dataclass(frozen=True, kw_only=True)
class GeneralSection(Section):
    """A section by its constants: it can bend, shear and twist, but has no shape to integrate strains over.

    A: m^2; I_y = int z^2 dA, I_z = int y^2 dA, torsion constant Jt: m^4; k_y, k_z: shear factors
    rotary_y, rotary_z: rotary inertia over density, m^4, where it is not I_y, I_z (a shaft with discs, a clad wire);
                        about the axis it is their sum, as directors have it
    """

    A: float
    I_y: float
    I_z: float
    Jt: float
    k_y: float = 1.0
    k_z: float = 1.0
    rotary_y: float | None = None
    rotary_z: float | None = None

    def __post_init__(self) -> None:
        for argument, value in vars(self).items():
            if value is not None or not argument.startswith("rotary"):
                positive("GeneralSection", argument, value)

    @property
    def area(self) -> float:
        return self.A

    @property
    def Iy(self) -> float:
        return self.I_y

    @property
    def Iz(self) -> float:
        return self.I_z

    @property
    def J(self) -> float:
        return self.Jt

    @property
    def rotary(self) -> tuple[float, float]:
        return self.rotary_y or self.I_y, self.rotary_z or self.I_z

    def shear_factors(self, nu: float) -> tuple[float, float]:
        return self.k_y, self.k_z

    def points(self, n: int) -> tuple[Array, Array, Array]:
        raise ModelError(
            "GeneralSection: has no shape to integrate over; use formulation='structural', or Rectangle, Circle, Pipe."
        )

    def outline(self) -> Array:
        """A rectangle with the same moments."""
        y, z = np.sqrt(12.0 * self.I_z / self.A), np.sqrt(12.0 * self.I_y / self.A)
        return Rectangle(float(y), float(z)).outline()
