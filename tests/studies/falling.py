"""A cheap function of one's own for sweeps: a falling body, and cases that break."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import fmbs as fm


def fall(gravity: float = 9.81, mass: float = 1.0) -> fm.Model:
    m = fm.Model("fall", gravity=(0.0, -gravity))
    m.add(fm.PlanarBody("stone", mass=mass, inertia=1.0, com=(0, 0)))
    return m


def breaking(gravity: float, mass: float, folder: str) -> fm.Model:
    """mass = 7 kills its process the first time, 8 always, 9 takes for ever; a mass below 0 is refused."""
    mark = Path(folder) / "killed once"
    if mass == 8.0 or (mass == 7.0 and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if mass == 9.0:
        time.sleep(600)
    return fall(gravity, mass)
