; SPDX-License-Identifier: Apache-2.0
; An update mode that does not exist.
; expect-fault: SP=BAD_FIELD@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A4, 0x00060000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
