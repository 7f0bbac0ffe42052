; SPDX-License-Identifier: Apache-2.0
; A program for gen2 on the gen3 core: refused before the first cycle.
; expect-error: RUN002 gen
	.gen	2
	.engine	SP
	exit
