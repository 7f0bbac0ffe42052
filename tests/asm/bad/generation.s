; expect ASM008 3:1
.gen 2
cbarrier id=1
