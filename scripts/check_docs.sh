#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Run the commands that the pages show.  A block fenced as "sh" is a script: it is
# run from the root, with `tpb` on the path.  One whose last command must fail
# says so in a comment, "exits 1".  A block fenced as "text" is what the "sh"
# block above it prints: its lines must come in that order, others may stand
# between them.  Blocks without a language are not looked at.
# Usage: check_docs.sh [PAGE.md]...
set -u
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || mapfile -t pages < <(git ls-files '*.md')
[ $# = 0 ] || pages=("$@")
PATH=$PWD/build/default:$PATH
export PATH
unset MAKEFLAGS MAKELEVEL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ran=0
failed=0

# Cut a page into block1.sh, block1.text, block2.sh, ...
cut_page() { # cut_page PAGE
	rm -f "$work"/block*
	awk -v dir="$work" '
		/^```/ && out { close(out); out = ""; next }
		/^```sh$/ { n++; out = dir "/block" n ".sh"
			print "# line " NR > out; next }
		/^```text$/ { out = dir "/block" n ".text"
			print NR > out; next }
		/^```/ { out = "/dev/null"; next }
		out { print > out }' "$1"
}

# Are the lines of TEXT (its first is the place) in OUTPUT, in their order?
prints() { # prints TEXT OUTPUT
	awk '{ sub(/ +$/, "") }
		NR == FNR { if (FNR > 1 && !/^ *[.][.][.]$/) want[++n] = $0; next }
		i < n && $0 == want[i + 1] { i++ }
		END { if (i < n) { print "not printed: " want[i + 1]; exit 1 } }
	' "$1" "$2"
}

for page in "${pages[@]}"; do
	cut_page "$page"
	for block in "$work"/block*.sh; do
		[ -e "$block" ] || continue
		place="$page:$(sed -n '1s/# line //p' "$block")"
		want=$(sed -nE 's/^.*#.*exits ([0-9]+).*/\1/p' "$block")
		timeout 120 bash -e "$block" > "$work/out" 2>&1 < /dev/null
		got=$?
		ran=$((ran + 1))
		if [ "$got" != "${want:-0}" ]; then
			echo "exit status $got" >> "$work/out"
		elif [ ! -e "${block%.sh}.text" ] ||
			prints "${block%.sh}.text" "$work/out" > "$work/miss"; then
			continue
		else
			cat "$work/miss" >> "$work/out"
		fi
		failed=$((failed + 1))
		echo "$place: again: scripts/check_docs.sh $page"
		tail -5 "$work/out"
	done
done
echo "documented commands: $ran blocks run, $failed failed"
[ $failed = 0 ] && [ $ran -gt 0 ]
