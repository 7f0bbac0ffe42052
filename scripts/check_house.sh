#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Can the house rules fail?  Break each of them once, in a tree of its own, and
# see house.sh name the rule and the file; a tree without a breach must pass.
set -u
cd "$(dirname "$0")/.."
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/scripts"
cp scripts/house.sh "$tree/scripts"
git -C "$tree" init -q
bad=0
rules=0

# A file with a licence line, a head comment and the lines of stdin.
c_file() { # c_file PATH
	mkdir -p "$tree/$(dirname "$1")"
	{ printf '/* SPDX-License-Identifier: Apache-2.0\n *\n'
		printf ' * A file that keeps the rules, but for one line.\n */\n'
		cat; } > "$tree/$1"
}
sv_file() { # sv_file PATH
	mkdir -p "$tree/$(dirname "$1")"
	{ printf '// SPDX-License-Identifier: Apache-2.0\n//\n'
		printf '// A module that keeps the rules.\n'
		cat; } > "$tree/$1"
}

expect() { # expect RULE FILE: exactly this breach, then forget the file
	rules=$((rules + 1))
	git -C "$tree" add -A
	out=$("$tree/scripts/house.sh")
	status=$?
	if [ $status != 1 ] || ! grep -qF "house: $1: $2" <<< "$out"; then
		bad=1
		echo "not found: $1 in $2; house.sh said ($status):"
		printf '%s\n' "$out"
	fi
	git -C "$tree" rm -qf --cached "$2"
	rm "$tree/$2"
}

echo 'int isa_x;' | c_file isa/good.c
git -C "$tree" add -A
"$tree/scripts/house.sh" > "$tree/.out" || { cat "$tree/.out"; bad=1; }
rm -f "$tree/.out"

printf 'int wide;%80s\n' '/* x */' | c_file isa/wide.c
expect 'wider than 80 columns' isa/wide.c
printf '// %100s\nmodule wide;\nendmodule\n' x | sv_file rtl/wide.sv
expect 'wider than 100 columns' rtl/wide.sv
yes 'int x;' | head -1300 | c_file isa/long.c
expect 'long file' isa/long.c
{ echo 'int f(void)'; echo '{'; yes '	x();' | head -61; echo '}'; } |
	c_file isa/function.c
expect 'function longer than 60 lines' isa/function.c
printf '/* TO%s: later */\n' DO | c_file isa/later.c
expect 'unfinished' isa/later.c
printf '/* No licence.\n *\n * But a comment.\n */\n' > "$tree/isa/licence.c"
expect 'no SPDX line' isa/licence.c
echo '/* SPDX-License-Identifier: Apache-2.0 */' > "$tree/isa/head.c"
expect 'no head comment' isa/head.c
printf 'module two;\nendmodule\nmodule three;\nendmodule\n' |
	sv_file rtl/two.sv
expect 'one unit a file' rtl/two.sv
printf 'module other;\nendmodule\n' | sv_file rtl/named.sv
expect 'one unit a file' rtl/named.sv
printf 'module port (\n  input logic clk\n);\nendmodule\n' | sv_file rtl/port.sv
expect 'port without _i or _o' rtl/port.sv
printf 'module flop;\n  always_ff @(posedge c) begin\n%s  end\nendmodule\n' \
	'    if (a <= b) state <= 1;
' | sv_file rtl/flop.sv
expect 'register without _q' rtl/flop.sv
echo 'int x;' | c_file harness/more.cpp
expect 'C++ outside the shim' harness/more.cpp
for arrow in isa:cmodel image:harness cmodel:compiler cmodel:harness \
	compiler:cmodel compiler/asm:compiler/bir compiler/bir:compiler/passes \
	compiler/klr:compiler/codegen compiler/passes:compiler/klr \
	compiler/codegen:compiler/passes kernels:cmodel tests/lane:cmodel; do
	echo "#include \"${arrow#*:}/x.h\"" | c_file "${arrow%:*}/arrow.c"
	expect "${arrow%:*} must not know" "${arrow%:*}/arrow.c"
done
echo '#include "cmodel/x.h"' | c_file harness/conform_oracle.c
expect 'harness/conform_oracle* must not know' harness/conform_oracle.c
echo '/* /home/someone */' | c_file isa/place.c
expect 'a place on one machine' isa/place.c
mkdir -p "$tree/docs"
echo '[gone](nowhere.md)' > "$tree/docs/page.md"
expect 'dead link' docs/page.md

[ $bad = 0 ] && echo "house: $rules breaches, each found"
exit $bad
