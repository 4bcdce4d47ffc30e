#!/usr/bin/env bash
# The oldest and the newest numba that pyproject.toml allows, with numpy 1.26 and numpy 2: are kernels compiled, stored and loaded by
# another process with the same results, and does a model run? An environment each under out/smoke; a few minutes.
#     scripts/smoke_numba.sh                    all of them
#     scripts/smoke_numba.sh 0.60.0 1.26.4      one
set -euo pipefail
cd "$(dirname "$0")/.."
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
TESTS=(tests/jit/test_kernel_cache.py tests/jit/test_slots.py tests/jit/test_lanes.py tests/jit/test_smoke.py)

check() { # numba, numpy
    local home="out/smoke/numba-$1-numpy-$2"
    [ -x "$home/bin/python" ] || "${PYTHON:-python3}" -m venv "$home"
    "$home/bin/python" -m pip install --quiet "numba==$1" "numpy==$2" pytest hypothesis .
    "$home/bin/python" -m pip uninstall --quiet --yes fmbs # the sources here are tested, with what the package asks for
    "$home/bin/python" -c 'import numba, numpy; print("numba", numba.__version__, "numpy", numpy.__version__)'
    FMBS_KERNELS="$PWD/$home/kernels" PYTHONPATH="$PWD" "$home/bin/python" -m pytest -p no:cacheprovider "${TESTS[@]}"
}

if [ $# -eq 2 ]; then
    check "$1" "$2"
else
    check 0.60.0 1.26.4
    check "0.68.*" "1.26.*"
    check "0.68.*" "2.*"
fi
