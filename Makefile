# Everything you can do with this repository. `make help` lists it.

HOST ?= 127.0.0.1
PORT ?= 8000
PYTHONS = $(or $(PYTHON),python3.13 python3.12 python3.11 python3.14 python3)
FOUND = $(shell for name in $(PYTHONS); do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo "$$name" && break; done)
TOO_OLD = Vitrine needs Python 3.11 or newer, and none of these is: $(PYTHONS). \
	Install one, or name it: make run PYTHON=/path/to/python3
INSTALL = @$(or $(FOUND),$(error $(TOO_OLD))) deploy/environment.py
BIN = .venv/bin
MANAGE = @$(BIN)/python manage.py
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet \
	--universal --python-version 3.11 --generate-hashes --no-emit-index-url $(LOCK_OPTIONS)

.PHONY: help run test postgresql gibberish soak check format demo bench policies lock clean

help: ## List these commands
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-9s %s\n' "$$name" "$$text"; done

run: ## Start Vitrine (optionally with HOST and PORT); the first start installs it
	$(INSTALL) deploy/requirements.txt
	@exec $(BIN)/python manage.py serve --host "$(HOST)" --port "$(PORT)"

test: ## Run every test, including those in a browser
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m deploy.run_tests

postgresql: ## Run every test on PostgreSQL, except those in a browser
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests --ignore=tests/browser \
		--database=postgresql --numprocesses=auto

gibberish: ## Run the tests of the history engine while its sentences say nothing
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/history/core tests/history/services \
		--gibberish --numprocesses=auto

soak: ## Try every property of the engine 20,000 times, and every processor with every provider
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/history/core -m hypothesis \
		--hypothesis-profile=soak --numprocesses=auto
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/chatapp/generation -m soak --numprocesses=auto

check: ## Check format, lint, types, imports, templates, migrations, deployment, subjects
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m deploy.check

format: ## Format Python and templates
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix
	@$(BIN)/djlint templates --reformat --quiet

demo: ## Create a staff user and a conversation of 300 turns to explore the panel
	$(INSTALL) deploy/requirements.txt
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) demo_data --host "$(HOST)" --port "$(PORT)"

bench: ## Run the benchmarks, compared with other libraries
	$(INSTALL) deploy/requirements-bench.txt
	@$(BIN)/python -m bench

policies: ## Write docs/policies.md: what each history setting sends, costs and forgets
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m bench.policies

lock: ## Lock the dependencies again (LOCK_OPTIONS=--upgrade to upgrade them)
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement deploy/requirements-lock.txt
	@echo uv | $(COMPILE) - --output-file deploy/requirements-lock.txt
	@$(COMPILE) pyproject.toml --output-file deploy/requirements.txt
	@$(COMPILE) pyproject.toml --group dev --extra s3 --output-file deploy/requirements-dev.txt
	@$(COMPILE) pyproject.toml --group bench --extra s3 --constraint deploy/requirements-dev.txt \
		--output-file deploy/requirements-bench.txt

clean: ## Remove the environment and the caches, but not the data in var/
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
