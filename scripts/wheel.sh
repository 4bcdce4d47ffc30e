#!/usr/bin/env bash
# A wheel that brings compiled kernels and KLU with it, in dist/: whoever installs it needs no compiler, and a first run compiles nothing.
# The kernels are for the newest numba and numpy that pip finds, which users of the wheel will have; with others they are compiled as ever.
set -euo pipefail
cd "$(dirname "$0")/.."
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
python=${PYTHON:-python3}
mkdir "$home/fmbs"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$home/fmbs"
"$python" -m venv "$home/venv"
"$home/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$home/fmbs[plots]" "numpy>=2" build
"$home/venv/bin/python" -m pip uninstall --quiet --yes fmbs
(cd "$home/fmbs" && PYTHONPATH=. OMP_NUM_THREADS=1 "$home/venv/bin/python" scripts/ship_kernels.py)
shipped=$home/fmbs/fmbs/shipped/lib
for name in libsuitesparseconfig.so.5 libamd.so.2 libcolamd.so.2 libbtf.so.1 libklu.so.1; do # of Debian's libsuitesparse-dev
    found=$(ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }')
    [ -n "$found" ] || { echo "wheel: $name is not installed: the wheel goes without KLU" >&2; rm -rf "$shipped"; break; }
    install -D -m 644 "$found" "$shipped/$name"
    licence=/usr/share/doc/$(basename "$name" | sed 's/\.so\.\([0-9]*\)/\1/')/copyright
    [ ! -f "$licence" ] || install -D -m 644 "$licence" "$shipped/$name.copyright"
done
mkdir -p dist
"$home/venv/bin/python" -m build --wheel --outdir "$PWD/dist" "$home/fmbs" >/dev/null
ls -sh dist/*.whl
