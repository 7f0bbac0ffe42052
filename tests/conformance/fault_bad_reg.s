; SPDX-License-Identifier: Apache-2.0
; Register 64.
; expect-fault: SP=BAD_REG@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A8, 0x00000000, 0x00000000, 0x00000104, \
		0x00060440, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
