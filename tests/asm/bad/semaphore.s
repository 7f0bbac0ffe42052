; expect ASM003 2:13
noop | wait done >= 1
