; SPDX-License-Identifier: Apache-2.0
; Streams that are written in turns, labels of the same name on each.
	.engine	PE
again:	mov	r1, 0
	.engine	ACT
again:	mov	r1, 1
	.engine	PE
	jmp	again
	.engine	ACT
	jmp	again
	.engine	POOL
	halt
	.engine	DVE
	halt
	.engine	SP
	exit
