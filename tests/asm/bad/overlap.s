; expect ASM005 3:9
.tensor a, size=16, addr=0x1000
.tensor b, size=16, addr=0x1008
