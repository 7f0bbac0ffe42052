; SPDX-License-Identifier: Apache-2.0
; expect ASM007 3:28
noop | wait s1 >= 1 | post s2 += 2
