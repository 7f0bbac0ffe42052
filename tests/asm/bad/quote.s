; SPDX-License-Identifier: Apache-2.0
; expect ASM001 3:8
.ascii "abc
