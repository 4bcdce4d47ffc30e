#!/usr/bin/env bash
# Is the wheel whole? Installs the one in dist/ (built first if there is none) in an empty environment with the newest numpy 2, and runs `fmbs demo`
# and all models far from the repository. A wheel with kernels must not compile any.
set -euo pipefail
cd "$(dirname "$0")/.."
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
python=${PYTHON:-python3}
if ! ls dist/*.whl >/dev/null 2>&1; then
    "$python" -m venv "$home/build"
    "$home/build/bin/python" -m pip install --quiet --disable-pip-version-check build
    "$home/build/bin/python" -m build --outdir dist . >/dev/null
fi
wheel=$(ls -t dist/*.whl | head -n 1)
"$python" -m venv "$home/user"
"$home/user/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel[plots]" "numpy>=2"
cd "$home"
unset PYTHONPATH PYTHONDONTWRITEBYTECODE
export XDG_CACHE_HOME="$home/cache" MPLCONFIGDIR="$home/matplotlib" TIMEFORMAT="%R s by the clock, %U s of the processor"
user/bin/python -c 'import fmbs, numpy; assert numpy.__version__ >= "2" and "user" in fmbs.__file__; print("fmbs", fmbs.__version__, "numpy", numpy.__version__)'
echo "demo:" && time user/bin/fmbs demo --out "$home/demo" >/dev/null
test -s demo/report.html && test -s demo/run.pvd
case $wheel in
*none-any.whl) ;;
*)
    for model in $(user/bin/fmbs list --json | user/bin/python -c 'import json, sys; print(*(m["name"] for m in json.load(sys.stdin)))'); do
        for joint in ideal dry lubricated; do
            echo "$model, $joint:" && time user/bin/fmbs run "$model" "joint=$joint" --t-end 1e-3 --quiet --out "$home/$model"
        done
    done
    compiled=$(find "$home/cache" -name '*.kernel' 2>/dev/null | wc -l)
    [ "$compiled" = 0 ] || { find "$home/cache" -name '*.kernel'; echo "the wheel brings kernels, but $compiled were compiled" >&2; exit 1; }
    ;;
esac
echo "the wheel runs by itself"
