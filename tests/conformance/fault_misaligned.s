; SPDX-License-Identifier: Apache-2.0
; A word at an odd address.
; expect-fault: SP=MISALIGNED@0
	.engine	SP
	load	r4, [0x1002]
	exit
