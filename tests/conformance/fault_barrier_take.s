; SPDX-License-Identifier: Apache-2.0
; A barrier may not consume an event.
; expect-fault: SP=BAD_FIELD@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010D5, 0x00000007, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
