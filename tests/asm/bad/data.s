; SPDX-License-Identifier: Apache-2.0
; expect ASM005 5:13
.tensor a, size=2
.data a
.byte 1, 2, 3
