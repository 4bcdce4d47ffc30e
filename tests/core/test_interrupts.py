"""Ctrl-C while something is being written."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from fmbs.core.interrupts import undisturbed


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Ctrl-C is heard, even where the tests run in the background and ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_waits_until_the_block_is_done() -> None:
    done = []

    def write() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        done.append("written")

    with pytest.raises(KeyboardInterrupt), undisturbed():
        write()
    assert done == ["written"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_in_the_block_comes_out_and_the_handler_is_put_back() -> None:
    with pytest.raises(ValueError, match="of its own"), undisturbed():
        raise ValueError("of its own")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_have_no_say() -> None:
    passed = []

    def inside() -> None:
        with undisturbed():
            passed.append(True)

    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()
    assert passed == [True]
