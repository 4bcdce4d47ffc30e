"""What may be replaced by a file, and what is said where nothing can be written."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

import fmbs as fm
from fmbs.core.files import Reserved, check_target, replace_text, write_error


def test_only_files_are_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "socket"))
    server.close()
    for path, word in (("/dev/null", "device"), ("pipe", "pipe"), ("folder", "folder"), ("socket", "socket")):
        with pytest.raises(fm.FileError, match=f"is a {word}"):
            check_target(tmp_path / path)
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("/dev/null")
    for name in ("file", "link", "none"):
        check_target(tmp_path / name)


def test_a_text_is_replaced_whole_and_links_beside_it_are_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "a.json.part").symlink_to(other)
    replace_text(tmp_path / "a.json", "text")
    assert (tmp_path / "a.json").read_text() == "text\n" and other.read_text() == "mine"
    with pytest.raises(fm.FileError, match="No such file"):
        replace_text(tmp_path / "none" / "a.json", "text")


def test_room_is_taken_before_it_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    path.write_text("old")
    kept = Reserved(path, 1000)
    assert (tmp_path / "summary.json.part").stat().st_size == 1000 and path.read_text() == "old"
    kept.write("new")
    assert path.read_text() == "new\n"
    kept.drop()
    assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]


def test_a_full_disk_is_told_from_other_failures() -> None:
    full = "file write failed: filename = 'x', errno = 28, error message = 'No space left on device'"
    assert isinstance(write_error("x", RuntimeError(full)), fm.DiskFull)
    assert isinstance(write_error("x", OSError(errno.EDQUOT, "quota")), fm.DiskFull)
    closed = write_error("x", PermissionError(errno.EACCES, "no"))
    assert not isinstance(closed, fm.DiskFull) and "x: cannot be written (Permission denied)" in str(closed)
