#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Filter of a build's output: says what is being built, shows errors whole, and
# is silent when there was nothing to do.  Exit status 1 when the build failed.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
while IFS= read -r line; do
	printf '%s\n' "$line" >> "$log"
	case $line in
	*Verilating* | *'Compiling the verilated core'* | *'Linking C'*'tpb'*)
		printf 'build: %s\n' "${line#*] }" ;;
	esac
done
if grep -qE '(^|\*\*\* |: )(fatal )?[Ee]rror|%Error|FAILED' "$log"; then
	cat "$log" >&2
	echo 'tpb: error[BLD001]: build: failed; see above' >&2
	exit 1
fi
