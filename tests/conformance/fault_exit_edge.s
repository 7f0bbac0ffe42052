; SPDX-License-Identifier: Apache-2.0
; PE runs off its end while SP waits in the Exit join: PE counts as stopped
; from the cycle after its fault on, not in the cycle that finds it.
; expect-fault: PE=END_OF_STREAM@99
	.engine	PE
	jmp	99
	exit
	.engine	SP
	exit
