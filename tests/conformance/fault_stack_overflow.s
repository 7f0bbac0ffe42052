; SPDX-License-Identifier: Apache-2.0
; Five calls deep on a stack of four.
; expect-fault: SP=STACK_OVERFLOW@2
	.engine	SP
	call	f
	exit
	.func	f keep
	call	f
	ret
