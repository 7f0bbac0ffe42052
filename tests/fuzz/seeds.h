/* SPDX-License-Identifier: Apache-2.0
 *
 * Good programs that mutate.c breaks.  Together they use every directive,
 * every kind of operand and every section of an image; each one ends by
 * itself within a few hundred cycles.
 */
#ifndef TESTS_FUZZ_SEEDS_H
#define TESTS_FUZZ_SEEDS_H

static const char *const fuzz_seed[] = {
    /* Two engines, a loop, a tensor. */
    "	.tensor	sum, size=8, output	; compared\n"
    "	.sem	done\n"
    "	.engine	ACT\n"
    "	noop	| post done += 5\n"
    "	exit\n"
    "	.engine	SP\n"
    "	mov	r4, 0\n"
    "	mov	r5, 1\n"
    "loop:	add	r4, r4, r5\n"
    "	add	r5, r5, 1\n"
    "	ble	r5, 10, loop\n"
    "	save	[sum], r4 | wait done >= 5\n"
    "	exit\n",

    /* Data of every width, expressions, memory in all forms. */
    "	.gen 3\n"
    "	.equ	N = (3 + 1) * 0x2 << 1 & 0b11111\n"
    "	.equ	BOX = 0x10_0000_0000\n"
    "	.tensor	in, size=64, addr=0x2000, id=9\n"
    "	.tensor	out, size=4 * N, output\n"
    "	.data	in + 8\n"
    "	.byte	1, 'a', -1\n"
    "	.fill	5, 0x55\n"
    "	.half	0x1234\n"
    "	.fill.half 3, 7\n"
    "	.word	-2147483648, 4294967295\n"
    "	.quad	0x123456789ABCDEF0\n"
    "	.f32	1.5, -inf, bits(0x7FC00000)\n"
    "	.ascii	\"hi\\\"\\x41\"\n"
    "	mov64	r10, addr(in)\n"
    "	load	{r4, r5, r6, r7}, [r10], n=(2, 2), step=(1, 4)\n"
    "	load.u8	r8, [in + 9]\n"
    "	load.u64 r12, [in + 16]\n"
    "	load.i16 r9, [var(9) + 16]\n"
    "	save	[BOX], r8\n"
    "	load	r14, [BOX]\n"
    "	save	[out + size(out) - 4], r14\n"
    "	save	[out], {r4, r5, r6}\n"
    "	mov	{r1, r2, r3}, {1, 2, 3}\n"
    "	mov.f32	r1, 2.5\n"
    "	exit\n",

    /* Arithmetic, compares, jumps. */
    "	mov	r1, -7\n"
    "	mov	r2, 3\n"
    "	divide	r3, r1, r2\n"
    "	mod.u32	r4, r1, 10\n"
    "	pow	r5, r2, 5\n"
    "	bitwise_not r6, r5\n"
    "	rsqrt	r7, r2\n"
    "	mov64	r8, 0x1_0000_0001\n"
    "	mult64	r10, r8, r8\n"
    "	max64	r12, r10, 0x7fff_ffff_ffff_ffff\n"
    "	hint	likely, far\n"
    "	bgt.u32	r1, r2, far\n"
    "	halt\n"
    "far:	beq.f32	r2, 1.5, . + 2\n"
    "	jmp	end\n"
    "	drain	1\n"
    "end:	exit\n",

    /* Functions, ranks, source order of engines. */
    "	.global_rank 4\n"
    "	.rank	core=0, group=2, iterations=2, channels=3 : \\\n"
    "		10, 11, 12, 13, 14, 15\n"
    "	.rank	core=1, group=2, iterations=1, channels=1 : 9\n"
    "	.tensor	args, size=16, id=5\n"
    "	.engine	DVE\n"
    "	call	work, args=id(args)\n"
    "	call	quiet\n"
    "	exit\n"
    "	.func	work\n"
    "	rank	r3\n"
    "	ret\n"
    "	.func	quiet keep\n"
    "	ret	| post s3++\n"
    "	.endfunc\n"
    "	.engine	POOL\n"
    "	currank	r8, group=2, channel=5, iteration=3, stream=1\n"
    "	call	work\n"
    "	call	quiet\n"
    "	noop	| wait s3 >= 2\n"
    "	exit\n"
    "	.func	work\n"
    "	complete id=1, ap=2\n"
    "	ret\n"
    "	.func	quiet keep\n"
    "	ret	| post s3++\n"
    "	.endfunc\n"
    "	.engine	PE\n"
    "	call	work\n"
    "	exit\n"
    "	.func	work\n"
    "	ret\n",

    /* Everything that waits and posts. */
    "	.sem	a\n"
    "	.sem	b = 17\n"
    "	.event	go\n"
    "	.event	lock = 3\n"
    "	.engine	PE\n"
    "	mov	r7, 2\n"
    "	noop	| claim lock | post a++\n"
    "	evsem	| wait a >= 1 | wait b >= r7 | post go\n"
    "	noop	| post !lock\n"
    "	barrier\n"
    "	greset	s10..s19\n"
    "	exit\n"
    "	.engine	SP\n"
    "	mov	r9, 2\n"
    "	noop	| post.early b += r9\n"
    "	noop	| take go | post a -= 1\n"
    "	evsem	| wait.std !lock | wait.ext a == 0 | post.ext s20 = 5\n"
    "	noop	| wait s20 > 4 | post s20--\n"
    "	barrier\n"
    "	greset	{a, b, s250}\n"
    "	evsem	| wait a < 1 | wait.ext !go | val.post 0\n"
    "	exit\n",

    /* Illegal bundles on request, raw words, generic forms. */
    "	noop\n"
    "	mov	r1, r2\n"
    "	.unchecked\n"
    "	jmp	over\n"
    "	noop	b[0x2C]=0x81\n"
    "	.bundle	0x10A1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1\n"
    "over:	.checked\n"
    "	exit\n",

    /* Loaded form. */
    "	.loaded\n"
    "	call	@3, args=7\n"
    "	exit\n"
    "	halt\n"
    "	currank	r8, group=2, value=6\n"
    "	load	r5, [0x1020]\n"
    "	ret	keep\n",
};

#define FUZZ_SEEDS (sizeof(fuzz_seed) / sizeof(*fuzz_seed))

#endif
