; expect ASM001 3:12
mov r4, \
	1 + 2 + 5 $
