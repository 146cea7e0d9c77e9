# Everything a newcomer needs: `make demo` and `make test` set themselves up.
SHELL := /bin/bash
.DEFAULT_GOAL := help

REPTRACE := .build/release/reptrace
DEMO := .build/demo
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Examples \
	HistorySync/Package.swift HistorySync/Sources HistorySync/Tests

FUZZ_SECONDS ?= 60

.PHONY: help setup build demo test test-full test-pages test-postgres test-tools fuzz bench bench-quick accuracy update-baseline fixtures format format-check clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## Install the Debian packages that are missing
	@.ci/setup

build: setup ## Build the command in release mode
	swift build -c release --product reptrace

demo: build ## Count the fixtures, store them, and read the history back
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@echo; echo "== reptrace process fixtures/recordings --store $(DEMO)/history.sqlite"
	@$(REPTRACE) process fixtures/recordings --store $(DEMO)/history.sqlite --output table
	@echo; echo "== reptrace history list $(DEMO)/history.sqlite"
	@$(REPTRACE) history list $(DEMO)/history.sqlite --output table

test: setup ## Build in release mode and run the tests (in a folder of its own: its flags differ)
	swift test -c release --scratch-path .build/tests

test-full: build ## Run the long checks too, and write their summary to docs/test-full.md (hours)
	.ci/test-full

test-pages: build ## Render plots and reports in a browser and check them
	@.ci/setup-pages
	Tests/Pages/check_pages.py $(REPTRACE) .build/pages

fuzz: ## Run each fuzz target for FUZZ_SECONDS (60) and say how many executions it made
	Fuzz/run.sh $(FUZZ_SECONDS)

bench: ## Measure everything against its rivals and write docs/benchmarks.md (about 15 minutes)
	Benchmarks/bench

bench-quick: ## Measure less, and only print it (2 minutes, once it is built)
	Benchmarks/bench --quick

accuracy: build ## Judge the counter in sample and left out, and write docs/accuracy.md (needs SciPy)
	tools/fit-counter $(REPTRACE) --folds .build/folds >.build/weights.json
	tools/accuracy.py $(REPTRACE) docs/accuracy.md --folds .build/folds

test-postgres: ## Test the sync with a centre against a PostgreSQL server that is made for it
	.ci/test-postgres

test-tools: ## Run the tests of the Python tools
	python3 -m unittest discover -s tools/tests

update-baseline: test ## Accept what the regression gate measures now as its new figures
	.ci/instruction-counts --update
	.ci/accuracy-gate --update

fixtures: build ## Write the synthetic fixtures again, from their seeds
	fixtures/make-fixtures

format: ## Format the sources
	swift format -i -r $(SWIFT_SOURCES)

format-check: ## Check the format of the sources
	swift format lint --strict -r $(SWIFT_SOURCES)

clean: ## Remove what was built
	rm -rf .build Benchmarks/.build Examples/*/.build HistorySync/.build
