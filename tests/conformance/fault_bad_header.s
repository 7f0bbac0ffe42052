; SPDX-License-Identifier: Apache-2.0
; Length byte 0x0F.
; expect-fault: SP=BAD_HEADER@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x00000FA4, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
