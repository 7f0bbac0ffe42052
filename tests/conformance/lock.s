; SPDX-License-Identifier: Apache-2.0
; A semaphore as a lock: wait s0 == 0, then s0 += 1 in one EventSemaphore is
; atomic; four engines add to one word in DRAM.
; expect: PASS
	.tensor	sum, size=8, addr=0x1000
	.data	sum
	.quad	0
	.engine	PE
	mov	r5, 0
l:	evsem	| wait s0 < 1 | post s0++
	load	r4, [0x1000]
	add	r4, r4, 1
	save	[0x1000], r4
	noop	| post s0--
	add	r5, r5, 1
	blt	r5, 20, l
	noop	| post s1++
	exit
	.engine	ACT
	mov	r5, 0
l:	evsem	| wait s0 < 1 | post s0++
	load	r4, [0x1000]
	add	r4, r4, 1
	save	[0x1000], r4
	noop	| post s0--
	add	r5, r5, 1
	blt	r5, 20, l
	noop	| post s1++
	exit
	.engine	POOL
	mov	r5, 0
l:	evsem	| wait s0 < 1 | post s0++
	load	r4, [0x1000]
	add	r4, r4, 1
	save	[0x1000], r4
	noop	| post s0--
	add	r5, r5, 1
	blt	r5, 20, l
	noop	| post s1++
	exit
	.engine	DVE
	mov	r5, 0
l:	evsem	| wait s0 < 1 | post s0++
	load	r4, [0x1000]
	add	r4, r4, 1
	save	[0x1000], r4
	noop	| post s0--
	add	r5, r5, 1
	blt	r5, 20, l
	noop	| post s1++
	exit
	.engine	SP
	noop	| wait s1 == 4
	load	r4, [0x1000]
	beq	r4, 80, good
	.unchecked
	.bundle	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	.checked
good:	exit
