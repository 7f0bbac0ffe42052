; SPDX-License-Identifier: Apache-2.0
; expect ASM010 3:1
.bundle 1
