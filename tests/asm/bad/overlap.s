; SPDX-License-Identifier: Apache-2.0
; expect ASM005 4:9
.tensor a, size=16, addr=0x1000
.tensor b, size=16, addr=0x1008
