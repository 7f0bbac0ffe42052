#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Run the commands that the pages show: every block fenced as "sh" is a script,
# run from the root with `tpb` on the path.  A block that must fail says so in a
# comment, "# exits 1".  Blocks without a language are not run.
set -u
cd "$(dirname "$0")/.."
PATH=$PWD/build/default:$PATH
export PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ran=0
failed=0

while read -r page; do
	rm -f "$work"/block*
	awk -v dir="$work" '
		/^```sh$/ { n++; on = 1; line = NR; next }
		/^```/ { on = 0 }
		on { f = dir "/block" n; if (!(f in seen)) { seen[f] = 1
			print "# line " line > f }
			print > f }' "$page"
	for block in "$work"/block*; do
		[ -e "$block" ] || continue
		want=$(sed -n 's/^# exits \([0-9]*\).*/\1/p' "$block")
		timeout 120 bash -e "$block" > "$work/out" 2>&1
		got=$?
		ran=$((ran + 1))
		if [ "$got" != "${want:-0}" ]; then
			failed=$((failed + 1))
			echo "$page, $(sed -n '1s/# //p' "$block"):" \
				"exit $got, not ${want:-0}"
			tail -5 "$work/out"
		fi
	done
done < <(git ls-files '*.md')
echo "documented commands: $ran run, $failed failed"
[ $failed = 0 ] && [ $ran -gt 0 ]
