#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Run two commands side by side, one a core; fail if either does.
set -u
bash -c "$1" &
first=$!
bash -c "$2" &
second=$!
wait "$first"
a=$?
wait "$second"
b=$?
[ "$a" = 0 ] && [ "$b" = 0 ]
