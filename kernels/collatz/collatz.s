; SPDX-License-Identifier: Apache-2.0
;
; Longest Collatz chain among the starts 1..3000, on five engines at once.
;
; Engine i takes the starts i+1, i+6, i+11, ... and keeps the longest chain it
; saw, the smallest start among equals.  It stores {start, steps} in its row of
; `best` and posts `done`.  SP waits for all five, joins them in a barrier and
; reduces the rows to `longest`.

	.equ	LAST = 3000
	.equ	BEST = 0x1000

	.tensor	best, size=40, addr=BEST, output	; {start, steps} an engine
	.tensor	longest, size=8, addr=0x1040, output
	.sem	done

	.engine	PE
	mov	r1, 1				; start
	mov	r2, 0				; best start
	mov	r3, -1				; its steps
start:	bypass	r4, r1				; n
	mov	r5, 0				; steps
step:	beq	r4, 1, ended
	bitwise_and r6, r4, 1
	add	r5, r5, 1
	beq	r6, 0, even
	mult	r4, r4, 3
	add	r4, r4, 1
	jmp	step
even:	logical_shr.u32 r4, r4, 1
	jmp	step
ended:	ble	r5, r3, shorter
	bypass	r3, r5
	bypass	r2, r1
shorter:
	add	r1, r1, 5
	ble	r1, LAST, start
	save	[best + 0], {r2, r3} | post done++
	barrier
	exit

	.engine	ACT
	mov	r1, 2				; start
	mov	r2, 0				; best start
	mov	r3, -1				; its steps
start:	bypass	r4, r1				; n
	mov	r5, 0				; steps
step:	beq	r4, 1, ended
	bitwise_and r6, r4, 1
	add	r5, r5, 1
	beq	r6, 0, even
	mult	r4, r4, 3
	add	r4, r4, 1
	jmp	step
even:	logical_shr.u32 r4, r4, 1
	jmp	step
ended:	ble	r5, r3, shorter
	bypass	r3, r5
	bypass	r2, r1
shorter:
	add	r1, r1, 5
	ble	r1, LAST, start
	save	[best + 8], {r2, r3} | post done++
	barrier
	exit

	.engine	POOL
	mov	r1, 3				; start
	mov	r2, 0				; best start
	mov	r3, -1				; its steps
start:	bypass	r4, r1				; n
	mov	r5, 0				; steps
step:	beq	r4, 1, ended
	bitwise_and r6, r4, 1
	add	r5, r5, 1
	beq	r6, 0, even
	mult	r4, r4, 3
	add	r4, r4, 1
	jmp	step
even:	logical_shr.u32 r4, r4, 1
	jmp	step
ended:	ble	r5, r3, shorter
	bypass	r3, r5
	bypass	r2, r1
shorter:
	add	r1, r1, 5
	ble	r1, LAST, start
	save	[best + 16], {r2, r3} | post done++
	barrier
	exit

	.engine	DVE
	mov	r1, 4				; start
	mov	r2, 0				; best start
	mov	r3, -1				; its steps
start:	bypass	r4, r1				; n
	mov	r5, 0				; steps
step:	beq	r4, 1, ended
	bitwise_and r6, r4, 1
	add	r5, r5, 1
	beq	r6, 0, even
	mult	r4, r4, 3
	add	r4, r4, 1
	jmp	step
even:	logical_shr.u32 r4, r4, 1
	jmp	step
ended:	ble	r5, r3, shorter
	bypass	r3, r5
	bypass	r2, r1
shorter:
	add	r1, r1, 5
	ble	r1, LAST, start
	save	[best + 24], {r2, r3} | post done++
	barrier
	exit

	.engine	SP
	mov	r1, 5				; start
	mov	r2, 0				; best start
	mov	r3, -1				; its steps
start:	bypass	r4, r1				; n
	mov	r5, 0				; steps
step:	beq	r4, 1, ended
	bitwise_and r6, r4, 1
	add	r5, r5, 1
	beq	r6, 0, even
	mult	r4, r4, 3
	add	r4, r4, 1
	jmp	step
even:	logical_shr.u32 r4, r4, 1
	jmp	step
ended:	ble	r5, r3, shorter
	bypass	r3, r5
	bypass	r2, r1
shorter:
	add	r1, r1, 5
	ble	r1, LAST, start
	save	[best + 32], {r2, r3} | post done++
	barrier	| wait done == 5

; Reduce: longer wins, the smaller start among equals.
	mov64	r10, BEST
	mov	r2, 0
	mov	r3, -1
row:	load	{r4, r5}, [r10]
	blt	r5, r3, keep
	bne	r5, r3, take
	bge	r4, r2, keep
take:	bypass	r2, r4
	bypass	r3, r5
keep:	add	r10, r10, 8
	blt	r10, BEST + 40, row
	save	[longest], {r2, r3}
	exit
