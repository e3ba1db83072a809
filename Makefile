# SPDX-License-Identifier: MIT OR Apache-2.0
# make run     install what is missing, measure the quick profile, print the tables
# make test    install what is missing, run the whole test suite; what fails beside other tests runs again, alone
# make crates  fetch the crates of the providers written in Rust (needs cargo; nothing else fetches them)
# make bench   compare our own implementations with those of the libraries, interleaved
# make trust   print how far the numbers of this machine can be trusted, beside the targets
# make pins    renew the pinned versions and hashes in constraints.txt
# make man     renew the man page from the command line's help
# make format  bring Python, C and C++ into the style of ruff and .clang-format (primitives keep their tables)
# make clean   remove the virtual environment and the caches of the tools

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN ?= run
ARGS ?=

# Debian/Ubuntu packages. Without clang, a library or an emulator the tool still works and names what it lacks.
# Each provider.toml names the packages of its library; only make crates needs cargo.
PACKAGES_LIBRARIES := $(filter-out cargo,$(shell sed -n 's/^debian *= *"\(.*\)".*/\1/p' providers/*/provider.toml))
PACKAGES_RUN := gcc g++ libc6-dev binutils clang pkg-config bubblewrap util-linux valgrind python3-venv \
    $(PACKAGES_LIBRARIES) libtommath-dev libgmp-dev libntl-dev xsltproc
# The 32-bit mode needs no more than two packages; gcc-multilib, which they recommend, would remove the cross compilers.
PACKAGES_32_BIT := $(if $(filter x86_64,$(shell uname -m)),libc6-dev-i386 lib32gcc-$(shell gcc -dumpversion 2>/dev/null || echo 12)-dev)
PACKAGES_TEST := chromium curl openssl libnghttp2-dev openssh-client musl-tools qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross \
    openssh-server gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-powerpc64le-linux-gnu \
    libc6-dev-ppc64el-cross $(PACKAGES_32_BIT)

.PHONY: run test crates bench trust pins format clean packages-run packages-test man

run: packages-run $(VENV)/ready
	$(BIN)/cyclometer $(RUN) $(ARGS)

# Tests disturb one another, and measuring is what many of them do. What fails beside others runs once more, alone, and
# is printed both times; what fails again fails the suite. Find out why in any case: it may be a fault that load shows.
# Each process begins with a part of the tests that lie together, which share what a module prepares, and takes over some
# of another's when it has none left.
test: packages-run packages-test $(VENV)/ready
	@$(BIN)/python -m pytest -n auto --dist worksteal --cache-clear $(ARGS) || { \
	    status=$$?; [ $$status = 1 ] || exit $$status; \
	    echo "once more, alone, what failed beside other tests:"; \
	    $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }

crates:
	@command -v cargo >/dev/null || { echo "needs cargo (Debian: apt install cargo)"; exit 1; }
	for package in providers/*/Cargo.toml; do cargo fetch --quiet --manifest-path $$package || exit 1; done

bench: packages-run $(VENV)/ready
	$(BIN)/python tests/benchmarks/against_libraries.py

trust: packages-run $(VENV)/ready
	$(BIN)/python tests/benchmarks/trust.py $(ARGS)

# Install missing packages if permitted (root, or sudo without a password); otherwise name them.
packages-run packages-test: packages-%:
	@wanted="$(if $(filter run,$*),$(PACKAGES_RUN),$(PACKAGES_TEST))"; missing=""; \
	command -v dpkg-query >/dev/null || { echo "not a Debian system: install the equivalents of: $$wanted"; exit 0; }; \
	for p in $$wanted; do \
	    dpkg-query -W -f='$${Status}\n' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	if [ "$$(id -u)" = 0 ]; then as=""; elif sudo -n true 2>/dev/null; then as="sudo"; \
	else echo "missing, and not permitted to install:$$missing (apt install$$missing)"; exit 0; fi; \
	echo "installing$$missing"; \
	install="apt-get install -y -qq"; case "$$missing" in *i386*) install="$$install --no-install-recommends";; esac; \
	{ $$as $$install $$missing >/dev/null 2>&1 || \
	  { $$as apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$as $$install $$missing >/dev/null; }; } || \
	echo "could not install:$$missing"

# Compiled here, every command starts 0.3 s sooner where Python is told not to write bytecode, as in many containers.
$(VENV)/ready: constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Cyclometer needs Python 3.11 or newer; set PYTHON=... (this is $$($(PYTHON) --version))"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

# Versions and hashes of the files for all Pythons and platforms, without addresses.
pins:
	$(PYTHON) -m venv $(VENV)-pins
	$(VENV)-pins/bin/python -m pip install --quiet uv
	$(VENV)-pins/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-annotate --no-emit-index-url --all-extras --upgrade pyproject.toml -o constraints.txt.new
	{ printf "# SPDX-License-Identifier: MIT OR Apache-2.0\n# Made by make pins.\n"; cat constraints.txt.new; } > constraints.txt
	rm -rf $(VENV)-pins constraints.txt.new

man: $(VENV)/ready
	$(BIN)/python packaging/man_page.py > packaging/cyclometer.1

format: $(VENV)/ready
	$(BIN)/ruff format --quiet .
	git ls-files harness operations adapters protocols providers | grep -E '\.(c|h|cc|inc)$$' | xargs $(BIN)/clang-format -i

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
