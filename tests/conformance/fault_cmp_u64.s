; SPDX-License-Identifier: Apache-2.0
; There is no 64-bit compare.
; expect-fault: SP=BAD_DTYPE@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A9, 0x00000000, 0x00000000, 0x00030101, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000004, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
