; SPDX-License-Identifier: Apache-2.0
; A vector op on SP.
; expect-fault: SP=ILLEGAL_OPCODE@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x00001041, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
