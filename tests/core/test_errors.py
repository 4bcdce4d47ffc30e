"""Errors reach other processes: a pool that cannot unpickle what its worker raised waits for ever."""

from __future__ import annotations

import inspect
import multiprocessing
import pickle
from pathlib import Path

import numpy as np
import pytest

import fmbs as fm
from fmbs.core import errors
from fmbs.core.errors import PORTABLE, UnknownArgument


def pendulum(mass: float, torque=None) -> fm.Model:
    m = fm.Model("pendulum", gravity=(0, -9.81))
    rod = m.add(fm.PlanarBody("rod", mass=mass, inertia=0.1, com=(0.5, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), rod.at(0, 0), name="pin"))
    if torque is not None:
        m.add(fm.Torque(rod.com, torque))
    return m


def breaking(t: float) -> float:
    return 0.0 if t < 0.02 else float("nan")


def failing(mass: float) -> float:
    """A run that fails by a force, or an input error for a mass below zero."""
    pendulum(mass, breaking).simulate(0.1, step=1e-3, progress=False)
    return mass


def sent(error: BaseException) -> BaseException:
    return pickle.loads(pickle.dumps(error))


def stopped(torque) -> fm.ConvergenceError:
    with pytest.raises(fm.ConvergenceError) as caught:
        pendulum(1.0, torque).simulate(0.1, step=1e-3, progress=False)
    return caught.value


@pytest.mark.parametrize(("mass", "kind"), [(1.0, fm.ConvergenceError), (-1.0, fm.ModelError)])
def test_a_pool_passes_the_error_of_its_worker_on(mass: float, kind: type[Exception]):
    with multiprocessing.get_context("spawn").Pool(1) as pool, pytest.raises(kind) as caught:
        pool.map_async(failing, [mass]).get(timeout=120.0)
    assert isinstance(caught.value, kind)
    if kind is fm.ConvergenceError:
        assert caught.value.status is fm.Status.USER_ERROR
        assert caught.value.time == pytest.approx(0.02, abs=2e-3)
        assert caught.value.solution.t[-1] == caught.value.time


def test_the_solution_of_an_error_works_where_it_is_sent(tmp_path: Path):
    """Forces and reactions are computed from the model, whose tables lie elsewhere in the other process."""
    error = stopped(breaking)
    (tmp_path / "error").write_bytes(pickle.dumps(error))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply_async(reaction, [tmp_path / "error"]).get(timeout=120.0)
    assert np.array_equal(there, error.solution.reaction(error.solution.system.joints[0]).force)


def reaction(path: Path) -> np.ndarray:
    solution = pickle.loads(path.read_bytes()).solution
    return solution.reaction(solution.system.joints[0]).force


def test_without_its_solution_where_that_cannot_be_pickled_or_is_large():
    error = stopped(lambda t: 2.0 * breaking(t))
    assert error.solution is not None
    assert sent(error).solution is None
    assert str(sent(error)) == str(error)
    large = fm.ConvergenceError("too far.", time=1.0, status=fm.Status.SLOW, solution=Large())
    assert len(pickle.dumps(large)) < 1000
    assert (sent(large).solution, sent(large).time, sent(large).remedy) == (None, 1.0, large.remedy)


class Large:
    def __init__(self) -> None:
        self.q = np.zeros(PORTABLE // 8 + 1)


def test_all_errors_of_fmbs_can_be_pickled():
    made = {
        fm.ModelError: fm.ModelError("rod: mass -1"),
        UnknownArgument: UnknownArgument("rod: no argument 'mas'"),
        fm.ConvergenceError: fm.ConvergenceError("stop.", time=0.5, status=fm.Status.DIVERGED),
        fm.Interrupted: fm.Interrupted(0.25, None),
        fm.FileError: fm.FileError("run.h5: damaged"),
        fm.FileInUse: fm.FileInUse("run.h5: in use"),
        fm.DiskFull: fm.DiskFull("run.h5: no room"),
    }
    public = {kind for name, kind in vars(errors).items() if inspect.isclass(kind) and not name.startswith("_")}
    assert {kind for kind in public if issubclass(kind, BaseException)} == set(made)
    for kind, error in made.items():
        error.add_note("in case 7")
        again = sent(error)
        assert type(again) is kind
        assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))
