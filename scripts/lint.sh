#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Formats, analysers and house rules.  Every step runs; the exit status is 1
# if one of them found something.
#   lint.sh          all of it
#   lint.sh quick    without the slow analysers
set -u
cd "$(dirname "$0")/.."
failed=0

step() { # step NAME COMMAND...
	local name=$1 start=$SECONDS
	shift
	if "$@" > "$log" 2>&1; then
		echo "lint: $name ok ($((SECONDS - start)) s)"
	else
		failed=1
		echo "lint: $name FAILED"
		head -40 "$log" | sed 's/^/    /'
	fi
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
mapfile -t ours < <(git ls-files '*.c' '*.h' 'harness/rtl.cpp')
mapfile -t c_files < <(git ls-files 'isa/*.c' 'image/*.c' 'cmodel/*.c' \
	'compiler/*.c' 'harness/*.c')

lint_rtl() {
	local packages
	mapfile -t packages < <(ls rtl/*_pkg.sv | grep -v '/tpb_pkg.sv')
	verilator --lint-only -Wall --top-module tpb_core rtl/tpb_pkg.sv \
		"${packages[@]}" $(ls rtl/*.sv | grep -v '_pkg.sv')
}

tidy() {
	printf '%s\n' "${c_files[@]}" | xargs -P2 -n4 \
		clang-tidy --quiet -p build/default 2> /dev/null
}

check() {
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j2 -I. \
		-D_GNU_SOURCE -DTPB_SBUF_PART_BYTES=229376 \
		--enable=warning,portability,performance \
		--suppress=missingIncludeSystem --suppress=normalCheckLevel \
		"${c_files[@]}"
}

step 'clang-format' clang-format --dry-run -Werror "${ours[@]}"
step 'verilator -Wall' lint_rtl
step 'house rules' scripts/house.sh
if [ "${1:-}" != quick ]; then
	cmake --preset default > /dev/null
	step 'cppcheck' check
	step 'clang-tidy' tidy
fi
exit $failed
