# Everything you can do with this repository. `make help` lists it.

NETWORK = $(filter 1 true yes,$(LAN))
HOST ?= $(if $(NETWORK),0.0.0.0,127.0.0.1)
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
EXTRAS = --extra s3 --extra cluster --extra metrics --extra tracing
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet \
	--universal --python-version 3.11 --generate-hashes --no-emit-index-url $(LOCK_OPTIONS)

.PHONY: help run test test-all test-cluster postgresql gibberish soak soak-faults check format cluster demo bench policies pictures lock clean

help: ## List these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-12s %s\n' "$$name" "$$text"; done

run: ## Start Vitrine (optionally with PORT; LAN=1 for a trusted network); the first start installs it
	$(INSTALL) deploy/requirements.txt
	@exec $(if $(NETWORK),env DJANGO_ENV=lan )$(BIN)/python manage.py serve --host "$(HOST)" --port "$(PORT)"

test: ## Run the daily tests, also on PostgreSQL and in a browser (ONLY=tests/history/core: these alone)
	$(INSTALL) deploy/requirements-dev.txt
	@$(if $(ONLY),ENV_FILE=/dev/null $(BIN)/python -m pytest --hypothesis-profile=daily $(ONLY), \
		$(BIN)/python -m deploy.run_tests)

test-all: ## Run every test, as before an issue is called done
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m deploy.run_tests --all

postgresql: ## Run every test on PostgreSQL, except those in a browser
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests --ignore=tests/browser \
		--database=postgresql --numprocesses=auto

test-cluster: ## Run the daily browser tests against two servers, two workers, PostgreSQL, Redis and Caddy
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/browser --suite=daily \
		--database=postgresql --cluster --numprocesses=auto --dist=loadfile

gibberish: ## Run the tests of the history engine while its sentences say nothing
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/history/core tests/history/services \
		--gibberish --numprocesses=auto

soak: ## Try every property of the engine 20,000 times, every processor with every provider, and 500 jumps in a browser
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/history/core -m hypothesis \
		--hypothesis-profile=soak --numprocesses=auto
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/chatapp/generation tests/history/services/imports \
		-m soak --numprocesses=auto
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/history/services/imports \
		-m soak --database=postgresql
	@ENV_FILE=/dev/null $(BIN)/python -m pytest tests/browser -m soak

soak-faults: ## Kill servers and cut lines while people chat, until COUNT kills (1,000) or SECONDS (ON=postgresql, ON=workers)
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m tests.faults.soak $(if $(COUNT),--kills=$(COUNT)) \
		$(if $(SECONDS),--seconds=$(SECONDS)) $(if $(SEED),--seed=$(SEED)) \
		$(if $(ON),--on=$(ON))

check: ## Check format, lint, types, imports, templates, migrations, scripts, deployment, dependencies, unsteady tests, subjects
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m deploy.check

format: ## Format Python and templates
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix
	@$(BIN)/djlint templates --reformat --quiet

cluster: ## Start two servers, two workers, PostgreSQL, Redis and Caddy on free ports, to try them
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m deploy.cluster

demo: ## Create a staff user, a chat of 300 turns to explore and one with advice (with the PORT of make run)
	$(INSTALL) deploy/requirements.txt
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) demo_data --host "$(HOST)" --port "$(PORT)"

bench: ## Run the benchmarks, compared with other libraries and chat apps
	$(INSTALL) deploy/requirements-bench.txt
	-$(INSTALL) deploy/requirements-chainlit.txt .venv/chainlit
	@$(BIN)/python -m bench

policies: ## Write docs/policies.md: what each history setting sends, costs and forgets
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m bench.policies

pictures: ## Draw docs/images again: the main views, and the walk through the inspector
	$(INSTALL) deploy/requirements-dev.txt
	@ENV_FILE=/dev/null $(BIN)/python -m tests.browser.views.pictures
	@ENV_FILE=/dev/null $(BIN)/python -m tests.browser.pictures

lock: ## Lock the dependencies again (LOCK_OPTIONS=--upgrade to upgrade them)
	$(INSTALL) deploy/requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement deploy/requirements-lock.txt
	@echo uv | $(COMPILE) - --output-file deploy/requirements-lock.txt
	@$(COMPILE) pyproject.toml --output-file deploy/requirements.txt
	@$(COMPILE) pyproject.toml --group dev $(EXTRAS) --output-file deploy/requirements-dev.txt
	@$(COMPILE) pyproject.toml --all-extras --constraint deploy/requirements-dev.txt \
		--output-file deploy/requirements-all.txt
	@$(COMPILE) pyproject.toml --group bench $(EXTRAS) --constraint deploy/requirements-dev.txt \
		--output-file deploy/requirements-bench.txt
	@$(COMPILE) --group chainlit --output-file deploy/requirements-chainlit.txt

clean: ## Remove the environment and the caches, but not the data in var/
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
