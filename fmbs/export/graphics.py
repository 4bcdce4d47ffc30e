"""Is there a way to draw without a screen? VTK crashes the process where there is none, so a process of its own finds out."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fmbs.core.errors import ModelError

WINDOWS = ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow", "")  # EGL, OSMesa, VTK's own choice
VARIABLE = "VTK_DEFAULT_OPENGL_WINDOW"
PROBE = """
import pyvista
plotter = pyvista.Plotter(off_screen=True, window_size=(64, 64))
plotter.add_mesh(pyvista.Sphere(), color="black")
picture = plotter.screenshot(return_img=True)
raise SystemExit(0 if picture.min() < 250 else 3)
"""


@lru_cache(maxsize=1)
def require_graphics() -> Any:
    """pyvista with the first of VTK's windows that draws; raises where none does."""
    if find_spec("pyvista") is None:
        raise ModelError("render: needs pyvista; install it with pip install 'fmbs[viz]'.")
    windows = WINDOWS if sys.platform == "linux" and not os.environ.get("DISPLAY") else WINDOWS[::-1]
    for window in (os.environ[VARIABLE],) if os.environ.get(VARIABLE) else windows:
        environment = {**os.environ, VARIABLE: window} if window else os.environ.copy()
        try:
            done = subprocess.run([sys.executable, "-c", PROBE], env=environment, capture_output=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            continue
        if done.returncode == 0:
            if window:
                os.environ[VARIABLE] = window  # VTK reads it when the window is made
            return import_module("pyvista")
    raise ModelError(
        "render: no OpenGL library draws here without a screen; install one (Debian: apt install libegl1 libgl1-mesa-dri, or "
        "libosmesa6), or use sol.report(...), which draws in a browser."
    )
