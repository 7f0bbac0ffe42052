# SPDX-License-Identifier: Apache-2.0
#
# The front door.  `make` lists the targets.

KERNEL ?= kernels/sieve
SEED   ?= 1
CYCLES ?= 50000000
BUILD  ?= build/default
PRESET ?= $(notdir $(BUILD))
ARGS   ?=

name := $(notdir $(patsubst %/,%,$(KERNEL)))
out  := build/kernels/$(name)
tpb  := $(BUILD)/tpb

.PHONY: help setup build cosim waves test conformance fuzz plants bench \
	alu mutate lint report format clean

help:
	@echo 'make cosim [KERNEL=kernels/sieve]  run a kernel on RTL and model in lockstep'
	@echo 'make waves [KERNEL=...] [ARGS=...] the same, with waves for GTKWave'
	@echo 'make test                          the whole test suite'
	@echo 'make conformance                   kernels and the programs of tests/conformance'
	@echo 'make fuzz [SEED=1] [CYCLES=...]    random programs in lockstep'
	@echo 'make plants                        plant a fault in every compared field'
	@echo 'make alu                           10,000,000 random operations an ALU op and dtype'
	@echo 'make mutate                        1,000,000 broken images and sources'
	@echo 'make bench                         what lockstep costs, as ratios'
	@echo 'make lint                          formats, analysers, house rules'
	@echo 'make report                        compared fields and registers not compared'
	@echo 'make setup                         install what is missing'
	@echo 'make format, make clean'

setup:
	@scripts/setup.sh test

$(BUILD)/CMakeCache.txt: | CMakePresets.json
	@cmake --preset $(PRESET) > /dev/null

# What a run needs; quiet unless something is built.
build: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) -j2 --target tpb 2>&1 | scripts/quiet_build.sh

$(out)/oracle: $(wildcard $(KERNEL)/oracle.c)
	@mkdir -p $(out)
	@$(CC) -std=c17 -O2 -o $@ $<
	@$@ $(out)

cosim:
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build $(out)/oracle
	@$(tpb) cosim $(KERNEL)/$(name).s --expect $(out) --seed $(SEED) $(ARGS)

waves:
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build $(out)/oracle
	@$(tpb) cosim $(KERNEL)/$(name).s --expect $(out) --seed $(SEED) \
		--fill random --waves $(out)/$(name).fst $(ARGS); status=$$?; \
		echo 'look: gtkwave $(out)/$(name).fst $(out)/$(name).gtkw'; \
		exit $$status

test:
	@scripts/setup.sh test
	@scripts/test.sh

conformance:
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build
	@scripts/run_cases.sh $(tpb)

fuzz:
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build
	@$(tpb) fuzz --seed $(SEED) --cycles $(CYCLES) $(ARGS)

plants:
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build
	@$(tpb) plants --seed $(SEED) $(ARGS)

bench:
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build
	@$(tpb) bench $(ARGS) bench/*.s

alu:
	@scripts/setup.sh test
	@cmake --build $(BUILD) -j2 --target test_alu 2>&1 | scripts/quiet_build.sh
	@scripts/both.sh '$(BUILD)/test_alu 10000000 2 0' \
		'$(BUILD)/test_alu 10000000 2 1'

mutate:
	@scripts/setup.sh test
	@cmake --preset asan > /dev/null
	@cmake --build build/asan -j2 --target mutate 2>&1 | scripts/quiet_build.sh
	@scripts/both.sh 'build/asan/mutate --seed 1 --count 500000' \
		'build/asan/mutate --seed 2 --count 500000'

lint:
	@scripts/setup.sh test
	@scripts/lint.sh

report:
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build
	@$(tpb) fields
	@$(tpb) reglist rtl

format:
	@clang-format -i $$(git ls-files '*.c' '*.h' '*.cpp')

clean:
	rm -rf build
