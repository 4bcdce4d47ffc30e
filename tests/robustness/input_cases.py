"""Calls of everything public with garbage as arguments, and what must come of them: an answer or an error of fmbs, soon.

A case is given by its number: one call of `input_calls`, whose arguments are right but for one or two. Cases run in a process
of their own, with a limit on its memory, so that crashes and hangs are seen.
"""

from __future__ import annotations

import contextlib
import datetime
import decimal
import faulthandler
import fractions
import io
import itertools
import math
import os
import re
import resource
import shutil
import tempfile
import traceback
import warnings
from collections.abc import Callable
from functools import cache
from multiprocessing import util
from pathlib import Path
from typing import Any

import numpy as np

import fmbs as fm
from tests.robustness.input_calls import Call, Made, solutions
from tests.robustness.input_catalogue import calls
from tests.robustness.reliability_cases import FORK, Outcome

SLOW, COMPILING = 20.0, 600.0  # s that a case may take, and the first call of its kind
MEMORY = 8 << 30  # bytes that a call may take
MISSING = object()  # an argument that is left out


def _raises(*arguments: Any, **options: Any) -> Any:
    return 1.0 / 0.0


def _later(t: float = 0.0, *arguments: Any) -> Any:
    return 1.0 if t == 0.0 else None


class Odd:
    """Nothing that fmbs knows."""


GARBAGE: tuple[Callable[[], Any], ...] = (  # made anew for each case: generators can be used once
    *(
        lambda value=value: value
        for value in (
            None, "", "1.0", "1e400", "nan", "x", "\x00", "ground", "$\\frac{1}$", b"1.0", b"", True, False, 0, -1, 1, 2,
            3, 7, -7,
            1.5, 0.0, -0.0, -1.0, 1e-300, 1e300, -1e300, math.nan, math.inf, -math.inf, 10**400, -(10**400), 2**63, 10**18,
            1j,
            decimal.Decimal("1.0"), decimal.Decimal("NaN"), decimal.Decimal("sNaN"), fractions.Fraction(1, 3),
            fractions.Fraction(10**400, 3), datetime.date(2020, 1, 1), datetime.timedelta(1), range(3), range(0), slice(None),
            Ellipsis, NotImplemented, int, object, math, len, print, Path("x"), Odd, np.float32(1.5), np.int64(3),
            np.bool_(True),
            np.str_("x"), np.datetime64("2020-01-01"), complex("nan"), (), ((),), (1,), (1, 2), (0, 0, 0), (1, 2, 3, 4),
            (1, "2", 3),
            ("1", "0", "0"), (None, None, None), (math.nan, 0, 0), (10**400, 0, 0), (1j, 0, 0), ("a", "b"), ((1, 2), (3,)),
        )
    ),
    *(
        lambda make=make: make()
        for make in (
            list, dict, set, Odd, lambda: [[]], lambda: [[[[1]]]], lambda: {"x": 1}, lambda: {1: 2}, lambda: {None: None},
            lambda: {"x": []}, lambda: {"x": [1, "a"]}, lambda: {"x": None}, lambda: {1, 2, 3}, lambda: (i for i in range(3)),
            lambda: iter(()), lambda: [1, 2, 3], lambda: [math.inf] * 3, lambda: ["position(x)"], lambda: [{}],
            lambda: [None],
            lambda: [{"x": Odd()}], lambda: itertools.repeat(1), lambda: bytearray(3), lambda: memoryview(b"abc"),
            lambda: np.empty(0), lambda: np.empty((0, 3)), lambda: np.zeros((3, 3)), lambda: np.zeros((2, 2, 2)),
            lambda: np.array(1.0), lambda: np.array(["a", "b", "c"]), lambda: np.array([None, 1, 2]), lambda: np.full(3,
                 math.nan),
            lambda: np.array([1.0, 2.0, 3.0], dtype=object), lambda: np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0]),
            lambda: np.eye(3, dtype=complex), lambda: lambda: 1.0, lambda: lambda t: None, lambda: lambda t: "x",
            lambda: lambda t: math.nan, lambda: lambda *a: [], lambda: lambda t: (1, 2, 3), lambda: _raises, lambda: _later,
            lambda: fm.Model("other"), lambda: fm.Model("other").ground, lambda: fm.Model("other").ground.at(0, 0, 0),
            lambda: fm.PlanarBody("other", mass=1, inertia=1, com=(0, 0)).com,
            lambda: fm.RigidBody("other", mass=1, inertia=(1, 1, 1)),
            lambda: fm.Material(E=1.0, density=1.0), lambda: fm.Circle(1.0), lambda: fm.contact.Hertz(stiffness=1.0),
            lambda: fm.SmoothStep(0.0, 1.0, 0.0, 1.0), fm.GeneralizedAlpha, lambda: fm.Status.DIVERGED,
        )
    ),
    lambda: MISSING,
)  # fmt: skip

# What Python itself says of a call that does not fit a signature
SPOKEN = re.compile(r"missing \d+ required|unexpected keyword|takes \d+ positional|takes from \d+ to|multiple values")


def garbled(call: Call, seed: int) -> Made:
    """A case: what is called, and right arguments, of which one (or two, now and then) are garbage."""
    rng = np.random.default_rng(seed)
    action, arguments, options = call.make()
    places: list[int | str] = [*range(len(arguments)), *options, *call.others]
    for _ in range(1 if rng.random() < 0.85 else 2):
        place, value = places[int(rng.integers(len(places)))], GARBAGE[int(rng.integers(len(GARBAGE)))]()
        if isinstance(place, str):
            options[place] = value
        else:
            arguments[place] = value
    if rng.random() < 0.02:
        options["stpe"] = 1.0
    arguments = list(itertools.takewhile(lambda value: value is not MISSING, arguments))
    return action, arguments, {name: value for name, value in options.items() if value is not MISSING}


def judged(call: Call, seed: int | None, folder: Path) -> tuple[str, str]:
    """What came of it, and what is wrong with that; without a seed arguments are right. In a process of its own."""
    action, arguments, options = call.make() if seed is None else garbled(call, seed)
    folder.mkdir(exist_ok=True)
    os.chdir(folder)  # what is written goes there
    told = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        warnings.simplefilter("ignore")
        try:
            action(*arguments, **options)
        except (fm.ModelError, fm.ConvergenceError) as error:
            return "refused", "" if str(error) and "Traceback" not in str(error) else f"says nothing: {error!r}"
        except TypeError as error:
            caller = traceback.extract_tb(error.__traceback__)[-1].filename
            by_python = SPOKEN.search(str(error)) and caller.endswith(
                (__file__, "input_calls.py", "input_catalogue.py", "spelling.py")
            )
            return ("refused", "") if by_python else ("raw", _place(error))
        except SystemExit as error:
            return "refused", "" if error.code in (0, 1, 2, 3, 4, 5) else f"exit code {error.code!r}"
        except BaseException as error:
            return "raw", _place(error)
    return "answered", ""


def _place(error: BaseException) -> str:
    """The error, with the line of fmbs where it came up."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if "/fmbs/" in frame.filename] or [None]
    where = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own[-1] else "?"
    return f"{where} {type(error).__name__}: {str(error)[:150]}"


class Worker:
    """A process that takes one case after the other; a new one follows where it crashed or hung."""

    def __init__(self) -> None:
        solutions()  # for all workers
        self.pipe, other = FORK.Pipe()
        self.process = FORK.Process(target=self._work, args=(self.pipe, other), daemon=False)
        self.process.start()
        other.close()

    @staticmethod
    def _work(parents: Any, pipe: Any) -> None:
        parents.close()  # or this process would wait for ever where the other one has died
        faulthandler.enable()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        with contextlib.suppress(EOFError):
            while True:
                call, seed, folder = pipe.recv()
                pipe.send(judged(calls()[call], seed, folder))

    def ask(self, call: int, seed: int | None, folder: Path, limit: float = SLOW) -> tuple[str, str]:
        self.pipe.send((call, seed, folder))
        try:
            if self.pipe.poll(limit):
                found: tuple[str, str] = self.pipe.recv()
                return found
            self.process.kill()
            result = "hang", f"takes longer than {limit:g} s"
        except (EOFError, ConnectionError):
            self.process.join()
            result = "crash", f"exit code {self.process.exitcode}"
        self.process.join()
        worker.cache_clear()
        return result

    def close(self) -> None:
        """Or a Python that ends would wait for it for ever: it may have processes of its own, and so is no daemon."""
        self.process.kill()
        self.process.join()


@cache
def worker() -> Worker:
    made = Worker()
    util.Finalize(made, made.close, exitpriority=10)
    return made


@cache
def right(place: int) -> str:
    """What is wrong with a call whose arguments are right. Its kernels are compiled by it, in no case's time."""
    with tempfile.TemporaryDirectory() as folder:
        result, wrong = worker().ask(place, None, Path(folder), COMPILING)
    return wrong and f"with right arguments {result}: {wrong}"


def input_case(seed: int, folder: Path) -> Outcome:
    """One call with garbage: an answer or an error of fmbs, within 20 s."""
    place = seed % len(calls())
    call = calls()[place]
    result, wrong = worker().ask(place, seed, folder) if not (wrong := right(place)) else ("raw", wrong)
    shutil.rmtree(folder, ignore_errors=True)
    return Outcome(call.kind, wrong and f"{call.name}, {result}: {wrong}", ((result, 1),))
