"""Pictures and films without a screen: sol.render and sol.animate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Snapshot
from fmbs.core.checks import checked_path, choice, listed, positive, whole
from fmbs.core.defaults import PICTURE_SIZE
from fmbs.core.errors import ModelError
from fmbs.core.files import writing
from fmbs.core.spelling import spelled
from fmbs.export.animation import GREY, PAINT, extent
from fmbs.export.files import frame_at
from fmbs.export.film import Picture, ffmpeg, write_film
from fmbs.export.graphics import require_graphics
from fmbs.export.scene import scene
from fmbs.export.shapes import Shape

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

LARGEST = 10_000  # pixels of a side, pictures of a film
COLOUR_FIELDS = {"von_mises": ("von Mises stress [Pa]", "viridis"), "axial_strain": ("strain along the axis", "RdBu_r"),
                 "speed": ("speed [m/s]", "viridis"), "": ("", "")}  # fmt: skip


class Stage:
    """A solution's layers in front of a camera that sees the whole motion."""

    def __init__(
        self, sol: Solution, frames: list[int], field: str, shapes: Mapping[Any, Shape] | None, size: tuple[int, int]
    ) -> None:
        choice("render", "field", field, COLOUR_FIELDS)
        sides = [whole("render", "size", side, 2, LARGEST) for side in listed("render", "size", size, "two numbers of pixels")]
        if len(sides) != 2:
            raise ModelError(f"render: size = {size!r}; give width and height in pixels.")
        pyvista = require_graphics()
        self._sol, self._field = sol, field
        self._layers = [layer for layer in scene(sol, shapes=shapes) if layer.name not in ("joints", "bearings")]
        self._plotter: Any = pyvista.Plotter(off_screen=True, window_size=[side - side % 2 for side in sides])
        self._meshes: dict[str, Any] = {}
        for layer in self._layers:
            shot = layer.snapshot(frames[0])
            faces = np.insert(layer.cells.connectivity, layer.cells.offsets[:-1], np.diff(layer.cells.offsets))  # sizes first
            mesh = pyvista.UnstructuredGrid(faces, layer.cells.types, shot.points)
            self._meshes[layer.name] = mesh
            if layer.name == "beams" and field:
                title, colours = COLOUR_FIELDS[field]
                mesh.point_data["colour"] = _values(shot, field)
                limits = self._range(layer, frames)
                bar = {"title": title, "color": "black", "vertical": False, "fmt": "%.3g"}
                self._plotter.add_mesh(mesh, scalars="colour", cmap=colours, clim=limits, scalar_bar_args=bar)
            elif layer.name == "ground":
                self._plotter.add_mesh(mesh, color=GREY)
            elif layer.name == "bodies":
                mesh.point_data["paint"] = np.array([PAINT[k % len(PAINT)] for k in shot.fields["part"]])
                self._plotter.add_mesh(mesh, scalars="paint", rgb=True)
            else:
                self._plotter.add_mesh(mesh, color=PAINT[0])
        self._look(*extent(self._layers, frames))

    def picture(self, frame: int) -> Picture:
        """One frame."""
        for layer in self._layers:
            shot, mesh = layer.snapshot(frame), self._meshes[layer.name]
            mesh.points = shot.points
            if layer.name == "beams" and self._field:
                mesh.point_data["colour"] = _values(shot, self._field)
        unit = "" if self._sol.static else " s"
        clock = f"{'load factor' if self._sol.static else 't'} = {self._sol.t[frame]:.4g}{unit}"
        self._plotter.add_text(clock, font_size=10, color="black", name="clock")
        picture: Picture = self._plotter.screenshot(return_img=True)
        return picture

    def close(self) -> None:
        self._plotter.close()

    def _range(self, layer: Any, frames: list[int]) -> tuple[float, float]:
        some = frames[:: max(1, len(frames) // 40)]
        most = max(float(np.abs(_values(layer.snapshot(frame), self._field)).max()) for frame in some) or 1.0
        return (-most, most) if self._field == "axial_strain" else (0.0, most)

    def _look(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
        flat = all(body.planar for body in self._sol.system.dofs.bodies)
        direction = np.array([0.0, -0.15, 1.0] if flat else [0.55, -0.75, 0.45])
        centre, size = 0.5 * (low + high), max(float(np.linalg.norm(high - low)), 1e-9)
        place = centre + 2.0 * size * direction / np.linalg.norm(direction)
        self._plotter.camera_position = [place.tolist(), centre.tolist(), (0.0, 1.0, 0.0) if flat else (0.0, 0.0, 1.0)]
        self._plotter.reset_camera(bounds=[low[0], high[0], low[1], high[1], low[2], high[2]])


@spelled
def render(
    sol: Solution, path: str | Path, *, t: float | None = None, field: str = "von_mises",
    shapes: Mapping[Any, Shape] | None = None, size: tuple[int, int] = PICTURE_SIZE,
) -> Path:  # fmt: skip
    """A picture of the frame nearest to t.

    path: .png, .jpg, ... ; t: s, the last frame without it
    field: colour of flexible bodies: "von_mises", "axial_strain", "speed", or "" for none
    shapes: of rigid bodies, as for `to_vtk`; size: pixels
    """
    path, frame = checked_path("render", "path", path), frame_at(sol, t)
    stage = Stage(sol, [frame], field, shapes, size)
    try:
        picture = stage.picture(frame)
    finally:
        stage.close()
    from PIL import Image

    with writing(path):
        try:
            Image.fromarray(picture).save(path)
        except (ValueError, KeyError):
            raise ModelError(f"render: {path.name} has no ending of a picture; use .png or .jpg.") from None
    return path


@spelled
def animate(
    sol: Solution, path: str | Path, *, duration: float = 8.0, fps: int = 30, field: str = "von_mises",
    shapes: Mapping[Any, Shape] | None = None, size: tuple[int, int] = PICTURE_SIZE,
) -> Path:  # fmt: skip
    """A film of the whole run, frames nearest to equal times; of an equilibrium, one point of its path after the other.

    path: .mp4 (by ffmpeg) or .gif; duration: of the film, s; fps: pictures a second
    field, shapes, size: as for `render`
    """
    path = checked_path("animate", "path", path)
    count = positive("animate", "duration", duration) * positive("animate", "fps", fps)
    if count > LARGEST:
        raise ModelError(f"animate: duration = {duration:g} s at fps = {fps:g} are {count:.3g} pictures; at most {LARGEST}.")
    if path.suffix != ".gif":
        ffmpeg()  # raises before any picture is drawn
    clock = np.arange(float(len(sol))) if sol.static else sol.t  # a path may turn back
    times = np.linspace(clock[0], clock[-1], max(2, round(count)))
    frames = [int(np.abs(clock - time).argmin()) for time in times]
    stage = Stage(sol, sorted(set(frames)), field, shapes, size)

    def pictures() -> Iterator[Picture]:
        last, picture = -1, None
        for frame in frames:
            if frame != last or picture is None:
                last, picture = frame, stage.picture(frame)
            yield picture

    try:
        with writing(path):
            write_film(path, pictures(), fps)
    finally:
        stage.close()
    return path


def _values(shot: Snapshot, field: str) -> NDArray[np.float64]:
    return np.linalg.norm(shot.fields["velocity"], axis=1) if field == "speed" else shot.fields[field]
