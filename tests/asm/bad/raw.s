; expect ASM010 2:1
.bundle 1
