#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Conformance: kernels, programs of tests/conformance, and every vector op
# with every dtype and pattern class against the oracle, on cores of 8, 32 and
# 128 lanes.  Results of the ops also as JUnit XML: build/conformance.xml, and
# build/conformance-lanes8.xml, build/conformance-lanes128.xml.
# Usage: [SEED=N] conformance.sh [OPTION of `tpb conform`]...
set -u
cd "$(dirname "$0")/.."

failed=0
for preset in default lanes8 lanes128; do
	scripts/build.sh $preset tpb || exit 2
	tpb=build/$preset/tpb
	xml=build/conformance${preset#default}.xml
	xml=${xml/conformancelanes/conformance-lanes}
	scripts/run_cases.sh $tpb || failed=1
	$tpb conform --seed "${SEED:-1}" --junit "$xml" "$@" || failed=1
done
[ $failed = 0 ] || echo 'conformance: something failed; see above'
exit $failed
