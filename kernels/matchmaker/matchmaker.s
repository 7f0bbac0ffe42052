; SPDX-License-Identifier: Apache-2.0
;
; Matchmaker: every way to wait and to post, between five engines.
;
; ACT and POOL each bring a number a round, SP pairs the two and writes
; {a, b, gcd(a, b)} to `matches`; DVE keeps the ledger; PE is the clerk who
; opens and closes the house.  A number travels through a one-word mailbox in
; SBUF that two events guard: the guest claims `x_busy` (waits until it is
; clear, then sets it), stores, and sets `x_here`; SP takes `x_here` (waits
; until it is set, then clears it), reads, and clears `x_busy`.

	.equ	ROUNDS = 16
	.equ	A_BOX = 0x10_0000_0000		; SBUF partition 0, byte 0
	.equ	B_BOX = 0x10_0004_0000		; partition 1, byte 0
	.equ	MATCHES = 0x1000

	.tensor	matches, size=12 * ROUNDS, addr=MATCHES, output
	.tensor	ledger, size=12, addr=0x2000, output	; {sum, rounds, closed}

	.event	open				; the house is open
	.event	closing				; no more guests
	.event	a_busy
	.event	a_here
	.event	b_busy
	.event	b_here
	.sem	waiting				; guests of ACT not yet matched
	.sem	arrived				; guests of ACT so far
	.sem	matched
	.sem	entered				; ledger lines
	.sem	chips = 33			; something for the mask reset
	.sem	lost = 200			; something for the wipe

; The clerk: opens, watches the counters, closes.
	.engine	PE
	noop	| post open
	mov	r4, 0
	noop	| wait entered >= ROUNDS	; GE, immediate
	noop	| wait waiting < 1		; LT, immediate
	noop	| wait waiting <= r4		; LE, register
	noop	| post closing
	noop	| post chips += 9
	barrier
	greset	{chips, matched}
	barrier
	noop	| wait chips == 0
	call	leave
	noop	| wait lost == 0		; wiped by the Returns
	exit
	.func	leave
	noop	| post lost += 7
	ret
	.endfunc

; Guest A: a linear congruential sequence, at most two unmatched at a time.
	.engine	ACT
	noop	| wait open			; event set, not consumed
	noop	| wait !closing			; event clear, not consumed
	mov	r4, 12345
	mov	r5, ROUNDS
a_next:	mult	r4, r4, 1103515245 | wait waiting <= 1	; LE, immediate
	add	r4, r4, 12345
	logical_shr r6, r4, 16
	bitwise_and r6, r6, 1023
	add	r6, r6, 1
	noop	| claim a_busy			; event clear, then set
	save	[A_BOX], r6
	noop	| post arrived += 1
	evsem	| wait arrived >= 1 | post waiting++
	noop	| post a_here
	subtract r5, r5, 1
	bgt	r5, 0, a_next
	mov	r7, ROUNDS
	noop	| wait entered == r7		; EQ, register
	barrier
	barrier
	call	leave
	exit
	.func	leave
	ret
	.endfunc

; Guest B comes only when guest A of the round has arrived.
	.engine	POOL
	mov	r4, 777
	mov	r5, 0				; rounds done
	mov	r8, 3
b_next:	mult	r4, r4, 214013 | wait arrived > r5	; GT, register
	add	r4, r4, 2531011 | wait waiting < r8	; LT, register
	logical_shr r6, r4, 18
	bitwise_and r6, r6, 511
	add	r6, r6, 1
	noop	| claim b_busy
	save	[B_BOX], r6
	noop	| post.early b_here
	add	r5, r5, 1
	blt	r5, ROUNDS, b_next
	noop	| wait entered > ROUNDS - 1	; GT, immediate
	barrier
	barrier
	call	leave
	exit
	.func	leave
	ret
	.endfunc

; The ledger: sum of the divisors, one line a match.
	.engine	DVE
	mov	r4, 0				; sum
	mov	r5, 0				; rounds
	mov64	r10, MATCHES + 8
line:	add	r5, r5, 1
	load	r6, [r10] | wait matched >= r5	; GE, register
	add	r4, r4, r6
	add	r10, r10, 12
	mov	r7, 1
	noop	| post entered += r7
	blt	r5, ROUNDS, line
	noop	| wait closing
	mov	r6, 1
	save	[ledger], {r4, r5, r6}
	barrier
	barrier
	call	leave
	exit
	.func	leave
	ret
	.endfunc

; The matchmaker.
	.engine	SP
	mov64	r10, A_BOX
	mov64	r12, B_BOX
	mov64	r14, MATCHES
	mov	r5, ROUNDS
match:	load	r1, [r10] | take a_here		; event set, then clear
	noop	| post !a_busy
	load	r2, [r12] | take b_here
	noop	| post !b_busy
	call	score
	save	[r14], {r1, r2, r3}
	evsem	| wait waiting >= 1 | post waiting--
	noop	| post matched++
	add	r14, r14, 12
	subtract r5, r5, 1
	bgt	r5, 0, match
	noop	| wait entered == ROUNDS	; EQ, immediate
	barrier
	greset	s0..s3				; waiting .. entered
	barrier
	noop	| wait matched == 0
	call	leave
	exit

; score: r3 := gcd(r1, r2).  A function that only calls another.
	.func	score keep
	call	gcd
	bypass	r3, r8
	ret
	.endfunc

; gcd: r8 := gcd(r1, r2), Euclid.
	.func	gcd keep
	bypass	r8, r1
	bypass	r9, r2
euclid:	beq	r9, 0, found
	mod	r7, r8, r9
	bypass	r8, r9
	bypass	r9, r7
	jmp	euclid
found:	ret
	.endfunc

	.func	leave
	ret
	.endfunc
