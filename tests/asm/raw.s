; SPDX-License-Identifier: Apache-2.0
; Bundles that nobody checked.
	.unchecked
	.bundle	0x000010FF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
	mov.u8	r1, 2
	.checked
	exit
