"""Slots: what is called by address fits, or is an error that names both sides; never memory that is not ours."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from numba.core.errors import TypingError
from numpy.typing import NDArray

from fmbs.jit.c_functions import NUMBERS
from fmbs.jit.calls import call, collected
from fmbs.jit.compiled import kernel, law
from fmbs.jit.slots import INTEGERS, LINE, ROWS, TABLE, Slot
from fmbs.jit.tables import address, table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class Weights:
    w: Array
    factor: float


@table
class Others:
    w: Array
    factor: float


ANY, OWN = Slot("push", TABLE, LINE, float), Slot("weigh", Weights, LINE, float)


@kernel(plain=True)
def weigh(weights: Weights, out: Array, h: float) -> None:
    for i in range(out.size):
        out[i] += h * weights.factor * weights.w[i]


@kernel(plain=True)
def shorter(weights: Weights, out: Array) -> None:
    out[0] = weights.factor


@kernel(plain=True)
def swapped(weights: Weights, h: float, out: Array) -> None:
    out[0] = h


@kernel(plain=True)
def of_others(others: Others, out: Array, h: float) -> None:
    out[0] = others.factor


@kernel(plain=True)
def of_integers(weights: Weights, out: Integers, h: float) -> None:
    out[0] = 1


@kernel(plain=True)
def counting(weights: Weights, out: Array, h: float) -> int:
    return out.size


@kernel(plain=True)
def unknown(weights, out, h):
    out[0, 1] = h  # out has one dimension


@kernel(plain=True, part=True)
def part(weights: Weights, out: Array, h: float) -> None:
    out[0] = h


@kernel(plain=True)
def by_address(place: int, weights: int, out: Array) -> None:
    call(ANY, place, weights, out, 2)  # a whole number is made a float


@kernel(plain=True)
def by_table(place: int, weights: Weights, out: Array) -> None:
    call(OWN, place, weights, out, 2.0)


def weights() -> Weights:
    return Weights(np.array([1.0, 2.0]), 3.0)


@pytest.mark.parametrize("slot", [ANY, OWN], ids=repr)
def test_a_kernel_that_fits_is_called(slot: Slot):
    w = weights()
    place = slot.address(weigh, w)
    assert place == slot.address(weigh, w) != 0
    for k, (caller, given) in enumerate([(by_address, address(w)), (by_table, w)]):
        out = np.zeros(2)
        caller(place, given, out)
        np.testing.assert_array_equal(out, [6.0, 12.0], err_msg=str(k))


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (shorter, "takes 2 arguments, but the slot .* passes 3"),
        (swapped, "passes float64.* for 'h'"),
        (of_others, "passes Weights for 'others'"),
        (of_integers, "passes float64.* for 'out'"),
        (counting, "returns int64"),
        (unknown, "cannot be compiled"),
        (part, "is a part of kernels"),
        (lambda weights, out, h: None, "is not a kernel"),
    ],
)
def test_a_kernel_that_does_not_fit_is_an_error_that_names_both(kernel, why: str):
    with pytest.raises(TypeError, match=why) as error:
        ANY.address(kernel, weights())
    assert "push(table, float64[:], float64)" in str(error.value)
    assert getattr(kernel, "__name__", "lambda") in str(error.value) or "lambda" in str(error.value)


def test_tables_are_those_of_the_slot():
    with pytest.raises(TypeError, match="Others was given for Weights"):
        OWN.address(weigh, Others(np.zeros(1), 1.0))
    with pytest.raises(TypeError, match="NoneType was given for table"):
        ANY.address(weigh)
    with pytest.raises(TypeError, match="1 tables too many"):
        ANY.address(weigh, weights(), weights())


def test_in_a_plan_nothing_is_compiled_but_all_is_checked():
    jobs = collected(lambda: Slot("other", TABLE, LINE, float).address(weigh, weights()))
    assert [function.__name__ for function, _ in jobs] == ["weigh"]
    with pytest.raises(TypeError, match="takes 2 arguments"):
        collected(lambda: ANY.address(shorter, weights()))


@kernel(plain=True)
def too_few(place: int, weights: Weights, out: Array) -> None:
    call(ANY, place, weights, out)


@kernel(plain=True)
def strided(place: int, weights: Weights, out: Array) -> None:
    call(ANY, place, weights, out[::2], 1.0)


@kernel(plain=True)
def wrong_table(place: int, others: Others, out: Array) -> None:
    call(OWN, place, others, out, 1.0)


@kernel(plain=True)
def no_place(place: int, weights: Weights, out: Array) -> None:
    call(ANY, weights, out, 1.0)


@pytest.mark.parametrize(
    ("caller", "why"),
    [(too_few, "takes 3 arguments"), (strided, "argument 2 of"), (wrong_table, "argument 1 of"), (no_place, "no address")],
)
def test_a_call_that_does_not_fit_is_not_compiled(caller, why: str):
    kind = Others if caller is wrong_table else Weights
    with pytest.raises(TypingError, match=why):
        caller(0, kind(np.zeros(1), 1.0), np.zeros(4))


def test_arguments_are_types():
    assert repr(Slot("all", float, int, bool, ROWS, INTEGERS)) == "all(float64, int64, bool, float64[:, :], int64[:])"
    with pytest.raises(TypeError, match="'x' is not the type of an argument"):
        Slot("bad", "x")


SCALE = Slot("scale", NUMBERS, float, NUMBERS)


@law
def scaled(x: Array, factor: float, out: Array) -> None:
    out[0], out[1] = factor * x[0], factor * x[1]


@kernel(plain=True)
def scale_rows(place: int, x: Array, out: Array) -> None:
    for i in range(x.shape[0]):
        call(SCALE, place, x[i], 2, out[i])


@kernel(plain=True)
def scale_with_gaps(place: int, x: Array, out: Array) -> None:
    call(SCALE, place, x[0, ::2], 2.0, out[0])


def test_pointers_to_numbers_are_given_as_arrays_to_kernels_and_to_c():
    x = np.arange(4.0).reshape(2, 2)
    memory = ctypes.CFUNCTYPE(None, *SCALE.c_type._argtypes_)(lambda x, factor, out: out.__setitem__(0, factor * x[0]))
    for function in (scaled, memory):
        out = np.zeros((2, 2))
        scale_rows(SCALE.address(function), x, out)
        np.testing.assert_array_equal(out[:, 0], 2.0 * x[:, 0])
    with pytest.raises(TypingError, match=r"scale.numbers, float64, numbers.*another type"):
        scale_with_gaps(SCALE.address(scaled), x, out)
    with pytest.raises(TypeError, match="scaled is a law and is called by its address only"):
        scaled(x[0], 2.0, out[0])


def test_functions_of_c_know_no_tables():
    function = ctypes.CFUNCTYPE(None, ctypes.c_double)(lambda x: None)
    with pytest.raises(TypeError, match=r"push.table, float64.*takes kernels only"):
        ANY.address(function)
