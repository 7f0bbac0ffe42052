; SPDX-License-Identifier: Apache-2.0
; A barrier that can never complete: one participant has halted.
; expect-fault: POOL=DEADLOCK@0
; expect-fault: SP=DEADLOCK@1
; expect-fault: DVE=HALTED@1
; expect-text: DVE is not there: it is HALTED
	.engine	DVE
	halt
	.engine	POOL
	barrier
	exit
	.engine	SP
	noop
	barrier
	exit
