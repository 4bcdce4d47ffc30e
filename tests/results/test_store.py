"""A stored run gives back what was computed, exactly, and never harms what was there."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import dataclass, field, fields
from pathlib import Path

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import fmbs as fm
from fmbs.core.equations import distance
from fmbs.results.store import RunWriter

STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850.0, damping=1e-5)
ROOT = Path(__file__).parents[2]


def spatial() -> fm.Model:
    """Every kind of body in space, a curved one too, with joints, forces, a function of time and a redundant equation."""
    m = fm.Model("spatial", gravity=(0.0, 0.0, -9.81))
    rod = m.add(
        fm.Beam(
            "rod", start=(0, 0, 0), end=(0.5, 0, 0), section=fm.Rectangle(0.02, 0.01), material=STEEL, elements=3,
            interpolation="hermite", formulation="enhanced", rayleigh=(0.1, 0.0),
        )
    )  # fmt: skip
    arc = m.add(
        fm.Beam(
            "arc", curve=lambda s: (0.5 + 0.3 * np.sin(s), 0.0, 0.3 * (1.0 - np.cos(s))), section=fm.Circle(0.01),
            material=STEEL, elements=2, up=(0, 1, 0),
        )
    )  # fmt: skip
    rope = m.add(
        fm.Cable("rope", start=(0, 0.3, 0), end=(0.4, 0.3, 0), section=fm.Pipe(0.004, 0.002), material=STEEL, elements=3)
    )
    ball = m.add(fm.RigidBody("ball", mass=0.2, inertia=(1e-4, 2e-4, 2.5e-4), com=(0.5, 0.3, 0), spin=(0, 0, 3.0)))
    m.add(fm.Revolute(m.ground.at(0, 0, 0), rod.start, axis=(0, 1, 0), name="hinge"))
    m.add(fm.Fixed(rod.end, arc.start, name="weld"))
    m.add(fm.Spherical(m.ground.at(0, 0.3, 0), rope.start, name="hook"))
    m.add(fm.Spherical(rope.end, ball.at(0.4, 0.3, 0), name="knot"))
    m.add(fm.PointForce(arc.end, lambda t: (0.0, 0.0, 2.0 * np.sin(20.0 * t)), name="push"))
    m.add(fm.SpringDamper(rod.at(0.5), ball.com, stiffness=100.0, damping=0.1, name="spring"))
    m.add(fm.DistributedForce(rod, (0.0, 0.0, 1.0), follower=True, name="wind"))
    return m


def planar() -> fm.Model:
    m = fm.Model("planar", gravity=(0.0, -9.81))
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-4, com=(0.05, 0.0), angle=0.2))
    beam = m.add(
        fm.PlanarBeam("beam", start=(0.1, 0.0), end=(0.4, 0.0), section=fm.Rectangle(0.01, 0.01), material=STEEL, elements=3)
    )
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0), name="main"))
    m.add(fm.Revolute(crank.at(0.1, 0), beam.start, name="pin"))
    m.add(fm.PointOnLine(m.ground.at(0, 0), beam.end, axis=(1, 0), name="guide"))
    m.add(fm.RotationDrive(m.ground.at(0, 0), crank.at(0, 0), angle=lambda t: 0.2 + 10.0 * t**2, name="motor"))
    return m


@pytest.fixture(scope="module")
def solutions() -> dict[str, fm.Solution]:
    return {
        "spatial": spatial().simulate(0.02, step=1e-3, progress=False),
        "planar": planar().simulate(0.02, step=1e-3, progress=False),
    }


@pytest.mark.parametrize("name", ["spatial", "planar"])
def test_round_trip(solutions: dict[str, fm.Solution], tmp_path: Path, name: str) -> None:
    """Arrays bit by bit; what is computed from the rebuilt model bit by bit as well, but for drives by functions."""
    sol = solutions[name]
    back = fm.load(sol.save(tmp_path / "run.h5"))
    for key in ("t", "q", "v", "a", "lam", "step_times"):
        assert_array_equal(getattr(back, key), getattr(sol, key))
    for entry in fields(sol.energy):
        assert_array_equal(getattr(back.energy, entry.name), getattr(sol.energy, entry.name))
    assert back.statistics == sol.statistics
    assert_array_equal(back.system.mass_matrix.toarray(), sol.system.mass_matrix.toarray())
    assert_array_equal(back.system.initial_position, sol.system.initial_position)
    assert_array_equal(back.system.weight, sol.system.weight)
    model, again = sol.model, back.model
    for joint in model.joints:
        exact = 1e-10 if joint.name == "motor" else 0.0
        for kind in ("force", "moment"):
            a, b = getattr(sol.reaction(joint), kind), getattr(back.reaction(joint.name), kind)
            assert np.abs(a - b).max(initial=0.0) <= exact * np.abs(a).max(initial=0.0)
    flexible = [body for body in model.bodies if body.batch is not None]
    for body in flexible:
        for s in (0.0, 0.37, 1.0):
            assert_array_equal(back.position(again[body.name].at(s)), sol.position(body.at(s)))
        if isinstance(body, fm.Beam):
            assert_array_equal(back.section(again[body.name], [0.3]).moment, sol.section(body, [0.3]).moment)


def test_rebuilt_model_has_the_same_forces(solutions: dict[str, fm.Solution], tmp_path: Path) -> None:
    """The residual of the rebuilt system, with the sampled function to the error of its table."""
    sol = solutions["spatial"]
    back = fm.load(sol.save(tmp_path / "run.h5"))
    a, b = (x.system.residual(0.013, sol.q[-1], sol.v[-1], sol.a[-1], sol.lam[-1]) for x in (sol, back))
    assert np.abs(a - b).max() < 1e-10 * np.abs(a).max()


def test_save_replaces_only_when_whole(solutions: dict[str, fm.Solution], tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    solutions["planar"].save(path)
    before = path.read_bytes()
    writer = RunWriter(path, solutions["spatial"].system)
    assert path.read_bytes() == before  # a run in progress leaves the old file alone
    writer.close()
    assert not writer.partial.exists()
    with pytest.raises(fm.ModelError, match="ended before its first frame"):
        fm.load(path)


def test_unwritable_folder_and_full_disk(solutions: dict[str, fm.Solution], tmp_path: Path) -> None:
    with pytest.raises(fm.ModelError, match=r"no_such.*cannot be written \(No such file"):
        solutions["planar"].save(tmp_path / "no_such" / "run.h5")
    code = f"""
import resource, signal, sys
sys.path.insert(0, {str(ROOT)!r})
import fmbs as fm
sol = fm.load(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))  # writes beyond fail, as on a full disk
try:
    sol.save(sys.argv[1])
except fm.ModelError as error:
    print("said:", error)
"""
    path = solutions["planar"].save(tmp_path / "run.h5")
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert "said:" in done.stdout and "cannot be written" in done.stdout, done.stderr
    assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [path]


def test_foreign_and_truncated_files(solutions: dict[str, fm.Solution], tmp_path: Path) -> None:
    text, other, cut = tmp_path / "a.h5", tmp_path / "b.h5", tmp_path / "c.h5"
    text.write_text("no HDF5")
    with h5py.File(other, "w") as file:
        file["x"] = np.arange(3)
    whole = solutions["planar"].save(tmp_path / "run.h5").read_bytes()
    for path, words in ((text, "not a run of fmbs"), (other, "not a run of fmbs"), (tmp_path / "none.h5", "there is no file")):
        with pytest.raises(fm.ModelError, match=words):
            fm.load(path)
    for share in (0.1, 0.5, 0.9, 0.99):
        cut.write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(fm.ModelError, match="damaged"):
            fm.load(cut)


def test_killed_run_is_readable_up_to_its_last_flush(tmp_path: Path) -> None:
    """A process that streams frames is killed by SIGKILL; the old file is untouched, the frames are there."""
    path = tmp_path / "run.h5"
    path.write_text("an older result")
    code = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import numpy as np
import fmbs as fm
from fmbs.results.store import RunWriter
m = fm.Model("falling", gravity=(0, 0, -9.81))
m.add(fm.RigidBody("ball", mass=1.0, inertia=(1.0, 1.0, 1.0)))
system = m.system()
writer = RunWriter(sys.argv[1], system, name="falling")
for k in range(10**9):
    t = 1e-3 * k
    zero = np.zeros((1, 12))
    q = system.initial_position + np.array([0, 0, -4.905 * t * t] * 2 + [0] * 6)
    energy = {{f"energy/{{name}}": np.zeros(1) for name in ("kinetic", "elastic", "potential", "dissipated", "work")}}
    lam = np.zeros((1, system.multipliers))
    writer.append({{"t": [t], "q": [q], "v": zero, "a": zero, "lam": lam, **energy}}, {{"step_times": [t]}})
    if k % 50 == 49:
        writer.flush()
        print(k + 1, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(7)]
    watched = fm.load(path.with_name("run.h5.partial"))  # while the run goes
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    flushed = int(lines[-1])
    sol = fm.load(path.with_name("run.h5.partial"))
    assert len(sol) >= len(watched) >= flushed - 50 and len(sol) >= flushed
    ball = sol.model["ball"]
    assert_array_equal(sol.position(ball.com)[:, 2], -4.905 * sol.t * sol.t)
    assert path.read_text() == "an older result"


@dataclass(frozen=True, eq=False)
class Leash(fm.Joint):
    """A user's own joint."""

    slack: float = field(default=0.0, kw_only=True)
    planar_kind = False

    def equations(self) -> list:  # type: ignore[type-arg]
        return [distance("length", self.a, self.b, float(np.linalg.norm(self.b.position - self.a.position)) + self.slack)]


def test_users_own_class_by_request_only(tmp_path: Path) -> None:
    """Without the class: the arrays. With it: everything. Nothing is imported from the file's say-so."""
    m = fm.Model("leash", gravity=(0, 0, -9.81))
    dog = m.add(fm.RigidBody("dog", mass=20.0, inertia=(0.4, 0.5, 0.6), com=(2, 0, 0)))
    leash = m.add(Leash(m.ground.at(0, 0, 0), dog.at(1.8, 0, 0), name="leash"))
    sol = m.simulate(0.01, step=1e-3, progress=False)
    path = sol.save(tmp_path / "run.h5")
    bare = fm.load(path)
    assert_array_equal(bare.q, sol.q)
    assert_array_equal(bare.energy.balance, sol.energy.balance)
    with pytest.raises(fm.ModelError, match=r"class Leash.*classes="):
        bare.reaction("leash")
    full = fm.load(path, classes=[Leash])
    assert_array_equal(full.reaction("leash").force, sol.reaction(leash).force)


class Thrust(fm.PointForce):
    """Made with other arguments than its fields."""

    def __init__(self, at: fm.Marker, newtons: float, name: str = "") -> None:
        super().__init__(at, (0.0, 0.0, newtons), name=name)
        object.__setattr__(self, "newtons", newtons)

    def arguments(self) -> dict[str, object]:
        return {"at": self.marker, "newtons": self.newtons, "name": self.name}


class Smooth(fm.friction.FrictionLaw):
    """Without parameters: there is nothing to store but its name."""

    def mu(self, slip):  # type: ignore[no-untyped-def]
        return 0.1 * np.tanh(slip)


class Sticky(Smooth):
    """With a parameter that it does not tell."""

    def __init__(self, most: float) -> None:
        self.most = most


def rubbing(friction: fm.friction.FrictionLaw) -> fm.Solution:
    m = fm.Model("rub", gravity=(0, 0, -9.81))
    ball = m.add(fm.RigidBody("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    m.add(Thrust(ball.com, 12.0, name="jet"))
    law = fm.contact.LankaraniNikravesh(restitution=0.5, stiffness=1e8)
    m.add(
        fm.ClearanceSpherical(
            m.ground.at(0, 0, 0), ball.com, bearing_radius=0.01, clearance=1e-3, contact=law, friction=friction
        )
    )
    return m.simulate(1e-3, step=1e-4, progress=False)


def test_users_own_forces_and_laws(tmp_path: Path) -> None:
    sol = rubbing(Smooth())
    path = sol.save(tmp_path / "run.h5")
    back = fm.load(path, classes=[Thrust, Smooth])
    assert back.model["jet"].newtons == 12.0
    for missing, classes in (("classes Smooth, Thrust, which are", []), ("class Smooth, which is", [Thrust])):
        with pytest.raises(fm.ModelError, match=missing):
            _ = fm.load(path, classes=classes).model


def test_what_a_class_does_not_tell_is_named(tmp_path: Path) -> None:
    path = rubbing(Sticky(0.1)).save(tmp_path / "run.h5")
    with pytest.raises(fm.ModelError, match=r"what Sticky\(most=0.1\) was made with; make Sticky a dataclass"):
        _ = fm.load(path, classes=[Thrust, Sticky]).model


def test_coarse_function_is_reported(tmp_path: Path) -> None:
    """A force that changes faster than the table's samples."""
    m = fm.Model("noise")
    ball = m.add(fm.RigidBody("ball", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    m.add(fm.PointForce(ball.com, lambda t: (np.sin(1e6 * t), 0.0, 0.0), name="noise"))
    path = m.simulate(0.01, step=1e-3, progress=False).save(tmp_path / "run.h5")
    with pytest.warns(UserWarning, match=r"noise\.force"):
        fm.load(path)


def test_equilibrium_round_trip(tmp_path: Path) -> None:
    m = fm.Model("cantilever")
    rod = m.add(fm.Beam("rod", start=(0, 0, 0), end=(1, 0, 0), section=fm.Circle(0.01), material=STEEL, elements=2))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), rod.start, name="clamp"))
    m.add(fm.PointForce(rod.end, (0, 0, -10.0)))
    sol = m.equilibrium(load_steps=2)
    back = fm.load(sol.save(tmp_path / "static.h5"))
    assert back.static
    assert_array_equal(back.reaction("clamp").moment, sol.reaction("clamp").moment)


def test_model_without_equations(tmp_path: Path) -> None:
    """A free beam has no multipliers: tables without columns."""
    m = fm.Model("free", gravity=(0, 0, -9.81))
    m.add(fm.Beam("rod", start=(0, 0, 0), end=(1, 0, 0), section=fm.Circle(0.01), material=STEEL, elements=1))
    sol = m.simulate(0.003, step=1e-3, progress=False)
    back = fm.load(sol.save(tmp_path / "free.h5"))
    assert back.lam.shape == sol.lam.shape == (4, 0)
    assert_array_equal(back.q, sol.q)


def test_clearance_round_trip(tmp_path: Path) -> None:
    """Laws, history states and impacts come back; what is computed from them is the same."""
    m = fm.Model("drop", gravity=(0, -9.81))
    ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=1e-3, com=(0, 0), spin=5.0))
    law, friction = fm.contact.LankaraniNikravesh(restitution=0.5, stiffness=1e9), fm.friction.Ambrosio(0.1, 1e-3, 1e-2)
    m.add(
        fm.ClearanceRevolute(
            m.ground.at(0, 0), ball.com, bearing_radius=0.01, clearance=1e-4, contact=law, friction=friction, name="bearing"
        )
    )
    sol = m.simulate(0.02, tolerance=1e-4, progress=False)
    back = fm.load(sol.save(tmp_path / "run.h5"))
    a, b = sol.clearance("bearing"), back.clearance("bearing")
    for key in ("eccentricity", "penetration", "normal_force", "friction_force", "slip", "mode", "dissipated"):
        assert_array_equal(getattr(a, key), getattr(b, key))
    assert len(a.impacts) > 0
    assert [(x.t, x.approach_speed, x.end) for x in a.impacts] == [(x.t, x.approach_speed, x.end) for x in b.impacts]
    assert_array_equal(sol.reaction("bearing").force, back.reaction("bearing").force)
