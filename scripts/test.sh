#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The test suite, step by step, each with its time.  Every step runs even if
# one before it failed; a failing step shows the end of its output and the
# command that repeats it alone.  The last line counts the steps.
#   test.sh            all steps
#   test.sh NAME...    these steps only
set -u
cd "$(dirname "$0")/.."

build=build/default
tpb=$build/tpb
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
passed=0
failed=0
only=("$@")

step() { # step NAME FUNCTION: run it, count it
	local name=$1 start=$SECONDS
	if [ ${#only[@]} -gt 0 ]; then
		[[ " ${only[*]} " == *" $name "* ]] || return 0
	fi
	if "$2" > "$log/$name" 2>&1; then
		passed=$((passed + 1))
		printf 'ok      %-14s %4d s  %s\n' "$name" \
			$((SECONDS - start)) "$(tail -1 "$log/$name")"
	else
		failed=$((failed + 1))
		printf 'FAILED  %-14s %4d s  again: scripts/test.sh %s\n' \
			"$name" $((SECONDS - start)) "$name"
		tail -40 "$log/$name" | sed 's/^/        /'
	fi
}

preset() { # preset NAME TARGET...: configure and build quietly
	local name=$1
	shift
	cmake --preset "$name" > /dev/null &&
		cmake --build "build/$name" -j2 --target "$@"
}

build_all() {
	preset default tpb tpbgen tests && echo 'built'
}

units() { # cmocka programs; counts their cases
	local total=0 n
	ctest --test-dir $build -j2 --output-on-failure --timeout 300 \
		> "$log/ctest" 2>&1 || { cat "$log/ctest"; return 1; }
	while read -r n; do
		total=$((total + n))
	done < <(sed -n 's/^\[==========\] \([0-9]*\) test(s) run.*/\1/p' \
		$build/Testing/Temporary/LastTest.log)
	[ $total -gt 0 ] && echo "$total cases passed, 0 failed"
}

generated() { # generated files are what the generator makes
	$build/tpbgen check . && echo 'generated files are up to date'
}

lint() {
	scripts/lint.sh
}

registers() { # no register of the RTL is neither compared nor excluded
	local out
	out=$($tpb reglist rtl) || { echo "$out"; return 1; }
	[ -z "$out" ] && echo 'every register is in the table'
}

cases() {
	scripts/run_cases.sh $tpb
}

plants() {
	$tpb plants --seed 1
}

fuzz() {
	$tpb fuzz --seed 1 --cycles 2000000 --programs 200
}

waves() { # a planted fault, its wave file, and every row in the viewer
	local dir=build/kernels/waves
	mkdir -p $dir
	$tpb cosim kernels/matchmaker/matchmaker.s --fill random \
		--plant 'SP.rf[8]@2000:rtl^16' --waves $dir/planted.fst
	[ $? = 1 ] || { echo 'the planted fault was not found'; return 1; }
	scripts/check_waves.sh $dir/planted.fst || return 1
	# The check itself must be able to fail.
	sed 's/rtl\.SP\.pc\[/rtl.SP.no_such[/' $dir/planted.gtkw \
		> $dir/broken.gtkw
	cp $dir/planted.fst $dir/broken.fst
	if scripts/check_waves.sh $dir/broken.fst > /dev/null 2>&1; then
		echo 'a row that is not in the dump went unnoticed'
		return 1
	fi
	scripts/check_waves.sh $dir/planted.fst
}

digests() { # same digest with waves, without optimisation, by clang
	local want got
	preset O0 tpb > /dev/null || return 1
	preset clang tpb > /dev/null || return 1
	want=$($tpb fuzz --seed 7 --cycles 300000 | digest_of) || return 1
	for p in O0 clang; do
		got=$(build/$p/tpb fuzz --seed 7 --cycles 300000 | digest_of)
		[ "$got" = "$want" ] || { echo "$p: $got, not $want"; return 1; }
	done
	want=$($tpb cosim kernels/collatz/collatz.s --fill random | digest_of)
	got=$($tpb cosim kernels/collatz/collatz.s --fill random \
		--waves build/kernels/digest.fst | digest_of)
	[ -n "$want" ] && [ "$got" = "$want" ] ||
		{ echo "waves: $got, not $want"; return 1; }
	echo "digests equal: gcc, clang, -O0, waves"
}

digest_of() {
	sed -n 's/^PASS .*digest=\([0-9a-f]*\).*/\1/p' | tail -1
}

hostile() { # irregular DRAM ready: the handshake on both sides
	preset hostile tpb > /dev/null || return 1
	build/hostile/tpb fuzz --seed 3 --cycles 300000 | tail -1
}

sanitized() { # broken images and sources, and the units, under sanitizers
	preset asan mutate test_asm test_image test_model test_gen \
		> /dev/null || return 1
	local t
	for t in test_asm test_image test_model test_gen; do
		build/asan/$t > "$log/asan" 2>&1 || { cat "$log/asan"; return 1; }
	done
	build/asan/mutate --seed 1 --count 100000 --asm
}

documented() { # the commands that the pages show
	scripts/check_docs.sh
}

start=$SECONDS
step build build_all
step units units
step generated generated
step registers registers
step cases cases
step plants plants
step fuzz fuzz
step waves waves
step documented documented
step lint lint
step sanitized sanitized
step digests digests
echo "time: $((SECONDS - start)) s"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
