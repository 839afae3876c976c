# make run | install | test | test-all | check | screenshots. Each creates .venv on first use and reuses it afterwards.
# PIP_ARGS is handed to pip, for example PIP_ARGS="--index-url …" or PIP_ARGS=--no-cache-dir; TORCH_ARGS, too, when it
# installs PyTorch without CUDA, and only then.
PYTHON ?= python3
PIP_ARGS ?=
TORCH_ARGS ?=
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
STAMP := .venv/.lectern-installed
# Only files with a recorded checksum, and all of them by name.
INSTALL = $(BIN)/python -m pip install $(PIP_ARGS) --require-hashes --no-deps
TORCH := resources/packaging/torch

# Where it is set, tests that start the program compile it each time, and each worker rewrites the assertions of all.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run install test test-all drills check screenshots bench bench-full wheel package package-report check-package tarball deb check-deb lock clean
run: $(STAMP)
	$(BIN)/python -m app $(ARGS)

install: $(STAMP)

# Two at once: much of a test's time is waiting for a window, a process or a disk. ARGS="-n 0" is one at a time.
test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

# First what `make test` runs, counting branches: it fails below what pyproject.toml asks for. Then the slow themes:
# exports of models, kills, hostile input, servers, tools.
test-all: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report term $(ARGS)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "slow and not package" $(ARGS)

# What docs/reliability.md promises, some hours long; goes on to the next drill where a promise is broken.
drills: $(STAMP)
	failed=; for drill in fuzzed_files corruptions power_cuts kills reviews; do \
	    $(BIN)/python -m tests.tools.drills.$$drill $(ARGS) || failed=1; done; test -z "$$failed"

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

screenshots: $(STAMP)
	$(BIN)/python -m tests.tools.screenshots build/screenshots

bench: $(STAMP)
	$(BIN)/python -m tests.tools.benchmarks.everything $(ARGS)

bench-full: $(STAMP)
	$(BIN)/python -m tests.tools.benchmarks.everything --sizes 500 10000 100000 $(ARGS)

wheel: $(STAMP)
	$(BIN)/python -m build --wheel --no-isolation

package: $(STAMP)
	$(BIN)/python -m resources.packaging.prepare_model build/package/model
	$(BIN)/python -m PyInstaller --noconfirm --log-level WARN --workpath build/package/work build.spec

package-report:
	$(BIN)/python -m resources.packaging.report $(ARGS)

check-package: package
	$(BIN)/python -m pytest -m package tests/packaging $(ARGS)

# What people on Linux download, of the program that `make package` left in dist/lectern.
tarball deb:
	$(BIN)/python -m resources.packaging.$@ dist/lectern dist

# ARGS="--root DIR" also installs, starts and removes it in a system that debootstrap made.
check-deb:
	sh resources/packaging/linux/check-deb.sh dist/lectern_*.deb $(ARGS)

# ARGS is for uv, see resources/packaging/lock.py.
lock: $(STAMP)
	$(BIN)/python -m pip install $(PIP_ARGS) uv
	$(BIN)/python -m resources.packaging.lock $(ARGS)

# PyTorch without CUDA, or, on Linux where pip does not find that, with it.
$(STAMP): pyproject.toml constraints.txt $(TORCH).txt
	$(PYTHON) -m venv .venv
	$(INSTALL) $(TORCH_ARGS) --requirement $(TORCH).txt || $(INSTALL) --requirement $(TORCH)-cuda.txt
	$(INSTALL) --requirement constraints.txt
	$(BIN)/python -m pip install --no-deps --no-build-isolation --editable .
	$(BIN)/python -m resources.packaging.lock --check
	$(BIN)/python -c "open('$(STAMP)', 'w').close()"

clean:
	rm -rf .venv build dist
