; SPDX-License-Identifier: Apache-2.0
; Waits for an event that no stream ever sets.
; expect-fault: SP=DEADLOCK@1
; expect-text: nobody
	.event	never = 7
	.engine	SP
	mov	r4, 1
	noop	| take never
	exit
