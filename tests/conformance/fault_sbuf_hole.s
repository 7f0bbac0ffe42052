; SPDX-License-Identifier: Apache-2.0
; Bytes of a partition past its 224 KiB have an address but no memory.
; expect-fault: SP=BAD_ADDR@0
	.engine	SP
	load	r4, [0x1000038000]
	exit
