# The front door. Each target is one line of what cmake and the scripts do; see `make help`.
PREFIX   ?= /usr/local
BUILD    ?= build
JOBS     ?= $(shell nproc)
OUT      ?= opmark-results
RUN      ?= --suite quick
CUDA     ?= AUTO
WERROR   ?= $(if $(CI),ON,OFF)
configure = cmake --preset $(1) -DOPMARK_CUDA=$(CUDA) -DOPMARK_WERROR=$(if $(filter release,$(1)),$(WERROR),OFF) --log-level=WARNING >/dev/null
build     = cmake --build $(1) -j $(JOBS)

.PHONY: all bench test check-fast asan tsan fuzz format lint tidy install bundle clean help
all: ## build the program and the library (CUDA=OFF: for the CPU alone); installs nothing
	@INSTALL=no scripts/bootstrap
	@$(call configure,release) -B $(BUILD)
	@$(call build,$(BUILD)) --target product

bench: ## bring what is missing, build, measure the quick suite, leave opmark-results/
	@scripts/bootstrap
	@$(MAKE) --no-print-directory all
	@scripts/bench $(BUILD) $(OUT) $(RUN)

test: ## build and run every test; TEST=word runs those whose name holds it
	@scripts/bootstrap test
	@$(call configure,release) -B $(BUILD)
	@$(call build,$(BUILD))
	@scripts/run-tests $(BUILD) $(TEST)

check-fast: ## the cheap checks and the quick layers' tests
	@$(call configure,release) -B $(BUILD)
	@$(call build,$(BUILD))
	@scripts/lint fast
	@scripts/run-tests $(BUILD) base/ core/ stats/ record/ compare/ cli/

asan tsan: ## every test under the address and undefined, or the thread, sanitizer
	@scripts/bootstrap $(if $(filter tsan,$@),dev,test)
	@$(call configure,$@)
	@$(call build,build-$@)
	@TSAN_OPTIONS="suppressions=$(CURDIR)/cmake/tsan.supp" scripts/run-tests build-$@ $(TEST)

fuzz: ## run each libFuzzer target for SECONDS (60)
	@scripts/bootstrap dev
	@$(call configure,fuzz)
	@$(call build,build-fuzz)
	@scripts/fuzz build-fuzz $(or $(SECONDS),60)

format: ## lay every source file out as .clang-format says
	@scripts/check-format fix
lint tidy: ## layers, headers alone, sizes, format and clang-tidy
	@scripts/lint $@
install: all ## install below PREFIX (DESTDIR is respected)
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)
bundle: all ## a relocatable folder of the program, what it needs, and the tests of GPUs
	@$(call build,$(BUILD))
	@scripts/bundle $(BUILD)
clean: ## remove the build folders
	@rm -rf $(BUILD) build-asan build-tsan build-fuzz
help: ## this list
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
