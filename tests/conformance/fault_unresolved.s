; SPDX-License-Identifier: Apache-2.0
; A Call that no loader has resolved, by its marker.
; expect-fault: SP=UNRESOLVED@1
	.engine	SP
	noop
	.unchecked
	.bundle	0x000010D3, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000, \
		0x00000000, 0x00000000, 0x00000000, 0x02000000, \
		0x00000000, 0x00000000, 0x00000000, 0x00000000
	.checked
	exit
