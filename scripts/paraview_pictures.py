"""Pictures of docs/tutorials/paraview.md, made by ParaView itself from the files that its code block writes:

xvfb-run -a pvbatch scripts/paraview_pictures.py run.pvd oil.pvd docs/figures
"""

import sys
from typing import Any

from paraview import simple as pv


def opened(file: str, time: float) -> tuple[Any, Any]:
    """A file, and an empty view of it at one time."""
    reader, view = pv.PVDReader(FileName=file), pv.CreateView("RenderView")
    view.ViewSize, view.Background, view.UseColorPaletteForBackground = [1000, 560], [1, 1, 1], 0
    view.OrientationAxesVisibility, view.ViewTime = 0, time
    reader.UpdatePipeline(time)
    return reader, view


def block(reader: Any, name: str) -> Any:
    picked = pv.ExtractBlock(Input=reader)
    picked.Selectors = [f"/Root/{name}"]
    return picked


def plain(source: Any, view: Any, colour: list[float], opacity: float = 1.0) -> None:
    display = pv.Show(source, view)
    pv.ColorBy(display, ("POINTS", ""))
    display.DiffuseColor, display.Opacity = colour, opacity


def coloured(source: Any, view: Any, field: str, title: str) -> None:
    display = pv.Show(source, view)
    pv.ColorBy(display, ("POINTS", field))
    display.RescaleTransferFunctionToDataRange(True)
    bar = pv.GetScalarBar(pv.GetColorTransferFunction(field), view)
    bar.Title, bar.ComponentTitle, bar.TitleColor, bar.LabelColor = title, "", [0, 0, 0], [0, 0, 0]
    display.SetScalarBarVisibility(view, True)


def pendulum(file: str, picture: str) -> None:
    """Stress in the beam, reaction of the joint as an arrow."""
    reader, view = opened(file, 0.2)
    coloured(block(reader, "beams"), view, "von_mises", "von Mises stress, Pa")
    plain(block(reader, "ground"), view, [0.8, 0.8, 0.75])
    arrow = pv.Glyph(Input=block(reader, "joints"), GlyphType="Arrow")
    arrow.OrientationArray, arrow.ScaleArray, arrow.ScaleFactor = ["POINTS", "force"], ["POINTS", "force"], 0.08
    plain(arrow, view, [0.1, 0.5, 0.2])
    pv.ResetCamera(view)
    pv.SaveScreenshot(picture, view)


def film(file: str, picture: str) -> None:
    """Pressure of the oil around the wrist pin."""
    reader, view = opened(file, 7.2e-3)
    plain(block(reader, "bodies"), view, [0.6, 0.65, 0.7], 0.35)
    plain(block(reader, "ground"), view, [0.8, 0.8, 0.75])
    coloured(block(reader, "bearings"), view, "pressure", "film pressure, Pa")
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.35, -0.25, 0.35], [0.09, 0.0, 0.0], [0, 1, 0]
    pv.ResetCamera(view)
    pv.SaveScreenshot(picture, view)


run, oil, folder = sys.argv[1:]
pendulum(run, f"{folder}/paraview_pendulum.png")
film(oil, f"{folder}/paraview_film.png")
