# Each target sets up what it needs and does nothing twice: the stamps in .venv say what is
# installed, and are stale as soon as the dependencies or their pins change.

PYTHON  ?= python3
PROFILE ?= default
OUT     ?= report
SITE    ?= site
ARGS    ?=

bin        := .venv/bin
install    := $(bin)/pip install -q --disable-pip-version-check --no-compile
# uv takes a quarter of pip's time. It knows nothing of pip's settings, but for the index.
uv_install := UV_DEFAULT_INDEX="$$PIP_INDEX_URL" UV_CACHE_DIR=.venv/var/uv \
              $(bin)/uv --no-config pip install -q --python $(bin)/python --no-deps
# What lets pages search by themselves, and a Chromium if the path has none; fetched once.
runtime    := $(bin)/python -m kalahlab.widgets.runtime
browser    := $(bin)/python -m kalahlab.report.browser
# What formats, checks and bundles the JavaScript, as package-lock.json has it. The machine's own npm
# fetches it if there is one, because it is set up for the machine's network.
js         := .venv/share/js
npm_ci     := NODE_USE_SYSTEM_CA=1 PATH="$$PATH:$(CURDIR)/$(bin)" npm ci --ignore-scripts \
              --no-audit --no-fund --loglevel=error
npm_run    := PATH="$(CURDIR)/$(js)/node_modules/.bin:$(CURDIR)/$(bin):$$PATH" npm --silent run
required    = $(PYTHON) -c '$(1)' 2>/dev/null || { echo "$(PYTHON) $(2)" >&2; exit 1; }
benchmarks := $(sort $(wildcard benchmarks/*.py))

# What IPython, Jupyter, matplotlib and npm would otherwise leave in the user's home.
export IPYTHONDIR         := $(CURDIR)/.venv/var/ipython
export JUPYTER_CONFIG_DIR := $(CURDIR)/.venv/var/jupyter
export JUPYTER_DATA_DIR   := $(CURDIR)/.venv/var/jupyter
export MPLCONFIGDIR       := $(CURDIR)/.venv/var/matplotlib
export npm_config_cache   := $(CURDIR)/.venv/var/npm
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help explorer report pdf site test fetched lab app lint bundles vendor watch docs bench clean \
  distclean

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

explorer: .venv/.report-ready  ## write one page to step through a search: explorer.html
	$(bin)/kalahlab explore "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>" --depth 3 --out explorer.html

report: .venv/.report-ready  ## recompute the report: make report PROFILE=smoke|default|full OUT=report
	$(bin)/kalahlab report --profile $(PROFILE) --out $(OUT)

# Made only if there is none: a report of another profile, or of somebody's parameters, stays.
$(OUT)/index.html: | .venv/.report-ready
	$(bin)/kalahlab report --profile $(PROFILE) --out $(OUT)

pdf: .venv/.all-ready $(OUT)/index.html  ## print the report that is in OUT as one PDF, or make one first
	@$(browser)
	$(bin)/kalahlab pdf --report $(OUT)

site: $(OUT)/index.html docs  ## the report that is in OUT, playground and API pages as one folder for a web server: make site SITE=site
	$(bin)/kalahlab site --report $(OUT) --api api --out $(SITE)

# Three workers keep two cores busy: tests wait for browsers and kernels.
test: fetched lint  ## lint, then every test and every notebook
	$(bin)/pytest -n 3 --nbval tests notebooks

fetched: .venv/.all-ready
	@$(runtime)
	@$(browser)

lab: .venv/.report-ready  ## open the notebooks in JupyterLab: make lab ARGS=--no-browser
	@$(bin)/jupyter trust notebooks/*.ipynb >/dev/null  # else JupyterLab does not show their SVG
	JUPYTER_CONFIG_PATH=$(CURDIR)/app $(bin)/jupyter lab $(ARGS) notebooks

app: .venv/.all-ready  ## serve the notebooks as pages to use, code hidden: make app ARGS=--no-browser
	JUPYTER_PATH=$(CURDIR)/app JUPYTER_CONFIG_PATH=$(CURDIR)/app \
	  $(bin)/voila --template=offline --classic-tree $(ARGS) notebooks

lint: .venv/.all-ready .venv/.js-ready  ## style, types and layers
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/mypy
	$(bin)/lint-imports --no-logo
	$(npm_run) lint

bundles: .venv/.js-ready  ## join the JavaScript of each widget into the file that is shipped
	$(npm_run) bundles

vendor: .venv/.js-ready  ## minify the libraries that pages carry: MiniSearch, reveal.js
	$(npm_run) vendor

watch: .venv/.js-ready  ## the same with source maps, anew with every change, until Ctrl-C
	$(npm_run) watch

docs: .venv/.all-ready  ## the interface of the package as pages, in api/
	$(bin)/python tools/api.py api

bench: .venv/.all-ready  ## run every benchmark
	@$(if $(benchmarks),,echo "benchmarks/ holds no benchmark")
	@for script in $(benchmarks); do echo "== $$script"; $(bin)/python $$script || exit; done

clean:  ## remove the report and all caches
	rm -rf api explorer.html report site dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -path ./.venv -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) \
	  -prune -exec rm -rf {} +

distclean: clean  ## remove the environment too
	rm -rf .venv

.venv/.%-ready: requirements/%.txt pyproject.toml | $(bin)/pip
	@echo "installing $< into .venv, once; this takes less than a minute"
	@{ $(install) --require-hashes -r requirements/uv.txt && $(uv_install) --require-hashes -r $<; } \
	  || { echo "uv cannot install here; pip does, which takes a minute or two more" \
	    && $(install) --require-hashes -r $<; }
	@rm -rf .venv/var/uv
	@$(install) --no-deps --no-build-isolation -e .
	@$(bin)/python -m compileall -qq -j 0 .venv/lib || true  # by all processors; pip takes one
	@$(runtime) || echo "the tests need it; the report goes on without"
	@touch .venv/.report-ready $@

.venv/.js-ready: package-lock.json package.json | .venv/.all-ready
	@mkdir -p $(js) && cp package.json package-lock.json $(js)
	@cd $(js) && $(npm_ci)
	@rm -rf $(npm_config_cache) && touch $@

# Kernels of this environment: no warning at each start that they talk over TCP, no history file,
# which kernels that run side by side would lock each other out of, and garbage collection less
# often, which takes a tenth of the time of imports.
$(bin)/pip:
	@$(call required,,does not start; on Debian: apt install python3 python3-venv)
	@$(call required,import sys; sys.exit(sys.hexversion < 0x30b0000),is older than 3.11; name a \
	  newer one: make PYTHON=python3.12)
	@$(call required,import ensurepip; import venv,has no venv; on Debian: apt install python3-venv)
	$(PYTHON) -m venv .venv
	@mkdir -p .venv/etc/ipython .venv/var
	@printf '%s\n' 'c.IPKernelApp.log_level = 40' 'c.HistoryManager.enabled = False' \
	  'import gc' 'gc.set_threshold(20_000, 20, 20)' > .venv/etc/ipython/ipython_kernel_config.py
