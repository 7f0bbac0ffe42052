; SPDX-License-Identifier: Apache-2.0
; expect ASM004 4:1
a: noop
a: noop
