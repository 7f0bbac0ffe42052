#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# House rules that a script can check.  Prints each breach with its place;
# exit status 1 if there is one.
set -u
cd "$(dirname "$0")/.."
# The breaches are counted at the end of pipes: keep those in this shell.
shopt -s lastpipe
bad=0

breach() { # lines on stdin are breaches of rule $1
	local lines
	lines=$(cat)
	[ -z "$lines" ] && return
	bad=1
	printf '%s\n' "$lines" | sed "s|^|house: $1: |"
}

sources() { # our sources, generated ones left out
	git ls-files '*.c' '*.h' '*.cpp' '*.def' 'rtl/*.sv' |
		grep -v '^rtl/tpb_pkg.sv$'
}
c_sources() { git ls-files '*.c' '*.h' '*.cpp'; }
rtl_sources() { git ls-files 'rtl/*.sv' | grep -v '^rtl/tpb_pkg.sv$'; }

# Width: C 80 columns (a tab is 8), tables and RTL 100 and more by nature.
c_sources | xargs -r awk '
	{ line = $0; width = 0
		while ((at = index(line, "\t")) > 0) {
			width += at - 1
			width += 8 - width % 8
			line = substr(line, at + 1)
		}
		if (width + length(line) > 80) print FILENAME ":" FNR }
' | breach 'wider than 80 columns'
rtl_sources | xargs -r awk 'length($0) > 100 { print FILENAME ":" FNR }' |
	breach 'wider than 100 columns'

# Length: files 1,200 lines, C functions 60.
sources | grep -v '\.def$' | xargs -r awk '
	FNR == 1201 { print FILENAME " has more than 1200 lines" }
' | breach 'long file'
c_sources | xargs -r awk '
	FNR == 1 { begin = 0 }
	/^{/ { begin = FNR }
	/^}/ { if (begin && FNR - begin - 1 > 60)
		print FILENAME ":" begin " has " FNR - begin - 1 " lines"
		begin = 0 }' | breach 'function longer than 60 lines'

# Words that say a thing is not done.
git grep -nwE 'TODO|FIXME|XXX|HACK' -- . ':!scripts/house.sh' | cut -c1-80 | breach 'unfinished'

# Nothing about the machine that somebody works on.
git grep -nE '(/home/|/root/|/work/|/Users/)' -- . ':!scripts/*house.sh' |
	cut -c1-80 | breach 'a place on one machine'

# Licence and head comment.
git ls-files '*.c' '*.h' '*.cpp' '*.def' '*.sv' '*.s' '*.klr' '*.sh' '*.tcl' \
	CMakeLists.txt Makefile .ci/run |
	xargs -r grep -L -m1 'SPDX-License-Identifier: Apache-2.0' |
	breach 'no SPDX line'
sources | xargs -r awk '
	function last() { if (name != "" && n < 2) print name }
	FNR == 1 { last(); name = FILENAME; n = 0 }
	FNR <= 8 && /^( [*]|\/\/|\/[*]) ?[A-Za-z`]/ { n++ }
	END { last() }' | breach 'no head comment'

# RTL: a module a file, named like it; suffixed ports.
git ls-files 'rtl/*.sv' | while read -r f; do
	name=$(basename "$f" .sv)
	grep -cE '^(module|package) ' "$f" |
		{ read -r n; [ "$n" = 1 ] || echo "$f has $n units"; }
	grep -qE "^(module|package) $name\b" "$f" || echo "$f is not $name"
done | breach 'one unit a file'
git ls-files 'rtl/*.sv' | xargs -r awk '
	/^module/ { m = 1 } /\);/ { m = 0 }
	m && /^ *(input|output|inout) / {
		line = $0; sub(/\/\/.*/, "", line)
		sub(/[ ,]*$/, "", line)
		n = split(line, w, /[ \]]+/)
		if (w[n] !~ /_(i|o|io|ni|no)$/) print FILENAME ":" FNR ": " w[n]
	}' | breach 'port without _i or _o'

# Registers: what a clocked block assigns ends in _q.
git ls-files 'rtl/*.sv' | xargs -r awk '
	FNR == 1 { on = 0 }
	/always_ff/ { on = 1 }
	/^endmodule|^  end$|always_comb|^  assign/ { if (!/always_ff/) on = 0 }
	on {
		line = $0; sub(/\/\/.*/, "", line)
		while (match(line, /(^|[;)]|else|begin|:) *[a-z][a-z0-9_]*(\[[^<]*\])* *<= /)) {
			name = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			sub(/^([;):]|else|begin)? */, "", name)
			sub(/[ \[].*/, "", name)
			if (name !~ /_q$/) print FILENAME ":" FNR ": " name
		}
	}' | breach 'register without _q'

# Only the shims are C++.
git ls-files '*.cpp' '*.cc' '*.cxx' '*.hpp' | grep -v '^harness/rtl.cpp$' |
	grep -v '^harness/systemc/' | grep -v '^tests/lane/lane.cpp$' | breach 'C++ outside the shim'

# Who may know whom.
forbid() { # forbid PLACE PATTERN
	git grep -nE "^#include \"($2)/" -- "$1" | breach "$1 must not know"
}
forbid isa 'image|cmodel|compiler|harness'
forbid image 'cmodel|compiler|harness'
forbid cmodel 'image|compiler|harness'
forbid compiler 'cmodel|harness'
# Within the compiler: front ends and back end meet in the IR only.
forbid compiler/asm 'compiler/(bir|klr|passes|codegen)'
forbid compiler/bir 'image|compiler/(asm|klr|passes|codegen)'
forbid compiler/klr 'image|compiler/(asm|passes|codegen)'
forbid compiler/passes 'image|compiler/(asm|klr)'
forbid compiler/codegen 'compiler/(asm|klr|passes)'
# What results are held against shares no code with what makes them.
forbid kernels 'isa|image|cmodel|compiler|harness'
forbid tests/lane 'cmodel|compiler|harness'
forbid 'harness/conform_oracle*' 'cmodel|compiler|image'

# Links between the pages.
git ls-files '*.md' | sed 's,^,./,' | xargs -r grep -HoE '\]\([^)#: ]+' |
	sort -u | sed 's/:](/ /' | while read -r f to; do
		[ -e "${f%/*}/$to" ] || echo "${f#./} -> $to"
	done | breach 'dead link'

[ $bad = 0 ] && echo 'house: all rules kept'
exit $bad
