"""The figure that everything draws on."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure


class ShownFigure(Figure):
    """A figure that shows itself in a notebook, without pyplot and its windows."""

    def _repr_png_(self) -> bytes:
        picture = BytesIO()
        self.savefig(picture, format="png", dpi=100)
        return picture.getvalue()
