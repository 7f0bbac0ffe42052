#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Run kernels and conformance programs, or those named: each is one file with
# its expectation in comments at its head.
#
#   ; expect: PASS                     runs to the end on both sides (default)
#   ; expect-fault: SP=DEADLOCK@3      this engine ends so; repeatable
#   ; expect-text: TEXT                the output has this text; repeatable
#   ; expect-error: RUN002 TEXT        refused with this id, with this text
#   ; expect-asm-error: 3:9 TEXT       refused at line:column, with this text
#
# A folder of kernels/ is run against the outputs of its oracle, on the machine,
# by `tpb run` and in the interpreter.  CASE_ARGS in the environment are more options of
# `tpb cosim`.
# Usage: run_cases.sh TPB [FILE.s | kernels/NAME]...
set -u
cd "$(dirname "$0")/.."
read -ra more <<< "${CASE_ARGS:-}"

tpb=$1
shift
shopt -s nullglob
[ $# -gt 0 ] || set -- kernels/*/ tests/conformance/*.s

passed=0
failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

headers() { # headers KEY FILE: values of "; KEY: value"
	sed -n "s/^; $1: *//p" "$2"
}

verdict() { # verdict OK? FILE
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
		return
	fi
	failed=$((failed + 1))
	echo "FAILED $2; again:${more[*]:+ CASE_ARGS='${more[*]}'}" \
		"scripts/run_cases.sh $tpb $2"
	sed 's/^/    /' "$out" | tail -25
}

cosim() { # cosim ARGUMENT...
	timeout 60 "$tpb" cosim "$@" ${more[@]+"${more[@]}"} > "$out" 2>&1
}

# On the machine, on the fast path, and in the interpreter of the IR: as the
# kernel is, and as each pass leaves it.
run_kernel() { # run_kernel FOLDER
	local run pass
	timeout 300 scripts/cosim.sh "$tpb" "$1" ${more[@]+"${more[@]}"} \
		> "$out" 2>&1 && grep -qE '^PASS .* outputs=[1-9]' "$out" ||
		return 1
	run=$(scripts/oracle.sh "$1" 2> "$out") || return 1
	# shellcheck disable=SC2086  # options and their arguments
	timeout 60 "$tpb" run $run > "$out" 2>&1 &&
		grep -qE '^RUN .* outputs=[1-9]' "$out" || return 1
	[ "${run%%.klr *}" != "$run" ] || return 0
	for pass in '' $("$tpb" compile --list-passes); do
		# shellcheck disable=SC2086  # options and their arguments
		timeout 60 "$tpb" interp $run ${pass:+--after "$pass"} \
			> "$out" 2>&1 && grep -qE '^PASS .* outputs=[1-9]' "$out" ||
			return 1
	done
}

run_asm_error() { # run_asm_error FILE "LINE:COLUMN TEXT"
	local place=${2%% *} text=${2#* } target=$out.tpb status
	"$tpb" asm "$1" -o "$target" > "$out" 2>&1
	status=$?
	[ ! -e "$target" ] || { rm -f "$target"; return 1; }
	[ $status = 2 ] && grep -qF "$1:$place: " "$out" &&
		grep -qF -- "$text" "$out"
}

run_error() { # run_error FILE "ID TEXT"
	cosim "$1"
	[ $? = 2 ] && grep -qF "tpb: error[${2%% *}]: " "$out" &&
		grep -qF -- "${2#* }" "$out"
}

run_program() { # run_program FILE
	local args=() line
	while IFS= read -r line; do
		args+=(--expect-fault "${line%% *}")
	done < <(headers expect-fault "$1")
	cosim "$1" ${args[@]+"${args[@]}"} || return 1
	grep -q '^PASS ' "$out" || return 1
	while IFS= read -r line; do
		grep -qF -- "$line" "$out" || {
			echo "no such text: $line" >> "$out"
			return 1
		}
	done < <(headers expect-text "$1")
}

for case in "$@"; do
	expect=$([ -d "$case" ] || headers expect "$case" 2>&1)
	if [ "${expect:-PASS}" != PASS ]; then
		echo "$case: cannot expect: $expect" > "$out"
		false
	elif [ -d "$case" ]; then
		run_kernel "${case%/}"
	elif error=$(headers expect-asm-error "$case") && [ -n "$error" ]; then
		run_asm_error "$case" "$error"
	elif error=$(headers expect-error "$case") && [ -n "$error" ]; then
		run_error "$case" "$error"
	else
		run_program "$case"
	fi
	verdict $? "$case"
done
echo "cases: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
