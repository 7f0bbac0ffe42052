; SPDX-License-Identifier: Apache-2.0
; Five busy engines: each counts, posts and uses SBUF; nobody waits.
	.engine	PE
	mov	r4, 0
	mov64	r10, 0x1000000000 + 0 * 64
loop:	add	r5, r5, r4
	save	[r10], r5 | post s0++
	bitwise_xor r6, r5, r4
	mult	r7, r6, 3
	load	r8, [r10]
	max	r9, r8, r6
	noop	| post s10 -= 1
	add	r4, r4, 1
	blt	r4, 1000000000, loop
	exit
	.engine	ACT
	mov	r4, 0
	mov64	r10, 0x1000000000 + 1 * 64
loop:	add	r5, r5, r4
	save	[r10], r5 | post s1++
	bitwise_xor r6, r5, r4
	mult	r7, r6, 3
	load	r8, [r10]
	max	r9, r8, r6
	noop	| post s11 -= 1
	add	r4, r4, 1
	blt	r4, 1000000000, loop
	exit
	.engine	POOL
	mov	r4, 0
	mov64	r10, 0x1000000000 + 2 * 64
loop:	add	r5, r5, r4
	save	[r10], r5 | post s2++
	bitwise_xor r6, r5, r4
	mult	r7, r6, 3
	load	r8, [r10]
	max	r9, r8, r6
	noop	| post s12 -= 1
	add	r4, r4, 1
	blt	r4, 1000000000, loop
	exit
	.engine	DVE
	mov	r4, 0
	mov64	r10, 0x1000000000 + 3 * 64
loop:	add	r5, r5, r4
	save	[r10], r5 | post s3++
	bitwise_xor r6, r5, r4
	mult	r7, r6, 3
	load	r8, [r10]
	max	r9, r8, r6
	noop	| post s13 -= 1
	add	r4, r4, 1
	blt	r4, 1000000000, loop
	exit
	.engine	SP
	mov	r4, 0
	mov64	r10, 0x1000000000 + 4 * 64
loop:	add	r5, r5, r4
	save	[r10], r5 | post s4++
	bitwise_xor r6, r5, r4
	mult	r7, r6, 3
	load	r8, [r10]
	max	r9, r8, r6
	noop	| post s14 -= 1
	add	r4, r4, 1
	blt	r4, 1000000000, loop
	exit
