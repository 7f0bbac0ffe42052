; expect ASM004 3:1
a: noop
a: noop
