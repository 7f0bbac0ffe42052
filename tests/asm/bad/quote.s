; expect ASM001 2:8
.ascii "abc
