; SPDX-License-Identifier: Apache-2.0
; expect ASM003 3:13
noop | wait done >= 1
