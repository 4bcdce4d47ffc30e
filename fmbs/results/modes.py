"""Natural modes of a model: frequencies, shapes at markers, films of them, and the response to a harmonic force."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import array, positive, vector, whole
from fmbs.core.described import Described, words
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.state import State
from fmbs.core.words import table
from fmbs.results.solution import Solution, Statistics

Array = NDArray[np.float64]

SIZE = 0.05  # of the model, or rad: how far a drawn mode moves


@dataclass(frozen=True)
class Modes(Described, units={"frequencies": "Hz"}):
    """Undamped natural modes, lowest first; they are numbered from 1.

    omega: circular frequencies, rad/s; 0 for rigid-body motion, negative for an unstable direction: -sqrt(|omega^2|)
    shapes: columns, normalised to x^T M x = 1  # (n, modes)
    damping: modal damping ratio x^T D x / (2 omega), 0 where omega = 0
    system: the equations of motion; state: where they were linearised
    """

    omega: Array
    shapes: Array
    damping: Array
    system: System
    state: State

    @property
    def frequencies(self) -> Array:
        """Hz."""
        hertz: Array = self.omega / (2.0 * np.pi)
        return hertz

    def _facts(self) -> dict[str, Any]:
        return {"frequencies": self.frequencies}

    def __len__(self) -> int:
        return int(self.omega.size)

    def __str__(self) -> str:
        rows = zip(self.frequencies, self.damping, strict=True)
        lines = [(str(k), words(hertz, "Hz"), words(100.0 * ratio, "%")) for k, (hertz, ratio) in enumerate(rows, 1)]
        return "\n".join(["Modes", table([("mode", "frequency", "damping"), *lines])])

    def at(self, marker: Marker) -> Array:
        """How a marker moves in every mode, m for a unit of the mode  # (modes, 3), or (modes, 2) on planar bodies."""
        return self._moving().velocity(marker)

    def turning(self, marker: Marker) -> Array:
        """How a marker's frame turns in every mode, rad about the global axes for a unit of the mode  # (modes, 3)."""
        return self._moving().spin(marker)

    def _moving(self) -> Solution:
        """Frames at the same place, each with the velocity of a mode."""
        states = [replace(self.state, v=np.ascontiguousarray(x)) for x in self.shapes.T]
        return Solution.from_states(self.system, states, Statistics())

    def motion(self, mode: int = 1, *, size: float = SIZE, frames: int = 24) -> Solution:
        """One period of a mode as a solution, to be drawn.

        size: of the largest movement, relative to the model's size (and in radians); frames: of the period
        """
        if whole("motion", "mode", mode) > len(self):
            raise ModelError(f"motion: mode = {mode!r}; there are modes 1 to {len(self)}, ask m.modes(n) for more.")
        count, x = whole("motion", "frames", frames, least=2), self.shapes[:, mode - 1]
        amount = positive("motion", "size", size) / float(np.abs(x / self.system.scale).max())
        omega = float(self.omega[mode - 1]) if self.omega[mode - 1] > 0.0 else 2.0 * np.pi
        states = []
        for angle in np.linspace(0.0, 2.0 * np.pi, count + 1):
            q, v = self.state.q + amount * np.sin(angle) * x, amount * omega * np.cos(angle) * x
            states.append(replace(self.state, t=float(angle) / omega, q=q, v=v))
        return Solution.from_states(self.system, states, Statistics())

    def to_vtk(self, path: str | Path, mode: int = 1, *, size: float = SIZE, frames: int = 24, **options: Any) -> list[Path]:
        """Files of one period for ParaView; options: those of `sol.to_vtk`."""
        return self.motion(mode, size=size, frames=frames).to_vtk(path, **options)

    def animate(self, path: str | Path, mode: int = 1, *, size: float = SIZE, frames: int = 24, **options: Any) -> Path:
        """A film of one period; options: those of `sol.animate`."""
        return self.motion(mode, size=size, frames=frames).animate(path, **{"duration": 2.0, **options})

    def report(self, path: str | Path, mode: int = 1, *, size: float = SIZE, frames: int = 24, **options: Any) -> Path:
        """A page with the animation of one period; options: those of `sol.report`."""
        name = f"Mode {mode}: {words(float(self.frequencies[mode - 1]), 'Hz')}"
        return self.motion(mode, size=size, frames=frames).report(path, **{"title": name, "figures": [], **options})

    def response(self, frequencies: ArrayLike, *, force: ArrayLike, on: Marker, at: Marker) -> NDArray[np.complex128]:
        """Complex amplitude of a marker's movement under a harmonic force, m  # (frequencies, 3), or 2 on planar bodies.

        x = sum_k x_k(at) (x_k(on) . F) / (omega_k^2 - omega^2 + 2 i zeta_k omega_k omega)

        frequencies: Hz; force: amplitude, N, on the marker `on`; at: marker that is looked at. The sum has the modes that
        there are: ask for all up to two or three times the highest frequency.
        """
        hertz = np.atleast_1d(array("response", "frequencies", frequencies, "give a frequency or a list of them, Hz"))
        if hertz.ndim != 1 or not np.isfinite(hertz).all():
            raise ModelError("response: frequencies must be a list of finite numbers, Hz.")
        seen, pushed = self.at(at), self.at(on)
        push = vector("response", "force", force, pushed.shape[1])
        omega = 2.0 * np.pi * hertz[:, None]
        square = np.sign(self.omega) * self.omega**2
        stiffness = square - omega**2 + 2.0j * self.damping * np.abs(self.omega) * omega
        endless = np.abs(stiffness) <= 1e-12 * np.maximum(np.abs(square), omega**2)
        if endless.any():
            k = int(np.argwhere(endless)[0, 1])
            raise ModelError(
                f"response: mode {k + 1} has no damping and is asked at its own frequency, {self.frequencies[k]:g} Hz; give "
                "the material damping=, or ask beside it."
            )
        amplitude: NDArray[np.complex128] = (pushed @ push / stiffness) @ seen
        return amplitude
