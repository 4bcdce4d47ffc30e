"""Compile what a wheel brings with it, into fmbs/shipped: kernels of all usual models for x86-64-v3.

    python scripts/ship_kernels.py        with the versions of numba, llvmlite and numpy that users of the wheel will have

The kernels are those that `fmbs warm` loads: others are parts of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fmbs.jit.shipped import PROCESSOR, SHIPPED

LOADED = """
from fmbs.cli.warm import warm
from fmbs.jit.kernel_cache import KernelCache

content, found = KernelCache._content, set()


def noted(self, path, *, ours):
    kept = content(self, path, ours=ours)
    if kept is not None:
        found.add(str(path))
    return kept


KernelCache._content = noted
warm(quiet=True)
print("\\n".join(sorted(found)))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        target = {"NUMBA_CPU_NAME": PROCESSOR, "NUMBA_CPU_FEATURES": "", "FMBS_KERNELS": folder, "FMBS_NATIVE": "1"}
        environment = {**os.environ, **target}
        subprocess.run([sys.executable, "-m", "fmbs", "warm", "--quiet"], env=environment, check=True)
        done = subprocess.run([sys.executable, "-c", LOADED], env=environment, check=True, capture_output=True, text=True)
        files = [Path(line) for line in done.stdout.split("\n") if line]
        shutil.rmtree(SHIPPED, ignore_errors=True)
        for file in files:
            place = SHIPPED / file.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
        size = sum(file.stat().st_size for file in files)
    print(f"{len(files)} kernels, {size / 1e6:.0f} MB, in {SHIPPED}")


if __name__ == "__main__":
    main()
