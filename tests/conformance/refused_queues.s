; SPDX-License-Identifier: Apache-2.0
; One DMA queue more than the core has: refused before the first cycle.
; expect-error: RUN005 17 DMA queues, this core has 16
	.tensor	t, size=8
	.queue	q0, engine=SP
	.instance i0
	.queue	q1, engine=SP
	.instance i1
	.queue	q2, engine=SP
	.instance i2
	.queue	q3, engine=SP
	.instance i3
	.queue	q4, engine=SP
	.instance i4
	.queue	q5, engine=SP
	.instance i5
	.queue	q6, engine=SP
	.instance i6
	.queue	q7, engine=SP
	.instance i7
	.queue	q8, engine=SP
	.instance i8
	.queue	q9, engine=SP
	.instance i9
	.queue	q10, engine=SP
	.instance i10
	.queue	q11, engine=SP
	.instance i11
	.queue	q12, engine=SP
	.instance i12
	.queue	q13, engine=SP
	.instance i13
	.queue	q14, engine=SP
	.instance i14
	.queue	q15, engine=SP
	.instance i15
	.queue	q16, engine=SP
	.instance i16
	.engine	SP
	exit
