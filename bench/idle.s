; SPDX-License-Identifier: Apache-2.0
; Little is active: SP divides, 66 cycles a bundle; the others wait.
	.engine	PE
	noop	| wait s0 >= 1
	exit
	.engine	ACT
	noop	| wait s0 >= 1
	exit
	.engine	POOL
	noop	| wait s0 >= 1
	exit
	.engine	DVE
	noop	| wait s0 >= 1
	exit
	.engine	SP
	mov	r4, 0
	mov64	r6, 0x123456789ABCDEF0
loop:	divide64 r8, r6, 7
	add	r4, r4, 1
	blt	r4, 1000000000, loop
	noop	| post s0++
	exit
