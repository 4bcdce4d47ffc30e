"""`fmbs bench`: the table for people, the rows for machines. No time is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fmbs.cli import bench, main

ROW = {"work", "fmbs_us", "peer_us", "ratio", "target", "chrono_us", "chrono_ratio", "chrono_target"}


def test_rows_for_machines(capfd: pytest.CaptureFixture[str]) -> None:
    """fmbs alone: no peer, no ratio, and nothing but JSON on standard output."""
    assert main(["bench", "--only", "beam-papers", "--largest", "8", "--repeat", "1", "--no-peer", "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["rows"]
    assert (
        set(row) == ROW
        and row["work"] == "clamped ANCF beam, 8 elements, a step"
        and (row["target"], row["chrono_target"]) == (5.0, 5.0)
    )
    assert row["fmbs_us"] > 0.0 and row["peer_us"] is row["ratio"] is row["chrono_us"] is row["chrono_ratio"] is None


def test_table_beside_the_peer(capfd: pytest.CaptureFixture[str]) -> None:
    """With Exudyn where it is installed, with a line that says so where it is not."""
    assert main(["bench", "--only", "slider-crank", "--repeat", "1"]) == 0
    out, told = capfd.readouterr()
    lines = out.splitlines()
    assert lines[0].split(" | ")[1:3] == ["fmbs, us", "Exudyn, us"] and len(lines) == 3
    cells = [cell.strip() for cell in lines[2].strip("|").split("|")]
    if "Exudyn is not installed" in told:
        assert cells[2] == cells[3] == cells[5] == ""
    else:
        assert float(cells[5]) == pytest.approx(27.0 * float(cells[2]) / 37.0, rel=0.02)  # Chrono's, scaled by Exudyn's
        assert float(cells[2]) / float(cells[1]) == pytest.approx(float(cells[3]), rel=0.02)  # three digits shown


def test_wrong_usage(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert main(["bench", "--repeat", "0"]) == 2
    assert "--repeat 0 must be 1 or more" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["bench", "--only", "nothing"])
    monkeypatch.setattr(bench, "__file__", str(tmp_path / "fmbs" / "cli" / "bench.py"))  # as in an installed wheel
    assert main(["bench"]) == 2
    assert "source tree" in capsys.readouterr().err
