; SPDX-License-Identifier: Apache-2.0
; Bank 8 of PSUM does not exist.
; expect-fault: SP=BAD_ADDR@0
	.engine	SP
	load	r4, [0x1002004000]
	exit
