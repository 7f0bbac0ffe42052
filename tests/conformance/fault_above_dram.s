; SPDX-License-Identifier: Apache-2.0
; Between DRAM and the on-chip window there is nothing above 2^36 + 2^29.
; expect-fault: SP=BAD_ADDR@1
	.engine	SP
	mov64	r10, 0x2000000000
	load	r4, [r10]
	exit
