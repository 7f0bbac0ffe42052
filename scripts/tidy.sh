#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# clang-tidy on some files, each only when its text after preprocessing, or the
# list of checks, is not that of a run which found nothing.
# Usage: tidy.sh FILE...
set -u
cd "$(dirname "$0")/.."
clean=build/lint/tidy
mkdir -p "$clean"
status=0
for f in "$@"; do
	# Comments stay in: they can switch checks off.
	key=$({ cat .clang-tidy; clang-tidy --version
		cc -E -C -I. -std=c17 -D_GNU_SOURCE "$f"; } 2>&1 | sha256sum)
	key=$clean/${key%% *}
	[ -e "$key" ] && continue
	if clang-tidy --quiet -p build/default "$f" 2> /dev/null; then
		touch "$key"
	else
		echo "again: scripts/tidy.sh $f"
		status=1
	fi
done
exit $status
