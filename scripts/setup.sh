#!/usr/bin/env bash
# Make or repair .venv.  scripts/setup.sh core: what `make demo` needs.  full: PETSc, CHOLMOD, tests, lint and the manual.
# bench: full + peers.  docs: the manual alone.
# The Makefile calls it only when its stamp in .venv is older than pyproject.toml or this file.
set -euo pipefail
cd "$(dirname "$0")/.."
stage=${1:?usage: scripts/setup.sh core|full|bench|docs}
require=${FMBS_REQUIRE_PETSC:-0}
busy=.venv/.installing
say() { printf 'set-up: %s\n' "$*"; }

apt_install() { # only what is missing; needs root on Debian or Ubuntu
    local package missing=()
    for package; do dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package"); done
    ((${#missing[@]})) || return 0
    { command -v apt-get && [ "$(id -u)" = 0 ]; } >/dev/null || return 1
    say "apt-get install ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}" >.venv-apt.log 2>&1 ||
        { tail -n 5 .venv-apt.log >&2; return 1; }
    rm -f .venv-apt.log
}

find_python() { # Debian builds petsc4py for one Python only: prefer that one (3.11 on Debian 12)
    local python
    for python in ${PYTHON:-} python3.11 python3; do
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$python"; return; }
    done
    say "no Python >= 3.11 found; install one or name it: make PYTHON=/path/to/python3.11 ..." >&2
    return 1
}

make_venv() {
    if [ -e "$busy" ]; then # pip was killed half-way: half-written packages look installed, so start afresh
        say "the last set-up was interrupted: starting .venv afresh (downloads are cached)"
        rm -rf .venv
    fi
    .venv/bin/python -m pip --version >/dev/null 2>&1 && return
    local python
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null || apt_install python3-venv ||
        { say "$python cannot make virtual environments: install python3-venv" >&2; return 1; }
    say "creating .venv with $("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv
}

pip_install() {
    touch "$busy"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"
    rm -f "$busy"
}

# petsc4py has no wheel. Debian's lives in a dist-packages folder of its own (no numpy beside it that could shadow ours),
# which one .pth line adds to the environment.
link_petsc() {
    .venv/bin/python -c 'import petsc4py' 2>/dev/null && return
    command -v dpkg-query >/dev/null && apt_install python3-petsc4py-real libsuitesparse-dev openmpi-bin || return 1
    apt_install libopenblas0-pthread || true # the reference BLAS takes ten times as long in MUMPS
    local package suffix library folder
    suffix=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
    for package in $(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' 'python3-petsc4py-real*' | sed -n 's/^ii *//p' | sort -V); do
        library=$(dpkg -L "$package" | grep "/petsc4py/lib/PETSc.*\\$suffix\$" || true)
        [ -z "$library" ] || folder=${library%/petsc4py/lib/*}
    done
    [ -n "${folder:-}" ] || { say "the system's petsc4py is not built for $(.venv/bin/python --version) ($suffix)"; return 1; }
    # The folder must not bring in a second numpy or scipy.
    [ ! -e "$folder/numpy" ] && [ ! -e "$folder/scipy" ] || { say "$folder holds more than petsc4py: not linked"; return 1; }
    echo "$folder" >"$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/petsc4py-system.pth"
    say "linked petsc4py from $folder"
}

has_headers() { .venv/bin/python -c 'import os, sysconfig as s; raise SystemExit(not os.path.exists(s.get_path("include") + "/Python.h"))'; }

make_venv
case $stage in
core)
    say "installing fmbs"
    pip_install -e '.[plots]'
    ;;
docs)
    say "installing fmbs[docs]"
    pip_install -e '.[plots,docs]'
    ;;
full | bench)
    extras=dev,viz,docs
    if link_petsc; then
        has_headers || apt_install python3-dev || true # scikit-sparse is compiled
        extras+=,petsc
    else
        say "PETSc not installed, going on with SciPy. To have it: apt install python3-petsc4py-real libsuitesparse-dev (Debian, as root),"
        say "conda install -c conda-forge petsc4py scikit-sparse, or .venv/bin/pip install petsc petsc4py (compiles); then: make -B setup"
        [ "$require" != 1 ] || { say "FMBS_REQUIRE_PETSC=1: stopping" >&2; exit 1; }
    fi
    if ! command -v chromium >/dev/null && ! apt_install chromium; then # the page of a report is tested in it
        say "Chromium not installed: the tests of report.html are skipped. To have it: apt install chromium (Debian, as root)"
        [ "$require" != 1 ] || { say "FMBS_REQUIRE_PETSC=1: stopping" >&2; exit 1; }
    fi
    [ "$stage" = full ] || extras+=,bench
    say "installing fmbs[$extras]"
    pip_install -e ".[$extras]"
    touch .venv/.stamp-core .venv/.stamp-full .venv/.stamp-docs
    ;;
*) say "unknown stage $stage" >&2; exit 2 ;;
esac
touch ".venv/.stamp-$stage"
