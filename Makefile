# Everything a newcomer needs: `make demo` and `make test` set themselves up.
SHELL := /bin/bash
.DEFAULT_GOAL := help

REPTRACE := .build/release/reptrace
DEMO := .build/demo
SWIFT_SOURCES := Package.swift Sources Tests web/core Benchmarks/Package.swift Benchmarks/Sources Examples IngestServer/Package.swift IngestServer/Sources IngestServer/Tests

STATIC := .build/static/release/reptrace
SHARE := .build/share
DEB := .build/deb
PREFIX ?= /usr/local
# What `reptrace version --verbose` says about the build; a function of the sources and the compiler.
BUILD_FACTS = REPTRACE_COMMIT="$$(git describe --always --dirty --abbrev=12 2>/dev/null)" \
	REPTRACE_SWIFT_VERSION="$$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([^ ]+).*/\1/p' | head -n 1)"

# With PostgreSQL, which needs libpq; other targets build without it, or with the traits that REPTRACE_TRAITS names.
release test-full test-postgres: export REPTRACE_TRAITS = default,PostgreSQL

FUZZ_SECONDS ?= 60

.PHONY: help setup build recordings release install deb deb-ingest test-deb demo test test-full test-docs test-pages web test-web test-postgres test-python test-spark wheel test-tools fuzz bench bench-quick profile accuracy live results docs update-baseline fixtures format format-check clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## Install the Debian packages that are missing
	@.ci/setup

build: setup ## Build the command in release mode
	$(BUILD_FACTS) .ci/swift-build --product reptrace

release: setup ## Build a command that runs without the Swift toolchain, with man pages and completions
	$(BUILD_FACTS) swift build -c release --product reptrace --static-swift-stdlib --scratch-path .build/static \
		--traits $${REPTRACE_TRAITS:-default}
	packaging/make-share $(STATIC) .build/static/checkouts $(SHARE)

install: release ## Install it: make install PREFIX=/usr/local DESTDIR=
	packaging/install $(STATIC) $(SHARE) "$(DESTDIR)$(PREFIX)"

deb: release ## Make a Debian package of it in .build/deb
	packaging/make-deb $(STATIC) $(SHARE) $(DEB)

deb-ingest: setup ## Make a Debian package of the ingest server in .build/deb
	swift build -c release --product reptrace-ingest --static-swift-stdlib --package-path IngestServer \
		--scratch-path IngestServer/.build/static
	packaging/make-deb-ingest IngestServer/.build/static/release/reptrace-ingest $(DEB)

test-deb: deb ## Install the package into a clean Debian and run the demo there (needs root)
	@REPTRACE=$(STATIC) fixtures/make-fixtures --missing
	packaging/test-deb $(DEB)/reptrace_*.deb fixtures/recordings

recordings: build ## Write the synthetic recordings of the fixtures, if they are not there
	@fixtures/make-fixtures --missing

demo: recordings ## Count the fixtures, store them, and read the history back
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@echo; echo "== reptrace process fixtures/recordings --store $(DEMO)/history.sqlite"
	@$(REPTRACE) process fixtures/recordings --store $(DEMO)/history.sqlite --output table
	@echo; echo "== reptrace history list $(DEMO)/history.sqlite"
	@$(REPTRACE) history list $(DEMO)/history.sqlite --output table

test: setup ## Build in release mode and run the tests
	@mkdir -p .build && set -o pipefail && $(BUILD_FACTS) .ci/swift-test 2>&1 | tee .build/tests.log \
		|| { echo "What failed:"; grep -aE '^✘|^↳|error:' .build/tests.log | grep -v 'known issue'; exit 1; }

test-full: recordings ## Run the long checks too, and put what they said into the documentation (hours)
	$(BUILD_FACTS) .ci/test-full

wheel: setup ## Build dist/reptrace-*.whl, the Python package with the native library inside
	python/build-wheel

test-python: recordings ## Build the wheel, install it into an environment of its own, and test it
	python/test $(REPTRACE)

test-spark: build ## Count recordings and streams on a real Spark cluster of this machine
	Tests/Cluster/run $(REPTRACE)
	Tests/Cluster/run $(REPTRACE) stream

web: ## Build the page for browsers in web/dist, and the npm package in dist
	web/build

test-web: recordings ## Build the page and compare it with the command in a browser
	Tests/Web/run $(REPTRACE)

test-pages: build ## Render plots and reports in a browser and check them
	@.ci/setup-pages
	Tests/Pages/check_pages.py $(REPTRACE) .build/pages

fuzz: ## Run each fuzz target for FUZZ_SECONDS (60) and say how many executions it made
	Fuzz/run.sh $(FUZZ_SECONDS)

bench: ## Measure everything against its rivals, for the documentation (about 15 minutes)
	Benchmarks/bench

bench-quick: ## Measure less, and only print it (2 minutes, once it is built)
	Benchmarks/bench --quick

profile: setup ## Show where a hot path spends its instructions: make profile NAME=decode-chunks; without NAME, list them
	@.ci/swift-build --product HotPaths >&2
	@Benchmarks/profile.py --hot-path .build/release/HotPaths $(NAME)

accuracy: recordings ## Judge the counter in sample and left out, for the documentation (needs SciPy)
	tools/fit-counter $(REPTRACE) --folds .build/folds >.build/weights.json
	@mkdir -p .build/results
	tools/accuracy.py $(REPTRACE) .build/results/accuracy.md --folds .build/folds
	tools/known-movements $(REPTRACE) evaluate --page .build/results/known-movements.md
	Benchmarks/Rivals/counters.py $(REPTRACE) .build/results/counters.md
	tools/results.py

live: build ## Measure how soon reps are told, for the documentation
	tools/live_figures.py $(REPTRACE) .build/results/live.md
	tools/results.py

results: ## Take over what was measured since, and write the figures into the pages
	tools/results.py

docs: build ## Build the documentation of the public modules, without warnings
	tools/make-docs .build/release .build/docs

test-docs: recordings ## Run the commands of the documentation, and check its figures
	Tests/Docs/check_commands.py $(REPTRACE)
	tools/results.py --check

test-postgres: ## Test the sync with a center against a PostgreSQL server that is made for it
	$(BUILD_FACTS) .ci/test-postgres

test-tools: ## Run the tests of the Python tools
	python3 -m unittest discover -s tools/tests

update-baseline: test ## Accept what the regression gate measures now as its new figures
	.ci/instruction-counts --update
	.ci/accuracy-gate --update

fixtures: build ## Write the synthetic recordings again, and take over what has changed
	fixtures/make-fixtures --update

format: ## Format the sources
	swift format -i -r $(SWIFT_SOURCES)

format-check: ## Check the format of the sources
	swift format lint --strict -r $(SWIFT_SOURCES)

clean: ## Remove what was built
	rm -rf .build Benchmarks/.build Examples/*/.build IngestServer/.build
