; expect ASM003 2:11
load r4, [table]
