; SPDX-License-Identifier: Apache-2.0
; RegisterAlu on floats.
; expect-fault: SP=BAD_DTYPE@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A8, 0x00000000, 0x00000000, 0x0A000104, \
		0x00060405, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
