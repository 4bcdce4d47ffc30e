"""FMUs: the coupling they hold, and a whole one in fmpy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.analysis.stepwise import Stepwise
from fmbs.export.fmu import Coupling, export_fmu
from tests.export import fmu_slider_crank

FILE = Path(fmu_slider_crank.__file__)

IN_FMPY = """
import json, sys
import fmpy, fmpy.validation
path = sys.argv[1]
rows = fmpy.simulate_fmu(path, stop_time=0.2, output_interval=0.01, start_values={"torque": 1.0})
print(json.dumps({"x": rows["x"].tolist(), "problems": fmpy.validation.validate_fmu(path)}))
"""


def reference(integrator: fm.Radau | fm.GeneralizedAlpha, **options: float) -> np.ndarray:
    model, (u,), outputs = fmu_slider_crank.build()
    u.value = 1.0
    return outputs["x"](model.simulate(0.2, output_step=0.01, integrator=integrator, **options))


@pytest.mark.parametrize(
    ("settings", "tolerance"),
    [({"tolerance": 1e-8, "integrator": fm.Radau()}, 1e-8), ({"step": 2e-5, "integrator": fm.GeneralizedAlpha()}, 1e-6)],
    ids=["radau", "alpha"],
)
def test_the_coupling_goes_as_a_run(settings: dict, tolerance: float):
    """The same slider-crank in twenty communication steps and in one run."""
    coupling = Coupling.of(FILE, "build", **settings)
    (u,) = coupling.inputs
    u.value = 1.0
    places = [coupling.value("x")]
    for k in range(1, 21):
        coupling.go(0.01 * k)
        places.append(coupling.value("x"))
    assert_allclose(places, reference(fm.Radau(), tolerance=1e-10), rtol=0.0, atol=tolerance)


def test_an_fmu_in_fmpy(tmp_path: Path):
    pytest.importorskip("pythonfmu")
    pytest.importorskip("fmpy")
    path = export_fmu(fmu_slider_crank.build, tmp_path / "slider_crank.fmu", tolerance=1e-8, integrator=fm.Radau())
    done = subprocess.run([sys.executable, "-c", IN_FMPY, str(path)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["problems"] == []
    assert_allclose(found["x"], reference(fm.Radau(), tolerance=1e-10), rtol=0.0, atol=1e-6)


def test_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    model, _, _ = fmu_slider_crank.build()
    with pytest.raises(fm.ModelError, match=r"integrator = BaumgarteODE\(.*take fm.GeneralizedAlpha\(\) or fm.Radau\(\)"):
        Stepwise(model, tolerance=1e-6, integrator=fm.BaumgarteODE())  # type: ignore[arg-type]
    with pytest.raises(fm.ModelError, match=r"wrong\(\) returned 3; return \(model, inputs, outputs\)"):
        Coupling.of(FILE, "wrong")
    monkeypatch.setitem(sys.modules, "pythonfmu", None)
    with pytest.raises(fm.ModelError, match=r"needs pythonfmu; install it with pip install 'fmbs\[fmu\]'"):
        export_fmu(fmu_slider_crank.build, tmp_path / "x.fmu", step=1e-3)


def test_bad_exports(tmp_path: Path):
    pytest.importorskip("pythonfmu")
    for build, name, words in (
        (lambda: None, "x.fmu", "is no function at the top of a Python file"),
        (fmu_slider_crank.build, "x.zip", "give the name of a file such as slider_crank.fmu"),
        (fmu_slider_crank.build, "fmu_slider_crank.fmu", "have the same name"),
        (fmu_slider_crank.wrong, "x.fmu", r"wrong\(\) returned 3"),
    ):
        with pytest.raises(fm.ModelError, match=words):
            export_fmu(build, tmp_path / name, step=1e-3)
