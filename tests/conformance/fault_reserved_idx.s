; SPDX-License-Identifier: Apache-2.0
; A wait index without a wait.
; expect-fault: SP=RESERVED@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A4, 0x00000900, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
