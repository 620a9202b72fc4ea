# Bare Debian 12 with Swift is enough: what a stage lacks is installed by name, as root or by sudo.
RUN_PACKAGES := git pkg-config libsqlite3-dev libudev-dev libusb-1.0-0-dev zlib1g-dev \
  libcurl4-openssl-dev libssl-dev libqrencode-dev libmosquitto-dev
BOARD_PACKAGES := qemu-system-arm
# A guest that runs Debian's own kernel, which apt fetches for it.
USB_PACKAGES := qemu-system-x86 busybox-static kmod udev usbip cpio xz-utils gcc
# A browser that is driven, and what drives it; the rest comes from PyPI.
PAGE_PACKAGES := chromium chromium-driver python3-venv
# The Python client needs no package; what tests it comes from PyPI, but for a made-up USB.
PYTHON_PACKAGES := python3-venv umockdev gir1.2-umockdev-1.0 python3-gi
# What holds man pages, changelog, compose file and alert rules to their form, and plays the action.
INSTALL_PACKAGES := mandoc groff-base dpkg-dev prometheus prometheus-alertmanager mosquitto \
  docker-compose python3-yaml
# A server, which the tests start as its Debian user; fob itself loads libpq when it is told of one.
POSTGRES_PACKAGES := postgresql libpq5 util-linux curl
# Three of them, of which one is killed.
CLUSTER_PACKAGES := etcd-server patroni
TEST_PACKAGES := $(RUN_PACKAGES) zbar-tools gpsd-clients prometheus-alertmanager msmtp \
  python3-aiosmtpd python3-dateutil openssl systemd curl python3-venv python3-pytest dpkg-dev \
  gcc tshark strace umockdev gir1.2-umockdev-1.0 python3-gi mosquitto mosquitto-clients \
  $(BOARD_PACKAGES) $(USB_PACKAGES) $(PAGE_PACKAGES) $(INSTALL_PACKAGES) $(POSTGRES_PACKAGES)
# What fob is measured beside, and by; speculos runs its application by qemu-arm-static.
BENCH_PACKAGES := $(RUN_PACKAGES) gpsd-clients socat prometheus-alertmanager qemu-user-static \
  valgrind binutils util-linux $(PAGE_PACKAGES)

# CONFIG=release for a fast binary; the debug build is the one that the tests share.
CONFIG ?= debug
# ARGS: what follows `fob run`.
ARGS ?=
BOARD ?= lm3s6965evb
FUZZ_SECONDS ?= 300
FUZZ_RUNS ?= 10000000
FOB_KILLS ?= 200
FOB_CORE_KILLS ?= 500
EXAMPLES ?= 500
FOB_KEYCHAINS ?= 300
FOB_MINUTES ?= 10
FOB_SCHEDULES ?= 1000000
FOB_ILL_SCHEDULES ?= 100000
FOB_LEAK_MINUTES ?= 10
FOB_SYSTEM_KILLS ?= 2000
FOB_REPLUGS ?= 100
FOB_PAIRS ?= 20
SOAK_SECONDS ?= 4200
SOAKS := $(addprefix soak-,02 03 04 05 06 07 08 09 10 20 21 22 23 24 25 26 27 28 29 parsers)

SUDO := $(if $(filter-out 0,$(shell id -u)),sudo)
# Targets without effects: what they cannot prove they do not unwrap.
PURE = $(addprefix Sources/,AlertCore Capture Firmware FobBase Judge NMEA USB WireProtocol)
FORMATTED = $(wildcard Sources Tests Fuzz Package.swift Benchmarks/Sources Benchmarks/Package.swift)

.DEFAULT_GOAL := help
.PHONY: help run build versions generate numbers deb firmware registers test test-board test-usb \
  test-page test-postgres test-cluster test-python test-install test-terminal test-deb \
  test-container pictures coverage fuzz lint reference documents format clean install-udev \
  uninstall-udev soak $(SOAKS) bench bench-03 bench-05 bench-peers bench-check deps deps-run \
  deps-bench deps-page deps-postgres deps-python deps-test

help: ## this list
	@sed -nE 's/^([a-z0-9%-]+):[^#]*## (.*)/\1\t\2/p' Makefile | expand -t 16

run: build ## set up, build and start the bridge: make run ARGS="..."
	@exec "$$(swift build -c $(CONFIG) --show-bin-path)/fob" run $(ARGS)

build: deps-run ## the fob binary: make build CONFIG=release
	@scripts/build.sh $(CONFIG)

versions: build ## what it was built with, into docs/reference/versions.md
	@mkdir -p docs/reference
	scripts/versions.py .build/$(CONFIG)/fob $(RUN_PACKAGES) >docs/reference/versions.md

generate: ## what is made of firmware-protocol/messages.json and samples.py: code, tables, vectors
	python3 -B firmware-protocol/generate
	python3 -B firmware-protocol/reference.py --write

# The versions stand in the files that are written.
numbers: ## telephone numbers and time zones of the world, as tables and vectors, out of PyPI
	python3 -m venv .build-numbers-venv
	.build-numbers-venv/bin/pip install --quiet phonenumbers==9.0.43 tzdata==2026.6
	.build-numbers-venv/bin/python -B scripts/numbers

reference: build ## what of docs/reference the program can tell
	scripts/reference.py "$$(swift build -c $(CONFIG) --show-bin-path)/fob"

# DOCUMENTS: some of them; every tutorial and how-to guide without it.
documents: build ## the shell blocks of the documents: make documents DOCUMENTS=docs/how-to/ci.md
	scripts/documents.py --check
	scripts/documents.py "$$(swift build -c $(CONFIG) --show-bin-path)/fob" \
	  $(or $(DOCUMENTS),$$(scripts/documents.py --list))

# Pure code comes first, fast. Then what waits for lines, threads and real time, beside seeded
# worlds and wrong firmwares, which compute; then what starts fob itself or programs of others.
LINE_TESTS := ^(BridgeTests|ControlTests|TransportTests|EmulatorTests|SerialIOTests|SinksTests)\.
LINE_TESTS := $(LINE_TESTS)|\.PtyTests
WORLD_TESTS := SimulationTests|ConformanceTests|BenchTests
PROCESS_TESTS := FobTests|RealPeerTests
# One document after the other, which wait most of the time: beside the other processes.
DOCUMENT_TESTS := DocumentsTests
# Servers and clients on the threads that async code shares: nothing that blocks runs beside them.
WEB_TESTS := ConsoleTests|HostileReceiverTests
# The firmware on a Cortex-M in QEMU.
BOARD_TESTS := MachineTests|FirmwareBootTests|LockstepTests|QEMU[A-Za-z]+Tests
# These load both cores: beside them a wait of another test may be too short. The last measures.
LOAD_TESTS := SchemathesisTests|StreamLoadTests
TIMED_TESTS := BenchCompareTests
# Both engines of the store, and fob with its state on a server.
POSTGRES_TESTS := StoreEngineTests|Postgres[A-Za-z]+Tests
# These plug devices into the kernel that they run on: that of a guest.
GUEST_TESTS := USBGuest[A-Za-z]+Tests

test: deps-test lint bench-check ## everything CI runs: lint, tests, a short fuzz of each decoder
	scripts/swift-test.sh \
	  --skip '$(LINE_TESTS)|$(WORLD_TESTS)|$(PROCESS_TESTS)|$(WEB_TESTS)|$(BOARD_TESTS)' \
	  --skip '$(GUEST_TESTS)|$(POSTGRES_TESTS)'
	scripts/swift-test.sh --skip-build --filter '$(POSTGRES_TESTS)'
	scripts/swift-test.sh --skip-build --filter '$(LINE_TESTS)' \
	  --skip '$(PROCESS_TESTS)|$(WEB_TESTS)|$(BOARD_TESTS)' & lines=$$!; \
	  scripts/swift-test.sh --skip-build --filter '$(WORLD_TESTS)' --skip '$(LINE_TESTS)'; \
	  worlds=$$?; \
	  wait $$lines && exit $$worlds
	scripts/swift-test.sh --skip-build --filter '$(DOCUMENT_TESTS)' & documents=$$!; \
	  scripts/swift-test.sh --skip-build --filter '$(PROCESS_TESTS)' \
	  --skip '$(TIMED_TESTS)|$(BOARD_TESTS)|$(GUEST_TESTS)|$(DOCUMENT_TESTS)|$(POSTGRES_TESTS)'; \
	  processes=$$?; \
	  wait $$documents && exit $$processes
	scripts/swift-test.sh --skip-build --filter '$(WEB_TESTS)' --skip '$(LOAD_TESTS)'
	scripts/swift-test.sh --skip-build --filter '$(BOARD_TESTS)'
	scripts/firmware.sh microbit-v2
	scripts/swift-test.sh --skip-build --filter '$(LOAD_TESTS)'
	scripts/swift-test.sh --skip-build --filter '$(TIMED_TESTS)'
	scripts/documentation.sh
	for stage in page client install terminal; do \
	  FOB=.build/debug/fob scripts/$$stage-tests.sh || exit; done
	scripts/usb-guest.sh
	scripts/fuzz.sh 2

registers: ## Boards/nrf5/registers.tsv against the vendor's register descriptions, out of PyPI
	python3 -m venv .build-registers-venv
	.build-registers-venv/bin/pip install --quiet --no-deps pyocd==0.46.0
	scripts/registers.py \
	  .build-registers-venv/lib/python3*/site-packages/pyocd/debug/svd/svd_data.zip

test-board: deps-run ## the firmware on a Cortex-M in QEMU, alone
	@$(call install,$(BOARD_PACKAGES))
	scripts/swift-test.sh --filter '$(BOARD_TESTS)'
	scripts/firmware.sh microbit-v2

test-usb: deps-run ## keychains on the USB of Debian's stock kernel, in QEMU, alone
	@$(call install,$(USB_PACKAGES))
	swift build --build-tests --disable-xctest
	scripts/usb-guest.sh

test-postgres: deps-run deps-postgres ## state on a PostgreSQL server, alone
	scripts/swift-test.sh --filter '$(POSTGRES_TESTS)'

test-cluster: build deps-postgres ## three PostgreSQL servers, of which one is killed, alone
	@$(call install,$(CLUSTER_PACKAGES))
	FOB="$$(swift build -c $(CONFIG) --show-bin-path)/fob" scripts/cluster-tests.sh

test-page: build deps-page ## the page, played in a headless Chromium, alone
	scripts/page-tests.sh

test-python: build deps-python ## the Python client, its bench, labgrid, Robot Framework, alone
	FOB="$$(swift build -c $(CONFIG) --show-bin-path)/fob" scripts/client-tests.sh

test-terminal: build ## fob run and long work in a terminal, by pyte, alone
	@$(call install,python3-venv)
	FOB="$$(swift build -c $(CONFIG) --show-bin-path)/fob" scripts/terminal-tests.sh

test-install: build ## what people install fob by, alone
	@$(call install,$(INSTALL_PACKAGES))
	FOB="$$(swift build -c $(CONFIG) --show-bin-path)/fob" scripts/install-tests.sh

test-deb: deb ## the package in a bare Debian 12, from nothing to the first alarm
	@$(call install,debootstrap lintian systemd-container)
	lintian --fail-on error,warning $(if $(SUDO),,--allow-root) .build/deb/fob.deb
	$(SUDO) scripts/deb-test.sh .build/deb/fob.deb

test-container: deb ## the container image, and its services of compose.yaml, without a registry
	@$(call install,debootstrap buildah podman crun python3-yaml)
	$(SUDO) scripts/container-test.py .build/deb/fob.deb

pictures: build deps-page ## the documentation's pictures of the page, taken anew
	scripts/page-tests.sh test_access
	python3 Tests/PageTests/pictures.py .build/page-screenshots docs

deb: deps-run ## a Debian package with everything in it: .build/deb/fob.deb
	@$(call install,dpkg-dev python3)
	scripts/firmware.sh --if-older
	scripts/firmware.sh microbit --if-older
	scripts/firmware.sh microbit-v2 --if-older
	scripts/deb.sh

install-udev: ## the udev rule of keychains into /etc/udev/rules.d (DESTDIR=FOLDER: below it)
	$(if $(DESTDIR),,$(SUDO)) env DESTDIR="$(DESTDIR)" scripts/udev.sh install

uninstall-udev: ## takes it away again
	$(if $(DESTDIR),,$(SUDO)) env DESTDIR="$(DESTDIR)" scripts/udev.sh uninstall

rows: deps-test deps-page ## the tests of each row of the requirements: make rows ROWS="R32 R124"
	swift build --build-tests --disable-xctest
	scripts/rows.py $(ROWS)

coverage: deps-test ## line coverage of the pure targets, at least 95 % of each
	scripts/coverage.sh

soak: $(SOAKS) ## all soaks

# The first press: kills in full number, every damaged frame, power cut at every byte of a write.
soak-02: deps-test ## the long tests of the first press: make soak-02 FOB_KILLS=200
	FOB_SOAK=1 FOB_KILLS=$(FOB_KILLS) TEST_SECONDS=$(SOAK_SECONDS) \
	  scripts/swift-test.sh --filter '\.KillTests|BitErrorTests|PowerCutTests'

# The bench: every fault at every byte and at 1 % for 10,000 presses, every row of the table of
# gestures; then, alone in its process, a fleet whose memory stays flat.
soak-03: deps-test ## the long tests of the bench: make soak-03 FOB_KEYCHAINS=300 FOB_MINUTES=10
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) \
	  scripts/swift-test.sh --filter 'FaultSearchTests|GestureTableTests'
	FOB_SOAK=1 FOB_KEYCHAINS=$(FOB_KEYCHAINS) FOB_MINUTES=$(FOB_MINUTES) \
	  TEST_SECONDS=$(SOAK_SECONDS) scripts/swift-test.sh --filter FleetTests

# The seeded world: a million schedules, the same in debug and release, every planted mistake found,
# how fast; then how much of the pure targets the tests reach. 70 minutes on two cores.
soak-04: deps-test ## the long search for a lost press: make soak-04 FOB_SCHEDULES=1000000
	FOB_SCHEDULES=$(FOB_SCHEDULES) SOAK_SECONDS=$(SOAK_SECONDS) scripts/simulate.sh
	scripts/coverage.sh

# The core: killed at any moment of an emergency, a thousand clients that hear every press, and all
# that the API's document allows, EXAMPLES of each operation; each alone in its process.
soak-05: deps-test ## the long tests of the core: make soak-05 FOB_CORE_KILLS=500 EXAMPLES=500
	FOB_SOAK=1 FOB_CORE_KILLS=$(FOB_CORE_KILLS) TEST_SECONDS=$(SOAK_SECONDS) \
	  scripts/swift-test.sh --filter CoreKillTests
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) scripts/swift-test.sh --filter StreamLoadTests
	FOB_SOAK=1 EXAMPLES=$(EXAMPLES) TEST_SECONDS=$(SOAK_SECONDS) \
	  scripts/swift-test.sh --filter SchemathesisTests

# The board and the reference in C: as many presses, power cuts and seeds as the firmware is held
# to, ten million inputs read by both decoders, and the package.
soak-06: deps-test deb ## the long tests of board, suite and C reference
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) \
	  scripts/swift-test.sh --filter '$(BOARD_TESTS)|ConformCommandTests'
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) \
	  scripts/swift-test.sh --skip-build --filter 'DeviceComparisonTests|\.DifferentialTests'
	scripts/c-reference.sh

# USB on a stock kernel: FOB_REPLUGS times unplugged and back, every mischief alone, and a device
# that never takes what is sent, for which the kernel waits 30 s when its port is closed.
soak-07: deps-test ## the long tests of USB: make soak-07 FOB_REPLUGS=100
	swift build --build-tests --disable-xctest
	FOB_SOAK=1 FOB_REPLUGS=$(FOB_REPLUGS) scripts/usb-guest.sh

# The comparison of runs: synthetic ones, then how much is carried, then twenty comparisons of what
# is alike and twenty with 20 µs planted. 45 minutes, on a machine that does nothing else.
soak-08: deps-test ## the long tests of fob bench: make soak-08 FOB_PAIRS=20
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) scripts/swift-test.sh --filter 'BenchTests\.'
	scripts/bench-load.sh
	scripts/bench-compare.sh $(FOB_PAIRS)

# The page: an hour of fifty keychains that report each second, before both of its documents.
soak-09: deps-run deps-page ## the long test of the page: make soak-09 FOB_MINUTES=60
	FOB_MINUTES=$(if $(filter file,$(origin FOB_MINUTES)),60,$(FOB_MINUTES)) \
	  scripts/page-soak.sh

# Whoever misbehaves: keychains that are ill or lie, clients that are hostile, a machine that fails
# at FOB_SYSTEM_KILLS system calls and more, and what comes and goes for FOB_LEAK_MINUTES.
soak-10: deps-test ## the long tests of doubt: make soak-10 FOB_ILL_SCHEDULES=100000
	swift build -c release --product fob
	fob="$$(swift build -c release --show-bin-path)/fob"; \
	  "$$fob" simulate --coverage --seeds 1..$(FOB_ILL_SCHEDULES) \
	  && scripts/leaks.py "$$fob" --minutes $(FOB_LEAK_MINUTES) \
	  && scripts/system-faults.py "$$fob" --kills $(FOB_SYSTEM_KILLS)
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) scripts/swift-test.sh --filter 'Hostile[A-Za-z]+Tests'
	scripts/system-faults-9p.sh
	scripts/thread-sanitizer.sh

# The alarm path: what a press enters is what its document says, and behaviour is as it was: worlds,
# planted mistakes, lockstep, released databases, conformance.
soak-20: deps-test ## the long tests of the alarm path: make soak-20 FOB_ILL_SCHEDULES=100000
	scripts/alarm-path.sh --check
	swift build -c release --product fob
	"$$(swift build -c release --show-bin-path)/fob" simulate --seeds 1..$(FOB_ILL_SCHEDULES)
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) scripts/swift-test.sh \
	  --filter 'PlantedMistakeTests|LockstepTests|ReleasedTests|^ConformanceTests\.|QEMUConformTests'

# A bare clone with empty caches: the first alarm, the release build, the tests. 35 minutes on two
# cores, on a machine that does nothing else.
soak-21: deps-test ## how long a newcomer waits: first alarm, release build, tests
	scripts/quick-start.sh

# What owners and contacts are told: each row of the requirements by its tests, worlds in which no
# message may say what is not so, every view of the page in pictures.
soak-22: deps-test deps-page ## the long tests of every word: make soak-22 FOB_ILL_SCHEDULES=100000
	swift build --build-tests --disable-xctest
	scripts/rows.py
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) scripts/swift-test.sh --skip-build \
	  --filter 'RandomWorkflowTests|AlertGoldenTests|ConcernTests|ManyKeychainsTests'
	FOB_SOAK=1 TEST_SECONDS=$(SOAK_SECONDS) scripts/swift-test.sh --skip-build --filter \
	  'Guarded|StateTableTests|OlderPressPropertyTests|RestartTests|PressLossTests|DamageTests'
	scripts/page-tests.sh

# What each does stands in its script: check-ins; messages, calm and reviews; the sealed link; fob
# in other programs; owners by the hundred; the micro:bit; cores that take over.
$(addprefix soak-,23 24 25 26 27 28 29): deps-test deps-page deps-postgres
	@$(call install,$(CLUSTER_PACKAGES))
	BOARD_TESTS='$(BOARD_TESTS)' SOAK_SECONDS=$(SOAK_SECONDS) scripts/$@.sh

# Every decoder and parser, FUZZ_RUNS times each: an hour of both processors.
soak-parsers: deps-test ## the long test of every parser: make soak-parsers FUZZ_RUNS=10000000
	FUZZ_RUNS=$(FUZZ_RUNS) scripts/fuzz.sh 0

# PARTS: some of them; all but the longest without it.
bench: deps-run deps-page ## fob beside its peers and its bars: make bench PARTS="codec nmea"
	scripts/bench.sh $(PARTS)

bench-03: deps-run ## codec, NMEA and a press alone, against libraries in C
	scripts/bench.sh codec nmea count press durable

bench-05: deps-run ## how long until a trigger is durable alone, beside Alertmanager's own POST
	scripts/bench.sh accept

bench-peers: deps-bench ## the peers that Debian, PyPI and git have, for make bench
	scripts/bench-peers.sh

bench-check: ## is there a row of every bar in Benchmarks/README.md, and none that claims too much?
	cd Benchmarks/Python && python3 -B -m unittest discover -q -p '*_test.py' \
	  && python3 -B results.py check

# BOARD: lm3s6965evb, a Cortex-M3 in QEMU; microbit; microbit-v2, not tested on hardware.
firmware: ## the keychain's firmware, held to its budget: make firmware BOARD=microbit
	scripts/firmware.sh $(BOARD)

fuzz: ## every fuzz entry for FUZZ_SECONDS (300) each
	scripts/fuzz.sh $(FUZZ_SECONDS)

lint: ## style, and the Embedded targets under the keychain's compiler settings
	swift format lint --strict --recursive --parallel $(FORMATTED)
	@mkdir -p .build && sed 's/"NeverForceUnwrap": false/"NeverForceUnwrap": true/' .swift-format \
	  > .build/pure.swift-format
	swift format lint --strict --recursive --parallel --configuration .build/pure.swift-format $(PURE)
	scripts/embedded-lint.sh

format: ## rewrite the sources in the house style
	swift format --in-place --recursive --parallel $(FORMATTED)

deps: deps-run deps-test deps-bench deps-page deps-postgres deps-python ## every stage's packages

deps-run:
	@$(call install,$(RUN_PACKAGES))

deps-test:
	@$(call install,$(TEST_PACKAGES))
	@scripts/cap-python.sh >/dev/null

deps-bench:
	@$(call install,$(BENCH_PACKAGES))

deps-page:
	@$(call install,$(PAGE_PACKAGES))
	@scripts/page-python.sh >/dev/null

deps-postgres:
	@$(call install,$(POSTGRES_PACKAGES))

deps-python:
	@$(call install,$(PYTHON_PACKAGES))
	@scripts/client-python.sh >/dev/null
	@scripts/framework-python.sh >/dev/null

clean: ## remove what was built
	rm -rf .build .build-fuzz

# Asks dpkg first, so that nothing is fetched where nothing is missing.
define install
missing=; for p in $(1); do \
  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'install ok installed' \
    || missing="$$missing $$p"; \
done; \
if [ -n "$$missing" ]; then \
  echo "apt: installs$$missing"; \
  $(SUDO) apt-get update && \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends $$missing; \
fi
endef
