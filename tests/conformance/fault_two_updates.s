; SPDX-License-Identifier: Apache-2.0
; EventSemaphore with an update in each lane.
; expect-fault: SP=BAD_FIELD@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010A0, 0x00130000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00130000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
