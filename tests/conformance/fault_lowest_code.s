; SPDX-License-Identifier: Apache-2.0
; Reserved byte, bad field and bad register at once: the lowest code wins.
; expect-fault: SP=RESERVED@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A8, 0x00000000, 0x00000000, 0x00000117, \
		0x00060440, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x01000000
	.checked
	exit
