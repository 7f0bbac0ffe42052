; expect ASM005 2:9
mov r4, 1 << 33
