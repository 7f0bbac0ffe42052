; SPDX-License-Identifier: Apache-2.0
; A halted engine is not an end marker: the run does not pass.
; expect-fault: ACT=HALTED@1
	.engine	ACT
	halt
	.engine	SP
	exit
