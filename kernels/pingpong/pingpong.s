; SPDX-License-Identifier: Apache-2.0
;
; A pipeline of two DMA queues and four engines, with two buffers between each
; two of them, 10,000 rounds of a tile of 8 partitions by 2 words:
;
;   ring -load-> IN -POOL-> MID -DVE-> OUT -store-> ring
;                                       +--ACT--> trace, check
;
; Round r takes slot r mod 8 of the ring in DRAM and puts back
; x := m ^ (m << 5), m := x + key, so that each of the eight tiles goes round
; 1,250 times and nothing that goes wrong is ever lost again (the step is a
; bijection).  ACT reads one word of each result into a checksum and writes that
; down every 16 rounds.  SP triggers both queues.
;
; All semaphores count rounds and are never reset.  Who fills a buffer waits for
; the data of its round r, and for those who read the buffer in round r - 2:
;
;   load r    pooled >= r - 1               trigger, by SP
;   POOL r    loaded >= r + 1, dved >= r - 1
;   DVE r     pooled >= r + 1, stored >= r - 1, checked >= r - 1
;   ACT r     dved >= r + 1
;   store r   dved >= r + 1                 trigger, by SP
;
; Load r + 8 reads what store r wrote: it is triggered behind pooled >= r + 7,
; which is behind dved >= r + 5, which is behind stored >= r + 3.
;
; In turns of 16 rounds one engine of the four dawdles, so that the pipeline runs
; full behind it and dry before it.

	.equ	ROUNDS = 10000
	.equ	SLOTS = 8
	.equ	TILE = 64		; bytes
	.equ	ROWS = 8
	.equ	STEP = 0x9E3779B9	; of the first contents of the ring
	.equ	DAWDLE = 60		; times 3 cycles
	.equ	CHIP = 0x1000000000	; unified address of SBUF
	.equ	FLIP = 0x100		; from one buffer to the other
	.equ	HALF = 0x100000		; from row 0 to row ROWS / 2
	.equ	IN = sbuf(32, 0x000)
	.equ	MID = sbuf(32, 0x200)
	.equ	KEY = sbuf(32, 0x400)
	.equ	OUT = sbuf(64, 0x600)
	.equ	SHIFTED = psum(96, 3, 64)

	.tensor	ring, size=512, output
	.tensor	trace, size=2500, output	; a word every 16 rounds
	.tensor	check, size=8, output		; rounds, checksum
	.sem	loaded
	.sem	pooled
	.sem	dved
	.sem	checked
	.sem	stored

	.queue	load, engine=SP
	.block	| post loaded++
	.desc dma src=[ring + 0 * TILE], src_bytes=TILE, dst=[IN], \
		dst_step0=0x40000, dst_num0=ROWS, dst_bytes=8
	.block	| post loaded++
	.desc dma src=[ring + 1 * TILE], src_bytes=TILE, dst=[IN + FLIP], \
		dst_step0=0x40000, dst_num0=ROWS, dst_bytes=8
	.block	| post loaded++
	.desc dma src=[ring + 2 * TILE], src_bytes=TILE, dst=[IN], \
		dst_step0=0x40000, dst_num0=ROWS, dst_bytes=8
	.block	| post loaded++
	.desc dma src=[ring + 3 * TILE], src_bytes=TILE, dst=[IN + FLIP], \
		dst_step0=0x40000, dst_num0=ROWS, dst_bytes=8
	.block	| post loaded++
	.desc dma src=[ring + 4 * TILE], src_bytes=TILE, dst=[IN], \
		dst_step0=0x40000, dst_num0=ROWS, dst_bytes=8
	.block	| post loaded++
	.desc dma src=[ring + 5 * TILE], src_bytes=TILE, dst=[IN + FLIP], \
		dst_step0=0x40000, dst_num0=ROWS, dst_bytes=8
	.block	| post loaded++
	.desc dma src=[ring + 6 * TILE], src_bytes=TILE, dst=[IN], \
		dst_step0=0x40000, dst_num0=ROWS, dst_bytes=8
	.block	| post loaded++
	.desc dma src=[ring + 7 * TILE], src_bytes=TILE, dst=[IN + FLIP], \
		dst_step0=0x40000, dst_num0=ROWS, dst_bytes=8

; A tile is stored in two halves, between which the unit takes turns with loads.

	.queue	store, engine=SP
	.block	| post stored++
	.desc dma src=[OUT], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 0 * TILE], dst_bytes=TILE / 2
	.desc dma src=[OUT + HALF], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 0 * TILE + TILE / 2], dst_bytes=TILE / 2
	.block	| post stored++
	.desc dma src=[OUT + FLIP], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 1 * TILE], dst_bytes=TILE / 2
	.desc dma src=[OUT + FLIP + HALF], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 1 * TILE + TILE / 2], dst_bytes=TILE / 2
	.block	| post stored++
	.desc dma src=[OUT], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 2 * TILE], dst_bytes=TILE / 2
	.desc dma src=[OUT + HALF], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 2 * TILE + TILE / 2], dst_bytes=TILE / 2
	.block	| post stored++
	.desc dma src=[OUT + FLIP], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 3 * TILE], dst_bytes=TILE / 2
	.desc dma src=[OUT + FLIP + HALF], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 3 * TILE + TILE / 2], dst_bytes=TILE / 2
	.block	| post stored++
	.desc dma src=[OUT], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 4 * TILE], dst_bytes=TILE / 2
	.desc dma src=[OUT + HALF], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 4 * TILE + TILE / 2], dst_bytes=TILE / 2
	.block	| post stored++
	.desc dma src=[OUT + FLIP], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 5 * TILE], dst_bytes=TILE / 2
	.desc dma src=[OUT + FLIP + HALF], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 5 * TILE + TILE / 2], dst_bytes=TILE / 2
	.block	| post stored++
	.desc dma src=[OUT], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 6 * TILE], dst_bytes=TILE / 2
	.desc dma src=[OUT + HALF], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 6 * TILE + TILE / 2], dst_bytes=TILE / 2
	.block	| post stored++
	.desc dma src=[OUT + FLIP], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 7 * TILE], dst_bytes=TILE / 2
	.desc dma src=[OUT + FLIP + HALF], src_step0=0x40000, src_num0=ROWS / 2, \
		src_bytes=8, dst=[ring + 7 * TILE + TILE / 2], dst_bytes=TILE / 2

; In each engine: r0 round r, r1 = r + 1, r2 = r - 1, r3 scratch.

	.engine	SP
	mov64	r4, addr(ring)
	mov.u32	r6, 1				; word i is 1 + i STEP
	mov	r0, 0
first:	save.u32 [r4], r6
	add64	r4, r4, 4
	add.u32	r6, r6, STEP
	add	r0, r0, 1
	blt	r0, SLOTS * TILE / 4, first
	trigger	name="load", count=2		; rounds 0 and 1
	mov	r0, 0
round:	add	r1, r0, 1
	add	r2, r0, 2
	logical_shr.u32 r3, r0, 4
	bitwise_and r3, r3, 15
	bne	r3, 3, brisk
	mov	r3, DAWDLE
spin:	subtract r3, r3, 1
	bgt	r3, 0, spin
brisk:	bge	r2, ROUNDS, loaded_all
	trigger	name="load", count=1 | wait pooled >= r1	; round r + 2
loaded_all:
	trigger	name="store", count=1 | wait dved >= r1		; round r
	bypass	r0, r1
	blt	r0, ROUNDS, round
	noop	| wait stored >= r0
	save	[check], r0
	exit

	.engine	POOL
	iota	base=-5, step0=0x1234, num0=2, num1=1, num2=1, num3=1, \
		multiplier=0x01010101, out_dtype=u32, ch=ROWS, dst=[KEY, 1:2]
	mov	r0, 0
	mov	r4, IN
	mov	r5, MID
round:	add	r1, r0, 1
	subtract r2, r0, 1
	logical_shr.u32 r3, r0, 4
	bitwise_and r3, r3, 15
	bne	r3, 6, brisk
	mov	r3, DAWDLE
spin:	subtract r3, r3, 1
	bgt	r3, 0, spin
brisk:	evsem	| wait loaded >= r1 | wait dved >= r2
	tt	in0_dtype=u32, in1_dtype=u32, out_dtype=u32, alu=add, ch=ROWS, \
		src0=[r4, 1:2], src1=[KEY, 1:2], dst=[r5, 1:2] | post pooled++
	bitwise_xor r4, r4, FLIP
	bitwise_xor r5, r5, FLIP
	bypass	r0, r1
	blt	r0, ROUNDS, round
	exit

	.engine	DVE
	mov	r0, 0
	mov	r4, MID
	mov	r5, OUT
round:	add	r1, r0, 1
	subtract r2, r0, 1
	logical_shr.u32 r3, r0, 4
	bitwise_and r3, r3, 15
	bne	r3, 9, brisk
	mov	r3, DAWDLE
spin:	subtract r3, r3, 1
	bgt	r3, 0, spin
brisk:	evsem	| wait stored >= r2 | wait checked >= r2
	ts.b	in_dtype=u32, out_dtype=u32, op0=logical_shl, imm0=5, ch=ROWS, \
		src=[r4, 1:2], dst=[SHIFTED, 1:2] | wait pooled >= r1
	tt.b	in0_dtype=u32, in1_dtype=u32, out_dtype=u32, alu=bitwise_xor, \
		ch=ROWS, src0=[SHIFTED, 1:2], src1=[r4, 1:2], \
		dst=[r5, 1:2] | post dved++
	bitwise_xor r4, r4, FLIP
	bitwise_xor r5, r5, FLIP
	bypass	r0, r1
	blt	r0, ROUNDS, round
	exit

	.engine	ACT
	mov	r0, 0
	mov.u32	r5, 0				; checksum
	mov64	r8, CHIP + OUT
	mov64	r12, addr(trace)
	mov64	r14, 0				; offset in OUT, high word 0
round:	add	r1, r0, 1
	logical_shr.u32 r3, r0, 4
	bitwise_and r3, r3, 15
	bne	r3, 12, brisk
	mov	r3, DAWDLE
spin:	subtract r3, r3, 1
	bgt	r3, 0, spin
	; partition r mod 8, word r / 8 mod 2, buffer r mod 2
brisk:	bitwise_and r14, r0, 7
	mult.u32 r14, r14, 0x40000
	bitwise_and r3, r0, 1
	mult.u32 r3, r3, FLIP
	add	r14, r14, r3
	logical_shr.u32 r3, r0, 1
	bitwise_and r3, r3, 4
	add	r14, r14, r3
	add64	r10, r8, r14
	load.u32 r4, [r10] | wait dved >= r1 | post checked++
	mult.u32 r5, r5, 31
	add.u32	r5, r5, r4
	bitwise_and r3, r1, 15
	bne	r3, 0, next
	save.u32 [r12], r5
	add64	r12, r12, 4
next:	bypass	r0, r1
	blt	r0, ROUNDS, round
	save.u32 [check + 4], r5
	exit
