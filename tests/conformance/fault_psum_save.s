; SPDX-License-Identifier: Apache-2.0
; A register cannot be stored to PSUM.
; expect-fault: SP=BAD_ADDR@0
	.engine	SP
	save	[0x1002000000], r4
	exit
