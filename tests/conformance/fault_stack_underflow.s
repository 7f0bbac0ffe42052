; SPDX-License-Identifier: Apache-2.0
; A Return without a Call faults before its join.
; expect-fault: SP=STACK_UNDERFLOW@0
	.engine	ACT
	noop
	exit
	.engine	SP
	ret
