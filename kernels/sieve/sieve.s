; SPDX-License-Identifier: Apache-2.0
;
; Primes below 100,000 on SP: the sieve of Eratosthenes over odd numbers.
;
; One byte in SBUF partition 0 stands for each odd number: flag k for 2k + 1,
; 1 = composite.  The primes go to DRAM in order.  Everything is scalar
; TensorLoad and TensorSave; no other engine has code.

	.equ	N = 100000
	.equ	FLAGS = N / 2			; flags in use
	.equ	SBUF = 0x10_0000_0000		; partition 0, byte 0
	.equ	PRIMES = 9592			; what the table has room for

	.tensor	primes, size=4 * PRIMES, addr=0x1000, output
	.tensor	count, size=4, addr=0x20000, output

	.engine	SP

; The fill of the run is anything: clear the flags, 256 bytes a bundle.
	mov64	r4, 0
	mov64	r10, SBUF			; r10 is the flag index, r11 = 0x10
clear:	save.u64 [r10], {r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, \
		r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, r4, \
		r4, r4, r4, r4, r4}
	add	r10, r10, 256
	blt	r10, FLAGS, clear

	mov	r1, 1
	save.u8	[SBUF], r1			; 1 is no prime
	mov	r6, 3				; p

; Strike out p*p, p*p + 2p, ...: in flags that is from p*p/2 in steps of p.
outer:	logical_shr r10, r6, 1
	load.u8	r7, [r10]
	bne	r7, 0, next
	mult	r8, r6, r6
	mov64	r12, SBUF
	logical_shr r12, r8, 1
strike:	save.u8	[r12], r1
	add	r12, r12, r6
	blt	r12, FLAGS, strike
next:	add	r6, r6, 2
	mult	r8, r6, r6
	blt	r8, N, outer

; Gather what is left, 2 first.
	mov64	r14, addr(primes)
	mov	r2, 2
	save	[r14], r2
	mov	r3, 1				; primes so far
	mov	r10, 1
gather:	load.u8	r7, [r10]
	bne	r7, 0, skip
	arith_shl r2, r10, 1
	add	r2, r2, 1
	add	r14, r14, 4
	save	[r14], r2
	add	r3, r3, 1
skip:	add	r10, r10, 1
	blt	r10, FLAGS, gather

	save	[count], r3
	exit
