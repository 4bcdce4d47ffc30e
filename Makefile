# Two commands on a fresh machine: `make demo` and `make test`. The environment is .venv/, set up once, repaired when needed.
SHELL := /bin/bash
BIN := .venv/bin
OUT ?= out/demo
PYTEST_ARGS ?= -n auto
MANUAL := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
# One BLAS thread: the matrices are small and pytest runs one process a core.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help demo setup test test-all smoke lint format bench docs wheel clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/.stamp-core ## set up what is needed, run a mechanism, show where the results are
	$(BIN)/python -m fmbs demo --out $(OUT)

setup: .venv/.stamp-full ## the whole environment: PETSc, CHOLMOD, test tools, the manual's

test: lint ## lint, manual and tests (FMBS_REQUIRE_PETSC=1: what is missing fails instead of skipping)
	$(MANUAL)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-all: lint ## tests marked slow too
	$(MANUAL)
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "slow or not slow"

smoke: ## the oldest and newest numba and numpy that fmbs allows: kernels are stored, loaded and give the same results
	bash scripts/smoke_numba.sh

lint: .venv/.stamp-full ## ruff, mypy --strict, import layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.stamp-full ## rewrite the sources as lint wants them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.stamp-bench ## benchmarks, beside the peers (installs Exudyn into .venv)
	$(BIN)/python benchmarks/run.py $(BENCH_ARGS)

docs: .venv/.stamp-docs ## the documentation site, out/site/index.html; a warning is an error
	$(MANUAL)
	@echo "wrote out/site/index.html"

wheel: ## a wheel that brings compiled kernels with it, in dist/
	bash scripts/wheel.sh

clean: ## remove .venv, out/ and caches, compiled kernels among them
	rm -rf .venv out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf "$${XDG_CACHE_HOME:-$$HOME/.cache}/fmbs"
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.stamp-%: pyproject.toml scripts/setup.sh
	@bash scripts/setup.sh $*
