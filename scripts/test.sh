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

tpb=build/default/tpb
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
passed=0
failed=0
only=("$@")

step() { # step NAME: run the function of that name, count it
	local name=$1 start=$SECONDS
	if [ ${#only[@]} -gt 0 ]; then
		[[ " ${only[*]} " == *" $name "* ]] || return 0
	fi
	if "$name" > "$log/$name" 2>&1; then
		passed=$((passed + 1))
		printf 'ok      %-10s %4d s  %s\n' "$name" \
			$((SECONDS - start)) "$(tail -1 "$log/$name")"
	else
		failed=$((failed + 1))
		printf 'FAILED  %-10s %4d s  again: scripts/test.sh %s\n' \
			"$name" $((SECONDS - start)) "$name"
		tail -40 "$log/$name" | sed 's/^/        /'
	fi
}

# What most steps need; costs nothing when it is there.
built() {
	scripts/build.sh default tpb tpbgen
}

digest_of() { # the digest in the PASS line on stdin
	sed -n 's/^PASS .*digest=\([0-9a-f]*\).*/\1/p' | tail -1
}

# What is missing is named, with exit status 2, where it cannot be installed.
setup() {
	local bin=$log/bin status
	scripts/setup.sh test > "$log/quiet" || return 1
	[ ! -s "$log/quiet" ] || { echo 'not quiet'; return 1; }
	mkdir "$bin"
	ln -s "$(command -v bash)" "$(command -v id)" "$bin"
	PATH=$bin scripts/setup.sh run > "$log/lone" 2>&1
	status=$?
	cat "$log/lone"
	[ $status = 2 ] && grep -q 'error\[SET001\].* verilator' "$log/lone" &&
		grep -q 'to be installed now: gcc g++' "$log/lone" &&
		echo 'nothing missing here; a bare machine is told what is'
}

# A second build has nothing to do, and says nothing.
build() {
	scripts/build.sh default tpb tpbgen tests || return 1
	scripts/build.sh default tpb tpbgen tests > "$log/again" || return 1
	[ ! -s "$log/again" ] || { cat "$log/again"; return 1; }
	echo 'built; a second time nothing is rebuilt'
}

# No symbol in two libraries; and the check finds one that is.
symbols() {
	local libraries
	built || return 1
	libraries=(build/default/*.a build/default/verilated/*.a)
	cp build/default/libtpb_asm.a "$log/libtwice.a"
	if scripts/check_symbols.sh "${libraries[@]}" "$log/libtwice.a" \
		> "$log/twice"; then
		echo 'a library that is there twice went unnoticed'
		return 1
	fi
	grep -q '^symbols: asm_[a-z_]* is in .*libtwice.a' "$log/twice" ||
		{ cat "$log/twice"; return 1; }
	scripts/check_symbols.sh "${libraries[@]}"
}

units() { # cmocka programs; counts their cases
	local total=0 n
	scripts/build.sh default tests || return 1
	ctest --test-dir build/default -j"$(nproc)" --output-on-failure \
		--timeout 300 || return 1
	while read -r n; do
		total=$((total + n))
	done < <(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s)\.$/\1/p' \
		build/default/Testing/Temporary/LastTest.log)
	[ $total -gt 0 ] && echo "$total cases passed, 0 failed"
}

# Generated files are what the generator makes, and the check can fail.
generated() {
	built && build/default/tpbgen check . || return 1
	mkdir "$log/gen" && git ls-files -z rtl docs/reference waves/filters |
		xargs -0 cp --parents -t "$log/gen" || return 1
	echo '// changed by hand' >> "$log/gen/rtl/tpb_pkg.sv"
	if build/default/tpbgen check "$log/gen"; then
		echo 'a changed rtl/tpb_pkg.sv went unnoticed'
		return 1
	fi
	echo 'generated files are up to date'
}

# No register of the RTL is neither compared nor excluded; an added one is found.
registers() {
	local out
	built || return 1
	out=$($tpb reglist rtl) || { echo "$out"; return 1; }
	[ -z "$out" ] || { echo "$out"; return 1; }
	cp -r rtl "$log/rtl"
	sed -i 's/^endmodule/  logic new_q; always_ff @(posedge clk_i) new_q <= 0;\n&/' \
		"$log/rtl/tpb_watchdog.sv"
	if out=$($tpb reglist "$log/rtl") && [ -z "$out" ]; then
		echo 'a new register went unnoticed'
		return 1
	fi
	echo 'every register is compared or excluded for a reason'
}

cases() { # kernels, conformance programs, sources that must be refused
	built && scripts/run_cases.sh $tpb
}

# The arithmetic of the lanes alone, and a flipped bit in each of its jobs.
lanes() {
	local bench=build/default/lane_bench jobs
	scripts/build.sh default lane_bench || return 1
	$bench --count 100 --bits 10 --plant > "$log/planted"
	[ $? = 1 ] || { echo 'flipped bits went unnoticed'; return 1; }
	jobs=$(sed -n 's/^lanes: \([0-9]*\) jobs.*/\1/p' "$log/planted")
	grep -q ", ${jobs:-none} differences," "$log/planted" ||
		{ tail -1 "$log/planted"; return 1; }
	$bench
}

conform() { # vector ops against the oracle, and an oracle that is wrong
	local all
	built || return 1
	$tpb conform --cases 1 --plant --ops ts,tr.b,max8,castpred \
		> "$log/wrong"
	[ $? = 1 ] || { echo 'a wrong oracle went unnoticed'; return 1; }
	all=$(sed -n 's/^FAIL .* cases=\([0-9]*\) .*/\1/p' "$log/wrong")
	grep -q " failures=${all:-none} " "$log/wrong" ||
		{ tail -1 "$log/wrong"; return 1; }
	$tpb conform --cases 2 --seed 1
}

plants() { # a fault in every compared field, on both sides
	built && $tpb plants --seed 1
}

fuzz() { # random programs
	built && $tpb fuzz --seed 1 --cycles 2000000 --programs 200 \
		--keep "$log"
}

# Random kernels: interpreter behind every pass, model, RTL.
kfuzz() {
	built && $tpb kfuzz --seed 2 --count 30 --lockstep --keep "$log" &&
		$tpb kfuzz --seed 1 --count 400 --keep "$log"
}

waves() { # a planted fault, its wave file, and every row in the viewer
	local dir=build/kernels/waves
	built && mkdir -p $dir || return 1
	$tpb cosim kernels/matchmaker/matchmaker.s --fill random \
		--plant 'SP.rf[8]@2000:rtl^16' --waves $dir/planted.fst
	[ $? = 1 ] || { echo 'the planted fault was not found'; return 1; }
	# The check itself must be able to fail.
	sed 's/rtl\.SP\.pc\[/rtl.SP.no_such[/' $dir/planted.gtkw \
		> $dir/broken.gtkw
	cp $dir/planted.fst $dir/broken.fst
	if scripts/check_waves.sh $dir/broken.fst; then
		echo 'a row that is not in the dump went unnoticed'
		return 1
	fi
	scripts/check_waves.sh $dir/planted.fst
}

documented() { # the commands that the pages show, and what they print
	built || return 1
	printf '```sh\necho one\n```\n```text\ntwo\n```\n' > "$log/wrong.md"
	if scripts/check_docs.sh "$log/wrong.md"; then
		echo 'output that is not as documented went unnoticed'
		return 1
	fi
	scripts/check_docs.sh
}

lint() {
	scripts/lint.sh && echo 'nothing found'
}

# Units, broken images, sources and kernels under sanitizers.  The ALU campaigns
# stay out: they are arithmetic on values, 10 times as slow here.
sanitized() {
	scripts/build.sh asan tpb tests || return 1
	ctest --test-dir build/asan -j"$(nproc)" --output-on-failure \
		--timeout 300 -E '^test_alu' || return 1
	build/asan/tpb fuzz --seed 5 --cycles 200000 --quiet --keep "$log" ||
		return 1
	build/asan/mutate --seed 1 --count 100000 --asm > "$log/mutate" ||
		{ cat "$log/mutate"; return 1; }
	head -1 "$log/mutate"
	build/asan/mutate_kernel --seed 1 --count 2000 > "$log/mutate" ||
		{ cat "$log/mutate"; return 1; }
	head -1 "$log/mutate"
}

# The digest is the program's and the seed's alone: not of compiler,
# optimisation, waves, or of what unset variables happen to hold.
digests() {
	local want got p
	built || return 1
	want=$($tpb fuzz --seed 7 --cycles 300000 --quiet | digest_of)
	[ -n "$want" ] || { echo 'no digest'; return 1; }
	for p in O0 clang hostile; do
		scripts/build.sh $p tpb || return 1
		got=$(build/$p/tpb fuzz --seed 7 --cycles 300000 --quiet |
			digest_of)
		[ "$got" = "$want" ] || { echo "$p: $got, not $want"; return 1; }
	done
	want=$($tpb cosim kernels/collatz/collatz.s --fill random | digest_of)
	got=$($tpb cosim kernels/collatz/collatz.s --fill random \
		--waves build/kernels/digest.fst | digest_of)
	[ -n "$want" ] && [ "$got" = "$want" ] ||
		{ echo "waves: $got, not $want"; return 1; }
	echo 'digests equal: gcc, clang, -O0, hostile; with waves and without'
}

# All cases again while the DRAM stalls.
stalls() {
	scripts/build.sh hostile tpb || return 1
	CASE_ARGS='--stalls 5' scripts/run_cases.sh build/hostile/tpb
}

# Another geometry: 8 KiB of SBUF a partition.  The sieve needs more.
small() {
	scripts/build.sh small tpb || return 1
	build/small/tpb fuzz --seed 9 --cycles 200000 --quiet --keep "$log" ||
		return 1
	scripts/run_cases.sh build/small/tpb kernels/collatz \
		kernels/matchmaker tests/conformance/*.s
}

start=$SECONDS
for name in setup build symbols units lanes generated registers cases conform plants \
	fuzz kfuzz waves documented lint sanitized digests stalls small; do
	step $name
done
echo "time: $((SECONDS - start)) s"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
