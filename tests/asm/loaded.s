; SPDX-License-Identifier: Apache-2.0
; Loaded form.
	.loaded
	call	@f
	currank	r8, group=1, value=7
	load	r1, [0x1020]
	exit
	.func	f keep
	ret	keep
