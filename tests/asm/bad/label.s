; SPDX-License-Identifier: Apache-2.0
; expect ASM003 4:5
	noop
jmp nowhere
