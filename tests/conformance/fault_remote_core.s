; SPDX-License-Identifier: Apache-2.0
; An update of core 1 on a machine with one core.
; expect-fault: SP=BAD_FIELD@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A0, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00130000, 0x00000000, 0x00000000, 0x00000081, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
