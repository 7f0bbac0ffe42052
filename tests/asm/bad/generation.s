; SPDX-License-Identifier: Apache-2.0
; expect ASM008 4:1
.gen 2
cbarrier id=1
