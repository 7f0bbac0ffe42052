; expect ASM003 2:6
call f
