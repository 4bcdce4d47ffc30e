"""Several ranks: the same run, the same files, one message when something fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.core.ranks import Ranks
from tests.conftest import missing, require

ROOT = Path(__file__).parents[2]
# Root in a container, more ranks than cores
SETTINGS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}

MIXED = """
import sys
import numpy as np
import fmbs as fm
from fmbs.core.ranks import world

m = fm.Model("mixed", gravity=(0, 0, -9.81))
soft = fm.Material(E=2.07e8, density=1000, damping=1e-4)
link = m.add(fm.Beam("link", start=(0, 0, 0), end=(1, 0, 0), section=fm.Rectangle(0.05, 0.05), material=soft, elements=5,
                     rayleigh=(0.1, 0.0)))
rope = m.add(fm.Cable("rope", start=(1, 0, 0), end=(2, 0, 0), section=fm.Circle(0.02), material=soft, elements=7))
arm = m.add(fm.Beam("arm", start=(0, 0, 0), end=(0, 1, 0), section=fm.Rectangle(0.05, 0.05), material=soft, elements=4,
                    interpolation="hermite", formulation="continuum"))
ball = m.add(fm.RigidBody("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(2.2, 0, 0)))
m.add(fm.Revolute(m.ground.at(0, 0, 0), link.start, axis=(0, 1, 0)))
m.add(fm.Fixed(m.ground.at(0, 0, 0), arm.start))
nodes, struts = [(0, 2, 0), (1, 2, 0), (1, 3, 0), (1, 2, 1)], [(0, 1), (1, 2), (1, 3)]
frame = m.add(fm.BeamNetwork("frame", nodes=nodes, struts=struts, elements=2, section=fm.Rectangle(0.05, 0.04), material=soft))
m.add(fm.Fixed(m.ground.at(0, 2, 0), frame.node(0)))
m.add(fm.Spherical(link.end, rope.start))
m.add(fm.Spherical(rope.end, ball.at(2, 0, 0)))
m.add(fm.SpringDamper(m.ground.at(1, 0, 1), link.at(0.5), stiffness=100.0, length=1.0, damping=1.0))
sol = m.simulate(5e-3, step=1e-3, linear_solver=sys.argv[1], progress=False)
if world().first:
    energy = sol.energy
    np.savez(sys.argv[2], q=sol.q, lam=sol.lam, elastic=energy.elastic, kinetic=energy.kinetic, lost=energy.dissipated)
"""

STARTED = """
import sys
import numpy as np
import fmbs as fm
from fmbs.core.ranks import world

m = fm.Model("started")
soft = fm.Material(E=2.07e8, density=1000)
bar = {"section": fm.Rectangle(0.05, 0.05), "material": soft, "elements": 4}
crank = m.add(fm.Beam("crank", start=(0, 0, 0), end=(1, 0, 0), **bar))
rod = m.add(fm.Beam("rod", start=(1, 0.003, 0), end=(3, 0, 0), **bar))
m.add(fm.Revolute(m.ground.at(0, 0, 0), crank.start))
m.add(fm.Spherical(crank.end, rod.start))
m.add(fm.PointOnLine(m.ground.at(0, 0, 0), rod.end, axis=(1, 0, 0)))
m.add(fm.RotationDrive(m.ground.at(0, 0, 0), crank.start, speed=2.0))
sol = m.simulate(1e-4, step=1e-4, linear_solver=sys.argv[1], assembly_tolerance=0.01, progress=False)
if world().first:
    np.savez(sys.argv[2], q=sol.q[:1], v=sol.v[:1])
"""

FAILING = """
import sys
import fmbs as fm
from fmbs.core import ranks

ranks.PATIENCE = 0.5

def push(t):
    if ranks.world().rank == 1 and t > 2e-3:
        raise ValueError("the pump is off")
    return (0.0, 0.0, 1.0)

m = fm.Model("one fails")
body = m.add(fm.RigidBody("body", mass=1.0, inertia=(1.0, 1.0, 1.0), com=(0, 0, 0)))
m.add(fm.PointForce(body.com, push))
m.simulate(0.1, step=1e-3, linear_solver="petsc", progress=False)
"""


CUT = """
import sys
import fmbs as fm
from fmbs.results import run_file
from fmbs.results.recorder import Recorder

run_file.EVERY = run_file.SHARE = 0.0
pause = Recorder.pause

def power_cut(self, state):
    pause(self, state)
    if state.t > float(sys.argv[2]):
        raise RuntimeError("no power")

Recorder.pause = power_cut
m = fm.Model("cantilever", gravity=(0, 0, -9.81))
soft = fm.Material(E=2.07e8, density=1000)
beam = m.add(fm.Beam("beam", start=(0, 0, 0), end=(1, 0, 0), section=fm.Rectangle(0.05, 0.05), material=soft, elements=8))
m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
m.simulate(0.02, step=1e-3, linear_solver="petsc", progress=False, checkpoint=sys.argv[1])
"""


@pytest.fixture
def mpirun() -> list[str]:
    require("petsc4py")
    require("mpi4py")
    found = shutil.which("mpirun")
    if found is None:
        missing("mpirun")
    return [found, "-n", "2", sys.executable]


def start(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    env = os.environ | SETTINGS
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=600, check=False)


def test_two_ranks_write_the_same_run(mpirun: list[str], tmp_path: Path) -> None:
    """A flexible pendulum by the command line: frames, multipliers and energies within 1e-9 of the serial run's."""
    words = ["-m", "fmbs", "run", "flexible_pendulum", "--t-end", "0.02", "--step", "1e-3", "--no-files"]
    alone = start([sys.executable, *words, "--out", "alone", "--linear-solver", "scipy"], tmp_path)
    assert alone.returncode == 0, alone.stderr
    shared = start([*mpirun, *words, "--out", "shared", "--linear-solver", "petsc"], tmp_path)
    assert shared.returncode == 0, shared.stderr
    assert shared.stdout.count("wrote") == alone.stdout.count("wrote") == 2  # one rank talks
    one, two = (fm.load(tmp_path / folder / "run.h5") for folder in ("alone", "shared"))
    assert two.statistics.linear_solver == "petsc:mumps"
    for name in ("q", "v", "lam"):
        expected = np.asarray(getattr(one, name))
        assert_allclose(np.asarray(getattr(two, name)), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    assert_allclose(two.energy.elastic, one.energy.elastic, rtol=0, atol=1e-9 * one.energy.kinetic.max())


@pytest.mark.parametrize("solver", ["petsc", "petsc:gmres+fieldsplit"])
def test_bodies_of_all_kinds_on_two_ranks(solver: str, mpirun: list[str], tmp_path: Path) -> None:
    """Two kinds of beams, a cable, a rigid body, joints and a spring; by MUMPS, and by GMRES with the constraints split off."""
    (tmp_path / "mixed.py").write_text(MIXED)
    for command in ([sys.executable, "mixed.py", "scipy", "alone.npz"], [*mpirun, "mixed.py", solver, "shared.npz"]):
        done = start(command, tmp_path)
        assert done.returncode == 0, done.stderr
    one, two = np.load(tmp_path / "alone.npz"), np.load(tmp_path / "shared.npz")
    for name in one:
        share = 1e-8 if name == "lam" else 1e-9  # round-off in q is one of eps / h^2 in accelerations and reactions
        assert_allclose(two[name], one[name], rtol=0, atol=share * np.abs(one[name]).max(), err_msg=name)


def test_the_same_start_on_two_ranks(mpirun: list[str], tmp_path: Path) -> None:
    """Flexible bodies are moved and driven as wholes there too: nothing is bent, and the drive turns the crank."""
    (tmp_path / "started.py").write_text(STARTED)
    for command in ([sys.executable, "started.py", "scipy", "alone.npz"], [*mpirun, "started.py", "petsc", "shared.npz"]):
        done = start(command, tmp_path)
        assert done.returncode == 0, done.stderr
    one, two = np.load(tmp_path / "alone.npz"), np.load(tmp_path / "shared.npz")
    for name in one:
        assert_allclose(two[name], one[name], rtol=0, atol=1e-9, err_msg=name)
    crank = 4 * 3 + 1  # nodes
    moving = np.cross((0, 0, 2.0), two["q"][0].reshape(-1, 3)[: 3 * crank])
    assert_allclose(two["v"][0].reshape(-1, 3)[: 3 * crank], moving, rtol=0, atol=1e-9)


def test_a_run_that_failed_goes_on(mpirun: list[str], tmp_path: Path) -> None:
    """The first rank reads the checkpoint and tells the other. No rank has the whole matrix: a new one, within 1e-9."""
    (tmp_path / "cut.py").write_text(CUT)
    failed = start([*mpirun, "cut.py", "cut.h5", "0.01"], tmp_path)
    assert failed.returncode != 0
    assert (tmp_path / "cut.h5.checkpoint").exists(), failed.stderr
    for command in (["whole.h5", "1.0"], ["cut.h5", "1.0"]):
        done = start([*mpirun, "cut.py", *command], tmp_path)
        assert done.returncode == 0, done.stderr
    whole, cut = (fm.load(tmp_path / name) for name in ("whole.h5", "cut.h5"))
    assert_allclose(cut.t, whole.t)
    assert_allclose(np.asarray(cut.q), np.asarray(whole.q), rtol=0, atol=1e-9)


def test_wrong_input_is_told_once(mpirun: list[str], tmp_path: Path) -> None:
    done = start([*mpirun, "-m", "fmbs", "run", "flexible_pendulum", "--linear-solver", "banded"], tmp_path)
    assert done.returncode != 0
    assert done.stderr.count("works on one rank only") == 1


def test_a_rank_that_fails_ends_all(mpirun: list[str], tmp_path: Path) -> None:
    """The others would wait for it for ever."""
    (tmp_path / "failing.py").write_text(FAILING)
    done = start([*mpirun, "failing.py"], tmp_path)
    assert done.returncode != 0
    assert done.stderr.count("rank 1 of 2 failed") == 1
    assert "the pump is off" in done.stderr


def test_elements_are_shared_out() -> None:
    """Every element counts once, and those at the border are evaluated by both neighbours."""
    m = fm.Model("shared")
    steel = fm.Material(E=2.1e11, density=7800)
    m.add(fm.Beam("beam", start=(0, 0, 0), end=(1, 0, 0), section=fm.Circle(0.01), material=steel, elements=9))
    ranks = [Ranks(rank, 3) for rank in range(3)]
    sizes = [sum(len(batch.blocks().first) for batch in m.system(ranks=each).elements) for each in ranks]
    assert sizes == [4, 5, 4]
    whole = m.system()
    parts = [m.system(ranks=each).mass_matrix for each in ranks]
    assert abs(sum(parts[1:], parts[0]) - whole.mass_matrix).max() == 0.0
