; SPDX-License-Identifier: Apache-2.0
; Two engines that each wait for what the other would post next.
; expect-fault: ACT=DEADLOCK@1
; expect-fault: SP=DEADLOCK@1
; expect-text: SP waits for s1 >= 1 (is 0)
; expect-text: ACT waits for s0 >= 1 (is 0)
; expect-text: could be signalled by
	.engine	ACT
	noop
	noop	| wait s0 >= 1
	noop	| post s1++
	exit
	.engine	SP
	noop
	noop	| wait s1 >= 1
	noop	| post s0++
	exit
