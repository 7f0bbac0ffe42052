; SPDX-License-Identifier: Apache-2.0
; expect ASM005 3:9
mov r4, 1 << 33
