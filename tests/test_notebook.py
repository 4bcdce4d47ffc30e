"""The notebook of the manual runs, and what stands at the end of its cells shows itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import require

NOTEBOOK = Path(__file__).parents[1] / "docs" / "tutorials" / "slider_crank.ipynb"


@pytest.fixture(scope="module")
def outputs() -> list[list[Any]]:
    """Of every cell with code, in order."""
    require("matplotlib")
    nbformat, nbclient = require("nbformat"), require("nbclient")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def test_nothing_is_warned_of(outputs: list[list[Any]]) -> None:
    assert [output for cell in outputs for output in cell if output.output_type in ("stream", "error")] == []


def test_a_model_and_a_run_show_their_tables(outputs: list[list[Any]]) -> None:
    model, run = outputs[0][-1].data["text/html"], outputs[1][-1].data["text/html"]
    assert "ClearanceRevolute" in model and "wrist pin" in model
    assert run.startswith("<pre>Solution(1001 frames")


def test_the_line_of_progress_is_gone_at_the_end(outputs: list[list[Any]]) -> None:
    lines = [output for output in outputs[1] if output.output_type == "display_data"]
    assert [line.data.get("text/html") for line in lines] == [""]


def test_figures_and_the_animation_show_themselves(outputs: list[list[Any]]) -> None:
    assert all("image/png" in cell[-1].data for cell in outputs[2:4])
    page = outputs[4][-1].data["text/html"]
    assert page.startswith("<iframe srcdoc=") and "wrist pin" in page
