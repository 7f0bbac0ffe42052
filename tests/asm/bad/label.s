; expect ASM003 3:5
	noop
jmp nowhere
