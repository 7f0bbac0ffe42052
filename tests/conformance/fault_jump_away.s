; SPDX-License-Identifier: Apache-2.0
; A jump past the end of the stream.
; expect-fault: SP=END_OF_STREAM@99
	.engine	SP
	jmp	99
	exit
