; SPDX-License-Identifier: Apache-2.0
; One line of every form of assembly.md.
	.gen	3
	.global_rank 1
	.equ	TEN = 10
	.equ	MASK = (1 << 4 | 0x3) & ~0b1
	.sem	done
	.sem	lock = 40
	.event	ready
	.tensor	in, size=64
	.tensor	out, size=4 * TEN, addr=0x2000, id=9, output
	.data	in
	.byte	1, -1, 'A', '\n', 0xFF
	.data	in + 8
	.half	0x1234, -2
	.word	0xdead_beef
	.quad	-1
	.f32	1, -2.5, 1e-3, inf, -inf, nan, bits(0x7F800001)
	.ascii	"a\"\\\x41"
	.fill	4, 7
	.rank	core=0, group=1, iterations=2, channels=2 : 0, 1, \
		2, 3

	.engine	SP
start:
	mov	r4, TEN
	mov.u32	r5, 0xFFFFFFFF
	mov.f32	r6, 3.25
	mov	r7, r4
	mov	{r1, r2, r3}, {1, 2, 3}
	mov	{r1, r2, r3, r4, r5, r6, r7, r8}, \
		{r8, r7, r6, r5, r4, r3, r2, r1}
	mov64	r10, addr(in)
	mov64	r12, -1
	add	r5, r4, 7
	add.u32	r5, r4, r6
	subtract r5, r4, MASK
	arith_shr.i64 r5, r4, 3
	bypass	r5, r4
	bitwise_not.none r5, r4
	add64	r14, r10, r12
	mult64	r14, r10, 0x1_0000_0000
loop:	noop
	blt	r4, TEN, loop
	bne.u8	r4, r5, loop + 1
	bge.f32	r6, 1.5, . + 1
	hint	likely, loop
	jmp	next
next:	call	f, args=id(out)
	load	r5, [in]
	load.i8	r5, [in + 3]
	load.u64 r6, [r10]
	load	{r1, r2, r3, r4, r5, r6}, [out + 8], n=(3, 2), step=(-1, 4)
	save	[out], r5
	save.u16 [0x10_0000_0040], {r1, r2}
	load	r1, [var(9) + 4]
	noop	| wait done >= 2 | post lock++
	noop	| wait lock < r4 | post lock += r4
	noop	| wait !ready
	noop	| claim ready | post !e20
	noop	| take ready | post.early s9 = 3
	evsem	| wait done >= 3 | wait lock == r7 | post done -= 1
	evsem	| wait.ext ready | post.std done--
	evsem	| post done++ @0
	greset	done..lock
	greset	{done, lock, s200}
	greset	{}
	rank	r8
	currank	r8, group=1, channel=1, iteration=1, stream=3
	complete id=5, ap=1
	cbarrier id=2, index=5
	drain	1
	barrier
	exit

	.func	f keep
	noop
	ret
	.endfunc

	.engine	PE
	barrier
	exit
	.func	f keep
	ret
