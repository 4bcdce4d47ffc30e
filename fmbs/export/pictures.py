"""Pictures and films without a screen: sol.render and sol.animate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.cells import Snapshot
from fmbs.core.checks import checked_path, choice, listed, positive, unit, whole
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


VIEWS = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, -1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "3d": (0.55, -0.75, 0.45),
    "flat": (0.0, -0.15, 1.0),
}
CONTACT_PAINT = (0.35, 0.71, 0.91), (0.84, 0.37, 0.0), (0.90, 0.62, 0.0)  # free flight, impact, following contact
BUSH = (0.72, 0.74, 0.77)
Array = NDArray[np.float64]


class Stage:
    """A solution's layers in front of a camera that sees the whole motion."""

    def __init__(
        self, sol: Solution, frames: list[int], field: str, shapes: Mapping[Any, Shape] | None, size: tuple[int, int],
        view: str | ArrayLike, zoom: float, magnify: float | None,
    ) -> None:  # fmt: skip
        choice("render", "field", field, COLOUR_FIELDS)
        sides = [whole("render", "size", side, 2, LARGEST) for side in listed("render", "size", size, "two numbers of pixels")]
        if len(sides) != 2:
            raise ModelError(f"render: size = {size!r}; give width and height in pixels.")
        positive("render", "zoom", zoom)
        from_where = _direction(sol, view)
        pyvista = require_graphics()
        self._sol, self._field = sol, field
        layers = scene(sol, shapes=shapes, magnify=magnify)
        self._layers = [layer for layer in layers if layer.name not in ("joints", "bearings")]
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
                bar = {
                    "title": title,
                    "color": "black",
                    "vertical": False,
                    "fmt": "%.2g",
                    "n_labels": 3,
                    "position_x": 0.2,
                    "width": 0.6,
                }
                self._plotter.add_mesh(mesh, scalars="colour", cmap=colours, clim=limits, scalar_bar_args=bar)
            elif layer.name == "ground":
                self._plotter.add_mesh(mesh, color=GREY)
            elif layer.name == "bodies":
                mesh.point_data["paint"] = np.array([PAINT[k % len(PAINT)] for k in shot.fields["part"]])
                self._plotter.add_mesh(mesh, scalars="paint", rgb=True)
            elif layer.name == "journals":
                mesh.point_data["paint"] = _journal_paint(shot)
                self._plotter.add_mesh(mesh, scalars="paint", rgb=True)
            else:
                self._plotter.add_mesh(mesh, color=PAINT[0])
        self._look(*extent(self._layers, frames), from_where, zoom)

    def picture(self, frame: int) -> Picture:
        """One frame."""
        for layer in self._layers:
            shot, mesh = layer.snapshot(frame), self._meshes[layer.name]
            mesh.points = shot.points
            if layer.name == "beams" and self._field:
                mesh.point_data["colour"] = _values(shot, self._field)
            if layer.name == "journals":
                mesh.point_data["paint"] = _journal_paint(shot)
        clock = f"load factor = {self._sol.t[frame]:.4g}" if self._sol.static else f"t = {self._sol.t[frame]:.4g} s"
        self._plotter.add_text(clock, font_size=10, color="black", name="clock")
        picture: Picture = self._plotter.screenshot(return_img=True)
        return picture

    def close(self) -> None:
        self._plotter.close()

    def _range(self, layer: Any, frames: list[int]) -> tuple[float, float]:
        some = frames[:: max(1, len(frames) // 40)]
        most = max(float(np.abs(_values(layer.snapshot(frame), self._field)).max()) for frame in some) or 1.0
        return (-most, most) if self._field == "axial_strain" else (0.0, most)

    def _look(self, low: Array, high: Array, direction: Array, zoom: float) -> None:
        """From a direction, at the box between two corners; what points up is z, or y where one looks along z."""
        centre, size = 0.5 * (low + high), max(float(np.linalg.norm(high - low)), 1e-9)
        up = (0.0, 1.0, 0.0) if abs(direction[2]) > 0.9 else (0.0, 0.0, 1.0)
        self._plotter.camera_position = [(centre + 2.0 * size * direction).tolist(), centre.tolist(), up]
        self._plotter.reset_camera(bounds=[low[0], high[0], low[1], high[1], low[2], high[2]])
        self._plotter.camera.zoom(zoom)


@spelled
def render(
    sol: Solution, path: str | Path, *, t: float | None = None, field: str = "von_mises",
    shapes: Mapping[Any, Shape] | None = None, size: tuple[int, int] = PICTURE_SIZE, view: str | ArrayLike = "",
    zoom: float = 1.0, magnify: float | None = None,
) -> Path:  # fmt: skip
    """A picture of the frame nearest to t.

    path: .png, .jpg, ... ; t: s, the last frame without it
    field: colour of flexible bodies: "von_mises", "axial_strain", "speed", or "" for none
    shapes: of rigid bodies, as for `to_vtk`; size: pixels
    view: from where: "x", "y", "z", "3d" or a direction (x, y, z); by default 3d, or z where all bodies are planar
    zoom: 2 shows things twice as large; magnify: of the gap in clearance joints, as for `to_vtk`
    """
    path, frame = checked_path("render", "path", path), frame_at(sol, t)
    stage = Stage(sol, [frame], field, shapes, size, view, zoom, magnify)
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
    shapes: Mapping[Any, Shape] | None = None, size: tuple[int, int] = PICTURE_SIZE, view: str | ArrayLike = "",
    zoom: float = 1.0, magnify: float | None = None,
) -> Path:  # fmt: skip
    """A film of the whole run, frames nearest to equal times; of an equilibrium, one point of its path after the other.

    path: .mp4 (by ffmpeg) or .gif; duration: of the film, s; fps: pictures a second
    field, shapes, size, view, zoom, magnify: as for `render`
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
    stage = Stage(sol, sorted(set(frames)), field, shapes, size, view, zoom, magnify)

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


def _direction(sol: Solution, view: str | ArrayLike) -> Array:
    if isinstance(view, str):
        flat = all(body.planar for body in sol.system.dofs.bodies)
        name = view or ("flat" if flat else "3d")
        choice("render", "view", name, VIEWS)
        view = VIEWS[name]
    return unit("render", "view", view)


def _journal_paint(shot: Snapshot) -> Array:
    """Pins by their mode of contact, bushes grey."""
    paint = np.array(CONTACT_PAINT)[shot.fields["contact"]]
    return np.where(shot.fields["pin"][:, None] == 1, paint, BUSH)


def _values(shot: Snapshot, field: str) -> Array:
    return np.linalg.norm(shot.fields["velocity"], axis=1) if field == "speed" else shot.fields[field]
