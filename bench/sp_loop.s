; SPDX-License-Identifier: Apache-2.0
; One busy engine: a counting loop on SP, the other four have no code.
	.engine	SP
	mov	r4, 0
	mov	r5, 1
loop:	add	r5, r5, r4
	bitwise_xor r6, r5, r4
	arith_shl r7, r6, 3
	subtract r8, r7, r5
	max	r9, r8, r6
	add	r4, r4, 1
	blt	r4, 1000000000, loop
	exit
