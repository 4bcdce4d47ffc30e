#!/usr/bin/env bash
# Is the wheel whole? Builds it, installs it in an empty environment with the newest numpy 2, and runs `fmbs demo` far from the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
"${PYTHON:-python3}" -m venv "$home/build"
"$home/build/bin/python" -m pip install --quiet build
rm -rf dist
"$home/build/bin/python" -m build --outdir dist . >/dev/null
"${PYTHON:-python3}" -m venv "$home/user"
"$home/user/bin/python" -m pip install --quiet "$(ls dist/*.whl)[plots]" "numpy>=2"
cd "$home"
unset PYTHONPATH
export XDG_CACHE_HOME="$home/cache"
user/bin/python -c 'import fmbs, numpy; assert numpy.__version__ >= "2" and "user" in fmbs.__file__; print("fmbs", fmbs.__version__, "numpy", numpy.__version__)'
time user/bin/fmbs demo --out "$home/demo" >/dev/null
test -s demo/report.html && test -s demo/run.pvd
echo "the wheel runs by itself"
