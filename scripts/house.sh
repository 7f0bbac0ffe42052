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
	printf '%s\n' "$lines" | sed "s/^/house: $1: /"
}

sources() { # our sources, generated ones left out
	git ls-files '*.c' '*.h' '*.cpp' '*.def' 'rtl/*.sv' |
		grep -v '^rtl/tpb_pkg.sv$'
}
c_sources() { git ls-files '*.c' '*.h' '*.cpp'; }

# Width: C 80 columns (a tab is 8), tables and RTL 100 and more by nature.
c_sources | while read -r f; do
	expand "$f" | awk -v f="$f" 'length($0) > 80 { print f ":" NR }'
done | breach 'wider than 80 columns'
git ls-files 'rtl/*.sv' | grep -v tpb_pkg | while read -r f; do
	awk -v f="$f" 'length($0) > 100 { print f ":" NR }' "$f"
done | breach 'wider than 100 columns'

# Length: files 1,200 lines, C functions 60.
sources | grep -v '\.def$' | while read -r f; do
	n=$(wc -l < "$f")
	[ "$n" -gt 1200 ] && echo "$f has $n lines"
done | breach 'long file'
c_sources | while read -r f; do
	awk -v f="$f" '
		/^[a-z_].*[^;]$/ && !/^(struct|enum|union|static const|const|typedef|extern|#)/ { head = NR }
		/^{/ { begin = NR }
		/^}/ { if (begin && NR - begin - 1 > 60)
			print f ":" begin " has " NR - begin - 1 " lines"
			begin = 0 }' "$f"
done | breach 'function longer than 60 lines'

# Words that say a thing is not done.
git grep -nwE 'TODO|FIXME|XXX|HACK' -- . ':!scripts/house.sh' | cut -c1-80 | breach 'unfinished'

# Nothing about the machine that somebody works on.
git grep -nE '(/home/|/root/|/work/|/Users/)' -- . ':!scripts/*house.sh' |
	cut -c1-80 | breach 'a place on one machine'

# Licence and head comment.
git ls-files '*.c' '*.h' '*.cpp' '*.def' '*.sv' '*.s' '*.sh' CMakeLists.txt \
	Makefile .ci/run | while read -r f; do
	head -3 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
		echo "$f"
done | breach 'no SPDX line'
sources | while read -r f; do
	head -8 "$f" | grep -cE '^( \*|//|/\*) ?[A-Za-z`]' |
		{ read -r n; [ "$n" -ge 2 ] || echo "$f"; }
done | breach 'no head comment'

# RTL: a module a file, named like it; suffixed ports.
git ls-files 'rtl/*.sv' | while read -r f; do
	name=$(basename "$f" .sv)
	grep -cE '^(module|package) ' "$f" |
		{ read -r n; [ "$n" = 1 ] || echo "$f has $n units"; }
	grep -qE "^(module|package) $name\b" "$f" || echo "$f is not $name"
done | breach 'one unit a file'
git ls-files 'rtl/*.sv' | while read -r f; do
	awk -v f="$f" '/^module/ { m = 1 } /\);/ { m = 0 }
		m && /^ *(input|output|inout) / {
			line = $0; sub(/\/\/.*/, "", line)
			sub(/[ ,]*$/, "", line)
			n = split(line, w, /[ \]]+/)
			if (w[n] !~ /_(i|o|io|ni|no)$/) print f ":" NR ": " w[n]
		}' "$f"
done | breach 'port without _i or _o'

# Registers: what a clocked block assigns ends in _q.
git ls-files 'rtl/*.sv' | while read -r f; do
	awk -v f="$f" '
		/always_ff/ { on = 1 }
		/^endmodule|^  end$|always_comb|^  assign/ { if (!/always_ff/) on = 0 }
		on {
			line = $0; sub(/\/\/.*/, "", line)
			while (match(line, /(^|[;)]|else|begin|:) *[a-z][a-z0-9_]*(\[[^<]*\])* *<= /)) {
				name = substr(line, RSTART, RLENGTH)
				line = substr(line, RSTART + RLENGTH)
				sub(/^([;):]|else|begin)? */, "", name)
				sub(/[ \[].*/, "", name)
				if (name !~ /_q$/) print f ":" NR ": " name
			}
		}' "$f"
done | breach 'register without _q'

# Only the shims are C++.
git ls-files '*.cpp' '*.cc' '*.cxx' '*.hpp' | grep -v '^harness/rtl.cpp$' |
	grep -v '^harness/systemc/' | grep -v '^tests/lane/lane.cpp$' | breach 'C++ outside the shim'

# Who may know whom.
forbid() { # forbid FOLDER PATTERN
	git grep -nE "^#include \"($2)/" -- "$1" | breach "$1 must not know"
}
forbid isa 'image|cmodel|compiler|harness'
forbid image 'cmodel|compiler|harness'
forbid cmodel 'image|compiler|harness'
forbid compiler 'cmodel|harness'

# Links between the pages.
git ls-files '*.md' | while read -r f; do
	grep -oE '\]\([^)#: ]+' "$f" | sed 's/](//' | while read -r to; do
		[ -e "$(dirname "$f")/$to" ] || echo "$f -> $to"
	done
done | breach 'dead link'

[ $bad = 0 ] && echo 'house: all rules kept'
exit $bad
