; SPDX-License-Identifier: Apache-2.0
; expect ASM008 3:2
	mov.u16 r4, 1
