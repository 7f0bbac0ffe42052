; SPDX-License-Identifier: Apache-2.0
;
; fp32 stream on DVE: 128 partitions, TensorTensor add of two SBUF rows of 512
; elements into a third, for ever.
	.engine	DVE
again:	tt	in0_dtype=f32, in1_dtype=f32, out_dtype=f32, alu=add, ch=128, src0=[0x1000, 1:512], src1=[0x2000, 1:512], dst=[0x3000, 1:512]
	jmp	again
