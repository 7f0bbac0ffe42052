#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# No two static libraries may define the same external symbol: which of the two
# a program then gets depends on the order of the link, and nobody says so.
# Weak symbols (inline functions of C++) are meant to stand more than once.
# Usage: check_symbols.sh LIBRARY.a...
set -u
defined=$(nm -A -g --defined-only "$@" 2> /dev/null |
	awk 'NF > 2 && $(NF - 1) !~ /^[WVuwv]$/ {
		sub(/:[0-9a-f]*$/, "", $1)
		print $NF, $1
	}')
if [ -z "$defined" ]; then
	echo 'symbols: nothing is defined in' "$@"
	exit 1
fi
twice=$(awk '{ at[$1] = at[$1] " " $2; n[$1]++ }
	END { for (s in n) if (n[s] > 1) print "symbols: " s " is in" at[s] }' \
	<<< "$defined" | sort)
if [ -n "$twice" ]; then
	echo "$twice"
	exit 1
fi
echo "symbols: $(wc -l <<< "$defined") in $# libraries, each in one place"
