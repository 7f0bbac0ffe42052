; SPDX-License-Identifier: Apache-2.0
; Every wait mode holds at its edge and only there.  SP moves s0 through -1, 0
; and 1; ACT waits for each in turn and answers.
; expect: PASS
	.engine	SP
	noop	| post s0 -= 1
	noop	| wait s1 == 1
	noop	| post s0++
	noop	| wait s1 == 2
	noop	| post s0++
	noop	| wait s1 == 3
	exit
	.engine	ACT
	mov	r4, 0
	mov	r5, 1
	noop	| wait s0 < 0
	noop	| wait s0 < r4
	noop	| wait s0 <= -1
	noop	| wait s0 == -1
	noop	| post s1++
	noop	| wait s0 == r4
	noop	| wait s0 <= r4
	noop	| wait s0 >= 0
	noop	| wait s0 > -1
	noop	| post s1++
	noop	| wait s0 >= r5
	noop	| wait s0 > r4
	noop	| wait s0 == 1
	noop	| post s1++
	exit
