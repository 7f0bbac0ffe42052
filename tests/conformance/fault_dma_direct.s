; SPDX-License-Identifier: Apache-2.0
; A transfer in an engine's stream (D4): not built, descriptors of queues are.
; expect-fault: SP=ILLEGAL_OPCODE@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010D4, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
