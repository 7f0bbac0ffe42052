; SPDX-License-Identifier: Apache-2.0
; A 64-bit pair that begins at an odd register.
; expect-fault: SP=BAD_REG@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A7, 0x00000000, 0x00000000, 0x00010802, \
		0x00000000, 0x00000000, 0x00000807, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
