; SPDX-License-Identifier: Apache-2.0
; expect ASM003 3:6
call f
