#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Build targets of a preset: configure when that was never done, say in one
# line what was built and how long it took, show only what went wrong.  Silent
# when there is nothing to do.  Exit status 2 when the build fails.
# Usage: build.sh PRESET TARGET...
set -u
cd "$(dirname "$0")/.."

preset=$1
shift
dir=build/$preset
start=$SECONDS
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A make around this one must not lend its flags to the make inside.
unset MAKEFLAGS MFLAGS MAKELEVEL

fail() {
	grep -vE '^(-- |Archive |\[ *[0-9]+[/%]|g?make(\[|: (Ent|Leav))|ninja: )' "$log" |
		head -60 >&2
	echo "tpb: error[BLD001]: build/$preset: $1 failed; mend what is" \
		'named above and run again' >&2
	exit 2
}

if [ ! -e "$dir/build.ninja" ] && [ ! -e "$dir/Makefile" ]; then
	echo "build: $preset for the first time, a minute or so"
	rm -rf "$dir/CMakeCache.txt" "$dir/CMakeFiles"
	generator=()
	command -v ninja > /dev/null && generator=(-G Ninja)
	cmake --preset "$preset" ${generator[@]+"${generator[@]}"} \
		> "$log" 2>&1 || fail 'configuring'
fi
[ $# -gt 0 ] || exit 0
cmake --build "$dir" -j "$(nproc)" --target "$@" > "$log" 2>&1 ||
	fail "building $*"
steps=$(grep -cE '(Building|Linking|Verilating|Compiling the core)' "$log")
[ "$steps" = 0 ] || echo "build: $steps steps in $((SECONDS - start)) s"
