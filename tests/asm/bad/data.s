; expect ASM005 4:13
.tensor a, size=2
.data a
.byte 1, 2, 3
