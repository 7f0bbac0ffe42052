#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The inputs and expected outputs of a kernel: unpack kernels/NAME/*.gz into
# build/kernels/NAME, compile kernels/NAME/oracle.c and run it there, when one
# of them, or kernels/oracle.h, is newer than what was made last.  summary.c is
# compiled beside it (scripts/cosim.sh runs it).
# Prints the options for `tpb cosim`: the program and, where the kernel has an
# oracle, --expect.  Exit status 2 when the kernel is not complete.
# Usage: oracle.sh kernels/NAME
set -u
cd "$(dirname "$0")/.."

kernel=${1%/}
name=$(basename "$kernel")
out=build/kernels/$name
made=$out/.made

bad() {
	echo "tpb: error[$1]: $2" >&2
	exit 2
}

stale() { # is a source newer than what was made of it?
	local source
	[ -e "$made" ] || return 0
	for source in "$kernel"/*.c "$kernel"/*.gz kernels/oracle.h; do
		[ ! "$source" -nt "$made" ] || return 0
	done
	return 1
}

compile() { # compile oracle|summary: a C program of the kernel
	${CC:-cc} -std=c17 -O2 -o "$out/$1" "$kernel/$1.c" >&2 ||
		bad KRN002 "$kernel/$1.c: does not compile; see above"
}

make_all() {
	local data
	rm -f "$made" "$out"/*.bin "$out/summary"
	for data in "$kernel"/*.gz; do
		[ -e "$data" ] || continue
		gzip -dc "$data" > "$out/$(basename "$data" .gz)" ||
			bad KRN004 "$data: cannot be unpacked; fetch it again"
	done
	compile oracle
	[ ! -e "$kernel/summary.c" ] || compile summary
	"$out/oracle" "$out" >&2 ||
		bad KRN003 "$kernel/oracle.c: ends with an error; see above"
	touch "$made"
}

program=$kernel/$name.klr
[ -e "$program" ] || program=$kernel/$name.s
[ -e "$program" ] ||
	bad KRN001 "$kernel: has no $name.klr or $name.s; name a folder of kernels/"
mkdir -p "$out"
if [ ! -e "$kernel/oracle.c" ]; then
	echo "$program"
	exit 0
fi
stale && make_all
echo "$program --expect $out"
