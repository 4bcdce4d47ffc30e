"""The command line: what people type, what they get, exit codes."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.cli import main
from fmbs.core.lock import Lock
from fmbs.models import MODELS
from tests.conftest import listen

SHORT = ["run", "slider_crank_planar", "joint=lubricated", "rpm=3000", "--t-end", "1e-4"]


def test_list_names_every_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in MODELS)
    assert main(["list", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == list(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_show_tells_parameters_with_units(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", name]) == 0
    assert "Pa s" in capsys.readouterr().out
    assert main(["show", name, "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["parameters"]}
    assert rows["viscosity"]["unit"] == "Pa s" and rows["viscosity"]["allowed"] == "> 0"


def test_run_leaves_files_that_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deep" / "run"
    assert main([*SHORT, "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    found = json.loads((folder / "summary.json").read_text())
    assert found["complete"] and found["parameters"]["rpm"] == 3000.0 and found["t"] == [0.0, 1e-4]
    for name in ("run.h5", "summary.json", "report.html", "run.pvd", "quantities.png", "orbit_wrist_pin.png"):
        assert (folder / name).stat().st_size > 500 and str(folder / name) in told
    sol = fm.load(folder / "run.h5")
    assert sol.t[-1] == pytest.approx(1e-4)
    largest = np.linalg.norm(sol.clearance("wrist pin").eccentricity, axis=1).max()
    assert found["quantities"]["eccentricity(wrist pin)"]["largest"] == pytest.approx(largest)
    assert main(["plot", str(folder), "velocity(slider).x"]) == 0
    assert (folder / "asked.png").exists()
    assert main(["view", str(folder / "run.h5")]) == 0
    assert "paraview" in capsys.readouterr().out


def test_a_figure_that_cannot_be_drawn_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So short a run touches nowhere: there is no loop of forces, and everything else."""
    assert main(["run", "press", "joint=dry", "--t-end", "0.002", "--out", str(tmp_path)]) == 0
    assert "no figure loop_crank_pin: crank pin: no frame is in contact" in capsys.readouterr().err
    there = {path.name for path in tmp_path.iterdir()}
    assert {"run.h5", "summary.json", "report.html", "run.pvd", "energy.png", "orbit_crank_pin.png"} <= there
    assert not [name for name in there if name.startswith("loop")]


def test_without_matplotlib_one_line_says_so_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare `pip install fmbs` has none: `fmbs demo` and `fmbs run` write everything but figures."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main([*SHORT, "--out", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert told.err.count("matplotlib") == 1
    assert "fmbs: no figures: drawing needs matplotlib; install it with pip install 'fmbs[plots]'" in told.err
    assert {path.name for path in tmp_path.iterdir()} == {"run.h5", "summary.json", "report.html", "run.pvd", "run"}


@pytest.mark.parametrize(("option", "value"), [("--t-end", "0"), ("--t-end", "nan"), ("--step", "-1"), ("--output-step", "0")])
def test_times_must_be_positive(option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "press", f"{option}={value}", "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"fmbs: run: {option} = {value} ") and told.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_json_is_all_that_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SHORT, "--out", str(tmp_path), "--json", "--no-files"]) == 0
    assert json.loads(capsys.readouterr().out)["statistics"]["steps"] > 0
    assert not (tmp_path / "report.html").exists()
    assert main([*SHORT, "--out", str(tmp_path), "--quiet", "--no-files"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["show", "slider_crank_planer"], "Did you mean 'slider_crank_planar'"),
        (["run", "pres"], "Did you mean 'press'"),
        (["run", "press", "clearence=1e-4"], "Did you mean 'clearance'"),
        (["run", "press", "clearance"], "parameter=value"),
        (["run", "press", "clearance=wide"], "'wide' is not a number"),
        (["run", "press", "flexible=perhaps"], "true or false"),
        (["run", "press", "joint=wet"], "Known: dry"),
        (["run", "press", "imperfect=wrist pin,knee"], "'knee' is unknown"),
        (["run", "press", "--step", "1e-3", "--tolerance", "1e-3"], "not both"),
        (["run", "press", "--resume"], "nothing to resume"),
        (["plot", "nowhere"], "summary.json"),
        (["plot", "nowhere", "speed(slider)"], "velocity"),
        (["reproduce", "tian2009"], "Did you mean 'tian2010'"),
    ],
)
def test_wrong_words_are_answered(
    words: list[str], answer: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One clear line, exit code 2, and no folder left behind."""
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    told = capsys.readouterr().err
    assert answer in told and told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_unknown_commands_exit_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["fly"])
    assert caught.value.code == 2
    assert "fly" in capsys.readouterr().err


def test_unwritable_folder_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    assert main([*SHORT, "--out", str(tmp_path / "file")]) == 1
    assert (tmp_path / "file").read_text() == "mine" and capsys.readouterr().err.count("\n") == 1


def test_failed_run_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = fm.Model.simulate

    def half(model: fm.Model, t_end: float, **options: Any) -> fm.Solution:
        options.pop("checkpoint")
        solution = whole(model, 0.5 * t_end, **options)
        raise fm.ConvergenceError("it stalls.", time=0.5 * t_end, status=fm.Status.STEP_TOO_SMALL, solution=solution)

    monkeypatch.setattr(fm.Model, "simulate", half)
    assert main([*SHORT, "--out", str(tmp_path), "--no-files"]) == 1
    assert "it stalls. What to try" in capsys.readouterr().err
    assert not json.loads((tmp_path / "summary.json").read_text())["complete"]
    assert fm.load(tmp_path / "run.h5").t[-1] == pytest.approx(5e-5)


def test_interrupted_run_says_how_to_go_on_and_does(tmp_path: Path) -> None:
    words = ["run", "four_bar", "--step", "1e-6", "--t-end", "0.02", "--out", str(tmp_path), "--no-files"]
    job = subprocess.Popen(
        [sys.executable, "-m", "fmbs", *words],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=listen,  # noqa: PLW1509
    )
    begin = time.monotonic()
    while not (tmp_path / "run.h5.checkpoint").exists() and time.monotonic() - begin < 240:
        time.sleep(0.05)
    time.sleep(0.5)
    job.send_signal(signal.SIGINT)
    _, told = job.communicate(timeout=60)
    assert job.returncode == 130 and "--resume" in told, told
    partial = json.loads((tmp_path / "summary.json").read_text())
    assert not partial["complete"] and fm.load(tmp_path / "run.h5").t[-1] == partial["t"][1]
    assert main([*words, "--resume", "--quiet"]) == 0
    whole = json.loads((tmp_path / "summary.json").read_text())
    assert whole["complete"] and whole["t"][1] == pytest.approx(0.02)


def test_the_printed_command_goes_on_as_it_is_printed(tmp_path: Path) -> None:
    """With every option, numbers of many digits among them; it names only files that are there."""
    folder = tmp_path / "a folder; with $signs"
    words = ["run", "four_bar", "rpm=301.2345678", "--t-end", "0.1201234567891", "--step", "1.00000001e-6"]
    words += ["--output-step", "1.23456789e-5", "--linear-solver", "dense", "--no-files", "--quiet", "--out", str(folder)]
    job = subprocess.Popen([sys.executable, "-m", "fmbs", *words], stderr=subprocess.PIPE, text=True, preexec_fn=listen)  # noqa: PLW1509
    begin = time.monotonic()
    while not (folder / "run.h5.checkpoint").exists() and time.monotonic() - begin < 240:
        time.sleep(0.05)
    assert job.poll() is None, "the run is too short to be interrupted"
    job.send_signal(signal.SIGINT)
    _, told = job.communicate(timeout=60)
    assert job.returncode == 130, told
    before = json.loads((folder / "summary.json").read_text())
    assert all(Path(file).exists() for file in before["files"]) and str(folder / "run.h5.partial") in before["files"]
    command = shlex.split(told.partition("go on with  ")[2])
    assert command[0] == "fmbs"
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""  # --quiet
    after = json.loads((folder / "summary.json").read_text())
    assert after["complete"] and after["run"] == before["run"] and after["fingerprint"] == before["fingerprint"]
    assert after["settings"] == before["settings"] and after["t"][1] == 0.1201234567891
    assert sorted(file.name for file in folder.iterdir()) == ["run.h5", "summary.json"]


def test_exit_codes_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line each: 3 for what is damaged or another run's, 4 where another one writes, 5 for a full disk."""
    quiet = ["--out", str(tmp_path), "--quiet", "--no-files"]
    with Lock(tmp_path / "run.h5"):
        result: list[int] = []
        thread = threading.Thread(target=lambda: result.append(main([*SHORT, *quiet])))
        thread.start()
        thread.join()
    told = capsys.readouterr().err
    assert result == [4] and "another run is writing it" in told and told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "run.h5.checkpoint").write_text("nothing")
    assert main([*SHORT, *quiet, "--resume"]) == 3
    assert "is no checkpoint" in capsys.readouterr().err
    assert main([*SHORT, *quiet]) == 0
    summary = json.loads((tmp_path / "summary.json").read_text())
    (tmp_path / "summary.json").write_text(json.dumps({**summary, "run": "0" * 16}))
    assert main(["plot", str(tmp_path)]) == 3
    assert "belong to different runs" in capsys.readouterr().err

    def full(*arguments: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device", "run.pvd")

    monkeypatch.setattr("fmbs.cli.run.write_files", full)
    assert main([*SHORT, "--out", str(tmp_path), "--quiet"]) == 5
    assert json.loads((tmp_path / "summary.json").read_text())["complete"]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_knows_models_and_parameters(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "slider_crank_planar" in script and "viscosity=" in script
    if shell == "bash":
        ask = script + '\nCOMP_WORDS=(fmbs run press cle); COMP_CWORD=3; _fmbs 2>/dev/null; echo "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "clearance="
