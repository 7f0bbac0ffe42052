# SPDX-License-Identifier: Apache-2.0
#
# The front door.  `make` lists the targets.

KERNEL ?= kernels/digits
SEED   ?= 1
CYCLES ?= 50000000
PRESET ?= default
ARGS   ?=

tpb  := build/$(PRESET)/tpb
name := $(notdir $(patsubst %/,%,$(KERNEL)))
wave := build/kernels/$(name)/$(name)

.PHONY: help setup build cosim waves test conformance fuzz kfuzz plants bench \
	alu lane mutate lint report format clean

help:
	@echo 'make cosim [KERNEL=kernels/digits] a kernel on RTL and model in lockstep'
	@echo 'make waves [KERNEL=...] [ARGS=...] the same, with waves for GTKWave'
	@echo 'make test                          the whole test suite'
	@echo 'make conformance                   kernels, programs, vector ops, at 8, 32 and 128 lanes'
	@echo 'make fuzz [SEED=1] [CYCLES=...]    random programs in lockstep'
	@echo 'make plants                        a fault in every compared field'
	@echo 'make alu                           10,000,000 operations of each ALU op and dtype'
	@echo 'make lane [COUNT=...] [BITS=32]    the lanes alone against the FPU of the host'
	@echo 'make kfuzz [SEED=1] [COUNT=...]    10,000 random kernels: interpreter, passes, model'
	@echo 'make mutate                        1,000,000 broken images and sources, 100,000 kernels'
	@echo 'make bench                         what lockstep costs, as ratios'
	@echo 'make lint                          formats, analysers, house rules'
	@echo 'make report                        compared fields, registers not compared'
	@echo 'make setup, make build             install what is missing; build'
	@echo 'make format, make clean            indent our C; remove build/'
	@echo
	@echo 'PRESET=clang, asan, O0, hostile, small: another build than the default'

setup:
	@scripts/setup.sh test

build:
	@scripts/setup.sh run
	@scripts/build.sh $(PRESET) tpb

cosim: build
	@scripts/cosim.sh $(tpb) '$(KERNEL)' --seed $(SEED) $(ARGS)

# The run decides the exit status; the waves are there in any case, and opened
# where there is a display.
waves: build
	@run=$$(scripts/oracle.sh '$(KERNEL)') || exit; \
		$(tpb) cosim $$run --seed $(SEED) --fill random \
			--waves $(wave).fst $(ARGS); status=$$?; \
		echo 'look: gtkwave $(wave).fst $(wave).gtkw'; \
		[ -z "$$DISPLAY" ] || gtkwave $(wave).fst $(wave).gtkw & \
		exit $$status

test:
	@scripts/setup.sh test
	@scripts/test.sh

conformance:
	@scripts/setup.sh run
	@SEED='$(SEED)' scripts/conformance.sh $(ARGS)

fuzz: build
	@$(tpb) fuzz --seed $(SEED) --cycles $(CYCLES) $(ARGS)

kfuzz: COUNT ?= 10000
kfuzz: build
	@$(tpb) kfuzz --seed $(SEED) --count $(COUNT) $(ARGS)

plants: build
	@$(tpb) plants --seed $(SEED) $(ARGS)

bench: build
	@scripts/oracle.sh kernels/digits > /dev/null
	@$(tpb) bench $(ARGS) --data=build/kernels/digits bench/*.s \
		kernels/digits/digits.klr

report: build
	@$(tpb) fields
	@$(tpb) reglist rtl

alu:
	@scripts/setup.sh test
	@scripts/build.sh $(PRESET) test_alu
	@scripts/both.sh 'build/$(PRESET)/test_alu 10000000 2 0' \
		'build/$(PRESET)/test_alu 10000000 2 1'

# COUNT random pairs of each fp32 op; one input out of each of 2^BITS parts for
# the conversions to 16 bits.
lane: COUNT ?= 100000000
lane: BITS ?= 32
lane:
	@scripts/setup.sh test
	@scripts/build.sh $(PRESET) lane_bench
	@scripts/both.sh \
		'build/$(PRESET)/lane_bench --count $(COUNT) --bits $(BITS) --of 2' \
		'build/$(PRESET)/lane_bench --count $(COUNT) --bits $(BITS) --of 2 --part 1'

mutate:
	@scripts/setup.sh test
	@scripts/build.sh asan mutate mutate_kernel
	@scripts/both.sh 'build/asan/mutate --asm --seed 1 --count 500000' \
		'build/asan/mutate --asm --seed 2 --count 500000'
	@scripts/both.sh 'build/asan/mutate_kernel --seed 1 --count 50000' \
		'build/asan/mutate_kernel --seed 2 --count 50000'

lint:
	@scripts/setup.sh test
	@scripts/lint.sh

format:
	@clang-format -i $$(git ls-files '*.c' '*.h' '*.cpp')

clean:
	rm -rf build
