; SPDX-License-Identifier: Apache-2.0
; A byte that NoOp does not name.
; expect-fault: SP=RESERVED@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A4, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x01000000
	.checked
	exit
