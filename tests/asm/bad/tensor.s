; SPDX-License-Identifier: Apache-2.0
; expect ASM003 3:11
load r4, [table]
