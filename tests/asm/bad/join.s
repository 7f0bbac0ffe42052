; SPDX-License-Identifier: Apache-2.0
; expect ASM001 4:12
mov r4, \
	1 + 2 + 5 $
