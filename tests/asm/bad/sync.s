; expect ASM007 2:28
noop | wait s1 >= 1 | post s2 += 2
