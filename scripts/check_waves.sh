#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Open a wave file with its layout in GTKWave (under Xvfb) and fail if a row of
# the layout is not on screen: the viewer drops signals that it does not find
# without a word, so the rows it shows are counted against the layout.
# Usage: check_waves.sh FILE.fst [PICTURE.png]
set -eu

fst=$1
picture=${2:-}
layout=${fst%.fst}.gtkw
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/rows.tcl" <<'TCL'
set n [gtkwave::getTotalNumTraces]
for {set i 0} {$i < $n} {incr i} {
	puts "ROW [gtkwave::getTraceNameFromIndex $i]"
}
puts "ROWS $n MARKER [gtkwave::getMarker]"
flush stdout
TCL

cat > "$work/view.sh" <<'VIEW'
gtkwave "$1" "$2" -S "$3/rows.tcl" > "$3/out" 2>&1 &
viewer=$!
for _ in $(seq 100); do
	grep -q '^ROWS ' "$3/out" && break
	sleep 0.2
done
if [ -n "$4" ]; then
	sleep 2
	import -window root "$4"
fi
kill "$viewer"
VIEW

xvfb-run -a -s '-screen 0 1600x900x24' \
	bash "$work/view.sh" "$fst" "$layout" "$work" "$picture"

# Rows of the layout: aliased signals, plain signals, group begins and ends.
want=$(grep -cE '^(\+\{|-|cosim\.)' "$layout")
got=$(sed -n 's/^ROWS \([0-9]*\).*/\1/p' "$work/out")
if [ "${got:-0}" != "$want" ]; then
	echo "waves: $layout has $want rows, the viewer shows ${got:-none}" >&2
	sed -nE 's/^\+\{(.*)\} .*/\1/p' "$layout" | sort > "$work/want"
	sed -n 's/^ROW //p' "$work/out" | sort > "$work/got"
	comm -23 "$work/want" "$work/got" | head >&2
	exit 1
fi
marker=$(sed -n 's/^ROWS .* MARKER //p' "$work/out")
echo "waves: $want rows, all on screen, marker at $marker"
