; SPDX-License-Identifier: Apache-2.0
; Posts of the edge on which a reset retires are not lost: DVE clears s5 while
; POOL adds 2 and SP adds 10, all in cycle 4 (e0 is visible from then on).
; expect: PASS
	.engine	PE
	noop	| wait e0
	exit
	.engine	ACT
	noop	| wait e0
	noop	| wait s5 == 12
	exit
	.engine	POOL
	evsem	| wait e0 | post s5 += 2
	exit
	.engine	DVE
	greset	s5..s5	| wait e0
	exit
	.engine	SP
	noop	| post s5 = 7
	noop	| post e0
	noop	| post s5 += 10
	exit
