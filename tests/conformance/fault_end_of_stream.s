; SPDX-License-Identifier: Apache-2.0
; The stream ends without an Exit.
; expect-fault: SP=END_OF_STREAM@2
	.engine	SP
	noop
	noop
