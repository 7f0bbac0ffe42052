#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The expected outputs of a kernel: compile and run kernels/NAME/oracle.c when
# it, or kernels/oracle.h, is newer than what it made last, into
# build/kernels/NAME.
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

[ -e "$kernel/$name.s" ] ||
	bad KRN001 "$kernel: has no $name.s; name a folder of kernels/"
mkdir -p "$out"
if [ ! -e "$kernel/oracle.c" ]; then
	echo "$kernel/$name.s"
	exit 0
fi
if [ ! -e "$made" ] || [ "$kernel/oracle.c" -nt "$made" ] ||
	[ kernels/oracle.h -nt "$made" ]; then
	rm -f "$made" "$out"/*.bin
	${CC:-cc} -std=c17 -O2 -o "$out/oracle" "$kernel/oracle.c" >&2 ||
		bad KRN002 "$kernel/oracle.c: does not compile; see above"
	"$out/oracle" "$out" >&2 ||
		bad KRN003 "$kernel/oracle.c: ends with an error; see above"
	touch "$made"
fi
echo "$kernel/$name.s --expect $out"
