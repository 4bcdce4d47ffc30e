"""Benchmarks of fmbs beside Exudyn: `make bench`, or python benchmarks/run.py --only planar-chain --largest 1000.

`fmbs bench` is python benchmarks/run.py --comparison.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "FMBS_CORES"):
    os.environ[variable] = "1"  # before numpy is imported

import beam  # noqa: E402
import chain  # noqa: E402
import comparison  # noqa: E402
import exudyn_solver  # noqa: E402
import report  # noqa: E402
import slider_crank  # noqa: E402
import slider_crank_dry  # noqa: E402
import tip_error  # noqa: E402
from measure import Result, Timing, measure  # noqa: E402

CASES = [*slider_crank.cases(), *slider_crank_dry.cases(), *chain.cases(), *beam.cases(), *tip_error.cases()]
README = Path(__file__).with_name("README.md")
MEMORY = 8 << 30  # bytes that a case may take before it fails
NAMES = list(dict.fromkeys(case.name for case in CASES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--largest", type=int, default=10_000, metavar="N", help="leave out models with more bodies")
    parser.add_argument("--repeat", type=int, default=5, help="the least of so many is reported (quick cases: of more)")
    parser.add_argument("--limit", type=float, default=900.0, metavar="S", help="give a case up after so many seconds")
    parser.add_argument("--no-peer", action="store_true", help="fmbs alone")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    parser.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    parser.add_argument("--comparison", choices=("table", "json"), help="only the works of comparison.py, with their targets")
    options = parser.parse_args()

    programs = ["fmbs"] if options.no_peer else ["fmbs", "exudyn"]
    if "exudyn" in programs and not exudyn_solver.available():
        programs.remove("exudyn")
        print("Exudyn is not installed (pip install exudyn): fmbs alone", file=sys.stderr)
    wanted = {(work.case, work.size): work for work in comparison.WORKS} if options.comparison else None
    results = []
    for number, case in enumerate(CASES):
        asked = wanted is None or (case.name, case.size) in wanted
        if asked and case.name in options.only and case.size <= options.largest:
            results.append(apart(number, [p for p in programs if p in case.build], options.repeat, options.limit))
            print(report.line(results[-1]), file=sys.stderr, flush=True)
    if wanted is not None:
        scale = comparison.scale(results)
        rows = [comparison.row(wanted[result.name, result.size], result, scale) for result in results]
        print(json.dumps({"rows": rows}, indent=1) if options.comparison == "json" else comparison.table(rows))
        if options.write:
            report.write(README, f"{report.machine()}\n\n{comparison.table(rows)}", "comparison")
        return
    text = report.markdown(results)
    print(text)
    if options.json:
        options.json.write_text(json.dumps([result.as_json() for result in results], indent=1) + "\n")
    if options.write:
        report.write(README, text, "run.py")


def apart(number: int, programs: list[str], repeat: int, limit: float) -> Result:
    """Measure a case in a process of its own: its memory is its own, and it can be given up."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=child, args=(theirs, number, programs, repeat))
    process.start()
    theirs.close()
    try:
        if ours.poll(limit):
            result: Result = ours.recv()
            return result
        failure = f"no answer after {limit:g} s"
    except EOFError:
        failure = "the process died"
    finally:
        process.kill()
        process.join()
    case = CASES[number]
    return Result(case.name, case.size, {program: Timing(case.steps, failure=failure) for program in programs})


def child(answer: Connection, number: int, programs: list[str], repeat: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what Exudyn prints is no part of the table
    answer.send(measure(CASES[number], programs, repeat))


if __name__ == "__main__":
    main()
