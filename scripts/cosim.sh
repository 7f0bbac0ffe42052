#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A kernel in lockstep against its oracle, and behind the PASS line what its
# summary (kernels/NAME/summary.c, optional) says of the tensors that it made.
# The exit status is that of `tpb cosim`; 2 when the summary fails.
# Usage: cosim.sh TPB kernels/NAME [ARGUMENT OF tpb cosim]...
set -u
cd "$(dirname "$0")/.."

tpb=$1
kernel=${2%/}
shift 2
out=build/kernels/$(basename "$kernel")
made=$out/made

run=$(scripts/oracle.sh "$kernel") || exit
if [ ! -e "$kernel/summary.c" ]; then
	# shellcheck disable=SC2086  # options and their arguments
	exec "$tpb" cosim $run "$@"
fi
mkdir -p "$made"
# shellcheck disable=SC2086
"$tpb" cosim $run --save "$made" "$@" || exit
"$out/summary" "$out" "$made" && exit
echo "tpb: error[KRN005]: $kernel/summary.c: ends with an error; see above" >&2
exit 2
