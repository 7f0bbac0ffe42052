; SPDX-License-Identifier: Apache-2.0
; An opcode of the runtime that is not built.
; expect-fault: SP=ILLEGAL_OPCODE@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010B3, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
