; expect ASM008 2:2
	mov.u16 r4, 1
