#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Formats, analysers and house rules.  Every step runs; the exit status is 1
# if one of them found something.  The analysers skip what they have seen.
#   lint.sh          all of it
#   lint.sh quick    without the analysers
set -u
cd "$(dirname "$0")/.."
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

step() { # step NAME COMMAND...
	local name=$1 start=$SECONDS
	shift
	if "$@" > "$log" 2>&1; then
		echo "lint: $name ok ($((SECONDS - start)) s)"
	else
		failed=1
		echo "lint: $name FAILED"
		head -60 "$log" | sed 's/^/    /'
	fi
}

mapfile -t ours < <(git ls-files '*.c' '*.h' '*.cpp')
mapfile -t tests < <(git ls-files 'tests/*.c' 'kernels/*.c')
mapfile -t product < <(git ls-files '*.c' ':!tests' ':!kernels')

lint_rtl() {
	local packages modules
	mapfile -t packages < <(git ls-files 'rtl/*_pkg.sv' |
		grep -v '/tpb_pkg.sv')
	mapfile -t modules < <(git ls-files 'rtl/*.sv' | grep -v '_pkg.sv')
	verilator --lint-only -Wall --top-module tpb_core rtl/tpb_pkg.sv \
		"${packages[@]}" "${modules[@]}" &&
		verilator --lint-only -Wall --top-module lane_top \
			rtl/tpb_{pkg,cvt_pkg,fp_pkg,lane_pkg}.sv \
			tests/lane/lane_top.sv
}

# ctuuninitvar takes every output argument for an unset input; in dis.c a loop
# sets the arrays that it says are unset.
check() {
	mkdir -p build/lint/cppcheck
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
		-j"$(nproc)" --cppcheck-build-dir=build/lint/cppcheck \
		-I. -D_GNU_SOURCE --enable=warning,portability,performance \
		--suppress=missingIncludeSystem \
		--suppress=ctuuninitvar --suppress=uninitvar:isa/dis.c \
		"${product[@]}" "${tests[@]}"
}

# The tests are left to the compilers, cppcheck and the sanitizers.
tidy() {
	printf '%s\n' "${product[@]}" |
		xargs -P"$(nproc)" -n4 scripts/tidy.sh
}

scripts/build.sh default || exit 1	# for compile_commands.json
step 'clang-format' clang-format --dry-run -Werror "${ours[@]}"
step 'verilator -Wall' lint_rtl
step 'house rules' scripts/house.sh
step 'house rules can fail' scripts/check_house.sh
if [ "${1:-}" != quick ]; then
	step 'cppcheck' check
	step 'clang-tidy' tidy
fi
exit $failed
