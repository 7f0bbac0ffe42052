; SPDX-License-Identifier: Apache-2.0
; One engine faults, the others finish; a faulted participant does not hold
; up their Exit.
; expect-fault: POOL=BAD_ADDR@0
	.tensor	x, size=4, output
	.engine	POOL
	load	r4, [0x1000038000]
	exit
	.engine	SP
	mov	r4, 0
l:	add	r4, r4, 1
	blt	r4, 100, l
	exit
