; SPDX-License-Identifier: Apache-2.0
; Only the last of three elements is misaligned, and one before it is unbacked:
; the lower code wins, nothing is written.
; expect-fault: SP=MISALIGNED@3
	.engine	SP
	mov64	r10, 0x1000037FFF
	mov	r4, 1
	mov	r5, 2
	save.u16 [r10], {r4, r5, r4}, n=(3,1), step=(1,1)
	exit
